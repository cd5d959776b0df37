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
// are far apart in memory, once.
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
	labels := s.sets.parent // room: the sets are done with
	if attach && found.Clusters > 0 {
		m := newMeter(ctx, join.StageAttach, len(t.rows))
		if err := x.attach(ctx, t, eps2, at, labels, m); err != nil {
			return found, err
		}
		m.end()
	} else {
		labels = at
	}
	found.Noise, err = x.hand(ctx, cores, labels, core, label)
	return found, err
}

// cores returns the lanes of each leaf whose count is least or more, and adds up what
// counts tell of pairs.
func (x *index) cores(ctx context.Context, counts []int32, least int32, found *join.Clustered) ([]uint32, error) {
	t := x.tree
	cores := make([]uint32, t.leaves)
	var all, pairs atomic.Int64
	err := forEach(ctx, x.threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			var lanes uint32
			sum := int64(from - to) // the rows themselves
			for lane, count := range counts[from:to] {
				if sum += int64(count); count >= least {
					lanes |= 1 << lane
				}
			}
			cores[leaf] = lanes
			all.Add(int64(bits.OnesCount32(lanes)))
			pairs.Add(sum)
			return nil
		}
	})
	found.Cores, found.Ordered = int(all.Load()), pairs.Load()
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

// hand hands cores and labels over to their rows, and returns how many are noise. A
// core row goes as −2 less its label, so that each row is one write far away; then all
// are told apart in their order.
func (x *index) hand(ctx context.Context, cores []uint32, labels []int32, core []bool, label []int32) (int, error) {
	t := x.tree
	err := forEach(ctx, x.threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			for lane, row := range t.rows[from:to] {
				found := labels[from+lane]
				switch {
				case cores[leaf]>>lane&1 != 0:
					found = -2 - found
				case found == noLabel:
					found = -1
				}
				label[row] = found
			}
			return nil
		}
	})
	if err != nil {
		return 0, err
	}
	var noise atomic.Int64
	err = forEach(ctx, x.threads, (len(label)+keyChunk-1)/keyChunk, func(int) func(chunk int) error {
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
