package groups_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/groups"
	"rtcluster/join"
)

// skyOf returns the places of groups of positions.
func skyOf(t *testing.T, n int, labels []int32, lonlat []float64) []groups.Place {
	t.Helper()
	xyz, err := join.UnitVectors(lonlat)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := join.NewPoints(xyz, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := groups.NewSky(n, labels, unit)
	if err != nil {
		t.Fatal(err)
	}
	for i, label := range labels {
		if label >= 0 {
			s.Add(int(label), lonlat[2*i], lonlat[2*i+1])
		}
	}
	places := make([]groups.Place, n)
	for i := range places {
		places[i] = s.At(i)
	}
	return places
}

// TestSkyByHand has groups whose places can be told.
func TestSkyByHand(t *testing.T) {
	tests := []struct {
		name   string
		lonlat []float64
		want   groups.Place
	}{
		{"one", []float64{83.6287, -5.3911}, groups.Place{RA: 83.6287, Dec: -5.3911, LowRA: 83.6287, HighRA: 83.6287, LowDec: -5.3911, HighDec: -5.3911}},
		{"one, turned", []float64{-10, 20}, groups.Place{RA: 350, Dec: 20, LowRA: 350, HighRA: 350, LowDec: 20, HighDec: 20}},
		{"equal", []float64{361.25, 20, 1.25, 20}, groups.Place{RA: 1.25, Dec: 20, LowRA: 1.25, HighRA: 1.25, LowDec: 20, HighDec: 20}},
		{
			"along the equator",
			[]float64{40, 0, 42, 0},
			groups.Place{RA: 41, Spread: 1, Radius: 1, LowRA: 40, HighRA: 42},
		},
		{
			"across the seam",
			[]float64{359, 0, 1, 0, 0, 1, 0, -1},
			groups.Place{RA: 0, Spread: 1, Radius: 1, LowRA: 359, HighRA: 1, LowDec: -1, HighDec: 1},
		},
		{
			"about a pole",
			[]float64{0, 89, 90, 89, 180, 89, 270, 89},
			groups.Place{RA: 0, Dec: 90, Spread: 1, Radius: 1, LowRA: 0, HighRA: 270, LowDec: 89, HighDec: 89},
		},
		{
			"two on a meridian over the pole",
			[]float64{10, 88, 190, 88},
			groups.Place{RA: 0, Dec: 90, Spread: 2, Radius: 2, LowRA: 10, HighRA: 190, LowDec: 88, HighDec: 88},
		},
		{
			"as tiny as digits allow",
			[]float64{180, 1e-9, 180, 3e-9},
			groups.Place{RA: 180, Dec: 2e-9, Spread: 1e-9, Radius: 1e-9, LowRA: 180, HighRA: 180, LowDec: 1e-9, HighDec: 3e-9},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := skyOf(t, 1, make([]int32, len(tc.lonlat)/2), tc.lonlat)[0]
			if tc.want.Dec == 90 {
				got.RA = 0 // any will do
			}
			const close = 2e-14
			if away := join.GreatCircle(got.RA, got.Dec, tc.want.RA, tc.want.Dec); away > close ||
				math.Abs(got.Spread-tc.want.Spread) > close || math.Abs(got.Radius-tc.want.Radius) > close {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			got.RA, got.Dec, got.Spread, got.Radius = tc.want.RA, tc.want.Dec, tc.want.Spread, tc.want.Radius
			if got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestSkyOfOneRow wants groups of one position, once or twice, to have it as their
// centre, to the last bit.
func TestSkyOfOneRow(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 200 {
		ra, dec := 360*r.Float64(), 180*r.Float64()-90
		want := groups.Place{RA: ra, Dec: dec, LowRA: ra, HighRA: ra, LowDec: dec, HighDec: dec}
		if got := skyOf(t, 1, []int32{0}, []float64{ra, dec})[0]; got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if got := skyOf(t, 1, []int32{0, 0}, []float64{ra, dec, ra, dec})[0]; got != want {
			t.Fatalf("twice: got %+v, want %+v", got, want)
		}
	}
}

// TestSkyAgainstBruteForce has random groups of any size, mixed: the centre is the
// direction of the sum, and angles are those to it.
func TestSkyAgainstBruteForce(t *testing.T) {
	const seed, n = 4, 40
	r := rand.New(rand.NewPCG(seed, 1))
	labels, lonlat := []int32{-1}, []float64{7, 7}
	for group := range int32(n) {
		ra, dec, size := 360*r.Float64(), 178*r.Float64()-89, math.Pow(10, 1-11*r.Float64())
		for range 1 + r.IntN(20) {
			labels = append(labels, group)
			lonlat = append(lonlat, ra+size*(r.Float64()-0.5), max(-90, min(90, dec+size*(r.Float64()-0.5))))
		}
	}
	for group, got := range skyOf(t, n, labels, lonlat) {
		var x, y, z, radius, squares, rows float64
		low, high := math.Inf(1), math.Inf(-1)
		for i, label := range labels {
			if int(label) != group {
				continue
			}
			ra, dec := lonlat[2*i]*(math.Pi/180), lonlat[2*i+1]*(math.Pi/180)
			x, y, z = x+math.Cos(dec)*math.Cos(ra), y+math.Cos(dec)*math.Sin(ra), z+math.Sin(dec)
			angle := join.GreatCircle(got.RA, got.Dec, lonlat[2*i], lonlat[2*i+1])
			radius, squares, rows = max(radius, angle), squares+angle*angle, rows+1
			low, high = min(low, lonlat[2*i+1]), max(high, lonlat[2*i+1])
		}
		away := join.GreatCircle(got.RA, got.Dec, math.Atan2(y, x)*(180/math.Pi), math.Atan2(z, math.Hypot(x, y))*(180/math.Pi))
		if away > 1e-12 || got.Radius != radius || math.Abs(got.Spread-math.Sqrt(squares/rows)) > 1e-14*radius || got.LowDec != low || got.HighDec != high {
			t.Errorf("seed %d: group %d: got %+v, %g° off, with radius %v, spread %v", seed, group, got, away, radius, math.Sqrt(squares/rows))
		}
		if rows == 1 && got.Radius != 0 {
			t.Errorf("seed %d: group %d has one row, and radius %v", seed, group, got.Radius)
		}
	}
}

func TestSkyErrors(t *testing.T) {
	flat, err := join.NewPoints([]float64{1, 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := join.NewPoints([]float64{1, 0, 0}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := groups.NewSky(1, []int32{0}, flat); err == nil {
		t.Error("rows of two coordinates: no error")
	}
	if _, err := groups.NewSky(1, []int32{0, 0}, unit); err == nil {
		t.Error("two labels for a row: no error")
	}
	s, err := groups.NewSky(2, slices.Repeat([]int32{-1}, 1), unit)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.At(1); got != (groups.Place{}) {
		t.Errorf("a group without rows: got %+v", got)
	}
}
