//go:build cuda

package cuda

import (
	"cmp"
	"slices"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// each gives away rounds of groups that are side by side.
func (s *searching) each(do func(r round) error) error {
	if !s.trial {
		s.openTiles = s.total
		s.tell("pairs of leaves", s.total)
	}
	free, err := s.dev.Memory()
	if err != nil {
		return err
	}
	room := min(roundEntries, 4*int64(s.opt.BatchPairs), free/3/4)
	for from := s.from; from < s.to; {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		to, entries, tiles := from, int64(0), int64(0)
		for to < s.to {
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

// round lays out the entries of some groups, and gives them away.
func (s *searching) round(from, to int, entries, tiles int64, do func(r round) error) error {
	l := &laid{from: from, order: s.heavyFirst(from, to)}
	s.lay(l, to)
	if s.dealt {
		l.items = deal(l.items)
	}
	// One buffer: items, places, order, entries.
	placesAt := int64(16 * len(l.items))
	orderAt := placesAt + int64(8*len(l.place))
	entriesAt := (orderAt + int64(4*len(l.order)) + 255) / 256 * 256
	return s.alloc(entriesAt+4*entries, func(b *driver.Buffer) error {
		p := s.param
		p.Place = b.Addr() + uint64(placesAt) - uint64(8*from) // where that of group 0 would be
		p.Order, p.Entries = b.Addr()+uint64(orderAt), b.Addr()+uint64(entriesAt)
		end := s.stage("search")
		err := cmp.Or(driver.Upload(s.s, b, 0, l.items), driver.Upload(s.s, b, placesAt, l.place))
		if err != nil {
			return err
		}
		all := from == s.from && to == s.to
		if p.Begin, p.End = int64(from), int64(to); s.paged > 0 && (all || p.SetQ == 0) { // else sets may have grown
			if err = s.collect(&p); to == s.to {
				err = cmp.Or(err, s.dropPages())
			}
		} else if err = s.dropPages(); err == nil {
			err = s.fill(&p, b, orderAt, l.order)
		}
		end()
		if err != nil {
			return err
		}
		return do(round{in: b, items: b.Addr(), entries: p.Entries, n: len(l.items), group: int(p.Group), tiles: tiles, total: s.total})
	})
}

// fill has the entries of groups found anew, in an order that goes into b. place has the
// rest of the parameter.
func (s *searching) fill(place *kernels.Search, b *driver.Buffer, orderAt int64, order []int32) error {
	return s.eachLit(int(place.Begin), int(place.End), func(p *kernels.Search, from, to int) error {
		those := order
		if s.lighting != nil {
			those = nil
			for _, g := range order {
				if int(g) >= from && int(g) < to {
					those = append(those, g)
				}
			}
		}
		p.Place, p.Entries, p.Order = place.Place, place.Entries, b.Addr()+uint64(orderAt)
		err := driver.Upload(s.s, b, orderAt, those)
		orderAt += sizeOf(those)
		return cmp.Or(err, launch(s.card, s.s, "search", "fill"+s.suffix, len(those), kernels.SearchThreads, p))
	})
}

// laid is what a round is made of.
type laid struct {
	from  int     // the first group
	order []int32 // groups, in the order of their items
	place []int64 // of the groups, from the first on: where their entries go
	items []kernels.Item
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

// lay sets where each group's entries go, and the items of them.
func (s *searching) lay(l *laid, to int) {
	l.place = make([]int64, to-l.from)
	n, most := len(l.order), int64(s.itemEntries)
	for _, g := range l.order {
		if e := int(s.entries[g]); e > s.itemEntries {
			n += (e - 1) / s.itemEntries
		}
	}
	l.items = make([]kernels.Item, n)
	at := int64(0)
	n = 0
	for _, g := range l.order {
		l.place[int(g)-l.from] = at
		for rest := int64(s.entries[g]); rest > 0; rest -= most {
			l.items[n] = kernels.Item{Group: g, N: int32(min(rest, most)), From: at}
			at += min(rest, most)
			n++
		}
	}
}

// hands are what items are dealt to.
const hands = 16

// deal puts the items of one hand after those of another, so that a first part of them
// has some from everywhere, the ones with most tiles still first in each hand.
func deal(items []kernels.Item) []kernels.Item {
	out := make([]kernels.Item, 0, len(items))
	for hand := range hands {
		for i := hand; i < len(items); i += hands {
			out = append(out, items[i])
		}
	}
	return out
}

// before returns how many of n items the first hands have.
func before(hand, n int) int { return n/hands*hand + min(hand, n%hands) }
