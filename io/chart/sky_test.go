package chart_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"rtcluster/io/chart"
)

// place is a row on the sky.
type place struct{ ra, dec, label float64 }

func sky(t *testing.T, opt chart.SkyOptions, places ...place) *chart.Picture {
	t.Helper()
	e, all := &chart.Extent{}, &chart.Tally{}
	for _, p := range places {
		if !e.Add(p.ra, p.dec) {
			t.Fatalf("%v is no place", p)
		}
		if err := all.Add(p.label); err != nil {
			t.Fatal(err)
		}
	}
	s := chart.NewSky(e, all, opt)
	for _, p := range places {
		s.Add(p.ra, p.dec, p.label)
	}
	return s.Picture("sky")
}

// TestSkyPlaces wants rows where the projection has them, right ascension growing to the
// left, whatever is in the middle.
func TestSkyPlaces(t *testing.T) {
	for _, projection := range chart.Projections() {
		for _, center := range []float64{0, 180, 266.4} {
			t.Run(string(projection), func(t *testing.T) {
				places := []place{
					{center, 0, 3}, {center + 90, 0, 3}, {center - 90, 0, 3}, {center, 45, 3}, {center + 120, -60, 3}, {center + 720, -45, 3}, {center - 170, 70, 3},
				}
				got := readSVG(t, sky(t, chart.SkyOptions{Projection: projection, Center: center}, places...)).filled(blue)
				if len(got) != len(places) {
					t.Fatalf("got %d dots, want %d", len(got), len(places))
				}
				x90, _ := projection.Project(math.Pi/2, 0)
				scale := (got[2][0] - got[1][0]) / (2 * x90) // points by unit of the plane
				if scale < 40 {
					t.Fatalf("right ascension grows to the right, or the map is tiny: %v points a unit", scale)
				}
				for i, p := range places {
					lon := math.Remainder(p.ra-center, 360)
					x, y := projection.Project(lon*degree, p.dec*degree)
					if !near(got[i][0]-got[0][0], -scale*x, 0.1) || !near(got[i][1]-got[0][1], scale*y, 0.1) {
						t.Errorf("%v: got %v from the middle, want %v, %v", p, [2]float64{got[i][0] - got[0][0], got[i][1] - got[0][1]}, -scale*x, scale*y)
					}
				}
			})
		}
	}
}

// TestSkyGrid wants the degrees beside the map, and along its equator.
func TestSkyGrid(t *testing.T) {
	got := readSVG(t, sky(t, chart.SkyOptions{Center: 180}, place{10, 0, 0}, place{190, 0, 0}))
	for _, text := range []string{"+30°", "−60°", "300°", "60°", "120°", "180°"} {
		if _, found := got.texts[text]; !found {
			t.Errorf("there is no %q: %v", text, got.texts)
		}
	}
	if got.texts["300°"][0] > got.texts["60°"][0] {
		t.Error("300° is right of 60°")
	}
	if _, found := got.texts["0°"]; found {
		t.Error("the equator has a name among those of right ascensions")
	}
	if got.texts["+60°"][1] < got.texts["+30°"][1] {
		t.Error("+60° is below +30°")
	}
}

// TestSkyPart wants rows in a small part of the sky to fill the picture, also over 0 h.
func TestSkyPart(t *testing.T) {
	tests := []struct {
		name   string
		places []place
		texts  []string
		least  float64 // points from the first dot to the second
	}{
		{"Taurus", []place{{50, 5, 0}, {75, 5, 0}, {60, 30, 0}}, []string{"60°", "+20°"}, 200},
		{"over 0 h", []place{{359, -1, 0}, {1, -1, 0}, {0, 1, 0}}, []string{"0.0°", "359.0°", "+1.0°"}, 200},
		{"a field of 2 arcsec", []place{{150.0003, 2, 0}, {150.0009, 2, 0}, {150.0005, 2.0005, 0}}, []string{"150.0004°", "+2.0002°"}, 200},
		{"near the pole", []place{{10, 80, 0}, {60, 80, 0}, {30, 84, 0}}, []string{"+80°"}, 100},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := readSVG(t, sky(t, chart.SkyOptions{}, test.places...))
			dots := got.filled(blue)
			if len(dots) != 3 {
				t.Fatalf("got %d dots, want 3", len(dots))
			}
			if apart := dots[0][0] - dots[1][0]; apart < test.least {
				t.Errorf("the second dot is %.0f points left of the first, want at least %.0f", apart, test.least)
			}
			if dots[2][1] < dots[0][1]+50 {
				t.Errorf("the third dot is at %v, want it above the first, at %v", dots[2], dots[0])
			}
			for _, text := range test.texts {
				if at, found := got.texts[text]; !found || at[0] < 0 {
					t.Errorf("%q is at %v, in %v", text, at, got.texts)
				}
			}
		})
	}
	whole := readSVG(t, sky(t, chart.SkyOptions{Whole: true}, tests[0].places...)).filled(blue)
	if apart := math.Abs(whole[0][0] - whole[1][0]); apart > 60 {
		t.Errorf("on the whole sky they are %.0f points apart", apart)
	}
}

