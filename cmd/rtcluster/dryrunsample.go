package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"rtcluster/join"
)

// This file times an engine on some of the rows. Random rows would not tell: an
// engine takes rows that are near to each other together. So patches of rows are
// taken, each all rows of a box, one from each part of a division of all rows
// into equal parts.

const (
	patchRows  = 2048 // of a patch, about: enough work for all threads
	patchParts = 16   // and as many patches
)

// patches returns rows of patches, in random order; all rows, as one patch, where
// there are few.
func patches(pts *join.Points, seed uint64) [][]int32 {
	rows := make([]int32, pts.Rows())
	for i := range rows {
		rows[i] = int32(i)
	}
	if len(rows) <= 2*patchRows {
		return [][]int32{rows}
	}
	p := newPatcher(pts, patchRows, seed)
	p.cut(rows, patchParts)
	p.random.Shuffle(len(p.found), func(a, b int) { p.found[a], p.found[b] = p.found[b], p.found[a] })
	return p.found
}

// patcher cuts patches of at most so many rows.
type patcher struct {
	pts    *join.Points
	size   int
	random *rand.Rand
	found  [][]int32
}

func newPatcher(pts *join.Points, size int, seed uint64) *patcher {
	return &patcher{pts: pts, size: size, random: rand.New(rand.NewPCG(seed, 1))}
}

// cut takes so many patches from a box of rows.
func (p *patcher) cut(rows []int32, number int) {
	if len(rows) <= p.size {
		p.found = append(p.found, slices.Clone(rows))
		return
	}
	low := p.halve(rows)
	a, b := rows[:low], rows[low:]
	switch {
	case low == 0 || low == len(rows): // equal rows
		p.found = append(p.found, slices.Clone(rows[:p.size]))
	case number > 1:
		p.cut(a, number/2)
		p.cut(b, number/2)
	case p.random.IntN(len(rows)) < low: // each row has the same chance
		p.cut(a, 1)
	default:
		p.cut(b, 1)
	}
}

// halve puts the rows below the middle of the coordinate that spreads most, by a
// sample, before the others, and returns how many they are.
func (p *patcher) halve(rows []int32) int {
	const sampled = 33
	best, middle, most := 0, 0.0, -1.0
	values := make([]float64, min(sampled, len(rows)))
	for k := range p.pts.Dim() {
		for i := range values {
			values[i] = p.pts.Row(int(rows[i*len(rows)/len(values)]))[k]
		}
		slices.Sort(values)
		if spread := values[len(values)-1] - values[0]; spread > most {
			best, middle, most = k, values[len(values)/2], spread
		}
	}
	low := 0
	for i, row := range rows {
		if p.pts.Row(int(row))[best] < middle {
			rows[i], rows[low] = rows[low], row
			low++
		}
	}
	return low
}

// timer times work on patches, for about as long as it may take in all.
type timer struct {
	engine  join.Engine
	points  *join.Points // all rows
	patches [][]int32
	now     func() time.Time
}

// timeAtMost is how long a kind of work is timed.
const timeAtMost = time.Second

func newTimer(j *job, points *join.Points) *timer {
	return &timer{engine: j.engine.join, points: points, patches: patches(points, j.runOpt.Seed), now: j.now}
}

// seconds estimates how long work on all rows takes, by that on patches. Each
// patch is a set of queries, whose own index, which the whole has only once, does
// not count.
func (t *timer) seconds(ctx context.Context, work func(q *join.Points) error) (float64, error) {
	const least = 3         // patches
	if len(t.patches) > 1 { // what an index makes ready at first is no part of each patch
		if err := work(t.points.Subset(t.patches[0][:1])); err != nil {
			return 0, err
		}
	}
	var spent, rows float64
	begun := t.now()
	for i, patch := range t.patches {
		if i >= least && t.now().Sub(begun) > timeAtMost {
			break
		}
		q := t.points.Subset(patch)
		from := t.now()
		idx, err := t.engine.Index(ctx, q)
		if err != nil {
			return 0, err
		}
		between := t.now()
		err = work(q)
		if closed := idx.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return 0, err
		}
		took := t.now().Sub(between).Seconds()
		const floor = 0.2 // of what was timed, if the index takes nearly all
		spent += max(took-between.Sub(from).Seconds(), floor*took)
		rows += float64(len(patch))
	}
	if rows == 0 {
		return 0, nil
	}
	return spent / rows * float64(t.points.Rows()), nil
}
