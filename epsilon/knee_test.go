package epsilon_test

import (
	"math"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// ramp returns n numbers from a to b, evenly.
func ramp(n int, a, b float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	return x
}

func joined(parts ...[]float64) []float64 {
	var all []float64
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestKnee(t *testing.T) {
	inf := math.Inf(1)
	bent := joined(ramp(80, 1, 2), ramp(20, 3, 12))
	tests := []struct {
		name      string
		distances []float64
		want      epsilon.Knee // Height to 0.01
	}{
		{"bent", bent, epsilon.Knee{Eps: 2, At: 79, Height: 79./99 - 1./11}},
		{"an outlier", joined(bent, []float64{1e6}), epsilon.Knee{Eps: 2, At: 79, Height: 79./99 - 1./11, Beyond: 1}},
		{"outliers of two sizes", joined(bent, []float64{1e5, 1e9, 1e9}), epsilon.Knee{Eps: 2, At: 79, Height: 79./99 - 1./11, Beyond: 3}},
		{"infinite ones", joined(bent, []float64{inf, inf}), epsilon.Knee{Eps: 2, At: 79, Height: 79./99 - 1./11, Beyond: 2}},
		{"the outer one, where the rest is straight", joined(ramp(95, 1, 2), ramp(5, 100, 100)), epsilon.Knee{Eps: 2, At: 94, Height: 94./99 - 1./99}},
		{"the outer one, where the rest is flat", joined(ramp(95, 1, 1), ramp(5, 9, 9)), epsilon.Knee{Eps: 1, At: 94, Height: 94. / 99}},
		{"steps", joined(ramp(10, 0, 0), ramp(60, 1, 1), ramp(30, 9, 9)), epsilon.Knee{Eps: 1, At: 69, Height: 69./99 - 1./9}},
		{"the first of equal places", []float64{0, 0, 1, 1, 2}, epsilon.Knee{Eps: 0, At: 1, Height: 0.25}},
		{"the range overflows", []float64{0, 0, 0, 0, math.MaxFloat64}, epsilon.Knee{Eps: 0, At: 3, Height: 0.75}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := epsilon.CurveOf(test.distances...).Knee()
			if err != nil {
				t.Fatal(err)
			}
			if got.Eps != test.want.Eps || got.At != test.want.At || got.Beyond != test.want.Beyond || !near(got.Height, test.want.Height, 0.01) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestNoKnee(t *testing.T) {
	inf := math.Inf(1)
	for text, distances := range map[string][]float64{
		"nearly straight":       ramp(50, 1, 3),
		"all k-distances are 0": {0, 0, 0, 0},
		"all k-distances are 2": {2, 2, 2, inf},
		"there are 2":           {1, 2, inf},
		"there are 0":           {inf, inf, inf},
	} {
		t.Run(text, func(t *testing.T) {
			_, err := epsilon.CurveOf(distances...).Knee()
			wantNone(t, err, text)
		})
	}
	// A curve that rises fast and then levels off has no knee of the kind.
	_, err := epsilon.CurveOf(joined(ramp(20, 0, 9), ramp(80, 9.1, 10))...).Knee()
	wantNone(t, err, "nearly straight")
}

// TestKneeFindsGroups takes eight round groups on a background of a tenth of the
// rows, and rows so far away that the curve is flat but for them.
func TestKneeFindsGroups(t *testing.T) {
	const dim = 5
	pts := made(t, "blobs", 4000, dim, 1)
	data := pts.Data()
	for i := range 60 {
		for range dim {
			data = append(data, math.Pow(2, float64(i))*1e3)
		}
	}
	far := jointest.Points(t, dim, data...)
	for name, pts := range map[string]*join.Points{"alone": pts, "with outliers": far} {
		t.Run(name, func(t *testing.T) {
			m := epsilon.MinSamples(dim)
			idx := jointest.Index(t, cpu.New(cpu.Options{}), pts)
			knee, err := measure(t, idx, epsilon.Options{K: m - 1}).Knee()
			if err != nil {
				t.Fatal(err)
			}
			res, err := dbscan.Cluster(t.Context(), idx, dbscan.Options{Eps: knee.Eps, MinSamples: m})
			if err != nil || res.Clusters != 8 {
				t.Errorf("got %d clusters with %+v, %v, want 8", res.Clusters, knee, err)
			}
		})
	}
}
