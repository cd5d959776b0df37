package epsilon_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/epsilon"
	"rtcluster/join"
)

// reaches is the promise: rows at that squared distance are neighbours.
func reaches(m epsilon.Unit, distance, d2 float64) bool {
	e := m.Eps(distance)
	return float64(e*e) >= d2
}

func TestPlainDistance(t *testing.T) {
	tests := []struct {
		name     string
		d2, want float64
	}{
		{"zero", 0, 0},
		{"whole", 4, 2},
		{"root rounds up", 2, math.Sqrt2},
		{"root falls short", 3, math.Nextafter(math.Sqrt(3), 2)},
		{"least", math.SmallestNonzeroFloat64, math.Sqrt(math.SmallestNonzeroFloat64)},
		{"infinite", math.Inf(1), math.Inf(1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := epsilon.Plain.Distance(join.Metric{}, test.d2); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestDistanceReaches tries many squared distances, of all sizes: each is reached,
// and by no more than the promise says.
func TestDistanceReaches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	short := 0 // roots that do not reach
	for range 100_000 {
		d2 := math.Float64frombits(random.Uint64N(math.Float64bits(math.MaxFloat64)))
		root := math.Sqrt(d2)
		if root*root < d2 {
			short++
		}
		got := epsilon.Plain.Distance(join.Metric{}, d2)
		if !reaches(epsilon.Plain, got, d2) || got > math.Nextafter(root, math.Inf(1)) || got < root {
			t.Fatalf("d2 %v: got %v, the root is %v", d2, got, root)
		}
	}
	if short < 1000 {
		t.Errorf("only %d roots fall short: the test tests nothing", short)
	}
	for range 100_000 {
		chord := math.Pow(10, -12*random.Float64()) * 2
		d2 := chord * chord
		got := epsilon.Degrees.Distance(join.Metric{}, d2)
		if !reaches(epsilon.Degrees, got, d2) || got > 180 {
			t.Fatalf("d2 %v: %v degrees do not reach", d2, got)
		}
		angle := join.AngleDegrees(d2)
		if chord < 1.9 && got > angle*(1+1e-13) {
			t.Fatalf("d2 %v: got %v degrees, which are %v", d2, got, angle)
		}
	}
	for range 100_000 {
		chord2 := math.Pow(10, -30*random.Float64()) * 4
		got := epsilon.Cosine.Distance(join.Metric{}, chord2)
		if !reaches(epsilon.Cosine, got, chord2) || got > chord2/2*(1+1e-14) {
			t.Fatalf("d2 %v: got %v", chord2, got)
		}
	}
	for _, d2 := range []float64{4, 4 - 1e-15, 4 + 1e-15, 0} {
		if got := epsilon.Degrees.Distance(join.Metric{}, d2); !reaches(epsilon.Degrees, got, d2) || got > 180 {
			t.Errorf("d2 %v: %v degrees do not reach", d2, got)
		}
		if got := epsilon.Cosine.Distance(join.Metric{}, d2); !reaches(epsilon.Cosine, got, d2) || got > 2 {
			t.Errorf("d2 %v: %v does not reach", d2, got)
		}
	}
	for _, norm := range []join.Norm{join.Manhattan, join.Chebyshev} {
		if got := epsilon.Plain.Distance(join.Metric{Norm: norm}, 3); got != 3 {
			t.Errorf("%v: got %v, want the measure, 3", norm, got)
		}
	}
}
