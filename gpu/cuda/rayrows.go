//go:build cuda

package cuda

import (
	"cmp"
	"slices"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// This file counts near rows of few coordinates by a ray for each row of the queries,
// which meets the leaves that are near and compares the row with theirs (rays.cu), as the
// RT-HiSS paper suggests for three dimensions. A row and a leaf, or two rows, are boxes of
// no size, of turned rows, so that the limits of boxes decide (limits.go): a sum of squares
// above apart is not near, one of at most within is, and the predicate decides in between.

// rowsPiece is how many positions have rays in a launch: between launches the context is
// asked.
const rowsPiece = 1 << 22

// countByRows is countPositions by rays of rows. It isn't done where that serves less, or
// leaves too much doubt; count is 0 then.
func (j *joining) countByRows(count *driver.Buffer) (done bool, err error) {
	if chosen, err := j.chooseRows(count); !chosen || err != nil {
		return false, err
	}
	done, err = j.traceRows(count, 0, j.q.places())
	if err == nil && !done {
		err = j.s.Zero(count, 0, count.Size())
	}
	return done, err
}

// traceRows counts the near rows of positions from one to another, unless there is too
// much doubt.
func (j *joining) traceRows(count *driver.Buffer, from, to int) (fits bool, err error) {
	tracer, err := j.tracer()
	if err != nil {
		return false, err
	}
	var p kernels.Rays
	p.Apart, p.Within, _ = j.boxLimits()
	if err := j.s.Wait(); err != nil { // rays of a search before
		return false, err
	}
	p.Q, p.T, p.Count = j.q.param, j.rows.param, count.Addr()
	if p.Scene, err = j.show(tracer, sceneReach(p.Apart, [kernels.Space]float64{}, j.q.reach, j.rows.reach)); err != nil {
		return false, err
	}
	free, err := j.dev.Memory()
	if err != nil {
		return false, err
	}
	p.DoubtRoom = max(1, min(mostDoubt, free/8/doubtShare)/kernels.Doubters)
	if j.opt.doubt > 0 {
		p.DoubtRoom = min(p.DoubtRoom, j.opt.doubt)
	}
	err = j.alloc(8*p.DoubtRoom*kernels.Doubters, func(doubt *driver.Buffer) error {
		return j.alloc(4*kernels.Doubters, func(doubts *driver.Buffer) error {
			p.Doubt, p.Doubts = doubt.Addr(), doubts.Addr()
			fits = true
			for at := from; at < to && fits; at += rowsPiece {
				if err := j.ctx.Err(); err != nil {
					return err
				}
				p.Begin = int64(at)
				if fits, err = j.tracePiece(tracer, &p, doubts, min(rowsPiece, to-at)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return fits, err
}

// tracePiece has n rows find what is near, and what is in doubt decided, if there was room
// for it.
func (j *joining) tracePiece(tracer Tracer, p *kernels.Rays, doubts *driver.Buffer, n int) (fits bool, err error) {
	end := j.stage("refine")
	numbers := make([]uint32, kernels.Doubters)
	err = cmp.Or(
		j.s.Zero(doubts, 0, doubts.Size()),
		tracer.TraceRows(j.s, p, n),
		driver.Download(j.s, numbers, doubts, 0))
	end()
	if err != nil {
		return false, err
	}
	var all int64
	for _, n := range numbers {
		all += int64(n)
	}
	j.tell("pairs in doubt", all)
	if int64(slices.Max(numbers)) > p.DoubtRoom {
		return false, nil
	}
	w := j.work()
	w.Self = 0 // each of two rows has its ray, so that a pair counts for one
	w.CountQ, w.Doubt, w.Doubts, w.DoubtRoom = p.Count, p.Doubt, p.Doubts, p.DoubtRoom
	return true, j.recheck("count", &w, kernels.Doubters)
}
