package main

import (
	"context"
	"fmt"

	"rtcluster/dbscan"
	"rtcluster/join"
)

// predictor gives new rows their clusters, piece by piece.
type predictor struct {
	j      *job
	new    *newRows
	cores  *coreRows
	params *parameters
	model  *dbscan.Predictor

	labels []int64 // of all rows; -1 for noise and those that are not used
	valid  []bool  // nil: labels are never null
	sizes  []int   // by cluster
}

func newPredictor(j *job, s *source, cores *coreRows, params *parameters) (*predictor, error) {
	rows := s.table.Rows()
	bytes := 8.0
	if params.NaN == "drop" {
		bytes++
	}
	if err := needMemory(shown(s.path)+": its labels", bytes, float64(rows)); err != nil {
		return nil, err
	}
	p := &predictor{j: j, new: j.newNewRows(s, params.transform(), params.NaN), cores: cores, params: params}
	p.labels = make([]int64, rows)
	for i := range p.labels {
		p.labels[i] = -1
	}
	if params.NaN == "drop" {
		p.valid = make([]bool, rows)
	}
	clusters := int32(0)
	for _, label := range cores.labels {
		clusters = max(clusters, label+1)
	}
	p.sizes = make([]int, clusters)
	return p, nil
}

// run predicts all rows by the index of the core rows.
func (p *predictor) run(ctx context.Context, idx join.Index) (err error) {
	if p.model, err = dbscan.NewPredictor(ctx, idx, p.cores.labels, p.params.options()); err != nil {
		return err
	}
	return p.new.each(ctx, p.j, func(s *source, end int64) error { return p.piece(ctx, s, end) })
}

// piece predicts the rows of a piece.
func (p *predictor) piece(ctx context.Context, s *source, end int64) error {
	found, err := p.model.Predict(ctx, s.points)
	if err != nil {
		return err
	}
	if err := p.verify(ctx, s, found, p.new.sampled(s, end)); err != nil {
		return err
	}
	for i, label := range found {
		row := s.tableRow(i)
		p.labels[row] = int64(label)
		if p.valid != nil {
			p.valid[row] = true
		}
		if label >= 0 {
			p.sizes[label]++
		}
	}
	return nil
}

// verify recomputes rows of a piece.
func (p *predictor) verify(ctx context.Context, s *source, found []int32, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	p.j.clock.start("verify")
	defer p.j.clock.stop("verify")
	err := dbscan.VerifyPredict(ctx, p.cores.points, p.cores.labels, s.points, p.params.options(), found, rows)
	if err != nil {
		return fmt.Errorf("%s, rows from %d on: %w", shown(s.path), s.first, err)
	}
	p.j.report.Verified += len(rows)
	return nil
}

// rowCounts tells how many of the new rows were used.
func (p *predictor) rowCounts() rowCounts {
	counts := p.new.rowCounts()
	counts.Used, counts.Dropped = p.new.count, counts.Rows-p.new.count
	return counts
}
