package outlier

import (
	"context"
	"math"
	"slices"

	"rtcluster/join"
)

// cacheBytes is what a scanner keeps from one row to the next at most, about.
const cacheBytes = 64 << 20

// scanner scores rows by brute force. It keeps what it found of rows of the reference
// until that is too much.
type scanner struct {
	rows *join.Points // of the reference
	q    *join.Points // new rows, or nil
	opt  *Options
	res  *Result

	pts   *join.Points // the rows, or under TiesAll their places
	place []int32      // of each row, or nil
	times []int32      // rows at each place, or nil

	lists map[int32]*hood
	far   map[int32]float64 // k-th distances
	kept  int               // places in lists
}

func newScanner(ctx context.Context, pts, q *join.Points, opt *Options, res *Result) (*scanner, error) {
	s := &scanner{rows: pts, q: q, opt: opt, res: res, pts: pts}
	if opt.Method.Nearest() && opt.Ties == TiesAll {
		var first []int32
		var err error
		if s.place, first, s.times, err = placesOf(ctx, pts); err != nil {
			return nil, err
		}
		s.pts = pts.Subset(first)
	}
	s.forget()
	return s, nil
}

func (s *scanner) forget() {
	s.lists, s.far, s.kept = map[int32]*hood{}, map[int32]float64{}, 0
}

// row returns the coordinates of a row to score, and its place, −1 if it is new.
func (s *scanner) row(row int) (x []float64, own int32) {
	switch {
	case s.q != nil:
		return s.q.Row(row), -1
	case s.place != nil:
		return s.rows.Row(row), s.place[row]
	}
	return s.rows.Row(row), int32(row)
}

// score returns the score of a row.
func (s *scanner) score(ctx context.Context, row int) (float64, error) {
	if s.kept*16+len(s.far)*16 > cacheBytes {
		s.forget()
	}
	x, own := s.row(row)
	switch s.opt.Method {
	case Count:
		others := len(s.within(x))
		if own >= 0 {
			others-- // the row itself
		}
		return float64(0 - others), ctx.Err()
	case DB, DBSCAN:
		return s.kind(ctx, x, own)
	case ODIN:
		return s.degree(ctx, x, own)
	}
	h, err := s.around(ctx, x, own)
	if err != nil {
		return 0, err
	}
	switch s.opt.Method {
	case LOF, SimplifiedLOF:
		return s.factor(ctx, h)
	case LoOP:
		return s.probability(ctx, h)
	case LDOF:
		return ldof(sumOf(h, s.opt.Distance), s.opt.inner(h, s.pts), h.size), nil
	default:
		return s.opt.Aggregate.of(h, s.opt.Distance), nil
	}
}

// within returns the rows of the reference within Eps of x.
func (s *scanner) within(x []float64) []int {
	var rows []int
	join.Scan(s.rows, x, s.rows.Metric().Bound(s.opt.Eps), func(j int, _ float64) { rows = append(rows, j) })
	return rows
}

// kind returns the score of a row under [DB] and [DBSCAN], which count the row itself.
func (s *scanner) kind(ctx context.Context, x []float64, own int32) (float64, error) {
	near, more := s.within(x), 0
	if own < 0 {
		more = 1
	}
	if s.opt.Method == DB {
		return beyond(len(near)+more, s.rows.Rows()+more), ctx.Err()
	}
	if len(near)+more >= s.opt.MinSamples {
		return Core, ctx.Err()
	}
	for _, j := range near {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if len(s.within(s.rows.Row(j))) >= s.opt.MinSamples {
			return Border, nil
		}
	}
	return Noise, ctx.Err()
}

// factor returns the LOF of a row.
func (s *scanner) factor(ctx context.Context, h *hood) (float64, error) {
	reach, sizes := map[int32]float64{}, map[int32]int{}
	for _, j := range h.rows {
		near, err := s.near(ctx, j)
		if err != nil {
			return 0, err
		}
		if reach[j], err = s.reach(ctx, near); err != nil {
			return 0, err
		}
		sizes[j] = near.size
	}
	own, err := s.reach(ctx, h)
	return factor(own, h, func(j int32) (float64, int) { return reach[j], sizes[j] }), err
}

