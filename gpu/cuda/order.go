//go:build cuda

package cuda

import (
	"context"
	"sync"

	"rtcluster/gpu/kernels"
)

// maxAxes is how many axes the tree is split along, at most: those of greatest
// variance.
const maxAxes = 4

// spreadRows is how many rows are worth a goroutine.
const spreadRows = 1 << 14

// order returns the turned rows y in the order of the leaves of a balanced tree. All
// leaves but the last are full.
func order(ctx context.Context, y []float32, dim, threads int) ([]int32, error) {
	rows := make([]int32, len(y)/dim)
	for i := range rows {
		rows[i] = int32(i)
	}
	s := sorter{ctx: ctx, y: y, dim: dim, axes: min(dim, maxAxes), slots: make(chan struct{}, max(0, threads-1))}
	s.split(rows)
	s.wait.Wait()
	return rows, ctx.Err()
}

// sorter splits rows by halves. A part goes to a goroutine of its own while there is
// a slot for one.
type sorter struct {
	ctx   context.Context
	y     []float32
	dim   int
	axes  int
	slots chan struct{}
	wait  sync.WaitGroup
}

func (s *sorter) split(rows []int32) {
	leaves := (len(rows) + kernels.Leaf - 1) / kernels.Leaf
	if leaves < 2 || s.ctx.Err() != nil {
		return
	}
	at := (leaves + 1) / 2 * kernels.Leaf
	s.part(rows, at)
	if len(rows) < spreadRows {
		s.split(rows[:at])
		s.split(rows[at:])
		return
	}
	select {
	case s.slots <- struct{}{}:
		s.wait.Go(func() {
			s.split(rows[:at])
			<-s.slots
		})
	default:
		s.split(rows[:at])
	}
	s.split(rows[at:])
}

// part puts the at rows that are least along the widest axis first.
func (s *sorter) part(rows []int32, at int) {
	data, dim := s.y, s.dim
	widest, most := 0, float32(-1)
	for k := range s.axes {
		low, high := data[int(rows[0])*dim+k], data[int(rows[0])*dim+k]
		for _, r := range rows {
			x := data[int(r)*dim+k]
			low, high = min(low, x), max(high, x)
		}
		if high-low > most {
			widest, most = k, high-low
		}
	}
	keys := make([]key, len(rows))
	for i, r := range rows {
		keys[i] = key{data[int(r)*dim+widest], r}
	}
	selectKeys(keys, at)
	for i, k := range keys {
		rows[i] = k.row
	}
}

type key struct {
	x   float32
	row int32
}

func (a key) less(b key) bool { return a.x < b.x || a.x == b.x && a.row < b.row }

// selectKeys moves the n least keys to the front. All keys differ.
func selectKeys(keys []key, n int) {
	for len(keys) > 1 && n > 0 && n < len(keys) {
		pivot := middle(keys[0], keys[len(keys)/2], keys[len(keys)-1])
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].less(pivot) {
				i++
			}
			for pivot.less(keys[j]) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			keys = keys[:j+1]
		case n >= i+1:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
}

func middle(a, b, c key) key {
	if b.less(a) {
		a, b = b, a
	}
	if c.less(b) {
		b = c
	}
	if b.less(a) {
		b = a
	}
	return b
}
