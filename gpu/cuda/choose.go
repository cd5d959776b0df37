//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"math"
	"time"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// choice is what an index has found to be faster, by [SearchFaster].
type choice struct {
	search Search // SearchFaster: not known yet
	rows   answer // whether near rows are counted by rays of rows
}

// answer is one that may not be known.
type answer int

const (
	unknown answer = iota
	yes
	no
)

const (
	// sampleGroups is how many groups of leaves a sample has at least, if there are as
	// many, so that a card has work, and sampleShare is the part of all that it is.
	sampleGroups = 1024
	sampleShare  = 16
)

// tellf has the engine's owner told something.
func (x *index) tellf(format string, args ...any) {
	if x.opt.Tell != nil {
		x.opt.Tell(fmt.Sprintf(format, args...))
	}
}

// chooseSearch is how a join is to search for what it wants.
func (j *joining) chooseSearch(want wanted) (Search, error) {
	if j.opt.Search != SearchFaster {
		return j.opt.Search, nil
	}
	if j.choice.search == SearchFaster {
		if _, _, turned := j.boxLimits(); !turned {
			return SearchBoxes, nil // in this join
		}
		if err := j.measureSearch(want); err != nil {
			return 0, err
		}
	}
	return j.choice.search, nil
}

// sample returns groups in the middle of all: in a self-join these have half of the
// leaves to meet, as all have on average.
func (j *joining) sample(group int) (groups, from, to int) {
	groups = (j.q.leaves + group - 1) / group
	n := min(groups, max(sampleGroups, groups/sampleShare))
	from = (groups - n) / 2
	return groups, from, from + n
}

// measureSearch tries both ways to search on a sample, without what sets leave out.
func (j *joining) measureSearch(want wanted) error {
	if _, err := j.tracer(); err != nil {
		if !errors.Is(err, driver.ErrMissing) {
			return err
		}
		j.tellf("search by boxes: %v", err)
		j.choice.search = SearchBoxes
		return nil
	}
	groups, from, to := j.sample(want.group)
	trial := wanted{group: want.group, trial: true, from: from, to: to}
	var took [2]time.Duration
	for i, by := range []Search{SearchBoxes, SearchRays} {
		trial.by = by
		var err error
		if took[i], err = j.second(func() error { return j.search(trial, func(round) error { return nil }) }); err != nil {
			return err
		}
		took[i] = time.Duration(float64(took[i]) * float64(groups) / float64(to-from))
	}
	took[1] += j.theatre.took
	name := "boxes"
	if j.choice.search = SearchBoxes; took[1] < took[0] {
		j.choice.search, name = SearchRays, "rays"
	}
	j.tellf("search by %s: boxes would take %v, rays %v, by a sample of %d of %d groups of leaves", name, round3(took[0]), round3(took[1]), to-from, groups)
	return nil
}

// second is how long work takes the second time, from an idle card to an idle card: the
// first has kernels compiled.
func (j *joining) second(work func() error) (took time.Duration, err error) {
	for range 2 {
		began := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		if err := j.s.Wait(); err != nil {
			return 0, err
		}
		took = time.Since(began)
	}
	return took, nil
}

// round3 has three digits or so.
func round3(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// boxLimits is [boxLimits] of the join.
func (j *joining) boxLimits() (apart, within float64, turned bool) {
	return boxLimits(j.rows.turn, j.eps2, j.q.reach+j.rows.reach)
}

// chooseRows tells whether the rows of a join are counted by rays of their own. count is
// for trials.
func (j *joining) chooseRows(count *driver.Buffer) (bool, error) {
	if j.rows.turn.dim > kernels.Space || j.opt.Road != RoadAuto || j.a != nil || j.q.places() > math.MaxInt32 || j.rows.places() > math.MaxInt32 ||
		j.q.leaves == 0 || j.rows.leaves == 0 {
		return false, nil
	}
	if _, _, turned := j.boxLimits(); !turned || j.opt.Search == SearchBoxes {
		return false, nil
	}
	if j.opt.Search == SearchFaster && j.choice.rows == unknown {
		if err := j.measureRows(count); err != nil {
			return false, err
		}
	}
	return j.opt.Search == SearchRays || j.choice.rows == yes, nil
}

// measureRows counts a sample by rays of rows, and by pairs of leaves, however these are
// searched for.
func (j *joining) measureRows(count *driver.Buffer) error {
	if _, err := j.tracer(); errors.Is(err, driver.ErrMissing) {
		j.choice.rows = no // chooseSearch tells it
		return nil
	}
	groups, from, to := j.sample(j.group())
	want := wanted{group: j.group()}
	by, err := j.chooseSearch(want)
	if err != nil {
		return err
	}
	want.trial, want.by, want.from, want.to = true, by, from, to
	pairs, err := j.second(func() error { return j.sumCounts(count, want) })
	if err != nil {
		return err
	}
	places := want.group * kernels.Leaf
	fits := true
	rays, err := j.second(func() error {
		var err error
		fits, err = j.traceRows(count, from*places, min(to*places, j.q.places()))
		return err
	})
	if err != nil {
		return err
	}
	j.choice.rows = no
	if fits && rays < pairs {
		j.choice.rows = yes
	}
	j.tellf("counts by rays of rows: %t; pairs of leaves took %v, rays of rows %v, of a sample of %d of %d groups of leaves",
		j.choice.rows == yes, round3(pairs), round3(rays), to-from, groups)
	return j.s.Zero(count, 0, count.Size())
}
