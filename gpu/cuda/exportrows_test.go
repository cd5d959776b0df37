//go:build cuda

package cuda

import (
	"cmp"
	"context"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// Rows is what the card has of a set of rows, and what is known of it.
type Rows struct {
	kernels.Rows
	Row, Fill                                    []int32
	X                                            []float64 // widened
	Y, Lo, Hi, Rest, SuperLo, SuperHi, SuperRest []float32

	PlainLo, PlainHi, PlainSuperLo, PlainSuperHi, Mid, Radius []float64
	Offset                                                    []float32

	Matrix, Center                        []float64 // Pᵀ, also of a permutation
	Sigma, Near, Far, Kappa, Floor, Reach float64
}

// Bench has rows on a card.
type Bench struct {
	c *card
	s *driver.Stream
}

// NewBench opens a card.
func NewBench(opt Options) (*Bench, error) {
	c, err := New(opt).open()
	if err != nil {
		return nil, err
	}
	s, err := c.dev.Stream()
	return &Bench{c, s}, err
}

// Made are rows on the card.
type Made struct{ rows *rows }

// Make makes rows, like others if these are not nil.
func (b *Bench) Make(ctx context.Context, pts *join.Points, like *Made, threads int) (*Made, error) {
	var of *rows
	if like != nil {
		of = like.rows
	}
	r, err := b.c.newRows(ctx, b.s, pts, of, threads)
	if err != nil {
		return nil, err
	}
	return &Made{r}, b.s.Wait()
}

// Plain makes what the plain road needs.
func (b *Bench) Plain(m *Made) error { return cmp.Or(m.rows.plain(b.c, b.s), b.s.Wait()) }

// Free gives rows back.
func (b *Bench) Free(m *Made) error { return cmp.Or(m.rows.free(b.s), b.s.Wait()) }

// Left is what may still be allocated.
func (b *Bench) Left() (int64, error) { return b.c.dev.Memory() }

// Fetch copies rows from the card.
func (b *Bench) Fetch(m *Made) (*Rows, error) {
	r, p := m.rows, m.rows.param
	f := &Rows{Rows: p, Sigma: r.turn.sigma, Near: r.turn.near, Far: r.turn.far, Kappa: r.turn.kappa, Floor: r.turn.floor, Reach: r.reach, Center: r.turn.center}
	places, dim := p.Leaves*kernels.Leaf, p.Dim
	f.Matrix = r.turn.axes
	if r.turn.coords != nil {
		f.Matrix = make([]float64, dim*dim)
		for k, j := range r.turn.coords {
			f.Matrix[int64(j)*dim+int64(k)] = 1
		}
	}
	var err error
	if p.Wide != 0 {
		err = fetch(b, r, p.X, &f.X, places*dim)
	} else {
		var x []float32
		err = fetch(b, r, p.X, &x, places*dim)
		for _, v := range x {
			f.X = append(f.X, float64(v))
		}
	}
	err = cmp.Or(err,
		fetch(b, r, p.Row, &f.Row, places), fetch(b, r, p.Fill, &f.Fill, p.Leaves), fetch(b, r, p.Y, &f.Y, places*dim),
		fetch(b, r, p.Lo, &f.Lo, p.Axes*p.Leaves), fetch(b, r, p.Hi, &f.Hi, p.Axes*p.Leaves), fetch(b, r, p.Rest, &f.Rest, p.Leaves),
		fetch(b, r, p.SuperLo, &f.SuperLo, p.Axes*p.Supers), fetch(b, r, p.SuperHi, &f.SuperHi, p.Axes*p.Supers),
		fetch(b, r, p.SuperRest, &f.SuperRest, p.Supers))
	if p.Radius != 0 {
		err = cmp.Or(err,
			fetch(b, r, p.PlainLo, &f.PlainLo, dim*p.Leaves), fetch(b, r, p.PlainHi, &f.PlainHi, dim*p.Leaves),
			fetch(b, r, p.PlainSuperLo, &f.PlainSuperLo, dim*p.Supers), fetch(b, r, p.PlainSuperHi, &f.PlainSuperHi, dim*p.Supers),
			fetch(b, r, p.Mid, &f.Mid, dim*p.Leaves), fetch(b, r, p.Radius, &f.Radius, p.Leaves),
			fetch(b, r, p.Offset, &f.Offset, places*dim))
	}
	return f, err
}

func fetch[T any](b *Bench, r *rows, at uint64, to *[]T, n int64) error {
	*to = make([]T, n)
	for _, held := range r.kept.held {
		if held.Addr() == at && at != 0 {
			return driver.Download(b.s, *to, held, 0)
		}
	}
	return nil
}

// Plant is plant: its nodes.
func Plant(key []float32, stride, lead, buckets, threads int) []kernels.Node {
	return plant(key, stride, lead, buckets, threads).nodes
}

// SampleRow is the i-th of some rows of all.
func SampleRow(rows, count, i int) int { return sampling{rows: rows, count: count}.row(i) }

// What they are without capitals.
var (
	PartsOf  = partsOf
	LeadOf   = leadOf
	PowerFor = powerFor
)
