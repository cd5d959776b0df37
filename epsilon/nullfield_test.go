package epsilon_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

func nullField(t testing.TB, e join.Engine, pts *join.Points, opt epsilon.NullOptions) *epsilon.Null {
	t.Helper()
	n, err := epsilon.NullField(t.Context(), e, jointest.Index(t, e, pts), opt)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// stars are a catalog with three clusters among field stars, in parsecs and as
// positions on the sky.
func stars(t testing.TB, n int) (space, onSky *join.Points, labels []int32) {
	t.Helper()
	var xyz, lonlat []float64
	for _, s := range synth.Catalog(n, 1) {
		xyz, lonlat = append(xyz, s.X, s.Y, s.Z), append(lonlat, s.RA, s.Dec)
		labels = append(labels, s.Cluster)
	}
	return jointest.Points(t, 3, xyz...), sky(t, lonlat...), labels
}

// TestNullFieldFindsClusters is what the rule is for: with its eps, the clusters of
// a catalog come out, and hardly any star of the field with them.
func TestNullFieldFindsClusters(t *testing.T) {
	space, onSky, labels := stars(t, 3000)
	for _, test := range []struct {
		name string
		pts  *join.Points
		unit epsilon.Unit
	}{{"space", space, epsilon.Plain}, {"sky", onSky, epsilon.Degrees}} {
		t.Run(test.name, func(t *testing.T) {
			const m = 8
			e := cpu.New(cpu.Options{})
			null := nullField(t, e, test.pts, epsilon.NullOptions{K: m - 1, Unit: test.unit, Seed: 1})
			if null.Repeats != epsilon.DefaultRepeats || !(null.Field < null.Mean) || null.Eps != null.Field/2+null.Mean/2 {
				t.Errorf("got %+v", null)
			}
			res, err := dbscan.Cluster(t.Context(), jointest.Index(t, e, test.pts), dbscan.Options{
				Eps: test.unit.Eps(null.Eps), MinSamples: m,
			})
			if err != nil {
				t.Fatal(err)
			}
			found, strangers := 0, 0
			for i, label := range res.Labels {
				switch {
				case label >= 0 && labels[i] >= 0:
					found++
				case label >= 0:
					strangers++
				}
			}
			if res.Clusters != 3 || found < 230 || strangers > 20 {
				t.Errorf("got %d clusters with %d members and %d strangers, by %+v", res.Clusters, found, strangers, null)
			}
		})
	}
}

// TestNullFieldOfNoCluster is a field without clusters: nothing in it is much
// denser than in those drawn.
func TestNullFieldOfNoCluster(t *testing.T) {
	e := cpu.New(cpu.Options{})
	set := made(t, "uniform", 2000, 2, 3)
	var lonlat []float64 // even on the sphere
	for i := range set.Rows() {
		lonlat = append(lonlat, 360*set.Row(i)[0], math.Asin(2*set.Row(i)[1]-1)*180/math.Pi)
	}
	for name, null := range map[string]*epsilon.Null{
		"plane": nullField(t, e, set, epsilon.NullOptions{K: 4, Seed: 1}),
		"box":   nullField(t, e, under(t, set, join.Metric{Box: []float64{1, 1}}), epsilon.NullOptions{K: 4, Seed: 1}),
		"sky":   nullField(t, e, sky(t, lonlat...), epsilon.NullOptions{K: 4, Seed: 1, Unit: epsilon.Degrees}),
	} {
		if !near(null.Field, null.Mean, 4*null.SD) || !(null.SD > 0) || !(null.SD < null.Mean/2) {
			t.Errorf("%s: got %+v", name, null)
		}
	}
}

func TestNullFieldIsTheSameForAllEngines(t *testing.T) {
	pts := made(t, "blobs", 150, 2, 1)
	opt := epsilon.NullOptions{K: 3, Repeats: 4, Seed: 5}
	want := nullField(t, jointest.Brute(), pts, opt)
	for name, e := range engines() {
		if got := nullField(t, e, pts, opt); *got != *want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	opt.Seed = 6
	if got := nullField(t, jointest.Brute(), pts, opt); got.Mean == want.Mean || got.Field != want.Field {
		t.Errorf("another seed: got %+v, beside %+v", got, want)
	}
}

func TestNullFieldDegenerate(t *testing.T) {
	e := jointest.Brute()
	tests := []struct {
		name string
		pts  *join.Points
		want func(n *epsilon.Null) bool
	}{
		{"equal rows", made(t, "equal", 20, 2, 1), func(n *epsilon.Null) bool { return n.Eps == 0 && n.Mean == 0 && n.SD == 0 }},
		{"a heap", jointest.Points(t, 1, 1, 1, 1, 1, 5, 9, 2, 3), func(n *epsilon.Null) bool { return n.Field == 0 && n.Eps == n.Mean/2 && n.Mean > 0 }},
		{"one place on the sky", sky(t, 10, 20, 10, 20, 10, 20, 10, 20), func(n *epsilon.Null) bool { return n.Eps == 0 }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			unit := epsilon.Plain
			if test.pts.Dim() == 3 {
				unit = epsilon.Degrees
			}
			if n := nullField(t, e, test.pts, epsilon.NullOptions{K: 2, Unit: unit, Repeats: 3}); !test.want(n) {
				t.Errorf("got %+v", n)
			}
		})
	}
}

func TestNullFieldRefuses(t *testing.T) {
	e := jointest.Brute()
	pts := made(t, "uniform", 6, 2, 1)
	tests := []struct {
		name string
		pts  *join.Points
		opt  epsilon.NullOptions
		want func(error) bool
	}{
		{"k of all rows", pts, epsilon.NullOptions{K: 6}, func(err error) bool { return errors.Is(err, epsilon.ErrTooFewRows) }},
		{"repeats", pts, epsilon.NullOptions{K: 2, Repeats: -1}, func(err error) bool { return err != nil }},
		{"no unit vectors", pts, epsilon.NullOptions{K: 2, Unit: epsilon.Degrees}, func(err error) bool { return err != nil }},
		{"statistics overflow", jointest.Points(t, 1, 1.7e308, 1.7e308, -1.7e308, -1.7e308, 0), epsilon.NullOptions{K: 1}, func(err error) bool {
			var n *epsilon.NoneError
			return errors.As(err, &n) && strings.Contains(n.Reason, "too large for a standard deviation")
		}},
		{"distances overflow", jointest.Points(t, 1, 1e200, -1e200, 3e200), epsilon.NullOptions{K: 1}, func(err error) bool {
			var n *epsilon.NoneError
			return errors.As(err, &n)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if n, err := epsilon.NullField(t.Context(), e, jointest.Index(t, e, test.pts), test.opt); !test.want(err) {
				t.Errorf("got %+v, %v", n, err)
			}
		})
	}
}

func TestCanceled(t *testing.T) {
	pts := made(t, "uniform", 50, 2, 1)
	idx := jointest.Index(t, cpu.New(cpu.Options{}), pts)
	c := measure(t, idx, epsilon.Options{K: 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := epsilon.Measure(ctx, idx, epsilon.Options{K: 2})
	_, err2 := c.Selectivity(ctx, idx, nil, 3)
	_, err3 := epsilon.NullField(ctx, cpu.New(cpu.Options{}), idx, epsilon.NullOptions{K: 2})
	for i, err := range []error{err1, err2, err3} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: got %v", i, err)
		}
	}
}

// moments returns the mean, the standard deviation and the correlation with column
// 0 of column k.
func moments(pts *join.Points, k int) (mean, sd, correlation float64) {
	n := float64(pts.Rows())
	var m0, s0, both float64
	for i := range pts.Rows() {
		mean += pts.Row(i)[k] / n
		m0 += pts.Row(i)[0] / n
	}
	for i := range pts.Rows() {
		a, b := pts.Row(i)[0]-m0, pts.Row(i)[k]-mean
		s0, sd, both = s0+a*a/n, sd+b*b/n, both+a*b/n
	}
	return mean, math.Sqrt(sd), both / math.Sqrt(s0*sd)
}

// TestDraw draws from two columns that are one: each keeps its mean, its deviation
// grows by the kernel's, and nothing binds them any more.
func TestDraw(t *testing.T) {
	const n = 20_000
	set := made(t, "exponential", n, 1, 1)
	var data []float64
	for _, x := range set.Data() {
		data = append(data, x, 3-2*x, 7)
	}
	pts := jointest.Points(t, 3, data...)
	drawn, err := epsilon.Draw(pts, epsilon.Plain, 1)
	if err != nil || drawn.Rows() != n || drawn.Dim() != 3 {
		t.Fatalf("got %d rows of %d, %v", drawn.Rows(), drawn.Dim(), err)
	}
	h := math.Pow(n, -1./5)
	for k := range 2 {
		wantMean, wantSD, correlation := moments(pts, k)
		mean, sd, loose := moments(drawn, k)
		wantSD *= math.Sqrt(1 + h*h)
		if !near(mean, wantMean, 4*wantSD/math.Sqrt(n)) || !near(sd/wantSD, 1, 0.03) {
			t.Errorf("column %d: mean %v, deviation %v, want %v, %v", k, mean, sd, wantMean, wantSD)
		}
		if k == 1 && (math.Abs(loose) > 4/math.Sqrt(n) || correlation > -0.99) {
			t.Errorf("correlation %v, before %v", loose, correlation)
		}
	}
	for i := range n {
		if x := drawn.Row(i)[2]; x != 7 {
			t.Fatalf("row %d of the constant column is %v, want 7", i, x)
		}
	}
}

// TestDrawBox draws a group in a periodic box, across its seam and elsewhere: it
// stays as wide as it is and where it is.
func TestDrawBox(t *testing.T) {
	const n, length = 5000, 10.0
	for _, center := range []float64{0, 5, 8.75} {
		var data []float64
		for _, x := range made(t, "uniform", n, 1, 4).Data() {
			data = append(data, math.Mod(center+length-0.5+x, length))
		}
		pts := under(t, jointest.Points(t, 1, data...), join.Metric{Norm: join.Chebyshev, Box: []float64{length}})
		drawn, err := epsilon.Draw(pts, epsilon.Plain, 1)
		if err != nil || !drawn.Metric().Equal(pts.Metric()) {
			t.Fatalf("center %v: got metric %+v, %v", center, drawn.Metric(), err)
		}
		var mean, sd float64
		for _, x := range drawn.Data() {
			x = math.Remainder(x-center, length)
			mean, sd = mean+x/n, sd+x*x/n
		}
		h := math.Pow(n, -1./5)
		if sd = math.Sqrt(sd); !near(mean, 0, 0.03) || !near(sd, math.Sqrt((1+h*h)/12), 0.02) {
			t.Errorf("center %v: mean off by %v, deviation %v, want that of an even group of width 1", center, mean, sd)
		}
	}
}

// TestDrawCosine draws directions, where columns are mostly 0 too.
func TestDrawCosine(t *testing.T) {
	pts := directions(t, jointest.Points(t, 3, 1, 0, 0, 0, 2, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0))
	drawn, err := epsilon.Draw(pts, epsilon.Cosine, 1)
	if err != nil || drawn.Rows() != 5 {
		t.Fatal(err)
	}
	for i := range drawn.Rows() {
		row := drawn.Row(i)
		if d2 := join.SquaredDistance(row, []float64{0, 0, 0}); !near(d2, 1, 1e-12) || row[2] != 0 {
			t.Errorf("row %d is %v, no direction in the plane", i, row)
		}
	}
	// Of one row repeated in a column, and zeros in the other, draws are the row.
	same := directions(t, jointest.Points(t, 2, 0, 3, 0, 3, 0, 3))
	if drawn, err = epsilon.Draw(same, epsilon.Cosine, 1); err != nil || !slices.Equal(drawn.Data(), same.Data()) {
		t.Errorf("got %v, %v", drawn, err)
	}
}

// TestDrawSky draws fields on the sky: a small one stays a small one of the same
// size, whether at the seam, at a pole or anywhere.
func TestDrawSky(t *testing.T) {
	const n, radius = 2000, 1.0 // degrees
	flat := made(t, "uniform", n, 2, 2)
	for name, at := range map[string][2]float64{"seam": {0, 0}, "opposite": {180, 10}, "pole": {0, 90}, "south": {77, -90}} {
		t.Run(name, func(t *testing.T) {
			center := sky(t, at[0], at[1]).Row(0)
			var xyz []float64
			for i := range n {
				xyz = append(xyz, center[0]+shift(flat, i, 0), center[1]+shift(flat, i, 1), center[2]+shift(flat, i, 0))
			}
			for i := 0; i < len(xyz); i += 3 {
				length := math.Sqrt(xyz[i]*xyz[i] + xyz[i+1]*xyz[i+1] + xyz[i+2]*xyz[i+2])
				for k := range 3 {
					xyz[i+k] /= length
				}
			}
			pts := jointest.Points(t, 3, xyz...)
			drawn, err := epsilon.Draw(pts, epsilon.Degrees, 1)
			if err != nil {
				t.Fatal(err)
			}
			before, after := spread(pts), spread(drawn)
			if !near(after/before, 1, 0.1) || before > 2*radius {
				t.Errorf("the field is %v degrees wide, drawn %v", before, after)
			}
		})
	}
}

// shift is a small step of row i in coordinate k.
func shift(flat *join.Points, i, k int) float64 { return (flat.Row(i)[k] - 0.5) * math.Pi / 90 }

// spread is the root of the mean squared angle of rows from the first hundred.
func spread(pts *join.Points) float64 {
	sum, n := 0., 0.
	for i := range 100 {
		for j := range pts.Rows() {
			sum += join.SquaredDistance(pts.Row(i), pts.Row(j))
			n++
		}
	}
	return math.Sqrt(sum/n) * 180 / math.Pi
}
