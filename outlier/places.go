package outlier

import (
	"context"

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
	place, first, times, err := placesOf(ctx, idx.Points())
	if err != nil {
		return nil, err
	}
	if len(first) == len(place) {
		return s, nil
	}
	s.place, s.times = place, times
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

// placesOf returns where each row of pts is, the first row of each place, and how many
// rows there are at it.
func placesOf(ctx context.Context, pts *join.Points) (place, first, times []int32, err error) {
	if place, first, err = pts.Places(ctx); err != nil {
		return nil, nil, nil, err
	}
	times = make([]int32, len(first))
	for _, p := range place {
		times[p]++
	}
	return place, first, times, nil
}
