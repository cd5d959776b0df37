package table

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// This file sees that the levels of nested values describe rows that there can
// be. What is copied with levels that do not fit together is refused by other
// readers, long after it was written.

var errShape = errors.New("its levels describe a further element of a list that is not there")

// shape follows the levels of a leaf.
type shape struct {
	least  []int // definition levels that values have at least that repeat at a level
	last   int   // definition level of the value before
	groups []sharedGroup
	done   [][]uint64 // their sums in the row groups that were read
}

// sharedGroup is a group with several leaves, and the sum of the levels of one of
// them as far as they are about the group: the same for all of its leaves.
type sharedGroup struct {
	n   *node
	sum uint64
}

// newShape returns the shape of a leaf, or nil if it is neither repeated nor part
// of a group with others.
func newShape(root *node, leaf int) *shape {
	s := &shape{least: []int{0}}
	for n := root; !n.Leaf(); {
		for _, c := range n.children {
			if leaf >= c.firstLeaf && leaf < c.firstLeaf+c.leaves {
				n = c
				break
			}
		}
		if n.Repeated() {
			s.least = append(s.least, n.maxDef)
		}
		if n.leaves > 1 {
			s.groups = append(s.groups, sharedGroup{n: n})
		}
	}
	if len(s.least) == 1 && s.groups == nil {
		return nil
	}
	return s
}

// add follows further values.
func (s *shape) add(values []parquet.Value) error {
	for i := range values {
		rep, def := values[i].RepetitionLevel(), values[i].DefinitionLevel()
		if rep > 0 && min(def, s.last) < s.least[rep] {
			return errShape
		}
		s.last = def
		for k := range s.groups {
			g := &s.groups[k]
			if rep <= g.n.maxRep {
				const prime = 1<<40 + 0x1b3 // of FNV-1a
				g.sum = (g.sum ^ uint64(rep<<8|min(def, g.n.maxDef)+1)) * prime
			}
		}
	}
	return nil
}

// end ends a row group.
func (s *shape) end() {
	sums := make([]uint64, len(s.groups))
	for k := range s.groups {
		sums[k] = s.groups[k].sum
		s.groups[k].sum = 0
	}
	s.done = append(s.done, sums)
}

// agree sees that the leaves of each group, one reader each in order, describe the
// same rows and elements of it, in the row groups that they have read since the
// last call.
func agree(readers []*leafReader) error {
	for i := 1; i < len(readers); i++ {
		a, b := readers[i-1], readers[i]
		if a.shape == nil || b.shape == nil {
			continue
		}
		for at := range min(len(a.shape.done), len(b.shape.done)) {
			if n := a.shape.differs(b.shape, at); n != nil {
				return b.p.damaged(b.leaf, fmt.Errorf("%q and %q do not have the same elements of %q",
					a.p.leaf[a.leaf].name, b.p.leaf[b.leaf].name, n.name))
			}
		}
	}
	for _, r := range readers {
		if r.shape != nil {
			r.shape.done = r.shape.done[:0]
		}
	}
	return nil
}

// differs returns a group that two leaves describe differently in a row group, or
// nil. The groups that they share come first.
func (s *shape) differs(other *shape, at int) *node {
	for k := 0; k < min(len(s.groups), len(other.groups)) && s.groups[k].n == other.groups[k].n; k++ {
		if s.done[at][k] != other.done[at][k] {
			return s.groups[k].n
		}
	}
	return nil
}
