package synth_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join/synth"
)

func TestCatalogIsConsistent(t *testing.T) {
	stars := synth.Catalog(3000, seed)
	if len(stars) != 3000 {
		t.Fatalf("%d stars, want 3000", len(stars))
	}
	ids, names := map[int64]bool{}, map[string]bool{}
	for i, s := range stars {
		ids[s.SourceID], names[s.Name] = true, true
		if len(fmt.Sprint(s.SourceID)) != 19 {
			t.Errorf("star %d: source id %d has not 19 digits", i, s.SourceID)
		}
		if s.Name[0] != '0' || len(s.Name) != 7 {
			t.Errorf("star %d: name %q is no 7 digits with leading zeros", i, s.Name)
		}
		if s.RA < 0 || s.RA >= 360 || s.Dec < -90 || s.Dec > 90 || s.Parallax < 10 {
			t.Errorf("star %d is out of range: %+v", i, s)
		}
		r := math.Sqrt(s.X*s.X + s.Y*s.Y + s.Z*s.Z)
		ra := math.Atan2(s.Y, s.X) * 180 / math.Pi
		if ra < 0 {
			ra += 360
		}
		dec := math.Asin(s.Z/r) * 180 / math.Pi
		if math.Abs(1000/r-s.Parallax) > 1e-5*s.Parallax || math.Abs(dec-s.Dec) > 1e-4 ||
			math.Abs(math.Remainder(ra-s.RA, 360))*math.Cos(s.Dec*math.Pi/180) > 1e-4 {
			t.Errorf("star %d: position (%v, %v, %v) does not follow from %+v", i, s.X, s.Y, s.Z, s)
		}
	}
	if len(ids) != len(stars) || len(names) != len(stars) {
		t.Errorf("%d ids and %d names of %d stars are distinct", len(ids), len(names), len(stars))
	}
}

func TestCatalogClusters(t *testing.T) {
	tests := []struct {
		cluster    int32
		x, y, z    float64 // parsecs
		least      int     // members of 3000
		within     float64 // parsecs that hold every member
		seam, pole bool
	}{
		{cluster: 0, x: 17.28, y: 40.70, z: 12.68, least: 110, within: 12},
		{cluster: 1, x: 69.28, y: 0, z: -40, least: 60, within: 9, seam: true},
		{cluster: 2, x: -0.28, y: 0.49, z: 65, least: 35, within: 6, pole: true},
	}
	stars := synth.Catalog(3000, seed)
	for _, test := range tests {
		t.Run(fmt.Sprint("cluster ", test.cluster), func(t *testing.T) {
			members, intruders := 0, 0
			quarters := map[int]bool{}
			for _, s := range stars {
				r := math.Sqrt(sq(s.X-test.x) + sq(s.Y-test.y) + sq(s.Z-test.z))
				switch {
				case s.Cluster == test.cluster:
					members++
					quarters[int(s.RA/90)] = true
					if r > test.within {
						t.Errorf("member at %v pc from the centre", r)
					}
				case r < test.within/3:
					intruders++
				}
			}
			if members < test.least || intruders > members/20 {
				t.Errorf("%d members, %d other stars among them", members, intruders)
			}
			if test.seam && !(quarters[0] && quarters[3]) {
				t.Error("not on both sides of right ascension 0°")
			}
			if test.pole && len(quarters) != 4 {
				t.Error("not all around the pole")
			}
		})
	}
}

func sq(x float64) float64 { return x * x }

func TestCatalogIsReproducible(t *testing.T) {
	a := synth.Catalog(500, 1)
	if !slices.Equal(a, synth.Catalog(500, 1)) {
		t.Error("another call with the same seed gave other stars")
	}
	if slices.Equal(a, synth.Catalog(500, 2)) {
		t.Error("seeds 1 and 2 gave the same stars")
	}
	for _, n := range []int{0, -1} {
		if got := synth.Catalog(n, 1); len(got) != 0 {
			t.Errorf("Catalog(%d) has %d stars", n, len(got))
		}
	}
}
