package chart_test

import (
	"math"
	"testing"

	"rtcluster/io/chart"
)

const degree = math.Pi / 180

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// TestProjectKnown compares with places that the definitions give in closed form.
func TestProjectKnown(t *testing.T) {
	r2 := math.Sqrt2
	tests := []struct {
		name       string
		projection chart.Projection
		lon, lat   float64
		x, y       float64
	}{
		{"the middle", chart.Mollweide, 0, 0, 0, 0},
		{"the east end", chart.Mollweide, math.Pi, 0, 2 * r2, 0},
		{"a quarter of the equator", chart.Mollweide, -math.Pi / 2, 0, -r2, 0},
		{"the north pole", chart.Mollweide, 1, math.Pi / 2, 0, r2},
		{"the south pole", chart.Mollweide, 1, -math.Pi / 2, 0, -r2},
		// θ = 45° where π/2 + 1 = π sin φ.
		{"half of the height squared", chart.Mollweide, math.Pi, math.Asin(0.5 + 1/math.Pi), 2, 1},
		// θ = 30° where π/3 + √3/2 = π sin φ.
		{"half of the height", chart.Mollweide, math.Pi / 2, -math.Asin(1./3 + math.Sqrt(3)/2/math.Pi), r2 * math.Sqrt(3) / 2, -r2 / 2},
		{"the middle", chart.Aitoff, 0, 0, 0, 0},
		{"the east end", chart.Aitoff, math.Pi, 0, math.Pi, 0},
		{"along the equator as it is", chart.Aitoff, -1, 0, -1, 0},
		{"along the middle as it is", chart.Aitoff, 0, 0.7, 0, 0.7},
		{"the north pole", chart.Aitoff, 1, math.Pi / 2, 0, math.Pi / 2},
		// cos α = cos 60° cos 90° = 0, so that α = π/2.
		{"on the limb", chart.Aitoff, math.Pi, math.Pi / 3, math.Pi / 2, math.Pi / 2 * math.Sqrt(3) / 2},
	}
	for _, test := range tests {
		t.Run(string(test.projection)+"/"+test.name, func(t *testing.T) {
			x, y := test.projection.Project(test.lon, test.lat)
			if !near(x, test.x, 1e-12) || !near(y, test.y, 1e-12) {
				t.Errorf("got %.15g, %.15g, want %.15g, %.15g", x, y, test.x, test.y)
			}
		})
	}
}

// TestProjectFormulas compares with the formulas as they are in books, all over the
// sphere: Aitoff's with an arc cosine, Mollweide's by the equation that its angle solves.
func TestProjectFormulas(t *testing.T) {
	for lat := -89.75; lat < 90; lat += 0.5 {
		for lon := -180.; lon <= 180; lon += 7.5 {
			l, p := lon*degree, lat*degree
			alpha := math.Acos(math.Cos(p) * math.Cos(l/2))
			sinc := 1.
			if alpha > 1e-9 {
				sinc = math.Sin(alpha) / alpha
			}
			x, y := chart.Aitoff.Project(l, p)
			if wantX, wantY := 2*math.Cos(p)*math.Sin(l/2)/sinc, math.Sin(p)/sinc; !near(x, wantX, 1e-9) || !near(y, wantY, 1e-9) {
				t.Fatalf("aitoff at %v, %v: got %v, %v, want %v, %v", lon, lat, x, y, wantX, wantY)
			}
			x, y = chart.Mollweide.Project(l, p)
			theta := math.Asin(y / math.Sqrt2)
			if rest := 2*theta + math.Sin(2*theta) - math.Pi*math.Sin(p); !near(rest, 0, 1e-12) || !near(x, 2*math.Sqrt2/math.Pi*l*math.Cos(theta), 1e-7) {
				t.Fatalf("mollweide at %v, %v: the equation is off by %v, x is %v", lon, lat, rest, x)
			}
		}
	}
}

// TestMollweideAreas wants equal areas to stay equal, near the poles, too: the
// determinant of the derivatives is cos φ.
func TestMollweideAreas(t *testing.T) {
	const h = 1e-6
	for _, lat := range []float64{0, 0.3, 0.99, 1.01, 1.3, 1.5, 1.56} {
		x0, y0 := chart.Mollweide.Project(1-h, lat)
		x1, y1 := chart.Mollweide.Project(1+h, lat)
		x2, y2 := chart.Mollweide.Project(1, lat-h)
		x3, y3 := chart.Mollweide.Project(1, lat+h)
		if got := ((x1-x0)*(y3-y2) - (y1-y0)*(x3-x2)) / (4 * h * h); !near(got/math.Cos(lat), 1, 1e-5) {
			t.Errorf("at latitude %v areas grow by %v", lat, got/math.Cos(lat))
		}
	}
}

func TestLimits(t *testing.T) {
	for _, p := range chart.Projections() {
		mostX, mostY := p.Limits()
		x, _ := p.Project(math.Pi, 0)
		_, y := p.Project(0, math.Pi/2)
		if !near(x, mostX, 1e-12) || !near(y, mostY, 1e-12) {
			t.Errorf("%s: the ends are %v, %v, want %v, %v", p, x, y, mostX, mostY)
		}
	}
}

// TestAzimuthal compares with Snyder's formulas, which lose digits near the middle, wants the
// way back, and lengths of arc seconds to be true there.
func TestAzimuthal(t *testing.T) {
	for _, middle := range []float64{-90, -75, 0, 10, 90} {
		a := chart.Azimuthal(middle * degree)
		sin0, cos0 := math.Sincos(middle * degree)
		for lat := -87.; lat < 90; lat += 6 {
			for lon := -175.; lon < 180; lon += 10 {
				sin, cos := math.Sincos(lat * degree)
				along := sin0*sin + cos0*cos*math.Cos(lon*degree)
				if along < -0.99 {
					continue
				}
				k := math.Sqrt(2 / (1 + along))
				wantX, wantY := k*cos*math.Sin(lon*degree), k*(cos0*sin-sin0*cos*math.Cos(lon*degree))
				x, y := a.Project(lon*degree, lat*degree)
				if !near(x, wantX, 1e-12) || !near(y, wantY, 1e-12) {
					t.Fatalf("around %v: %v, %v is at %v, %v, want %v, %v", middle, lon, lat, x, y, wantX, wantY)
				}
				if l, p := a.Invert(x, y); !near(l, lon*degree, 1e-9) || !near(p, lat*degree, 1e-9) {
					t.Fatalf("around %v: %v, %v comes back as %v, %v", middle, lon, lat, l/degree, p/degree)
				}
			}
		}
	}
	const arcsec = degree / 3600
	a := chart.Azimuthal(60 * degree)
	if x, y := a.Project(2*arcsec, 60*degree+arcsec); !near(x/arcsec, 1, 1e-5) || !near(y/arcsec, 1, 1e-5) {
		t.Errorf("an arc second is %v, %v", x/arcsec, y/arcsec)
	}
}
