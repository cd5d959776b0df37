//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// The size of a round, and of an item, at most.
const (
	roundEntries = 1 << 26 // which take 256 MiB
	roundTiles   = 1 << 27 // about a fifth of a second of a fast card
)

// wanted says which pairs of leaves a join wants.
type wanted struct {
	group int            // leaves of the queries that are refined together, 1 to 4
	more  *driver.Buffer // a counter for each leaf of the queries, cleared, that takes rows found by boxes alone; nil: no pair is

	setQ, setT, superSetT uint64 // see passedOver in params.cuh; 0: every pair is wanted
	dealt                 bool   // the items are wanted in hands, see deal

	from, to int    // of the groups, those from one to another; to 0: all
	trial    bool   // it is tried how long a search takes
	by       Search // of a trial
}

// round is some of the pairs of leaves that a join has to refine.
type round struct {
	in             *driver.Buffer // that has the items and entries
	items, entries uint64         // addresses
	n              int            // items
	group          int            // leaves of a group
	tiles, total   int64          // pairs of leaves in this round, and in all
}

// part is n of the items, from one on.
func (r round) part(from, n int) round {
	r.items += uint64(from) * 16
	r.tiles = r.tiles * int64(n) / int64(r.n) // about
	r.n = n
	return r
}

// give sets what work takes of a round.
func (r round) give(w *kernels.Work) {
	w.Items, w.ItemCount, w.Entries, w.Group = r.items, int64(r.n), r.entries, int64(r.group)
}

// rounds gives away the pairs of leaves that boxes leave open.
func (j *joining) rounds(group int, more *driver.Buffer, do func(r round) error) error {
	return j.search(wanted{group: group, more: more}, do)
}

// search is rounds for a join that doesn't want all. What do queues on the join's
// stream may use the round, and no other.
func (j *joining) search(want wanted, do func(r round) error) error {
	if j.q.leaves == 0 || j.rows.leaves == 0 {
		return nil
	}
	s := &searching{joining: j, groups: (j.q.leaves + want.group - 1) / want.group, dealt: want.dealt, trial: want.trial, from: want.from, to: want.to}
	if s.to == 0 {
		s.to = s.groups
	}
	var err error
	if !want.trial {
		if want.by, err = j.chooseSearch(want); err != nil {
			return err
		}
	}
	if err = s.prepare(want); err == nil {
		err = s.run(do)
	}
	return cmp.Or(err, s.darken())
}

// run counts entries, and gives them away.
func (s *searching) run(do func(r round) error) error {
	// Entries and tiles of each group, then the number of pages.
	return s.alloc(int64(8*s.groups+4), func(b *driver.Buffer) error {
		s.param.EntriesOf, s.param.TilesOf, s.param.PageCount = b.Addr(), b.Addr()+uint64(4*s.groups), b.Addr()+uint64(8*s.groups)
		err := s.takePages(b)
		if err == nil {
			err = s.tally(b)
		}
		if err == nil {
			err = s.each(do)
		}
		return cmp.Or(err, s.dropPages())
	})
}

// searching is a search at work.
type searching struct {
	*joining
	dealt, trial     bool
	param            kernels.Search
	groups, from, to int       // all, and those that are searched for
	lighting         *lighting // nil: no rays
	suffix           string    // of the kernels
	entries, tilesOf []uint32  // of each group
	total            int64     // tiles
	pages            *driver.Buffer
	paged            int // pages in use, with all entries; 0: they are not all there
}

// prepare sets the parameter of the kernels, as far as all have it in common.
func (s *searching) prepare(want wanted) error {
	p := &s.param
	p.Group, p.Eps2 = int64(want.group), s.eps2
	p.SetQ, p.SetT, p.SuperSetT = want.setQ, want.setT, want.superSetT
	if s.self {
		p.Self = 1
	}
	if want.more != nil {
		p.More = want.more.Addr()
		if s.self {
			p.MoreT = p.More
		}
	}
	var turned bool
	if p.Apart, p.Within, turned = boxLimits(s.rows.turn, s.eps2, s.q.reach+s.rows.reach); !turned {
		p.Plain, s.suffix = 1, "_plain"
		if err := cmp.Or(s.q.plain(s.card, s.s), s.rows.plain(s.card, s.s)); err != nil {
			return err
		}
	}
	p.Q, p.T = s.q.param, s.rows.param
	if want.by == SearchRays && turned {
		tracer, err := s.tracer()
		if err != nil {
			return err
		}
		return s.light(tracer, want.group)
	}
	return nil
}

// tally finds out how many entries each group has. b is for these numbers.
func (s *searching) tally(b *driver.Buffer) error {
	defer s.stage("search")()
	var err error
	if s.param.MoreT == 0 {
		err = s.launchTally()
	} else {
		err = s.alloc(int64(4*s.rows.supers), s.tallyBoth)
	}
	if err != nil {
		return err
	}
	all := make([]uint32, 2*s.groups+1)
	if err := driver.Download(s.s, all, b, 0); err != nil {
		return err
	}
	s.entries, s.tilesOf = all[:s.groups], all[s.groups:2*s.groups] // of those that are searched for
	if n := all[2*s.groups]; int64(n) <= s.param.PageRoom {
		s.paged = int(n)
	}
	for _, n := range s.tilesOf[s.from:s.to] {
		s.total += int64(n)
	}
	return nil
}

func (s *searching) launchTally() error {
	return s.eachLit(s.from, s.to, func(p *kernels.Search, from, to int) error {
		return launch(s.card, s.s, "search", "tally"+s.suffix, to-from, kernels.SearchThreads, p)
	})
}

// tallyBoth is the tally of a self-join that gives rows to both leaves of a pair, for
// which it takes a counter for each superleaf.
func (s *searching) tallyBoth(supers *driver.Buffer) error {
	s.param.MoreSuper = supers.Addr()
	if err := s.s.Zero(supers, 0, supers.Size()); err != nil {
		return err
	}
	if err := s.launchTally(); err != nil {
		return err
	}
	return launch(s.card, s.s, "search", "spread", s.rows.supers, kernels.Super, &s.param)
}
