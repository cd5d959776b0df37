package outlier_test

import (
	"cmp"
	"math"
	"slices"

	"rtcluster/join"
	"rtcluster/outlier"
)

// plain scores by the words of the package comment, row by row, with densities, and
// with the rules for duplicates where those words give no number. It knows of no
// places: equal rows are many.
type plain struct {
	pts *join.Points
	opt outlier.Options
	n   [][]int // N of each row of pts

	reaches, pdists []float64 // of each row of pts
	deviation       float64   // nPLOF
}

func newPlain(pts *join.Points, opt outlier.Options) *plain {
	s := &plain{pts: pts, opt: opt}
	if !opt.Method.Nearest() {
		return s
	}
	for i := range pts.Rows() {
		s.n = append(s.n, s.near(pts.Row(i), i))
	}
	for i, n := range s.n {
		s.reaches = append(s.reaches, s.reach(pts.Row(i), n))
		s.pdists = append(s.pdists, s.pdist(pts.Row(i), n))
	}
	s.deviation = s.nplof()
	return s
}

func (s *plain) d2(x []float64, j int) float64 { return s.pts.Metric().Measure(x, s.pts.Row(j)) }

func (s *plain) d(x []float64, j int) float64 { return s.pts.Metric().Distance(s.d2(x, j)) }

// near returns N of a row at x, row i of the points or −1.
func (s *plain) near(x []float64, i int) []int {
	var others []int
	d2 := make([]float64, s.pts.Rows())
	for j := range d2 {
		if d2[j] = s.d2(x, j); j != i {
			others = append(others, j)
		}
	}
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(d2[a], d2[b]) })
	size := s.opt.K
	for s.opt.Ties == outlier.TiesAll && size < len(others) && d2[others[size]] == d2[others[size-1]] {
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
	most := s.d(x, n[len(n)-1])
	if most == 0 || math.IsInf(most, 1) {
		return most
	}
	return most * math.Sqrt(mean(n, func(j int) float64 { return (s.d(x, j) / most) * (s.d(x, j) / most) }))
}

func (s *plain) plof(x []float64, n []int) float64 {
	own := s.pdist(x, n)
	if !slices.ContainsFunc(n, func(j int) bool { return s.pdists[j] != own }) {
		return 0
	}
	return ratio(own, mean(n, func(j int) float64 { return s.pdists[j] })) - 1
}

func (s *plain) nplof() float64 {
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

// score scores a row at x, row i of the points or −1.
func (s *plain) score(x []float64, i int) float64 {
	if !s.opt.Method.Nearest() {
		return s.scoreWithin(x, i)
	}
	n := s.near(x, i)
	switch s.opt.Method {
	case outlier.LOF, outlier.SimplifiedLOF:
		own := s.reach(x, n)
		return mean(n, func(j int) float64 { return ratio(own, s.reaches[j]) })
	case outlier.LoOP:
		plof := s.plof(x, n)
		switch {
		case !(plof > 0):
			return 0
		case math.IsInf(plof, 1) || s.deviation == 0:
			return 1
		}
		return math.Erf(plof / s.deviation / math.Sqrt2)
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

// scoreWithin is score for methods of Eps.
func (s *plain) scoreWithin(x []float64, i int) float64 {
	within := func(x []float64, j int) bool { return s.d2(x, j) <= s.pts.Metric().Bound(s.opt.Eps) }
	count := func(x []float64, i int) float64 { // others
		var others float64
		for j := range s.pts.Rows() {
			if j != i && within(x, j) {
				others++
			}
		}
		return others
	}
	score := -count(x, i)
	switch s.opt.Method {
	case outlier.DB:
		rows := float64(s.pts.Rows())
		if i < 0 {
			rows++
		}
		return 1 - (count(x, i)+1)/rows
	case outlier.DBSCAN:
		least := float64(s.opt.MinSamples - 1)
		if count(x, i) >= least {
			return 0
		}
		score = 1
		for j := range s.pts.Rows() {
			if within(x, j) && count(s.pts.Row(j), j) >= least {
				score = 0.5
			}
		}
	}
	return score
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
