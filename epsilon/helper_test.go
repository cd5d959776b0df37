package epsilon_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

// engines are those that every small test runs over: brute force, and the
// processor's with one thread and with several.
func engines() map[string]join.Engine {
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": cpu.New(cpu.Options{Threads: 3}),
	}
}

func measure(t testing.TB, idx join.Index, opt epsilon.Options) *epsilon.Curve {
	t.Helper()
	c, err := epsilon.Measure(t.Context(), idx, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// made returns the points of a synthetic set.
func made(t testing.TB, shape string, n, dim int, seed uint64) *join.Points {
	t.Helper()
	set, err := synth.Make(shape, n, dim, seed)
	if err != nil {
		t.Fatal(err)
	}
	return jointest.Points(t, dim, set.Data...)
}

// sky returns unit vectors of positions in degrees.
func sky(t testing.TB, lonlat ...float64) *join.Points {
	t.Helper()
	xyz, err := join.UnitVectors(lonlat)
	if err != nil {
		t.Fatal(err)
	}
	return jointest.Points(t, 3, xyz...)
}

// under returns points under a metric.
func under(t testing.TB, pts *join.Points, metric join.Metric) *join.Points {
	t.Helper()
	pts, err := pts.WithMetric(metric)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// directions returns rows as directions.
func directions(t testing.TB, pts *join.Points) *join.Points {
	t.Helper()
	data := slices.Clone(pts.Data())
	if err := join.Directions(data, pts.Dim()); err != nil {
		t.Fatal(err)
	}
	return jointest.Points(t, pts.Dim(), data...)
}

// kDistances are the measures, ascending, by the definition: no engine takes part.
func kDistances(pts *join.Points, k int) []float64 {
	all := make([]float64, pts.Rows())
	for i := range all {
		var d2 []float64
		for j := range pts.Rows() {
			if j != i {
				d2 = append(d2, pts.Metric().Measure(pts.Row(i), pts.Row(j)))
			}
		}
		slices.Sort(d2)
		all[i] = d2[k-1]
	}
	slices.Sort(all)
	return all
}

// wantNone wants a NoneError whose reason holds text.
func wantNone(t *testing.T, err error, text string) {
	t.Helper()
	var none *epsilon.NoneError
	if !errors.As(err, &none) || !strings.Contains(none.Reason, text) {
		t.Errorf("got error %v, want a NoneError with %q", err, text)
	}
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }
