package main

import (
	"context"
	"fmt"

	"rtcluster/dbscan"
	"rtcluster/io/table"
	"rtcluster/join"
)

// predictor gives new rows their clusters, piece by piece.
type predictor struct {
	j      *job
	new    *source
	cores  *coreRows
	params *parameters
	steps  *transform
	model  *dbscan.Predictor
	sample []int // rows to be verified, those ahead

	labels  []int64 // of all rows; -1 for noise and those that are not used
	valid   []bool  // nil: labels are never null
	sizes   []int   // by cluster
	used    int64
	missing bool // coordinates that are an error: what follows is only counted
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
	p := &predictor{j: j, new: s, cores: cores, params: params, steps: params.transform()}
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
	if j.runOpt.Verify > 0 {
		p.sample = j.sample(int(rows))
	}
	return p, nil
}

// run predicts all rows by the index of the core rows.
func (p *predictor) run(ctx context.Context, idx join.Index) (err error) {
	if p.model, err = dbscan.NewPredictor(ctx, idx, p.cores.labels, p.params.options()); err != nil {
		return err
	}
	p.new.bad = make([]table.Bad, len(p.new.columns))
	for k, name := range p.new.columns {
		p.new.bad[k] = table.Bad{Column: name, FirstRow: -1}
	}
	p.j.clock.start("read")
	defer p.j.clock.stop("read")
	err = p.new.eachPiece(ctx, p.new.columns, func(first int64, f *table.Floats) error {
		p.j.clock.stop("read")
		defer p.j.clock.start("read")
		return p.piece(ctx, first, f)
	})
	if err != nil {
		return err
	}
	p.new.bad = badColumns(p.new.bad)
	if p.missing {
		return p.new.badData(p.new.bad)
	}
	return nil
}

// piece predicts the rows from first on, whose numbers are in f.
func (p *predictor) piece(ctx context.Context, first int64, f *table.Floats) error {
	s := &source{path: p.new.path, table: p.new.table, columns: p.new.columns, first: first}
	if len(badColumns(f.Bad)) > 0 {
		addBad(p.new.bad, f.Bad)
		p.missing = p.missing || p.params.NaN == "error"
		s.rows = finiteRows(f)
	}
	if p.missing {
		return nil
	}
	s.split(f, len(s.columns), -1)
	if err := p.steps.apply(s); err != nil {
		return err
	}
	found, err := p.model.Predict(ctx, s.points)
	if err != nil {
		return err
	}
	if err := p.verify(ctx, s, found, first+int64(f.Rows)); err != nil {
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
	p.used += int64(len(found))
	return nil
}

// verify recomputes the rows of the sample that are in a piece, which ends before
// the row end of the table.
func (p *predictor) verify(ctx context.Context, s *source, found []int32, end int64) error {
	var rows []int
	for i := 0; len(p.sample) > 0 && int64(p.sample[0]) < end; p.sample = p.sample[1:] {
		for i < len(found) && s.tableRow(i) < int64(p.sample[0]) {
			i++
		}
		if i < len(found) && s.tableRow(i) == int64(p.sample[0]) {
			rows = append(rows, i)
		}
	}
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

// addBad adds the counts of a later piece.
func addBad(to, piece []table.Bad) {
	for k, b := range piece {
		sum := &to[k]
		sum.Nulls, sum.NaNs, sum.Infs = sum.Nulls+b.Nulls, sum.NaNs+b.NaNs, sum.Infs+b.Infs
		if sum.FirstRow < 0 {
			sum.FirstRow, sum.FirstLine = b.FirstRow, b.FirstLine
		}
	}
}

// rowCounts tells how many of the new rows were used.
func (p *predictor) rowCounts() rowCounts {
	counts := p.new.rowCounts()
	counts.Used, counts.Dropped = p.used, counts.Rows-p.used
	return counts
}