// TestSkyPartNames wants four to six names on each side of a part of the sky, as far as there is
// room, and none beyond its rows.
func TestSkyPartNames(t *testing.T) {
	for name, at := range map[string][4]float64{ // right ascension and declination of two corners
		"30 arcsec": {150.09, 2.19, 150.0983, 2.1983}, "2 degrees": {10, -31, 12.3, -29}, "10 degrees": {204, -40, 216, -30},
		"over 0 h": {355, 20, 365, 30}, "100 by 40": {30, -10, 130, 30}, "far south": {70, -80, 130, -65}, "far north": {70, 65, 130, 80},
		"by the pole": {10, 80, 60, 89.5},
	} {
		t.Run(name, func(t *testing.T) {
			got := readSVG(t, sky(t, chart.SkyOptions{}, place{at[0], at[1], 0}, place{at[2], at[3], 0}, place{at[0], at[3], 0}, place{at[2], at[1], 0}))
			var ra, dec int
			left := got.filled(blue)
			for text, to := range got.texts {
				angle, isAngle := strings.CutSuffix(text, "°")
				switch {
				case !isAngle:
				case to[0] < min(left[0][0], left[1][0], left[2][0], left[3][0])-25 && (strings.ContainsAny(text, "+−") || number(t, angle) == 0):
					dec++
				default:
					ra++
				}
			}
			if ra < 4 || ra > 7 || dec < 4 || dec > 7 {
				t.Errorf("got %d names of right ascensions and %d of declinations: %v", ra, dec, got.texts)
			}
		})
	}
}

// TestSkyPartShape wants a wide part of the sky to have a wide map, whose names are near its rows.
func TestSkyPartShape(t *testing.T) {
	got := readSVG(t, sky(t, chart.SkyOptions{}, place{30, -10, 0}, place{130, -10, 0}, place{80, 30, 0}, place{80, -10, 0}))
	lowest := math.Inf(1)
	for _, dot := range got.filled(blue) {
		lowest = min(lowest, dot[1])
	}
	for _, text := range []string{"60°", "90°", "120°"} {
		if at, found := got.texts[text]; !found || lowest-at[1] > 50 {
			t.Errorf("%s is at %v, and the lowest row at %v", text, at, lowest)
		}
	}
}

// TestSkyPole wants rows around a pole to fill a map around it, north being inwards.
func TestSkyPole(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		places := []place{{0, 85 * sign, 0}, {90, 85 * sign, 0}, {180, 85 * sign, 0}, {270, 85 * sign, 0}}
		got := readSVG(t, sky(t, chart.SkyOptions{}, places...))
		dots := got.filled(blue)
		if len(dots) != 4 {
			t.Fatalf("got %d dots, want 4", len(dots))
		}
		if up := (dots[2][1] - dots[0][1]) * sign; up < 200 {
			t.Errorf("around %v: 180° is %v points beyond 0°, want more than 200", 90*sign, up)
		}
		if wide := dots[3][0] - dots[1][0]; !near(wide, (dots[2][1]-dots[0][1])*sign, 0.1) {
			t.Errorf("around %v: 270° is %v points right of 90°", 90*sign, wide)
		}
		for _, text := range []string{"0°", "90°", "210°", "330°", "+86°", "−86°"} {
			if _, found := got.texts[text]; found != (!strings.Contains(text, "86") || strings.HasPrefix(text, "+") == (sign > 0)) {
				t.Errorf("around %v: %q is there: %v, in %v", 90*sign, text, found, got.texts)
			}
		}
	}
}

func TestSkyFewRows(t *testing.T) {
	for name, places := range map[string][]place{
		"none": nil, "one": {{10, 20, 0}}, "equal": {{10, 20, 0}, {10, 20, 0}}, "a pole": {{0, 90, 0}}, "poles": {{0, 90, 0}, {0, -90, 0}}, "noise": {{300, -5, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			p := sky(t, chart.SkyOptions{}, places...)
			got := readSVG(t, p)
			if dots := len(got.filled(blue)) + len(got.filled(grey)); dots != len(places) {
				t.Errorf("got %d dots, want %d", dots, len(places))
			}
			readPNG(t, p)
		})
	}
}

func TestExtent(t *testing.T) {
	tests := []struct {
		name           string
		ra             []float64
		middle, length float64
	}{
		{"one", []float64{77.25}, 77.25, 0},
		{"two", []float64{10, 20}, 15, 10},
		{"over 0 h", []float64{350, 20}, 5, 30},
		{"over 0 h, in one degree each", []float64{359.5, 359.75, 0.25}, 359.875, 0.75},
		{"in one degree", []float64{4.5, 4.25, 4.75}, 4.5, 0.5},
		{"turned", []float64{-10, 370}, 0, 20},
		{"all round", []float64{0, 90, 180, 270}, 225, 270},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := &chart.Extent{}
			for _, ra := range test.ra {
				e.Add(ra, 0)
			}
			middle, length := e.Arc()
			if !near(length, test.length, 1e-9) || math.Abs(math.Remainder(middle-test.middle, 360)) > 1e-9 {
				t.Errorf("got %v long around %v, want %v around %v", length, middle, test.length, test.middle)
			}
		})
	}
	e := &chart.Extent{}
	if _, length := e.Arc(); length != 360 {
		t.Errorf("of no rows: got %v", length)
	}
	for _, bad := range [][2]float64{{0, 90.1}, {0, -91}, {math.Inf(1), 0}, {0, math.Inf(-1)}} {
		if e.Add(bad[0], bad[1]) {
			t.Errorf("%v is taken for a position", bad)
		}
	}
}

// TestSkyNames wants the names of the grid over clusters, which would hide them.
func TestSkyNames(t *testing.T) {
	p := sky(t, chart.SkyOptions{Center: 180, Whole: true}, place{240, 0, 0}, place{90, 1, 0})
	svg, err := p.Encode(chart.SVG)
	if err != nil {
		t.Fatal(err)
	}
	dots, name := bytes.Index(svg, []byte("fill:#0072B2")), bytes.LastIndex(svg, []byte(">240°<"))
	if dots < 0 || name < dots {
		t.Errorf("the name at byte %d is not over the cluster at byte %d", name, dots)
	}
}
