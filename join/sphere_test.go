package join_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"rtcluster/join"
)

// unitVector returns the unit vector of one position.
func unitVector(t testing.TB, lon, lat float64) [3]float64 {
	t.Helper()
	xyz, err := join.UnitVectors([]float64{lon, lat})
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64(xyz)
}

// bigSincos returns the sine and cosine of an angle in degrees by their series
// in 300 bits.
func bigSincos(deg float64) (sin, cos *big.Float) {
	const prec = 300
	const pi = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
	x, _ := new(big.Float).SetPrec(prec).SetString(pi)
	x.Mul(x, new(big.Float).SetPrec(prec).SetFloat64(math.Mod(deg, 360)))
	x.Quo(x, big.NewFloat(180))
	sin, cos = new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec)
	term := new(big.Float).SetPrec(prec).SetInt64(1) // x^n / n!, with the sign of its series
	for n := range int64(80) {
		sum := cos
		if n%2 == 1 {
			sum = sin
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(n+1))
	}
	return sin, cos
}

func TestUnitVectorsAgainstHighPrecision(t *testing.T) {
	const seed, tolerance = 3, 4e-16 // two roundings of sines and one of the product, all at most 1
	r := rand.New(rand.NewPCG(seed, 1))
	for range 500 {
		lon, lat := 800*r.Float64()-400, 180*r.Float64()-90
		sinLon, cosLon := bigSincos(lon)
		sinLat, cosLat := bigSincos(lat)
		want := [3]*big.Float{cosLon.Mul(cosLon, cosLat), sinLon.Mul(sinLon, cosLat), sinLat}
		for k, got := range unitVector(t, lon, lat) {
			diff, _ := new(big.Float).Sub(want[k], big.NewFloat(got)).Float64()
			if math.Abs(diff) > tolerance {
				t.Errorf("seed %d: coordinate %d of (%v, %v): got %v, off by %v", seed, k, lon, lat, got, diff)
			}
		}
	}
}

func TestUnitVectorsOfExactPlaces(t *testing.T) {
	tests := []struct {
		lon, lat float64
		want     [3]float64
	}{
		{0, 0, [3]float64{1, 0, 0}},
		{90, 0, [3]float64{0, 1, 0}},
		{180, 0, [3]float64{-1, 0, 0}},
		{270, 0, [3]float64{0, -1, 0}},
		{360, 0, [3]float64{1, 0, 0}},
		{-90, 0, [3]float64{0, -1, 0}},
		{-180, 0, [3]float64{-1, 0, 0}},
		{-270, 0, [3]float64{0, 1, 0}},
		{3.6e7 + 90, 0, [3]float64{0, 1, 0}},
		{0, 90, [3]float64{0, 0, 1}},
		{123.456, 90, [3]float64{0, 0, 1}},
		{-77, -90, [3]float64{0, 0, -1}},
	}
	for _, test := range tests {
		if got := unitVector(t, test.lon, test.lat); got != test.want {
			t.Errorf("(%v, %v): got %v, want %v", test.lon, test.lat, got, test.want)
		}
	}
}

// TestLongitudesWrap checks that turns and the sign of a longitude change
// nothing, where the degrees themselves are exact.
func TestLongitudesWrap(t *testing.T) {
	for _, lon := range []float64{0, 0.25, 12.5, 44.75, 45, 45.25, 89.5, 90, 134.75, 135, 180, 224.5, 225, 270, 315, 359.75} {
		want := unitVector(t, lon, 33)
		for _, turns := range []float64{-720, -360, 360, 3600} {
			if got := unitVector(t, lon+turns, 33); got != want {
				t.Errorf("longitude %v: got %v, but %v at %v", lon+turns, got, want, lon)
			}
		}
	}
}

// TestSeamAndPole checks distances across 0° and over the pole.
func TestSeamAndPole(t *testing.T) {
	tests := []struct {
		name string
		a, b [2]float64
		deg  float64
	}{
		{"across 0°", [2]float64{359.5, 0}, [2]float64{0.5, 0}, 1},
		{"across 180°", [2]float64{-179.75, 0}, [2]float64{179.75, 0}, 0.5},
		{"over the north pole", [2]float64{10, 89}, [2]float64{190, 88}, 3},
		{"at the south pole", [2]float64{10, -90}, [2]float64{200, -90}, 0},
		{"opposite", [2]float64{30, 40}, [2]float64{210, -40}, 180},
		{"a quarter", [2]float64{0, 0}, [2]float64{77, 90}, 90},
		{"an arc second", [2]float64{120, 0}, [2]float64{120 + 1.0/3600, 0}, 1.0 / 3600},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, b := unitVector(t, test.a[0], test.a[1]), unitVector(t, test.b[0], test.b[1])
			d2 := join.SquaredDistance(a[:], b[:])
			if got := join.AngleDegrees(d2); math.Abs(got-test.deg) > 1e-13*(1+test.deg) {
				t.Errorf("got %v degrees, want %v", got, test.deg)
			}
			for factor, want := range map[float64]bool{1 - 1e-9: false, 1 + 1e-9: true} {
				eps := join.Chord(test.deg * factor * math.Pi / 180)
				if test.deg > 0 && test.deg < 180 && join.Within(a[:], b[:], join.Squared(eps)) != want {
					t.Errorf("within %v times the angle: want %t", factor, want)
				}
			}
		})
	}
}

