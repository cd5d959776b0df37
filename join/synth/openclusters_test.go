package synth_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"rtcluster/join/synth"
)

// TestOpenClusters compares members with what is published of their cluster. A member at
// another place than the centre is seen under another angle, so that proper motions of a
// wide, near cluster such as the Hyades are spread about their mean.
func TestOpenClusters(t *testing.T) {
	stars := synth.OpenClusters(60000, seed)
	tests := []struct {
		name                            string
		cluster                         int32
		ra, dec, parallax, pmra, pmdec  float64
		place, parallaxTol, pmTol, wide float64 // of means, in the unit of the column; wide: of the motions' spread
	}{
		{"Hyades", 0, 66.725, 15.867, 21.052, 101.005, -28.490, 0.5, 0.3, 3, 20},
		{"Pleiades", 1, 56.75, 24.117, 7.364, 19.997, -45.548, 0.15, 0.05, 0.3, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var n float64
			var sum, squares [5]float64
			for _, s := range stars {
				if s.Cluster != test.cluster {
					continue
				}
				n++
				for k, x := range []float64{s.RA, s.Dec, s.Parallax, s.PMRA, s.PMDec} {
					sum[k] += x
					squares[k] += x * x
				}
			}
			if n < 500 || n > 700 {
				t.Errorf("%v members of 60,000 stars, want about 600", n)
			}
			want := []float64{test.ra, test.dec, test.parallax, test.pmra, test.pmdec}
			tolerance := []float64{test.place, test.place, test.parallaxTol, test.pmTol, test.pmTol}
			for k := range want {
				mean := sum[k] / n
				if math.Abs(mean-want[k]) > tolerance[k] {
					t.Errorf("mean %d is %v, want %v ± %v", k, mean, want[k], tolerance[k])
				}
				if spread := math.Sqrt(squares[k]/n - mean*mean); k > 2 && (spread == 0 || spread > test.wide) {
					t.Errorf("the motions' spread is %v, want more than 0 and at most %v", spread, test.wide)
				}
			}
		})
	}
}

func TestOpenClustersAreConsistent(t *testing.T) {
	stars := synth.OpenClusters(3000, seed)
	if !reflect.DeepEqual(stars, synth.OpenClusters(3000, seed)) {
		t.Error("another call with the same seed gave other stars")
	}
	if len(synth.OpenClusters(0, seed)) != 0 || reflect.DeepEqual(stars[:10], synth.OpenClusters(10, seed+1)) {
		t.Error("stars where none were asked for, or the seed has no effect")
	}
	ids := map[int64]bool{}
	for i, s := range stars {
		ids[s.SourceID] = true
		if s.RA < 0 || s.RA >= 360 || s.Dec < -90 || s.Dec > 90 || s.Parallax < 6 {
			t.Errorf("star %d is out of range: %+v", i, s)
		}
		r := math.Sqrt(sq(s.X) + sq(s.Y) + sq(s.Z))
		dec := math.Asin(s.Z/r) * 180 / math.Pi
		if math.Abs(1000/r-s.Parallax) > 1e-3*s.Parallax || math.Abs(dec-s.Dec) > 0.01 {
			t.Errorf("star %d: its place does not follow from %+v", i, s)
		}
		if fmt.Sprint(s.PMRA) == "0" || len(fmt.Sprint(s.SourceID)) != 19 {
			t.Errorf("star %d has no motion, or an identifier without 19 digits: %+v", i, s)
		}
	}
	if len(ids) != len(stars) {
		t.Errorf("%d identifiers of %d stars are distinct", len(ids), len(stars))
	}
}
