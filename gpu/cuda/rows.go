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

// rows is a set of rows on the card, in the order of its leaves.
type rows struct {
	pts            *join.Points
	leaves, supers int
	param          kernels.Rows

	// The turned rows are y = σ·P(x − c), made with an error:
	//
	//	near·D ≤ ‖P(x − z)‖ ≤ far·D        for rows x and z that are D apart
	//	‖y − σP(x − c)‖ ≤ kappa·‖y‖ + floor for each row
	//	‖y‖ ≤ reach                         for all; if it is infinite, y says nothing
	*turn
	reach float64

	order   []int32
	y       []float32
	buffers []*driver.Buffer
}

// newRows copies rows to the card and orders them. like, if not nil, are the indexed
// rows whose axes and scale these queries take. Who gets them frees them.
func (c *card) newRows(ctx context.Context, s *driver.Stream, pts *join.Points, like *rows, threads int) (*rows, error) {
	r := &rows{pts: pts}
	if like != nil {
		r.turn = like.turn
	} else {
		r.turn = newTurn(pts)
	}
	n, dim := pts.Rows(), pts.Dim()
	r.leaves = (n + kernels.Leaf - 1) / kernels.Leaf
	r.supers = (r.leaves + kernels.Super - 1) / kernels.Super
	r.y = make([]float32, n*dim)
	spread(threads, n, func(i int) { r.apply(r.y[i*dim:(i+1)*dim], pts.Row(i)) })
	var most float64
	for i := range n {
		most = max(most, norm(r.y[i*dim:(i+1)*dim]))
	}
	if r.reach = most * (1 + 0x1p-40); r.reach >= wild/2 {
		r.reach = math.Inf(1)
	}
	var err error
	if r.order, err = order(ctx, r.y, dim, threads); err == nil {
		err = r.layOut(s, threads)
	}
	if err != nil {
		return nil, cmp.Or(r.free(s), err)
	}
	r.y = nil
	return r, nil
}

func norm(y []float32) float64 {
	var sum float64
	for _, v := range y {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum)
}

// spread calls do for 0 to n−1, on several threads.
func spread(threads, n int, do func(i int)) {
	var wait sync.WaitGroup
	for part := range threads {
		wait.Go(func() {
			for i := part * n / threads; i < (part+1)*n/threads; i++ {
				do(i)
			}
		})
	}
	wait.Wait()
}

func put[T any](s *driver.Stream, r *rows, at *uint64, data []T, size int) error {
	b, err := s.Alloc(int64(size * len(data)))
	if err != nil {
		return err
	}
	r.buffers = append(r.buffers, b)
	*at = b.Addr()
	return driver.Upload(s, b, 0, data)
}

// layOut fills in what the card has of the rows.
func (r *rows) layOut(s *driver.Stream, threads int) error {
	n, dim, axes := r.pts.Rows(), r.pts.Dim(), min(r.pts.Dim(), kernels.Axes)
	places := r.leaves * kernels.Leaf
	x, y := make([]float64, places*dim), make([]float32, places*dim)
	row, fill := make([]int32, places), make([]int32, r.leaves)
	lo, hi := make([]float32, axes*r.leaves), make([]float32, axes*r.leaves)
	rest := make([]float32, r.leaves)
	spread(threads, r.leaves, func(l int) {
		fill[l] = int32(min(kernels.Leaf, n-l*kernels.Leaf))
		for k := range axes {
			lo[k*r.leaves+l], hi[k*r.leaves+l] = float32(math.Inf(1)), float32(math.Inf(-1))
		}
		for p := l * kernels.Leaf; p < (l+1)*kernels.Leaf; p++ {
			if p >= n {
				row[p] = -1
				for k := range dim {
					x[p*dim+k] = math.NaN()
				}
				continue
			}
			i := int(r.order[p])
			row[p] = int32(i)
			copy(x[p*dim:], r.pts.Row(i))
			copy(y[p*dim:(p+1)*dim], r.y[i*dim:])
			for k := range axes {
				lo[k*r.leaves+l] = min(lo[k*r.leaves+l], y[p*dim+k])
				hi[k*r.leaves+l] = max(hi[k*r.leaves+l], y[p*dim+k])
			}
			beyond := norm(y[p*dim+axes : (p+1)*dim])
			if beyond > 0 {
				rest[l] = max(rest[l], math.Nextafter32(float32(beyond*(1+0x1p-40)), float32(math.Inf(1))))
			}
		}
	})
	superLo, superHi := make([]float32, axes*r.supers), make([]float32, axes*r.supers)
	superRest := make([]float32, r.supers)
	group(superLo, lo, axes, r.leaves, lower[float32])
	group(superHi, hi, axes, r.leaves, higher[float32])
	group(superRest, rest, 1, r.leaves, higher[float32])
	p := &r.param
	p.N, p.Leaves, p.Supers, p.Dim, p.Axes, p.Wide = int64(n), int64(r.leaves), int64(r.supers), int64(dim), int64(axes), 1
	return cmp.Or(
		put(s, r, &p.X, x, 8), put(s, r, &p.Y, y, 4), put(s, r, &p.Row, row, 4), put(s, r, &p.Fill, fill, 4),
		put(s, r, &p.Lo, lo, 4), put(s, r, &p.Hi, hi, 4), put(s, r, &p.Rest, rest, 4),
		put(s, r, &p.SuperLo, superLo, 4), put(s, r, &p.SuperHi, superHi, 4), put(s, r, &p.SuperRest, superRest, 4))
}

func lower[T cmp.Ordered](a, b T) T  { return min(a, b) }
func higher[T cmp.Ordered](a, b T) T { return max(a, b) }

// group folds what leaves have into what supers have.
func group[T any](to, from []T, dim, leaves int, fold func(a, b T) T) {
	supers := (leaves + kernels.Super - 1) / kernels.Super
	for k := range dim {
		for l := range leaves {
			if l%kernels.Super == 0 {
				to[k*supers+l/kernels.Super] = from[k*leaves+l]
			}
			to[k*supers+l/kernels.Super] = fold(to[k*supers+l/kernels.Super], from[k*leaves+l])
		}
	}
}

// plain makes what comparing by the coordinates as given needs, if it isn't there.
func (r *rows) plain(_ *card, s *driver.Stream) error {
	if r.param.Radius != 0 || r.leaves == 0 {
		return nil
	}
	n, dim := r.pts.Rows(), r.pts.Dim()
	lo, hi, mid := make([]float64, dim*r.leaves), make([]float64, dim*r.leaves), make([]float64, dim*r.leaves)
	offset, radius := make([]float32, r.leaves*dim*kernels.Leaf), make([]float64, r.leaves)
	for l := range r.leaves {
		own := r.order[l*kernels.Leaf : min(n, (l+1)*kernels.Leaf)]
		sums := make([]float64, len(own))
		for k := range dim {
			low, high := math.Inf(1), math.Inf(-1)
			for _, i := range own {
				low, high = min(low, r.pts.Row(int(i))[k]), max(high, r.pts.Row(int(i))[k])
			}
			at := k*r.leaves + l
			lo[at], hi[at], mid[at] = low, high, float64(0.5*low)+float64(0.5*high)
			for lane := range kernels.Leaf {
				o := float32(math.NaN())
				if lane < len(own) {
					o = float32(r.pts.Row(int(own[lane]))[k] - mid[at])
					sums[lane] += float64(o) * float64(o)
				}
				offset[(l*dim+k)*kernels.Leaf+lane] = o
			}
		}
		for _, sum := range sums {
			radius[l] = max(radius[l], math.Sqrt(sum)*(1+0x1p-20))
		}
	}
	superLo, superHi := make([]float64, dim*r.supers), make([]float64, dim*r.supers)
	group(superLo, lo, dim, r.leaves, lower[float64])
	group(superHi, hi, dim, r.leaves, higher[float64])
	p := &r.param
	return cmp.Or(
		put(s, r, &p.PlainLo, lo, 8), put(s, r, &p.PlainHi, hi, 8), put(s, r, &p.Mid, mid, 8),
		put(s, r, &p.PlainSuperLo, superLo, 8), put(s, r, &p.PlainSuperHi, superHi, 8),
		put(s, r, &p.Offset, offset, 4), put(s, r, &p.Radius, radius, 8))
}

// free gives back what has been allocated.
func (r *rows) free(s *driver.Stream) error {
	var err error
	for _, b := range r.buffers {
		err = cmp.Or(err, s.Free(b))
	}
	r.buffers = nil
	return err
}
