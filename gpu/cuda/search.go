//go:build cuda

package cuda

import (
	"cmp"
	"slices"

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
	s := &searching{joining: j, groups: (j.q.leaves + want.group - 1) / want.group}
	if err := s.prepare(want); err != nil {
		return err
	}
	return j.alloc(int64(8*s.groups), func(b *driver.Buffer) error {
		s.param.EntriesOf, s.param.TilesOf = b.Addr(), b.Addr()+uint64(4*s.groups)
		if err := s.tally(b); err != nil {
			return err
		}
		return s.each(do)
	})
}

// searching is a search at work.
type searching struct {
	*joining
	param            kernels.Search
	groups           int
	suffix           string   // of the kernels
	entries, tilesOf []uint32 // of each group
	total            int64    // tiles
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
	return nil
}

// tally finds out how many entries each group has. b is for these numbers.
func (s *searching) tally(b *driver.Buffer) error {
	defer s.stage("search")()
	var err error
	if s.param.MoreT == 0 {
		err = s.launch("tally"+s.suffix, s.groups, searchThreads)
	} else {
		err = s.alloc(int64(4*s.rows.supers), s.tallyBoth)
	}
	if err != nil {
		return err
	}
	both := make([]uint32, 2*s.groups)
	if err := driver.Download(s.s, both, b, 0); err != nil {
		return err
	}
	s.entries, s.tilesOf = both[:s.groups], both[s.groups:]
	for _, n := range s.tilesOf {
		s.total += int64(n)
	}
	return nil
}

const searchThreads = 128

func (s *searching) launch(kernel string, blocks, threads int) error {
	return launch(s.card, s.s, "search", kernel, blocks, threads, &s.param)
}

// tallyBoth is the tally of a self-join that gives rows to both leaves of a pair, for
// which it takes a counter for each superleaf.
func (s *searching) tallyBoth(supers *driver.Buffer) error {
	s.param.MoreSuper = supers.Addr()
	if err := s.s.Zero(supers, 0, supers.Size()); err != nil {
		return err
	}
	if err := s.launch("tally"+s.suffix, s.groups, searchThreads); err != nil {
		return err
	}
	return s.launch("spread", s.rows.supers, kernels.Super)
}

// each gives away rounds of groups that are side by side.
func (s *searching) each(do func(r round) error) error {
	s.joining.tally("pairs of leaves", s.total)
	free, err := s.dev.Memory()
	if err != nil {
		return err
	}
	room := min(roundEntries, 4*int64(s.opt.BatchPairs), free/3/4)
	for from := 0; from < s.groups; {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		to, entries, tiles := from, int64(0), int64(0)
		for to < s.groups {
			e, t := int64(s.entries[to]), int64(s.tilesOf[to])
			if entries > 0 && (entries+e > room || tiles+t > roundTiles) {
				break
			}
			entries, tiles = entries+e, tiles+t
			to++
		}
		if entries > 0 {
			if err := s.round(from, to, entries, tiles, do); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// round fills in the entries of some groups, and gives them away.
func (s *searching) round(from, to int, entries, tiles int64, do func(r round) error) error {
	order := s.heavyFirst(from, to)
	place, items := s.lay(order)
	// One buffer: items, places, order, entries.
	placesAt := int64(16 * len(items))
	orderAt := placesAt + int64(8*len(place))
	entriesAt := (orderAt + int64(4*len(order)) + 255) / 256 * 256
	return s.alloc(entriesAt+4*entries, func(b *driver.Buffer) error {
		p := s.param
		p.Place, p.Order, p.Entries = b.Addr()+uint64(placesAt), b.Addr()+uint64(orderAt), b.Addr()+uint64(entriesAt)
		if err := s.fill(b, &p, place, order, items); err != nil {
			return err
		}
		return do(round{in: b, items: b.Addr(), entries: p.Entries, n: len(items), group: int(p.Group), tiles: tiles, total: s.total})
	})
}

// fill has the kernel write entries, and uploads the items meanwhile.
func (s *searching) fill(b *driver.Buffer, p *kernels.Search, place []int64, order []int32, items []kernels.Item) error {
	defer s.stage("search")()
	if err := driver.Upload(s.s, b, int64(p.Place-b.Addr()), place); err != nil {
		return err
	}
	if err := driver.Upload(s.s, b, int64(p.Order-b.Addr()), order); err != nil {
		return err
	}
	if err := launch(s.card, s.s, "search", "fill"+s.suffix, len(order), searchThreads, p); err != nil {
		return err
	}
	return driver.Upload(s.s, b, 0, items)
}

// heavyFirst returns those groups that have entries, the ones with most tiles first, so
// that no large one is left at the end of a round. Groups of much the same size keep
// their order.
func (s *searching) heavyFirst(from, to int) []int32 {
	most := slices.Max(s.tilesOf[from:to])
	const classes = 256
	scale := (classes - 1) / float32(max(most, 1))
	class := func(g int) int { return max(0, classes-1-int(scale*float32(s.tilesOf[g]))) }
	var at [classes + 1]int
	for g := from; g < to; g++ {
		if s.entries[g] > 0 {
			at[class(g)+1]++
		}
	}
	for c := range classes {
		at[c+1] += at[c]
	}
	order := make([]int32, at[classes])
	for g := from; g < to; g++ {
		if s.entries[g] > 0 {
			c := class(g)
			order[at[c]] = int32(g)
			at[c]++
		}
	}
	return order
}

// lay returns where each group's entries go, and the items of them.
func (s *searching) lay(order []int32) (place []int64, items []kernels.Item) {
	place = make([]int64, len(order))
	n, most := len(order), int64(s.itemEntries)
	for _, g := range order {
		if e := int(s.entries[g]); e > s.itemEntries {
			n += (e - 1) / s.itemEntries
		}
	}
	items = make([]kernels.Item, n)
	at := int64(0)
	n = 0
	for i, g := range order {
		place[i] = at
		for rest := int64(s.entries[g]); rest > 0; rest -= most {
			items[n] = kernels.Item{Group: g, N: int32(min(rest, most)), From: at}
			at += min(rest, most)
			n++
		}
	}
	return place, items
}
