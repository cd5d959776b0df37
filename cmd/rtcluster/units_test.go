package main

import (
	"math"
	"strings"
	"testing"
)

func TestParseRadius(t *testing.T) {
	const arcsec = math.Pi / 180 / 3600
	tests := []struct {
		text  string
		angle bool
		want  radius
		chord float64
	}{
		{"0", false, radius{}, 0},
		{"2.5", false, radius{Value: 2.5}, 2.5},
		{" 1e-3 ", false, radius{Value: 1e-3}, 1e-3},
		{"5e-324", false, radius{Value: 5e-324}, 5e-324},
		{"0.0e-400", false, radius{}, 0},
		{"2arcsec", true, radius{2, "arcsec"}, 2 * arcsec},
		{"1arcmin", true, radius{1, "arcmin"}, 2 * math.Sin(30*arcsec)},
		{"0.5deg", true, radius{0.5, "deg"}, 2 * math.Sin(math.Pi/720)},
		{"1e-2 rad", true, radius{0.01, "rad"}, 2 * math.Sin(0.005)},
		{"60deg", true, radius{60, "deg"}, 1},
		{"180deg", true, radius{180, "deg"}, 3}, // every direction
		{"0deg", true, radius{0, "deg"}, 0},
		{"60 degrees", true, radius{60, "deg"}, 1},
		{"1degree", true, radius{1, "deg"}, 2 * math.Sin(math.Pi/360)},
		{"60°", true, radius{60, "deg"}, 1},
		{"1'", true, radius{1, "arcmin"}, 2 * math.Sin(30*arcsec)},
		{"1arcminute", true, radius{1, "arcmin"}, 2 * math.Sin(30*arcsec)},
		{"1 arcminutes", true, radius{1, "arcmin"}, 2 * math.Sin(30*arcsec)},
		{"2\"", true, radius{2, "arcsec"}, 2 * arcsec},
		{"2″", true, radius{2, "arcsec"}, 2 * arcsec},
		{"2arcsecond", true, radius{2, "arcsec"}, 2 * arcsec},
		{"2 arcseconds", true, radius{2, "arcsec"}, 2 * arcsec},
		{"1e-2radians", true, radius{0.01, "rad"}, 2 * math.Sin(0.005)},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := parseRadius(test.text, test.angle)
			if err != nil || got != test.want {
				t.Fatalf("got %+v, %v, want %+v", got, err, test.want)
			}
			if chord := got.join(); math.Abs(chord-test.chord) > 1e-15 {
				t.Errorf("got %v for the join, want %v", chord, test.chord)
			}
		})
	}
}

func TestParseRadiusRefuses(t *testing.T) {
	tests := []struct {
		text  string
		angle bool
		want  string // part of the message
	}{
		{"", false, "not a number"},
		{"x", false, "not a number"},
		{"1,5", false, "not a number"},
		{"NaN", false, "finite"},
		{"-nan", false, "not a number"},
		{"Inf", false, "finite"},
		{"+infinity", false, "finite"},
		{"-0.1", false, "eps is -0.1"},
		{"1e400", false, "beyond the range"},
		{"1e-400", false, "would be taken for 0"},
		{"0.0002E-330", false, "would be taken for 0"},
		{"1e-400deg", true, "would be taken for 0"},
		{"2deg", false, "--ra and --dec"},
		{"2furlong", false, "unknown unit"},
		{"2", true, unitsHelp},
		{"0", true, unitsHelp},
		{"2degrees", false, "is an angle"},
		{"2degs", true, "unknown unit"},
		{"2DEG", true, "unknown unit"},
		{"-2deg", true, "eps is -2"},
		{"deg", true, "not a number"},
		{"nandeg", true, "not a number"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := parseRadius(test.text, test.angle)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v and error %v, want one with %q", got, err, test.want)
			}
		})
	}
}

func TestRadiusText(t *testing.T) {
	for want, r := range map[string]radius{
		"0.1":                       {Value: 0.1},
		"0.75deg":                   {0.75, "deg"},
		"2arcsec (0.000555556 deg)": {2, "arcsec"},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
