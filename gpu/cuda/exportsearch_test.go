//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// SearchSetting is how a search is tried.
type SearchSetting struct {
	Group       int
	Plain, More bool
	Sets        bool // of every third leaf nothing matters, and other thirds are in set 7, or several
	BatchPairs  int

	Tracer func(dev *driver.Device) (Tracer, error) // nil: by boxes
	Chunk  int                                      // groups that have room for what rays find; 0: all
}

// SetOf is that of a leaf.
func SetOf(leaf int) int32 { return []int32{-2, -1, 7}[leaf%3] }

// Boxes are those of a set of rows, as the card has them.
type Boxes struct {
	Leaves, Axes, Dim int
	Fill              []int32
	Lo, Hi, Rest      []float32
	PlainLo, PlainHi  []float64
}

// Searched is what a search found: pairs of leaves, as items have them, and what was
// added to the leaves of the queries.
type Searched struct {
	Q, T                Boxes
	Eps2, Apart, Within float64
	Tiles               [][2]int
	More                []uint32
	Rounds, Items       int
}

// SearchOpen searches for the pairs of leaves of q, or of pts itself, and of pts.
func SearchOpen(ctx context.Context, pts, q *join.Points, eps float64, set SearchSetting) (out Searched, err error) {
	opt := Options{Road: RoadPlain, BatchPairs: set.BatchPairs, Tracer: set.Tracer}
	if set.Tracer != nil {
		opt.Search, opt.chunk = SearchRays, set.Chunk
	}
	idx, err := New(opt).Index(ctx, pts)
	if err != nil {
		return out, err
	}
	x := idx.(*index)
	if set.Plain {
		x.rows.reach = math.Inf(1)
	}
	err = x.join(ctx, q, eps, func(j *joining) error {
		return j.alloc(int64(4*j.q.leaves), func(more *driver.Buffer) error { return out.search(j, more, set) })
	})
	return out, cmp.Or(err, x.Close())
}

func (out *Searched) search(j *joining, more *driver.Buffer, set SearchSetting) error {
	if err := j.s.Zero(more, 0, more.Size()); err != nil {
		return err
	}
	given := more
	if !set.More {
		given = nil
	}
	want := wanted{group: set.Group, more: given}
	err := j.withSets(&want, set.Sets, func() error {
		return j.search(want, func(r round) error { return out.take(j, r) })
	})
	if err != nil {
		return err
	}
	out.More = make([]uint32, j.q.leaves)
	out.Eps2 = j.eps2
	out.Apart, out.Within, _ = boxLimits(j.rows.turn, j.eps2, j.q.reach+j.rows.reach)
	err = cmp.Or(driver.Download(j.s, out.More, more, 0), out.Q.fetch(j.s, j.q, set.Plain))
	return cmp.Or(err, out.T.fetch(j.s, j.rows, set.Plain))
}

func (j *joining) withSets(want *wanted, sets bool, do func() error) error {
	if !sets {
		return do()
	}
	leaves := max(j.q.leaves, j.rows.leaves)
	all := make([]int32, leaves+j.rows.supers)
	for l := range leaves {
		all[l] = SetOf(l)
	}
	for s := range j.rows.supers {
		all[leaves+s] = -1
	}
	return j.alloc(int64(4*len(all)), func(b *driver.Buffer) error {
		want.setQ, want.setT, want.superSetT = b.Addr(), b.Addr(), b.Addr()+uint64(4*leaves)
		return cmp.Or(driver.Upload(j.s, b, 0, all), do())
	})
}

// take copies a round, which is one buffer: items first, entries last.
func (out *Searched) take(j *joining, r round) error {
	items := make([]kernels.Item, r.n)
	if err := copyFrom(j.s, items, r.items, r.in); err != nil {
		return err
	}
	before := len(out.Tiles)
	for _, it := range items {
		if it.N < 1 || it.N > mostEntries {
			return fmt.Errorf("an item of %d entries", it.N)
		}
		entries := make([]uint32, it.N)
		if err := copyFrom(j.s, entries, r.entries+uint64(4*it.From), r.in); err != nil {
			return err
		}
		for _, e := range entries {
			for a := range kernels.Group {
				if e>>(kernels.EntryLeaf+a)&1 == 1 {
					out.Tiles = append(out.Tiles, [2]int{int(it.Group)*r.group + a, int(e & (1<<kernels.EntryLeaf - 1))})
				}
			}
		}
	}
	out.Rounds++
	out.Items += r.n
	if got := int64(len(out.Tiles) - before); got != r.tiles {
		return fmt.Errorf("a round of %d pairs of leaves says that it has %d", got, r.tiles)
	}
	return nil
}

func (b *Boxes) fetch(s *driver.Stream, r *rows, plain bool) error {
	p, held := r.param, r.held()
	b.Leaves, b.Axes, b.Dim = r.leaves, int(p.Axes), int(p.Dim)
	b.Fill = make([]int32, r.leaves)
	b.Lo, b.Hi, b.Rest = make([]float32, b.Axes*r.leaves), make([]float32, b.Axes*r.leaves), make([]float32, r.leaves)
	err := cmp.Or(copyFrom(s, b.Fill, p.Fill, held...), copyFrom(s, b.Lo, p.Lo, held...), copyFrom(s, b.Hi, p.Hi, held...), copyFrom(s, b.Rest, p.Rest, held...))
	if plain {
		b.PlainLo, b.PlainHi = make([]float64, b.Dim*r.leaves), make([]float64, b.Dim*r.leaves)
		err = cmp.Or(err, copyFrom(s, b.PlainLo, p.PlainLo, held...), copyFrom(s, b.PlainHi, p.PlainHi, held...))
	}
	return err
}

// held is the memory of a set of rows.
func (r *rows) held() []*driver.Buffer { return r.kept.held }

// copyFrom copies from an address in one of some buffers.
func copyFrom[T any](s *driver.Stream, dst []T, from uint64, buffers ...*driver.Buffer) error {
	for _, b := range buffers {
		if from >= b.Addr() && from < b.Addr()+uint64(b.Size()) {
			return driver.Download(s, dst, b, int64(from-b.Addr()))
		}
	}
	return fmt.Errorf("address %#x is in no buffer", from)
}
