//go:build cuda

package cuda

import (
	"errors"

	"rtcluster/gpu/internal/driver"
)

// wanted says which pairs of leaves a join wants.
type wanted struct {
	group int            // leaves of the queries that are refined together, 1 to 4
	more  *driver.Buffer // a counter for each leaf of the queries, cleared, that takes rows found by boxes alone; nil: no pair is

	setQ, setT, superSetT uint64 // see passedOver in params.cuh; 0: every pair is wanted
}

// round is some of the pairs of leaves that a join has to refine.
type round struct {
	items, entries uint64 // addresses
	n              int    // items
	tiles, total   int64  // pairs of leaves in this round, and in all
}

// itemEntries is the most entries that an item has.
const itemEntries = 512

// part is n of the items, from one on.
func (r round) part(from, n int) round {
	r.items += uint64(from) * 16
	r.n = n
	return r
}

// rounds gives away the pairs of leaves that boxes leave open.
func (j *joining) rounds(group int, more *driver.Buffer, do func(r round) error) error {
	return j.search(wanted{group: group, more: more}, do)
}

// search is rounds for a join that doesn't want all.
func (j *joining) search(w wanted, do func(r round) error) error { return errors.ErrUnsupported }
