package outlier

import (
	"context"
	"hash/maphash"
	"math"
	"math/bits"

	"rtcluster/join"
)

// space is the rows that neighbours are looked for among. Under [TiesAll] equal rows
// are one place: that all are neighbours or none makes a list as long as there are
// places, not rows.
type space struct {
	idx  join.Index
	ties bool // neighbours are all that are as far as the k-th

	// These are nil where no rows are equal, or under TiesK.
	place []int32 // of each row, by number of their first row
	times []int32 // rows at each place
}

// newSpace returns the rows of idx, as places under [TiesAll].
func newSpace(ctx context.Context, idx join.Index, ties Ties, engine join.Engine) (*space, error) {
	s := &space{idx: idx, ties: ties == TiesAll}
	if !s.ties {
		return s, nil
	}
	place, first := places(idx.Points())
	if len(first) == len(place) {
		return s, nil
	}
	s.place, s.times = place, make([]int32, len(first))
	for _, p := range place {
		s.times[p]++
	}
	var err error
	s.idx, err = engine.Index(ctx, idx.Points().Subset(first))
	return s, err
}

// close frees the index of places.
func (s *space) close() error {
	if s.times == nil {
		return nil
	}
	return s.idx.Close()
}

// nodes returns the number of places.
func (s *space) nodes() int { return s.idx.Points().Rows() }

// count returns how many rows a place has.
func (s *space) count(node int) int {
	if s.times == nil {
		return 1
	}
	return int(s.times[node])
}

// spread returns the scores of rows from those of places.
func (s *space) spread(scores []float64) []float64 {
	if s.place == nil {
		return scores
	}
	each := make([]float64, len(s.place))
	for i, p := range s.place {
		each[i] = scores[p]
	}
	return each
}

// places numbers the distinct rows of pts in the order of their first rows, which it
// returns, and says where each row is. Rows are equal if their coordinates are: 0 and
// −0 are.
func places(pts *join.Points) (place, first []int32) {
	const load = 2 // slots a row, at least
	size := 1 << bits.Len(uint(load*pts.Rows()))
	slots := make([]int32, size) // 1 + a place, or 0
	seed := maphash.MakeSeed()
	key, factor := maphash.Comparable(seed, 0), maphash.Comparable(seed, 1)|1
	place = make([]int32, pts.Rows())
	for i := range place {
		x := pts.Row(i)
		at := int(hash(x, key, factor)) & (size - 1)
		for slots[at] != 0 && !equal(x, pts.Row(int(first[slots[at]-1]))) {
			at = (at + 1) & (size - 1)
		}
		if slots[at] == 0 {
			first = append(first, int32(i))
			slots[at] = int32(len(first))
		}
		place[i] = slots[at] - 1
	}
	return place, first
}

// hash mixes coordinates with a key that no data knows, so that none are slow.
func hash(x []float64, key, factor uint64) uint64 {
	for _, v := range x {
		high, low := bits.Mul64(key^math.Float64bits(v+0), factor) // −0 + 0 is 0
		key = bits.RotateLeft64(high^low, 23) + factor
	}
	return key ^ key>>32
}

func equal(a, b []float64) bool {
	for k, x := range a {
		if x != b[k] {
			return false
		}
	}
	return true
}
