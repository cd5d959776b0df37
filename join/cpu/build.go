package cpu

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

const (
	keyChunk   = 1 << 12 // rows whose keys one task computes
	sampleKeys = 1 << 10 // keys up to which a range is cut at once, and of a sample
	forkRows   = 1 << 13 // rows above which two halves are split at the same time
)

// leafOrder puts the rows in the order of the leaves of a balanced kd-tree,
// split along the first axes of the basis. The keys along the axes never change
// a result, only its cost.
func leafOrder(ctx context.Context, pts *join.Points, b *basis, threads int) (*splitter, error) {
	s, err := newKeys(ctx, pts, b, threads)
	if err != nil {
		return nil, err
	}
	s.split(0, pts.Rows())
	return s, ctx.Err()
}

// keyed returns the number of axes that rows have keys along.
func (b *basis) keyed() int { return min(keyAxes, b.opt.indexAxes(b.dim)) }

// newKeys returns the rows in their own order, with their keys.
func newKeys(ctx context.Context, pts *join.Points, b *basis, threads int) (*splitter, error) {
	n, dim := pts.Rows(), pts.Dim()
	held, _ := b.opt.leaf()
	s := newSplitter(n, b.keyed(), held, threads)
	s.free = make(chan struct{}, threads-1)
	s.exact.Store(dim == len(s.keys) && !b.rotated())
	err := forEach(ctx, threads, (n+keyChunk-1)/keyChunk, func(int) func(chunk int) error {
		y := make([]float64, keyChunk*len(s.keys))
		return func(chunk int) error {
			from, to := chunk*keyChunk, min(n, (chunk+1)*keyChunk)
			for i := from; i < to; i++ {
				s.rows[i] = int32(i)
			}
			x := pts.Data()[from*dim : to*dim]
			if b.rotated() {
				b.apply(y, x, to-from, len(s.keys))
			}
			for k, keys := range s.keys {
				keys, values, step, scale := keys[from:to], y[k:], len(s.keys), 1.0
				if !b.rotated() {
					values, step, scale = x[b.coords[k]:], dim, b.sigma
				}
				setKeys(keys, values, step, scale)
				if s.exact.Load() && !areKeys(keys, values, step, scale) {
					s.exact.Store(false)
				}
			}
			return nil
		}
	})
	return s, err
}

// setKeys sets dst to every step-th of some values times a scale, in float32. NaN
// becomes 0, and what is beyond float32 its greatest value, with the sign.
func setKeys(dst []float32, values []float64, step int, scale float64) {
	for i := range dst {
		v := values[i*step] * scale
		key := float32(v)
		if key-key != 0 { // NaN or infinite
			key = 0
			if !math.IsNaN(v) {
				key = float32(math.Copysign(math.MaxFloat32, v))
			}
		}
		dst[i] = key
	}
}

// areKeys reports whether keys by a scale that is a power of two have lost nothing of
// the values.
func areKeys(keys []float32, values []float64, step int, scale float64) bool {
	back := 1 / scale
	for i, key := range keys {
		if float64(key)*back != values[i*step] {
			return false
		}
	}
	return true
}

// splitter puts rows in leaf order: keys[k][p] is the key along axis k of
// rows[p]. Goroutines work on ranges of positions that do not overlap.
type splitter struct {
	keys, spareKeys [][]float32
	rows, spareRows []int32
	held            int           // rows of a leaf
	spare           []float32     // all of spareKeys: leafRows values for each leaf and axis
	free            chan struct{} // a place for each goroutine beside the first
	exact           atomic.Bool   // the keys tell all of the rows
}

func newSplitter(n, axes, held, threads int) *splitter {
	room := (n + held - 1) / held * leafRows
	s := &splitter{keys: make([][]float32, axes), held: held}
	makes := []func(){
		func() { s.spare = make([]float32, axes*room) },
		func() { s.rows = make([]int32, n) },
		func() { s.spareRows = make([]int32, n) },
	}
	for k := range s.keys {
		makes = append(makes, func() { s.keys[k] = make([]float32, n) })
	}
	together(threads, makes...)
	for k := range axes {
		s.spareKeys = append(s.spareKeys, s.spare[k*room:k*room+n:(k+1)*room])
	}
	return s
}

