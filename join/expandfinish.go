package join

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// finisher makes the neighbours of one query after the other from the candidates.
type finisher struct {
	*candidates
	near   []Neighbor // the nearest places of a query
	merged []Neighbor // their rows
	others []Neighbor // the same without the query row
}

// measure sets near to the nearest candidates of query i, at most want.
func (f *finisher) measure(i int) {
	metric, x := f.pts.Metric(), f.pts.Row(i)
	f.near = f.near[:0]
	for _, j := range f.place[f.start[i] : f.start[i]+int(f.held[i])] {
		f.near = append(f.near, Neighbor{D2: metric.Measure(x, f.targets.pts.Row(int(j))), Row: j})
	}
	slices.SortFunc(f.near, compareNeighbors)
	f.near = f.near[:min(len(f.near), f.want)]
}

func compareNeighbors(a, b Neighbor) int {
	return cmp.Or(cmp.Compare(a.D2, b.D2), cmp.Compare(a.Row, b.Row))
}

// keepNearest drops the candidates of query i that are not among the nearest.
func (f *finisher) keepNearest(i int) {
	f.measure(i)
	for at, n := range f.near {
		f.place[f.start[i]+at] = n.Row
	}
	f.held[i] = int32(len(f.near))
}

// finish emits the neighbours of query i.
func (f *finisher) finish(i int, eps float64) error {
	if f.counts != nil && f.seen[i] != int64(f.counts[i]) {
		return fmt.Errorf("join: the engine counts %d rows within %v of one, and lists %d", f.counts[i], eps, f.seen[i])
	}
	f.measure(i)
	if len(f.near) < f.want {
		if !f.isBeyond(eps) {
			return errMiscounted(f.seen[i], eps)
		}
		f.fill()
	}
	return f.deliver(f.batch[i])
}

func errMiscounted(listed int64, eps float64) error {
	return fmt.Errorf("join: the engine lists %d rows within %v of one, and counts more", listed, eps)
}

// isBeyond reports whether there may be rows that no ε reaches, eps being the
// greatest: distances are not squared, and are infinite.
func (f *finisher) isBeyond(eps float64) bool {
	return eps == math.MaxFloat64 && f.pts.Metric().Bound(eps) < math.Inf(1)
}

// fill adds to near, which has all places at finite distances, those at infinite
// ones that come first.
func (f *finisher) fill() {
	finite := make(map[int32]bool, len(f.near))
	for _, n := range f.near {
		finite[n.Row] = true
	}
	for j := int32(0); len(f.near) < f.want; j++ {
		if !finite[j] {
			f.near = append(f.near, Neighbor{D2: math.Inf(1), Row: j})
		}
	}
}

// deliver emits the nearest rows of all rows of a query, whose nearest places are
// in near.
func (f *finisher) deliver(query int32) error {
	f.merge()
	for _, row := range f.queries.of(query) {
		near := f.merged
		if f.self {
			f.others = f.others[:0]
			for _, n := range near {
				if n.Row != row {
					f.others = append(f.others, n)
				}
			}
			near = f.others
		}
		if err := f.pass(int(row), near[:min(len(near), f.k)]); err != nil {
			return err
		}
	}
	return nil
}

// merge sets merged to the nearest rows of the places in near.
func (f *finisher) merge() {
	f.merged = f.merged[:0]
	for from, to := 0, 0; from < len(f.near) && len(f.merged) < f.rows; from = to {
		tie, d2 := len(f.merged), f.near[from].D2
		for ; to < len(f.near) && f.near[to].D2 == d2; to++ {
			rows := f.targets.of(f.near[to].Row)
			for _, row := range rows[:min(len(rows), f.rows-tie)] {
				f.merged = append(f.merged, Neighbor{D2: d2, Row: row})
			}
		}
		if to-from > 1 {
			slices.SortFunc(f.merged[tie:], compareNeighbors)
		}
		f.merged = f.merged[:min(len(f.merged), f.rows)]
	}
}
