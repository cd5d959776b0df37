package outlier_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// plain scores by the words of the package comment, row by row, with densities, and
// with the rules for duplicates where those words give no number. It knows of no
// places: equal rows are many.
type plain struct {
	pts *join.Points
	opt outlier.Options
	n   [][]int // N of each row of pts
}

func newPlain(pts *join.Points, opt outlier.Options) *plain {
	s := &plain{pts: pts, opt: opt}
	if opt.Method == outlier.Count {
		return s
	}
	for i := range pts.Rows() {
		s.n = append(s.n, s.near(pts.Row(i), i))
	}
	return s
}

func (s *plain) d2(x []float64, j int) float64 { return s.pts.Metric().Measure(x, s.pts.Row(j)) }

func (s *plain) d(x []float64, j int) float64 { return s.pts.Metric().Distance(s.d2(x, j)) }

// near returns N of a row at x, row i of the points or −1.
func (s *plain) near(x []float64, i int) []int {
	var others []int
	for j := range s.pts.Rows() {
		if j != i {
			others = append(others, j)
		}
	}
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(s.d2(x, a), s.d2(x, b)) })
	size := s.opt.K
	for s.opt.Ties == outlier.TiesAll && size < len(others) && s.d2(x, others[size]) == s.d2(x, others[size-1]) {
		size++
	}
	return others[:size]
}

func mean(rows []int, of func(j int) float64) float64 {
	var s float64
	for _, j := range rows {
		s += of(j)
	}
	return s / float64(len(rows))
}