// reach returns R of a row.
func (s *scanner) reach(ctx context.Context, h *hood) (float64, error) {
	for _, j := range h.rows {
		if _, known := s.far[j]; known || s.opt.Method == SimplifiedLOF {
			continue
		}
		near, known := s.lists[j]
		if !known {
			var err error
			if near, err = s.around(ctx, s.pts.Row(int(j)), j); err != nil {
				return 0, err
			}
		}
		s.far[j] = s.opt.Distance(near.d2[len(near.d2)-1])
	}
	return s.opt.reach(h, func(j int32) float64 { return s.far[j] }), nil
}

// probability returns the LoOP of a row.
func (s *scanner) probability(ctx context.Context, h *hood) (float64, error) {
	pdist := map[int32]float64{}
	for _, j := range h.rows {
		near, err := s.near(ctx, j)
		if err != nil {
			return 0, err
		}
		pdist[j] = s.opt.pdist(near)
	}
	return probability(plof(s.opt.pdist(h), h, func(j int32) float64 { return pdist[j] }), s.res.Deviation), nil
}

// near returns N of a place of the reference.
func (s *scanner) near(ctx context.Context, node int32) (*hood, error) {
	if h, known := s.lists[node]; known {
		return h, nil
	}
	h, err := s.around(ctx, s.pts.Row(int(node)), node)
	if err == nil {
		s.lists[node] = h
		s.kept += len(h.rows)
	}
	return h, err
}

// around looks at all places for N of a row at x.
func (s *scanner) around(ctx context.Context, x []float64, own int32) (*hood, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &hood{times: s.times, own: own}
	join.Scan(s.pts, x, math.Inf(1), func(j int, d2 float64) {
		if int32(j) == own && (s.times == nil || s.times[j] == 1) {
			return
		}
		at := len(h.d2)
		for at > 0 && d2 < h.d2[at-1] {
			at--
		}
		if at == len(h.d2) && h.size >= s.opt.K && !(s.opt.Ties == TiesAll && d2 == h.d2[at-1]) {
			return
		}
		h.rows, h.d2 = slices.Insert(h.rows, at, int32(j)), slices.Insert(h.d2, at, d2)
		if s.opt.Ties == TiesAll {
			h.cut(s.opt.K)
		} else {
			h.size = min(len(h.rows), s.opt.K)
			h.rows, h.d2 = h.rows[:h.size], h.d2[:h.size]
		}
	})
	return h, nil
}

// degree counts the rows that have a row at x among their neighbours.
func (s *scanner) degree(ctx context.Context, x []float64, own int32) (float64, error) {
	degree := 0
	for i := range s.pts.Rows() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		times := 1
		if s.times != nil {
			times = int(s.times[i])
		}
		if int32(i) == own {
			degree += times - 1
		} else if s.reaches(i, times-1, x, own) {
			degree += times
		}
	}
	return float64(0 - degree), nil
}

// reaches reports whether place i, where a row has others at it, has less than k rows
// before one at x. It looks at places around i first: in many tables near rows stand
// near each other.
func (s *scanner) reaches(i, others int, x []float64, own int32) bool {
	metric, from := s.pts.Metric(), s.pts.Row(i)
	to := metric.Measure(from, x)
	before := 0
	look := func(j int) {
		if j < 0 || j >= s.pts.Rows() {
			return
		}
		d2, times := metric.Measure(from, s.pts.Row(j)), 1
		switch {
		case j == i:
			times = others
		case s.times != nil:
			times = int(s.times[j])
		}
		if d2 < to || d2 == to && s.opt.Ties != TiesAll && (own < 0 || int32(j) < own) {
			before += times
		}
	}
	look(i)
	for step := 1; step < s.pts.Rows() && before < s.opt.K; step++ {
		look(i - step)
		look(i + step)
	}
	return before < s.opt.K
}