// split orders positions [from, to) so that each node's rows are contiguous:
// every inner node is cut at a leaf boundary along the axis on which its keys
// spread most.
func (s *splitter) split(from, to int) {
	leaves := (to - from + s.held - 1) / s.held
	if leaves <= 1 {
		return
	}
	at := from + middle(0, leaves)*s.held
	s.cut(from, to, at, s.widest(from, to))
	if to-from > forkRows && s.fork(func() { s.split(from, at) }, func() { s.split(at, to) }) {
		return
	}
	s.split(from, at)
	s.split(at, to)
}

// fork does two things at the same time if there is a place for a goroutine, and
// reports whether it has. A panic of the other goroutine is raised again here.
func (s *splitter) fork(other, own func()) bool {
	select {
	case s.free <- struct{}{}:
	default:
		return false
	}
	var done sync.WaitGroup
	var fault any
	done.Go(func() {
		defer func() { fault = recover(); <-s.free }()
		other()
	})
	own()
	done.Wait()
	if fault != nil {
		panic(fault)
	}
	return true
}

// widest returns the axis along which the keys spread most; in a large range,
// along which those of its middle part do.
func (s *splitter) widest(from, to int) int {
	if excess := to - from - sampleKeys; excess > 0 {
		from += excess / 2
		to = from + sampleKeys
	}
	best, most := 0, float32(-1)
	for k, keys := range s.keys {
		if spread := spreadOf(keys[from:to]); spread > most {
			best, most = k, spread
		}
	}
	return best
}

// spreadOf returns the range of at most sampleKeys keys, 32 by 32; what is left over
// does not count, unless there are no 32.
func spreadOf(keys []float32) float32 {
	if len(keys) < leafRows {
		return slices.Max(keys) - slices.Min(keys)
	}
	var lows, highs [sampleKeys / leafRows]float32
	n := len(keys) / leafRows
	dist.MinMax(lows[:n], highs[:n], keys[:n*leafRows])
	return slices.Max(highs[:n]) - slices.Min(lows[:n])
}

// cut partially sorts positions [from, to) along an axis: no key before
// position at is greater than one from there on. While the range is large, the
// quantiles of a sample on both sides of at part it, so that what stays in
// between is small (Floyd and Rivest 1975, doi:10.1145/360680.360691).
func (s *splitter) cut(from, to, at, axis int) {
	for to-from > sampleKeys {
		low, high := s.around(from, to, at, axis)
		less := from + s.partition(from, to, axis, low, false)
		switch {
		case at < less:
			to = less
		case at == less:
			return
		default:
			upTo := less + s.partition(less, to, axis, high, true)
			switch {
			case at > upTo:
				from = upTo
			case at == upTo:
				return
			case low == high: // all keys in between are equal
				return
			case upTo-less == to-from:
				s.finish(less, upTo, at, axis)
				return
			default:
				from, to = less, upTo
			}
		}
	}
	s.finish(from, to, at, axis)
}

// finish cuts a range by the one pivot that does it.
func (s *splitter) finish(from, to, at, axis int) {
	if at == from || at == to {
		return
	}
	pivot := dist.Cut(s.keys[axis][from:to], at-from, at-from)
	upTo := from + s.partition(from, to, axis, pivot, true)
	if upTo > at { // keys equal to the pivot stand on both sides of the cut
		s.partition(from, upTo, axis, pivot, false)
	}
}

// around returns keys that likely stand closely before and after position at of
// the sorted range.
func (s *splitter) around(from, to, at, axis int) (low, high float32) {
	var sample [sampleKeys]float32
	step := float64(to-from) / sampleKeys
	for i := range sample {
		sample[i] = s.keys[axis][from+int((float64(i)+0.5)*step)]
	}
	rank := float64(at-from) / step
	const margin = 2 * 16 // a few standard deviations of the rank, √sampleKeys/2
	return dist.Cut(sample[:], clamp(rank-margin), clamp(rank-margin)), dist.Cut(sample[:], clamp(rank+margin), clamp(rank+margin))
}

// clamp turns a rank into one that the sample has.
func clamp(rank float64) int { return min(max(int(rank), 1), sampleKeys) }

// partition moves the keys below the pivot, or equal to it if asked for, before
// the others and returns their number. Both sides stay in their order.
func (s *splitter) partition(from, to, axis int, pivot float32, orEqual bool) int {
	var keys, spare [keyAxes][]float32
	for k := range s.keys {
		keys[k], spare[k] = s.keys[k][from:to], s.spareKeys[k][from:to]
	}
	axes := len(s.keys)
	return dist.Partition(keys[:axes], s.rows[from:to], spare[:axes], s.spareRows[from:to], axis, pivot, orEqual)
}
