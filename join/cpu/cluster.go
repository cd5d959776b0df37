package cpu

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"rtcluster/join"
)

// Cluster keeps all by position until the end, so that it goes through the rows, which
// are far apart in memory, once: a label is then marked if the row is core.
func (x *index) Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (join.Clustered, error) {
	t, found := x.tree, join.Clustered{}
	if err := x.checkMembers(eps, core, label); err != nil {
		return found, err
	}
	if least < 1 {
		return found, fmt.Errorf("cpu: at least %d rows make a core row, want 1 or more", least)
	}
	eps2 := join.Squared(eps)
	m := newMeter(ctx, join.StageCounts, len(t.rows))
	at, err := x.count(ctx, t, eps2, least, m)
	if err != nil {
		return found, err
	}
	m.end()
	cores, err := x.cores(ctx, at, least, &found)
	if err != nil {
		return found, err
	}
	s, err := x.unite(ctx, cores, eps2)
	if err != nil {
		return found, err
	}
	if found.Clusters, err = s.number(ctx, x.threads, at); err != nil {
		return found, err
	}
	if attach && found.Clusters > 0 {
		m := newMeter(ctx, join.StageAttach, len(t.rows))
		a := attaching{x: x, eps2: eps2, m: m, mark: true}
		if err := a.attach(ctx, t, at, label); err != nil {
			return found, err
		}
		m.end()
	} else if err := s.mark(ctx, x.threads, at, label); err != nil {
		return found, err
	}
	found.Noise, err = unmark(ctx, x.threads, core, label)
	return found, err
}

// cores returns the lanes of each leaf whose count is least or more, and adds up what
// counts tell of pairs.
func (x *index) cores(ctx context.Context, counts []int32, least int32, found *join.Clustered) ([]uint32, error) {
	t := x.tree
	cores := make([]uint32, t.leaves)
	hands := make([]*join.Clustered, x.threads) // what each goroutine adds up
	err := forEach(ctx, x.threads, t.leaves, func(id int) func(leaf int) error {
		sum := new(join.Clustered)
		hands[id] = sum
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			var lanes uint32
			for lane, count := range counts[from:to] {
				sum.Ordered += int64(count) - 1 // without the row itself
				if count >= least {
					lanes |= 1 << lane
				}
			}
			cores[leaf] = lanes
			sum.Cores += bits.OnesCount32(lanes)
			return nil
		}
	})
	for _, sum := range hands {
		if sum != nil {
			found.Cores += sum.Cores
			found.Ordered += sum.Ordered
		}
	}
	return cores, err
}

// number sets dst, by position, to the number of each member's set, and to noLabel for
// other rows, and returns how many sets there are. They are numbered in the order of
// their names: a set's number is how many names are smaller.
func (s *memberSets) number(ctx context.Context, threads int, dst []int32) (int, error) {
	const word = 64
	names := make([]atomic.Uint64, (len(s.t.rows)+word-1)/word)
	err := s.eachLeaf(ctx, threads, func(leaf int) {
		from, to := s.t.span(leaf, leaf+1)
		for _, parent := range s.sets.parent[from:to] {
			if name := parent - math.MinInt32; parent < 0 {
				names[name/word].Or(1 << (name % word))
			}
		}
	})
	if err != nil {
		return 0, err
	}
	before, sets := make([]int32, len(names)), int32(0)
	for i := range names {
		before[i] = sets
		sets += int32(bits.OnesCount64(names[i].Load()))
	}
	return int(sets), s.eachLeaf(ctx, threads, func(leaf int) {
		var of [leafRows]int32
		s.names(&of, leaf)
		from, to := s.t.span(leaf, leaf+1)
		last, number := int32(-1), int32(noLabel)
		for lane, name := range of[:to-from] {
			switch {
			case name == last:
			case name < 0:
				number = noLabel
			default:
				number = before[name/word] + int32(bits.OnesCount64(names[name/word].Load()&(1<<(name%word)-1)))
			}
			last, dst[from+lane] = name, number
		}
	})
}

// mark sets dst, by row, to −2 less the label of a member and to −1 for other rows.
func (s *memberSets) mark(ctx context.Context, threads int, labels, dst []int32) error {
	return s.eachLeaf(ctx, threads, func(leaf int) {
		from, to := s.t.span(leaf, leaf+1)
		for i, row := range s.t.rows[from:to] {
			dst[row] = -1
			if label := labels[from+i]; label != noLabel {
				dst[row] = -2 - label
			}
		}
	})
}

// unmark takes the marks of core rows off their labels, sets core by them, and returns
// how many rows are noise.
func unmark(ctx context.Context, threads int, core []bool, label []int32) (int, error) {
	var noise atomic.Int64
	err := forEach(ctx, threads, (len(label)+keyChunk-1)/keyChunk, func(int) func(chunk int) error {
		return func(chunk int) error {
			from, none := chunk*keyChunk, int64(0)
			to := min(len(label), from+keyChunk)
			for i, found := range label[from:to] {
				isCore := found < -1
				if isCore {
					found = -2 - found
				}
				if found < 0 {
					none++
				}
				core[from+i], label[from+i] = isCore, found
			}
			noise.Add(none)
			return nil
		}
	})
	return int(noise.Load()), err
}
