package main

import (
	"context"

	"rtcluster/join"
)

// This file has the dry runs of the commands.

// dryRun is a dry run of a command: what work adds to the account once the index is
// there. Its context reports no progress, so that the stages of the clock stay
// those of the run.
func (j *job) dryRun(ctx context.Context, opt *dryOptions, s *source, points *join.Points, work func(ctx context.Context, idx join.Index, d *dryAccount) error) error {
	return j.withIndex(ctx, points, func(_ context.Context, idx join.Index) error {
		d := j.newDry(s)
		d.measuredStages(j)
		if s.points.Rows() > 0 {
			if err := work(ctx, idx, d); err != nil {
				return err
			}
		}
		return d.print(j, opt)
	})
}

// dryRun estimates a clustering.
func (c *clustering) dryRun(ctx context.Context) error {
	return c.job.dryRun(ctx, &c.opt.Dry, c.in.source, c.in.points, func(ctx context.Context, idx join.Index, d *dryAccount) error {
		begun := c.now()
		radii, err := c.settleEps(ctx, idx, c.opt, c.in)
		if err != nil {
			return err
		}
		if c.opt.Auto {
			d.stage("eps", c.now().Sub(begun).Seconds(), sameSpread, "measured")
		}
		s := c.dryStages(d, idx, nil)
		minSamples := c.opt.MinSamples
		if c.in.weights != nil {
			minSamples = 0 // a sum of weights, of which counts say nothing
		}
		for _, r := range radii {
			if err := d.pairsOf(ctx, idx, nil, r, minSamples); err != nil {
				return err
			}
			label := ""
			if len(radii) > 1 {
				label = " (eps " + r.String() + ")"
			}
			if err := s.clustering(ctx, c.opt, &d.Pairs[len(d.Pairs)-1], label); err != nil {
				return err
			}
		}
		d.writing(c.job, c.in.source, len(c.opt.addedColumns()))
		return nil
	})
}

// dryJoin estimates pairs.
func (j *job) dryJoin(ctx context.Context, opt *joinOptions, in *joinInputs) error {
	return j.dryRun(ctx, &opt.Dry, in.a, in.indexed().points, func(ctx context.Context, idx join.Index, d *dryAccount) error {
		if err := d.pairsOf(ctx, idx, in.queries(), opt.Eps, 0); err != nil {
			return err
		}
		s := j.dryStages(d, idx, in.queries())
		halves := 1.0 // of the pairs that patches find, a self-join has each once
		if in.b == nil {
			halves = 0.5
		}
		if opt.Counts || opt.Sort {
			took, err := s.counting(ctx, opt.Eps.join(), 0)
			if err != nil {
				return err
			}
			if in.b != nil {
				took /= bothHalves
			}
			s.stage(string(join.StageCounts), took, countSpread, timed)
		}
		if opt.Counts {
			d.writing(j, in.a, 1)
			return nil
		}
		took, err := s.pairing(ctx, opt.Eps.join())
		if err != nil {
			return err
		}
		s.stage(string(join.StagePairs), halves*took, countSpread, timed)
		p := &d.Pairs[0]
		if opt.Sort {
			const pairSeconds = 150e-9 // to sort one
			s.stage(string(stageSort), pairSeconds*p.Pairs, guessSpread, guessed)
		}
		return s.writingPairs(ctx, j, opt, in, p)
	})
}
