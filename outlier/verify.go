package outlier

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
)

// Verify recomputes the scores of the given rows by brute force and returns nil
// if they agree bit for bit. Otherwise it returns an error that wraps
// [join.ErrVerify] and says which row differs. A row costs one scan of all rows
// for [KNN] and [Count], up to 1 + k + k² scans for [LOF], of which those that
// several rows need are made once. For [Count], Pairs is checked too.
//
// It returns another error if opt is not valid, a row is out of range, or ctx
// is done.
func Verify(ctx context.Context, pts *join.Points, opt Options, res *Result, rows []int) error {
	if err := opt.check(pts.Rows()); err != nil {
		return fmt.Errorf("outlier: %w", err)
	}
	if len(res.Scores) != pts.Rows() {
		return fmt.Errorf("outlier: %w: %d scores for %d rows", join.ErrVerify, len(res.Scores), pts.Rows())
	}
	if opt.Method == Count {
		var ordered int64
		for _, score := range res.Scores {
			ordered -= int64(score)
		}
		if ordered != 2*res.Pairs {
			return fmt.Errorf("outlier: %w: counts add up to %d, want twice the %d pairs", join.ErrVerify, ordered, res.Pairs)
		}
	}
	opt.settle(pts)
	scan := &scanner{pts: pts, opt: &opt, lists: map[int32][]join.Neighbor{}, far: map[int32]float64{}}
	for _, row := range rows {
		if row < 0 || row >= pts.Rows() {
			return fmt.Errorf("outlier: row %d to verify, want 0 to %d", row, pts.Rows()-1)
		}
		want, err := scan.score(ctx, int32(row))
		if err != nil {
			return err
		}
		if got := res.Scores[row]; math.Float64bits(got) != math.Float64bits(want) {
			return fmt.Errorf("outlier: %w: row %d has score %v, by brute force %v", join.ErrVerify, row, got, want)
		}
	}
	return nil
}

// cacheBytes is what a scanner keeps from one row to the next at most, about.
const cacheBytes = 64 << 20

// scanner finds nearest rows by brute force. It keeps whole lists for the rows
// to verify and their nearest, and k-th distances for the nearest of those.
type scanner struct {
	pts   *join.Points
	opt   *Options
	lists map[int32][]join.Neighbor
	far   map[int32]float64
}

func (s *scanner) score(ctx context.Context, row int32) (float64, error) {
	switch s.opt.Method {
	case Count:
		others := -1 // less the row itself
		join.Scan(s.pts, s.pts.Row(int(row)), s.pts.Metric().Bound(s.opt.Eps), func(int, float64) { others++ })
		return float64(-others), ctx.Err()
	case LOF:
		return s.factor(ctx, row)
	default:
		h, err := s.near(ctx, row)
		if err != nil {
			return 0, err
		}
		return s.opt.Aggregate.of(h, s.opt.Distance), nil
	}
}

// factor returns the LOF of row.
func (s *scanner) factor(ctx context.Context, row int32) (float64, error) {
	if len(s.lists)*s.opt.K*16+len(s.far)*16 > cacheBytes {
		clear(s.lists)
		clear(s.far)
	}
	h, err := s.near(ctx, row)
	if err != nil {
		return 0, err
	}
	reach := map[int32]float64{}
	for _, j := range h.rows {
		if reach[j], err = s.reachability(ctx, j); err != nil {
			return 0, err
		}
	}
	own, err := s.reachability(ctx, row) // last: the lists that it needs are there
	return factor(own, h, func(j int32) float64 { return reach[j] }), err
}

// reachability returns R of row.
func (s *scanner) reachability(ctx context.Context, row int32) (float64, error) {
	h, err := s.near(ctx, row)
	if err != nil {
		return 0, err
	}
	for _, j := range h.rows {
		if _, known := s.far[j]; known {
			continue
		}
		near, known := s.lists[j]
		if !known {
			if near, err = s.scan(ctx, j); err != nil {
				return 0, err
			}
		}
		s.far[j] = s.opt.Distance(near[s.opt.K-1].D2)
	}
	return reachability(h, s.opt.Distance, func(j int32) float64 { return s.far[j] }), nil
}

// near returns the k nearest other rows of row.
func (s *scanner) near(ctx context.Context, row int32) (*hood, error) {
	near, known := s.lists[row]
	if !known {
		var err error
		if near, err = s.scan(ctx, row); err != nil {
			return nil, err
		}
		s.lists[row] = near
	}
	h := &hood{rows: make([]int32, len(near)), d2: make([]float64, len(near))}
	join.SetList(h.rows, h.d2, near)
	return h, nil
}

// scan looks at all rows for the k nearest others of row.
func (s *scanner) scan(ctx context.Context, row int32) ([]join.Neighbor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := s.opt.K
	near := make([]join.Neighbor, 0, k+1)
	join.Scan(s.pts, s.pts.Row(int(row)), math.Inf(1), func(j int, d2 float64) {
		this := join.Neighbor{D2: d2, Row: int32(j)}
		if j == int(row) || len(near) == k && !this.Less(near[k-1]) {
			return
		}
		at, _ := slices.BinarySearchFunc(near, this, compare)
		near = slices.Insert(near, at, this)
		near = near[:min(len(near), k)]
	})
	return near, nil
}

// compare orders neighbours as [join.Neighbor.Less] does; no two are equal.
func compare(a, b join.Neighbor) int {
	if a.Less(b) {
		return -1
	}
	return 1
}