func TestChord(t *testing.T) {
	tests := []struct{ theta, want float64 }{
		{0, 0},
		{1e-10, 1e-10},
		{1e-200, 1e-200},
		{math.Pi / 3, 1},
		{math.Pi / 2, math.Sqrt2},
		{2 * math.Pi / 3, math.Sqrt(3)},
		{math.Pi, 3},
		{4, 3},
	}
	for _, test := range tests {
		if got := join.Chord(test.theta); math.Abs(got-test.want) > 3e-16*test.want {
			t.Errorf("Chord(%v): got %v, want %v", test.theta, got, test.want)
		}
	}
	if join.Chord(math.Nextafter(math.Pi, 0)) > 2 {
		t.Error("a chord below π is longer than the diameter")
	}
}

func TestAngleDegreesIsTheInverseOfChord(t *testing.T) {
	for _, deg := range []float64{0, 1e-9, 1.0 / 3600, 0.75, 1, 30, 60, 90, 120, 179, 179.999} {
		chord := join.Chord(deg * math.Pi / 180)
		got := join.AngleDegrees(join.Squared(chord))
		if tolerance := 1e-15 * deg / math.Cos(deg*math.Pi/360); math.Abs(got-deg) > tolerance {
			t.Errorf("%v degrees came back as %v", deg, got)
		}
	}
	for _, d2 := range []float64{4, math.Nextafter(4, 5), 9} {
		if got := join.AngleDegrees(d2); got != 180 {
			t.Errorf("AngleDegrees(%v): got %v, want 180", d2, got)
		}
	}
}

func TestUnitVectorsErrors(t *testing.T) {
	tests := []struct {
		name   string
		lonlat []float64
		want   string
	}{
		{"half a position", []float64{1, 2, 3}, "3 values are no whole number"},
		{"beyond the north pole", []float64{0, 0, 5, 90.00001}, "row 1 has latitude 90.00001"},
		{"beyond the south pole", []float64{0, -91}, "row 0 has latitude -91"},
		{"latitude NaN", []float64{0, math.NaN()}, "row 0 has latitude NaN"},
		{"longitude NaN", []float64{0, 0, math.NaN(), 0}, "row 1 has longitude NaN"},
		{"longitude infinite", []float64{math.Inf(-1), 0}, "row 0 has longitude -Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			xyz, err := join.UnitVectors(test.lonlat)
			if xyz != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error with %q", xyz, err, test.want)
			}
		})
	}
	_, err := join.UnitVectors([]float64{0, 0, 7, -90.5})
	var latitude *join.LatitudeError
	if !errors.As(fmt.Errorf("wrapped: %w", err), &latitude) || latitude.Row != 1 || latitude.Latitude != -90.5 {
		t.Errorf("got %#v, want a LatitudeError of row 1", err)
	}
}

// bigChord returns the distance between the unit vectors of two positions, in
// 300 bits until the end.
func bigChord(a, b [2]float64) float64 {
	sum := new(big.Float)
	vectors := [2][3]*big.Float{}
	for i, p := range [2][2]float64{a, b} {
		sinLon, cosLon := bigSincos(p[0])
		sinLat, cosLat := bigSincos(p[1])
		vectors[i] = [3]*big.Float{cosLon.Mul(cosLon, cosLat), sinLon.Mul(sinLon, cosLat), sinLat}
	}
	for k, x := range vectors[0] {
		diff := new(big.Float).Sub(x, vectors[1][k])
		sum.Add(sum, diff.Mul(diff, diff))
	}
	chord, _ := new(big.Float).Sqrt(sum).Float64()
	return chord
}

// TestTinyAngles decides pairs about 1e-9 degrees apart, everywhere on the
// sphere: wherever the true angle is 1e-15 rad or more from the bound, as it
// is. Positions and what is added to them are as float64 has them.
func TestTinyAngles(t *testing.T) {
	const seed, tolerance = 4, 1e-15
	r := rand.New(rand.NewPCG(seed, 0))
	places := [][2]float64{
		{0, 0},
		{360 - 1e-9, 0},
		{-1e-9, 0},
		{360 - 1e-9, 60},
		{180, -30},
		{45, 45},
		{135, -45},
		{315, 44.9999999995},
		{77, 90 - 1e-9},
		{190, -90 + 5e-10},
		{12, 89.9999},
		{300, -89},
	}
	for range 200 {
		places = append(places, [2]float64{360 * r.Float64(), 180*r.Float64() - 90})
	}
	for _, a := range places {
		cosLat := math.Cos(a[1] * math.Pi / 180)
		for _, b := range [][2]float64{
			{a[0], math.Nextafter(a[1], 0) + 1e-9},
			{a[0], a[1] - 1e-9},
			{a[0] + 1e-9/max(cosLat, 1e-3), a[1]},
			{a[0] + 1e-9 - 360, a[1]},
			{a[0] + 180, math.Copysign(180, a[1]) - a[1]}, // the same place, over the pole
		} {
			if math.Abs(b[1]) > 90 {
				continue
			}
			chord := bigChord(a, b) // a tiny chord is its angle
			x, z := unitVector(t, a[0], a[1]), unitVector(t, b[0], b[1])
			for _, eps := range []float64{chord - tolerance, chord + tolerance, 1e-9 * math.Pi / 180} {
				got := join.Within(x[:], z[:], join.Squared(join.Chord(eps)))
				if want := chord <= eps; eps >= 0 && got != want && math.Abs(chord-eps) >= tolerance*0.99 {
					t.Errorf("seed %d: %v and %v, %v rad apart, at eps %v: got within %t, want %t", seed, a, b, chord, eps, got, want)
				}
			}
		}
	}
}

