package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"rtcluster/io/table"
	"rtcluster/join"
)

// This file estimates what the stages of a run take, by what was timed on patches
// and by what reading and indexing took. The factors are of runs on tables of 1,000
// to 2 million rows and 2 to 90 columns; the spreads are how far these went.

const (
	bothHalves  = 0.65 // of counting for each row, where a self-join counts a pair for both
	countSpread = 1.6
	sameSpread  = 1.25 // of what the dry run does as the run does it
	guessSpread = 2.5  // of what was not timed itself
	timed       = "timed on a sample"
	guessed     = "by the stages before"
)

// dryStages is what the estimates of stages share.
type dryStages struct {
	*dryAccount
	*timer
	idx   join.Index
	index float64 // seconds that building it took
}

func (j *job) dryStages(d *dryAccount, idx join.Index, queries *join.Points) *dryStages {
	points := queries
	if points == nil {
		points = idx.Points()
	}
	return &dryStages{
		dryAccount: d, timer: newTimer(j, points), idx: idx, index: j.clock.of(string(join.StageIndex)).Seconds(),
	}
}

// counting is the time of counts up to a limit, 0 for none.
func (s *dryStages) counting(ctx context.Context, eps float64, limit int) (float64, error) {
	count := func(limit int32) (float64, error) {
		return s.seconds(ctx, func(q *join.Points) error {
			return s.idx.Counts(ctx, q, eps, limit, make([]int32, q.Rows()))
		})
	}
	full, err := count(0)
	full *= bothHalves
	if err != nil || limit == 0 {
		return full, err
	}
	limited, err := count(int32(limit))
	return min(limited, full), err // the engine chooses
}

// pairing is the time of listing pairs.
func (s *dryStages) pairing(ctx context.Context, eps float64) (float64, error) {
	return s.seconds(ctx, func(q *join.Points) error {
		return s.idx.Pairs(ctx, q, eps, func([]join.Pair) error { return nil })
	})
}

// clustering adds the stages of DBSCAN with an eps. Uniting core rows takes about as
// long as half of the index, and where rows have few near them a part of the
// counts; so does the search for the clusters of the others.
func (s *dryStages) clustering(ctx context.Context, opt *dbscanOptions, p *dryPairs, label string) error {
	limit := opt.MinSamples
	if opt.Counts {
		limit = 0
	}
	counts, err := s.counting(ctx, p.radius.join(), limit)
	if err != nil {
		return err
	}
	s.stage(string(join.StageCounts)+label, counts, countSpread, timed)
	if _, fast := s.idx.(join.Componenter); !fast {
		pairs, err := s.pairing(ctx, p.radius.join())
		s.stage(string(join.StagePairs)+label, pairs, guessSpread, timed)
		return err
	}
	rest := 1.0
	if p.CoreShare != nil {
		rest -= *p.CoreShare
	}
	s.stage(string(join.StageComponents)+label, 0.5*s.index+0.12*counts, guessSpread, guessed)
	s.stage(string(join.StageAttach)+label, 0.1*s.index+0.3*rest*counts, guessSpread, guessed)
	return nil
}

// nearest is the time of nearest rows.
func (s *dryStages) nearest(ctx context.Context, k int) (float64, error) {
	return s.seconds(ctx, func(q *join.Points) error {
		// A row is among its own nearest here.
		return s.idx.KNN(ctx, q, k+1, func(int, []join.Neighbor) error { return nil })
	})
}

// writingPairs adds what writing so many pairs takes, by writing some to nowhere.
func (s *dryStages) writingPairs(ctx context.Context, j *job, opt *joinOptions, in *joinInputs, p *dryPairs) error {
	if j.silent() || p.Pairs < 1 {
		return nil
	}
	some, err := s.somePairs(ctx, p.radius.join(), min(1<<20, int(p.Pairs)+1))
	if err != nil || len(some) == 0 {
		return err
	}
	format, _ := outputFormat(j.outputPath())
	w, err := newPairWriter("-", in, &opt.Metric, table.WriteOptions{Format: format, Compression: opt.Output.Compression, Stdout: io.Discard})
	if err != nil {
		return err
	}
	defer w.abort()
	begun := s.now()
	for part := range slices.Chunk(some, sortBatch) {
		if err := w.write(part); err != nil {
			return err
		}
	}
	if err := w.out.Commit(); err != nil {
		return err
	}
	each := s.now().Sub(begun).Seconds() / float64(len(some))
	s.stage("writing pairs", each*p.Pairs, countSpread, timed)
	return nil
}

// somePairs returns so many pairs of patches, the same again if these have fewer.
func (s *dryStages) somePairs(ctx context.Context, eps float64, number int) ([]join.Pair, error) {
	var some []join.Pair
	enough := errors.New("enough")
	for _, patch := range s.patches {
		err := s.idx.Pairs(ctx, s.points.Subset(patch), eps, func(pairs []join.Pair) error {
			for _, p := range pairs[:min(len(pairs), number-len(some))] {
				some = append(some, join.Pair{I: patch[p.I], J: p.J})
			}
			if len(some) == number {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			return nil, err
		}
		if len(some) == number {
			break
		}
	}
	for from := len(some); from > 0 && len(some) < number; {
		some = append(some, some[:min(from, number-len(some))]...)
	}
	return some, nil
}

// writing adds what writing the table of a source takes: some times what reading
// the coordinates took, by how much more there is, and the added columns.
func (d *dryAccount) writing(j *job, s *source, added int) {
	if j.silent() {
		return
	}
	keep, err := j.kept(s, nil)
	if err != nil {
		return
	}
	if keep == nil {
		keep = columnNames(s.table.Columns())
	}
	format, known := outputFormat(j.outputPath())
	parquet := s.table.Format() == "parquet"
	if !known { // a folder: like the input
		format = s.table.Format()
	}
	factor := 1.2 // text, copied
	switch {
	case parquet && format == "parquet" && j.outOpt.Compression == "":
		factor = 0.6 // pages, copied
	case parquet:
		factor = 3.5
	case format == "parquet":
		factor = 4.5 // text, whose types are found out first
	}
	if parquet {
		if all := s.table.ReadMemory(s.columns); all > 0 {
			factor *= float64(s.table.ReadMemory(keep)) / float64(all)
		}
	}
	const valueSeconds, fileSeconds = 60e-9, 15e-3 // an added value, and a file
	took := factor*j.clock.of("read").Seconds() + valueSeconds*float64(added)*float64(s.table.Rows()) + fileSeconds
	d.stage("write", took, guessSpread, guessed)
}
