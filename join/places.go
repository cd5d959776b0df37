package join

import (
	"context"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
)

// places are points without their repetitions: equal rows are one place. Differences
// with 0 and −0 have the same absolute value, so that all measures are the same bits.
type places struct {
	pts   *Points // one row for each place, in the order of the places' first rows
	rows  []int32 // the rows, place after place, ascending within each
	start []int   // of place p: rows[start[p]:start[p+1]]
}

// of returns the rows of a place, ascending.
func (p *places) of(place int32) []int32 { return p.rows[p.start[place]:p.start[place+1]] }

// findPlaces returns the places of pts. Where none has more than copies rows, every
// row is a place of its own, and pts is not copied.
func findPlaces(ctx context.Context, pts *Points, copies int) (*places, error) {
	place, first, err := pts.Places(ctx)
	if err != nil {
		return nil, err
	}
	size, most := make([]int, len(first)), 0
	for _, p := range place {
		size[p]++
		most = max(most, size[p])
	}
	alone := most <= copies
	if alone {
		for i := range place {
			place[i] = int32(i)
		}
		size = slices.Repeat([]int{1}, len(place))
	}
	found := &places{pts: pts, rows: make([]int32, len(place)), start: make([]int, len(size)+1)}
	if !alone {
		found.pts = pts.Subset(first)
	}
	for p, n := range size {
		found.start[p+1] = found.start[p] + n
	}
	for i := len(place) - 1; i >= 0; i-- { // the last row of a place first, at its end
		p := place[i]
		size[p]--
		found.rows[found.start[p]+size[p]] = int32(i)
	}
	return found, nil
}

// Places says which rows of p are equal: place has the place of each row and first the
// first row of each place, with places numbered in the order of these. Rows are equal
// where their coordinates are the same numbers, 0 and −0 too. It takes O(Rows·Dim) by
// hashing, and returns ctx's error once that is done.
func (p *Points) Places(ctx context.Context) (place, first []int32, err error) {
	const look = 1 << 12 // rows between looks at the context
	n := p.Rows()
	place = make([]int32, n)
	table := make([]int32, 1<<bits.Len(uint(2*n))) // 1 + place, or 0
	mask := uint64(len(table) - 1)
	seed := maphash.MakeSeed()
	key, factor := maphash.Comparable(seed, 0), maphash.Comparable(seed, 1)|1
	for i := range n {
		if i%look == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		x := p.Row(i)
		at := hash(x, key, factor) & mask
		for table[at] != 0 && !slices.Equal(p.Row(int(first[table[at]-1])), x) {
			at = (at + 1) & mask
		}
		if table[at] == 0 {
			first = append(first, int32(i))
			table[at] = int32(len(first))
		}
		place[i] = table[at] - 1
	}
	return place, first, nil
}

// hash mixes coordinates with a key that no data knows, so that none are slow.
func hash(x []float64, key, factor uint64) uint64 {
	for _, v := range x {
		high, low := bits.Mul64(key^math.Float64bits(v+0), factor) // −0 + 0 is 0
		key = bits.RotateLeft64(high^low, 23) + factor
	}
	return key ^ key>>32
}
