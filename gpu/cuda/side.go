//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"math"
	"sync"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// side is a set of rows on the card, in the order of its leaves.
type side struct {
	pts            *join.Points
	rows           []int32
	threads        int // at work on the host
	leaves, groups int
	x, row         *driver.Buffer
	box, groupBox  *driver.Buffer // least coordinates, then greatest
	offset, mid    *driver.Buffer // for float32, as radius is
	radius         *driver.Buffer
	param          kernels.Side
}

// pieceLeaves is how many leaves are laid out on the host at a time.
const pieceLeaves = 4096

// newSide orders rows and copies them to the card. Who gets it frees it.
func (c *card) newSide(ctx context.Context, s *driver.Stream, pts *join.Points, threads int) (*side, error) {
	rows, err := order(ctx, pts, threads)
	if err != nil {
		return nil, err
	}
	a := &side{pts: pts, rows: rows, threads: threads}
	a.leaves = (len(rows) + kernels.Leaf - 1) / kernels.Leaf
	a.groups = (a.leaves + kernels.Group - 1) / kernels.Group
	if err = a.fill(ctx, s); err == nil {
		err = a.offsets(s, c.offsets)
	}
	if err != nil {
		return nil, cmp.Or(err, a.free(s))
	}
	return a, nil
}

// fill allocates and copies.
func (a *side) fill(ctx context.Context, s *driver.Stream) error {
	dim := a.pts.Dim()
	for _, b := range []struct {
		at   **driver.Buffer
		size int
	}{
		{&a.x, 8 * a.leaves * kernels.Leaf * dim},
		{&a.row, 4 * a.leaves * kernels.Leaf},
		{&a.box, 2 * 8 * a.leaves * dim},
		{&a.groupBox, 2 * 8 * a.groups * dim},
		{&a.offset, 4 * a.leaves * kernels.Leaf * dim},
		{&a.mid, 8 * a.leaves * dim},
		{&a.radius, 8 * a.leaves},
	} {
		var err error
		if *b.at, err = s.Alloc(int64(b.size)); err != nil {
			return err
		}
	}
	leafBox, err := a.layOut(ctx, s)
	if err != nil {
		return err
	}
	groupBox := leafBox.grouped(kernels.Group)
	if err := cmp.Or(driver.Upload(s, a.box, 0, leafBox.data), driver.Upload(s, a.groupBox, 0, groupBox.data)); err != nil {
		return err
	}
	half := func(b *driver.Buffer) uint64 { return b.Addr() + uint64(b.Size()/2) }
	a.param = kernels.Side{
		X: a.x.Addr(), Row: a.row.Addr(),
		Lo: a.box.Addr(), Hi: half(a.box),
		GroupLo: a.groupBox.Addr(), GroupHi: half(a.groupBox),
		Offset: a.offset.Addr(), Mid: a.mid.Addr(), Radius: a.radius.Addr(),
		N: int64(len(a.rows)), Leaves: int64(a.leaves), Groups: int64(a.groups),
	}
	return nil
}

// offsets makes on the card what float32 needs.
func (a *side) offsets(s *driver.Stream, k *driver.Kernel) error {
	return driver.Launch(s, k, a.leaves, kernels.Leaf, &kernels.Offsets{
		Side: a.param, Dim: int64(a.pts.Dim()),
		Offset: a.offset.Addr(), Mid: a.mid.Addr(), Radius: a.radius.Addr(),
	})
}

// layOut copies the coordinates, transposed leaf by leaf, and the row numbers, and
// returns the boxes of the leaves.
func (a *side) layOut(ctx context.Context, s *driver.Stream) (*boxes, error) {
	dim := a.pts.Dim()
	all := newBoxes(a.leaves, dim)
	x := make([]float64, min(a.leaves, pieceLeaves)*kernels.Leaf*dim)
	row := make([]int32, min(a.leaves, pieceLeaves)*kernels.Leaf)
	for from := 0; from < a.leaves; from += pieceLeaves {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(pieceLeaves, a.leaves-from)
		var wait sync.WaitGroup
		for part := range a.threads {
			wait.Go(func() {
				for l := part * n / a.threads; l < (part+1)*n/a.threads; l++ {
					a.layLeaf(from+l, x[l*kernels.Leaf*dim:(l+1)*kernels.Leaf*dim], row[l*kernels.Leaf:(l+1)*kernels.Leaf], all)
				}
			})
		}
		wait.Wait()
		err := cmp.Or(
			driver.Upload(s, a.x, int64(8*from*kernels.Leaf*dim), x[:n*kernels.Leaf*dim]),
			driver.Upload(s, a.row, int64(4*from*kernels.Leaf), row[:n*kernels.Leaf]))
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (a *side) layLeaf(leaf int, x []float64, row []int32, all *boxes) {
	first, dim, data := leaf*kernels.Leaf, a.pts.Dim(), a.pts.Data()
	rows := a.rows[first:min(first+kernels.Leaf, len(a.rows))]
	copy(row, rows)
	for lane := len(rows); lane < kernels.Leaf; lane++ {
		row[lane] = -1
	}
	for k := range dim {
		lanes := x[k*kernels.Leaf : (k+1)*kernels.Leaf]
		low, high := math.Inf(1), math.Inf(-1)
		for lane, r := range rows {
			v := data[int(r)*dim+k]
			lanes[lane] = v
			low, high = min(low, v), max(high, v)
		}
		for lane := len(rows); lane < kernels.Leaf; lane++ {
			lanes[lane] = math.NaN()
		}
		all.add(leaf, k, low, high)
	}
}

// free gives back what has been allocated.
func (a *side) free(s *driver.Stream) error {
	return cmp.Or(s.Free(a.x), s.Free(a.row), s.Free(a.box), s.Free(a.groupBox),
		s.Free(a.offset), s.Free(a.mid), s.Free(a.radius))
}

// boxes are n boxes as the card has them: the least coordinate k of box i at
// k·n + i, then all that are greatest.
type boxes struct {
	n, dim int
	data   []float64
}

func newBoxes(n, dim int) *boxes {
	b := &boxes{n: n, dim: dim, data: make([]float64, 2*n*dim)}
	for i := range n * dim {
		b.data[i], b.data[n*dim+i] = math.Inf(1), math.Inf(-1)
	}
	return b
}

// add makes coordinate k of box i reach from low to high at least.
func (b *boxes) add(i, k int, low, high float64) {
	at, end := k*b.n+i, (b.dim+k)*b.n+i
	b.data[at], b.data[end] = min(b.data[at], low), max(b.data[end], high)
}

// grouped returns the boxes about so many boxes each.
func (b *boxes) grouped(size int) *boxes {
	g := newBoxes((b.n+size-1)/size, b.dim)
	for k := range b.dim {
		for i := range b.n {
			g.add(i/size, k, b.data[k*b.n+i], b.data[(b.dim+k)*b.n+i])
		}
	}
	return g
}
