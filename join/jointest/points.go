package jointest

import (
	"math/rand/v2"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// points returns the rows of data. The data of this package is known to be
// finite, so an error is a mistake here.
func points(dim int, data ...float64) *join.Points {
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		panic("jointest: " + err.Error())
	}
	return pts
}

// must returns the points of a synthetic set.
func must(set *synth.Set, err error) *join.Points {
	if err != nil {
		panic("jointest: " + err.Error())
	}
	return points(set.Dim, set.Data...)
}

// affine returns pts with every coordinate x replaced by x·scale + offset.
func affine(pts *join.Points, scale, offset float64) *join.Points {
	data := make([]float64, 0, len(pts.Data()))
	for _, x := range pts.Data() {
		data = append(data, float64(x*scale)+offset)
	}
	return points(pts.Dim(), data...)
}

// stretch returns pts with a factor on each column.
func stretch(pts *join.Points, factors ...float64) *join.Points {
	data := make([]float64, 0, len(pts.Data()))
	for i, x := range pts.Data() {
		data = append(data, x*factors[i%pts.Dim()])
	}
	return points(pts.Dim(), data...)
}

// grid returns the side^dim points of a lattice in shuffled order.
func grid(dim, side int, spacing, offset float64) *join.Points {
	n := 1
	for range dim {
		n *= side
	}
	return affine(must(synth.Make("lattice", n, dim, seed)), spacing, offset)
}

// along returns n rows t·direction for t = 0, step, 2·step, ... in shuffled
// order.
func along(n int, step float64, direction ...float64) *join.Points {
	data := make([]float64, 0, n*len(direction))
	for _, at := range rand.New(rand.NewPCG(seed, 3)).Perm(n) {
		for _, d := range direction {
			data = append(data, float64(at)*step*d)
		}
	}
	return points(len(direction), data...)
}

// repeat returns all rows of pts, then all again, so many times.
func repeat(pts *join.Points, times int) *join.Points {
	var data []float64
	for range times {
		data = append(data, pts.Data()...)
	}
	return points(pts.Dim(), data...)
}

// permuted returns pts in another order: row i of the result is row perm[i].
func permuted(pts *join.Points) (result *join.Points, perm []int32) {
	perm = make([]int32, pts.Rows())
	for i, at := range rand.New(rand.NewPCG(seed, 4)).Perm(pts.Rows()) {
		perm[i] = int32(at)
	}
	return pts.Subset(perm), perm
}

// others returns query points for pts: every second row, which is then at
// distance 0 of an indexed row, and points half way between some rows.
func others(pts *join.Points) *join.Points {
	var data []float64
	for i := range pts.Rows() {
		switch {
		case i%2 == 1:
			data = append(data, pts.Row(i)...)
		case i%4 == 0 && i+1 < pts.Rows():
			for k, x := range pts.Row(i) {
				data = append(data, x/2+pts.Row(i + 1)[k]/2)
			}
		}
	}
	return under(pts.Metric(), points(pts.Dim(), data...))
}

// under returns pts under a metric, which is known to fit.
func under(m join.Metric, pts *join.Points) *join.Points {
	pts, err := pts.WithMetric(m)
	if err != nil {
		panic("jointest: " + err.Error())
	}
	return pts
}