// ratio is a/b with 1 where both are 0 or both infinite.
func ratio(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

// reach is the mean reachability distance of a row, 1/lrd.
func (s *plain) reach(x []float64, n []int) float64 {
	return mean(n, func(j int) float64 {
		if s.opt.Method == outlier.SimplifiedLOF {
			return s.d(x, j)
		}
		y := s.pts.Row(j)
		return max(s.d(x, j), s.d(y, s.n[j][len(s.n[j])-1]))
	})
}

func (s *plain) pdist(x []float64, n []int) float64 {
	return math.Sqrt(mean(n, func(j int) float64 { return s.d(x, j) * s.d(x, j) }))
}

func (s *plain) plof(x []float64, n []int) float64 {
	return ratio(s.pdist(x, n), mean(n, func(j int) float64 { return s.pdist(s.pts.Row(j), s.n[j]) })) - 1
}

// deviation is nPLOF.
func (s *plain) deviation() float64 {
	var squares, finite float64
	for i := range s.n {
		plof := s.plof(s.pts.Row(i), s.n[i])
		if math.IsInf(plof, 1) {
			continue
		}
		if finite++; plof > 0 || s.opt.AllPLOF {
			squares += plof * plof
		}
	}
	if finite == 0 {
		return 0
	}
	return cmp.Or(s.opt.Lambda, 2) * math.Sqrt(squares/finite)
}

// score scores a row at x, row i of the points or −1; deviation is that of loop.
func (s *plain) score(x []float64, i int, deviation float64) float64 {
	if s.opt.Method == outlier.Count {
		count := 0.0
		for j := range s.pts.Rows() {
			if j != i && s.d2(x, j) <= s.pts.Metric().Bound(s.opt.Eps) {
				count--
			}
		}
		return count
	}
	n := s.near(x, i)
	switch s.opt.Method {
	case outlier.LOF, outlier.SimplifiedLOF:
		own := s.reach(x, n)
		return mean(n, func(j int) float64 { return ratio(own, s.reach(s.pts.Row(j), s.n[j])) })
	case outlier.LoOP:
		plof := s.plof(x, n)
		switch {
		case !(plof > 0):
			return 0
		case math.IsInf(plof, 1) || deviation == 0:
			return 1
		}
		return math.Erf(plof / deviation / math.Sqrt2)
	case outlier.LDOF:
		var inner []float64
		for _, a := range n {
			for _, b := range n {
				if a != b {
					inner = append(inner, s.d(s.pts.Row(a), b))
				}
			}
		}
		var sum float64
		for _, d := range inner {
			sum += d
		}
		return ratio(mean(n, func(j int) float64 { return s.d(x, j) }), sum/float64(len(inner)))
	case outlier.ODIN:
		return s.odin(x, i)
	}
	var dist []float64
	for _, j := range n {
		dist = append(dist, s.d(x, j))
	}
	switch s.opt.Aggregate {
	case outlier.Mean, outlier.Sum:
		m := mean(n, func(j int) float64 { return s.d(x, j) })
		if s.opt.Aggregate == outlier.Sum {
			m *= float64(len(n))
		}
		return m
	case outlier.Median:
		return (dist[(len(dist)-1)/2] + dist[len(dist)/2]) / 2
	}
	return dist[len(dist)-1]
}

func (s *plain) odin(x []float64, i int) float64 {
	degree := 0.0
	for j, n := range s.n {
		far := s.d2(s.pts.Row(j), n[len(n)-1])
		switch {
		case i >= 0 && slices.Contains(n, i), i < 0 && s.d2(x, j) < far, i < 0 && s.opt.Ties == outlier.TiesAll && s.d2(x, j) == far:
			degree--
		}
	}
	return degree
}

// everyOption returns scores of all methods by a rule for ties, with several k.
func everyOption(ties outlier.Ties, most int, eps float64) []outlier.Options {
	var all []outlier.Options
	for _, k := range []int{1, 2, 5, 11} {
		if k > most {
			continue
		}
		for _, m := range outlier.Methods() {
			opt := outlier.Options{Method: m, K: k, Eps: eps * float64(k), Ties: ties, Engine: jointest.Brute()}
			switch {
			case !m.Nearest() && k != 2 || m == outlier.LDOF && k == 1:
				continue
			case m == outlier.KNN:
				opt.Aggregate = []outlier.Aggregate{outlier.Max, outlier.Mean, outlier.Median, outlier.Sum}[k%4]
			case m == outlier.LoOP:
				opt.Lambda, opt.AllPLOF = float64(k%3), k%2 == 1
			}
			all = append(all, opt)
		}
	}
	return all
}

// plainSets are points of all kinds: with many ties, equal rows, heaps, and far from
// the origin.
func plainSets(t *testing.T) map[string]*join.Points {
	heaps := slices.Concat(slices.Repeat([]float64{3, 3}, 9), jointest.Lattice(30, 2, 6, 4), slices.Repeat([]float64{4, 3}, 14), []float64{50, 50, 3, 3})
	signs := []float64{0, math.Copysign(0, -1), 0, 1, 1, math.Copysign(0, -1), 2, -1, -1}
	tiny := []float64{0, 1e-200, 2e-200, 2e-200, 1e-180, 1, 3e-200, 1, 1 + 1e-9, 2}
	offset := jointest.Lattice(40, 3, 4, 2)
	for i := range offset {
		offset[i] = 1e9 + offset[i]/8
	}
	box, err := jointest.Points(t, 2, jointest.Lattice(60, 2, 7, 5)...).WithMetric(join.Metric{Norm: join.Manhattan, Box: []float64{7, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*join.Points{
		"uniform":     jointest.Points(t, 2, jointest.Uniform(60, 2, 1)...),
		"uniform 64d": jointest.Points(t, 64, jointest.Uniform(40, 64, 2)...),
		"line":        jointest.Points(t, 1, jointest.Lattice(50, 1, 40, 3)...),
		"lattice":     jointest.Points(t, 3, jointest.Lattice(64, 3, 3, 3)...),
		"bits":        jointest.Points(t, 12, jointest.Lattice(40, 12, 1, 6)...),
		"heaps":       jointest.Points(t, 2, heaps...),
		"one place":   jointest.Points(t, 2, slices.Repeat([]float64{7, 1}, 14)...),
		"zeros":       jointest.Points(t, 1, signs...),
		"underflow":   jointest.Points(t, 1, tiny...),
		"offset":      jointest.Points(t, 3, offset...),
		"box":         box,
	}
}

// close to wants the same score but for rounding.
func closeTo(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-11*max(1, math.Abs(want)) && !math.IsInf(want, 0)
}

// TestAgainstPlain compares all methods, with both rules for ties, for the reference
// and for new rows, with definitions, and by Verify to the bit.
func TestAgainstPlain(t *testing.T) {
	for name, pts := range plainSets(t) {
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			t.Run(fmt.Sprintf("%s/ties=%s", name, ties), func(t *testing.T) {
				opts := everyOption(ties, pts.Rows()-1, 0.3)
				for engine, e := range engines() {
					m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
					if err != nil {
						t.Fatal(err)
					}
					q := newRows(t, pts)
					scored, err := m.Score(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					for i, opt := range opts {
						what := fmt.Sprintf("%s, method %s, k %d", engine, opt.Method, opt.K)
						compareWithPlain(t, what, pts, q, opt, m.Results()[i], scored[i])
					}
					if err := m.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// newRows returns some rows of pts, and rows beside them.
func newRows(t *testing.T, pts *join.Points) *join.Points {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	var data []float64
	for i := range 12 {
		x := slices.Clone(pts.Row(r.IntN(pts.Rows())))
		if y := pts.Row(r.IntN(pts.Rows())); i%3 > 0 {
			for k := range x {
				x[k] += (y[k] - x[k]) / float64(int(1)<<i%5)
			}
		}
		data = append(data, x...)
	}
	q, err := jointest.Points(t, pts.Dim(), data...).WithMetric(pts.Metric())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func compareWithPlain(t *testing.T, what string, pts, q *join.Points, opt outlier.Options, own, scored *outlier.Result) {
	t.Helper()
	s := newPlain(pts, opt)
	deviation := 0.0
	if opt.Method == outlier.LoOP {
		if deviation = s.deviation(); !closeTo(own.Deviation, deviation) || scored.Deviation != own.Deviation {
			t.Errorf("%s: deviations %v and %v, want %v", what, own.Deviation, scored.Deviation, deviation)
		}
	}
	for i, got := range own.Scores {
		if want := s.score(pts.Row(i), i, deviation); !closeTo(got, want) {
			t.Fatalf("%s: row %d has score %v, want %v", what, i, got, want)
		}
	}
	for i, got := range scored.Scores {
		if want := s.score(q.Row(i), -1, deviation); !closeTo(got, want) {
			t.Fatalf("%s: new row %d has score %v, want %v", what, i, got, want)
		}
	}
	verify(t, pts, opt, own)
	rows := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if err := outlier.VerifyNew(t.Context(), pts, q, opt, scored, rows); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestScoresAlone wants each of many scores as it is alone, for any number of
// threads, and of new rows in any pieces.
func TestScoresAlone(t *testing.T) {
	for name, pts := range plainSets(t) {
		opts := append(everyOption(outlier.TiesK, pts.Rows()-1, 0.3), everyOption(outlier.TiesAll, pts.Rows()-1, 0.3)...)
		idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
		m, err := outlier.Fit(t.Context(), idx, opts)
		if err != nil {
			t.Fatal(err)
		}
		q := newRows(t, pts)
		whole, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, opt := range opts {
			for _, threads := range []int{1, 2, 3, 7} {
				opt.Threads = threads
				opt.Engine = cpu.New(cpu.Options{Threads: threads})
				what := fmt.Sprintf("%s, method %s, k %d, ties %s, %d threads", name, opt.Method, opt.K, opt.Ties, threads)
				alone, err := outlier.Score(t.Context(), idx, opt)
				if err != nil {
					t.Fatal(err)
				}
				sameResults(t, what, m.Results()[i], alone)
			}
		}
		for _, size := range []int{1, 5} {
			for from := 0; from < q.Rows(); from += size {
				to := min(from+size, q.Rows())
				piece, err := jointest.Points(t, q.Dim(), q.Data()[from*q.Dim():to*q.Dim()]...).WithMetric(q.Metric())
				if err != nil {
					t.Fatal(err)
				}
				scored, err := m.Score(t.Context(), piece)
				if err != nil {
					t.Fatal(err)
				}
				for i, opt := range opts {
					sameBits(t, fmt.Sprintf("%s, method %s, rows from %d", name, opt.Method, from), scored[i].Scores, whole[i].Scores[from:to])
				}
			}
		}
	}
}