// bigAngle returns the angle between two positions in degrees, by their chord, or
// where that is long by the chord to the antipodes, in 300 bits.
func bigAngle(lon1, lat1, lon2, lat2 float64) float64 {
	vector := func(lon, lat float64) [3]*big.Float {
		sinLon, cosLon := bigSincos(lon)
		sinLat, cosLat := bigSincos(lat)
		return [3]*big.Float{cosLon.Mul(cosLon, cosLat), sinLon.Mul(sinLon, cosLat), sinLat}
	}
	a, b := vector(lon1, lat1), vector(lon2, lat2)
	square := func(add func(z, x, y *big.Float) *big.Float) float64 {
		sum := new(big.Float).SetPrec(300)
		for k := range a {
			diff := add(new(big.Float).SetPrec(300), a[k], b[k])
			sum.Add(sum, diff.Mul(diff, diff))
		}
		root, _ := sum.Sqrt(sum).Float64()
		return root
	}
	near, far := square((*big.Float).Sub), square((*big.Float).Add)
	if near < far {
		return 2 * math.Asin(near/2) * (180 / math.Pi)
	}
	return 180 - 2*math.Asin(far/2)*(180/math.Pi)
}

// TestGreatCircle compares with 300 bits, for positions all over the sphere and near
// each other, the poles, the seam and the antipodes.
func TestGreatCircle(t *testing.T) {
	const seed, tolerance = 5, 2e-15
	r := rand.New(rand.NewPCG(seed, 1))
	places := []struct {
		name string
		draw func() [4]float64
	}{
		{"anywhere", func() [4]float64 {
			return [4]float64{360 * r.Float64(), 180*r.Float64() - 90, 720*r.Float64() - 360, 180*r.Float64() - 90}
		}},
		{"near", func() [4]float64 {
			lon, lat, step := 360*r.Float64(), 170*r.Float64()-85, math.Pow(10, -13*r.Float64())
			return [4]float64{lon, lat, lon + step*r.NormFloat64(), lat + step*r.NormFloat64()}
		}},
		{"across the seam", func() [4]float64 {
			step := math.Pow(10, -15*r.Float64())
			return [4]float64{360 - step, 10 * step * r.NormFloat64(), step * r.Float64(), step * r.NormFloat64()}
		}},
		{"across 180", func() [4]float64 {
			step := math.Pow(10, -12*r.Float64())
			return [4]float64{180 - step*r.Float64(), 60, -180 + step*r.Float64(), 60}
		}},
		{"about a pole", func() [4]float64 {
			step := math.Pow(10, -12*r.Float64())
			return [4]float64{360 * r.Float64(), 90 - step*r.Float64(), 360 * r.Float64(), 90 - step*r.Float64()}
		}},
		{"antipodes", func() [4]float64 {
			lon, lat, step := 180*r.Float64(), 180*r.Float64()-90, math.Pow(10, -12*r.Float64())
			return [4]float64{lon, lat, lon + 180 + step*r.NormFloat64(), max(-90, min(90, -lat+step*r.NormFloat64()))}
		}},
	}
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			for range 300 {
				p := place.draw()
				got, want := join.GreatCircle(p[0], p[1], p[2], p[3]), bigAngle(p[0], p[1], p[2], p[3])
				if math.Abs(got-want) > tolerance*want {
					t.Fatalf("seed %d: %v: got %v, want %v", seed, p, got, want)
				}
			}
		})
	}
	for _, p := range [][5]float64{
		{10, 20, 10, 20, 0},
		{10, 20, 370, 20, 0},
		{0, 90, 77, 90, 0},
		{0, 0, 90, 0, 90},
		{0, 0, 180, 0, 180},
		{5, 90, 5, -90, 180},
		{-180, 0, 180, 0, 0},
		{0, 0, 0, 1e-300, 1e-300},
		{3, 90, 8, 30, 60},
		{1e-200, 0, -1e-200, 0, 2e-200},
	} {
		if got := join.GreatCircle(p[0], p[1], p[2], p[3]); math.Abs(got-p[4]) > tolerance*p[4] {
			t.Errorf("%v: got %v", p, got)
		}
	}
}
