package main

import (
	"context"
	"errors"

	"rtcluster/io/table"
	"rtcluster/join"
)

// This file has the dry runs of `rtcluster outliers`.

// dryOutliers estimates scores.
func (j *job) dryOutliers(ctx context.Context, opt *outliersOptions, in *prepared) error {
	return j.dryRun(ctx, &opt.Dry, in.source, in.points, func(ctx context.Context, idx join.Index, d *dryAccount) error {
		if opt.has(takesEps) {
			if err := d.pairsOf(ctx, idx, nil, opt.Eps, 0); err != nil {
				return err
			}
		}
		if err := opt.dryScoring(ctx, j.dryStages(d, idx, nil), "", 1); err != nil {
			return err
		}
		d.writing(j, in.source, len(opt.addedColumns(opt.scores())))
		return nil
	})
}

// dryScoring adds the stages of scores, of so many times the rows of s.
func (o *outliersOptions) dryScoring(ctx context.Context, s *dryStages, label string, times float64) error {
	if o.has(takesK) {
		took, err := s.nearest(ctx, o.mostK())
		if err != nil {
			return err
		}
		s.stage(string(join.StageKNN)+label, times*took, countSpread, timed)
	}
	if o.has(takesEps) {
		took, err := s.counting(ctx, o.Eps.join(), 0)
		if err != nil {
			return err
		}
		s.stage(string(join.StageCounts)+label, times*took, countSpread, timed)
	}
	return nil
}

// dryRun estimates scores by a reference: what reading and scoring new rows takes, by
// the first of them.
func (n *novelty) dryRun(ctx context.Context) error {
	return n.job.dryRun(ctx, &n.opt.Dry, n.reference, n.reference.points, func(ctx context.Context, idx join.Index, d *dryAccount) error {
		if err := n.opt.dryScoring(ctx, n.dryStages(d, idx, nil), "", 1); err != nil {
			return err
		}
		d.Counts = n.new.rowCounts()
		total, before := float64(d.Counts.Rows), n.clock.of("read")
		first, rows, err := n.firstRows(ctx)
		if err != nil {
			return err
		}
		if rows > 0 {
			read := (n.clock.of("read") - before).Seconds()
			d.stage("read, new rows", read*total/float64(rows), guessSpread, timed)
		}
		if first != nil && first.Rows() > 0 {
			err = n.opt.dryScoring(ctx, n.dryStages(d, idx, first), ", new rows", total/float64(first.Rows()))
			if err != nil {
				return err
			}
		}
		d.writing(n.job, n.new.source, len(n.opt.addedColumns(n.scores)))
		return nil
	})
}

// firstRows reads the first rows, and returns some of them as points, nil if there are
// none, and how many were read.
func (n *novelty) firstRows(ctx context.Context) (first *join.Points, rows int, err error) {
	const most = 1 << 14
	n.new.bad = make([]table.Bad, len(n.new.columns))
	enough := errors.New("enough")
	n.clock.start("read")
	defer n.clock.stop("read")
	err = n.new.eachPiece(ctx, n.new.columns, func(_ int64, f *table.Floats) error {
		part := *f
		part.Rows = min(f.Rows, most)
		part.Data = f.Data[:part.Rows*f.Cols]
		err := n.new.piece(0, &part, func(s *source, _ int64) error {
			all := make([]int32, min(most, s.points.Rows()))
			for i := range all {
				all[i] = int32(i)
			}
			first = s.points.Subset(all) // the piece's memory is used again
			return nil
		})
		if rows = f.Rows; err != nil {
			return err
		}
		return enough
	})
	if errors.Is(err, enough) {
		err = nil
	}
	if err == nil && n.new.missing {
		err = n.new.badData(badColumns(n.new.bad))
	}
	return first, rows, err
}
