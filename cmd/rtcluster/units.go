package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"rtcluster/join"
)

// radius is ε as it was typed: a number, and a unit where it is an angle, or no
// length.
type radius struct {
	Value float64
	Unit  string // "", one of the units of angle, or cosineUnit
}

// degreeUnit is the unit of angle in which distances on the sky are told.
const degreeUnit = "deg"

// cosineUnit marks a radius that is 1 − cos of an angle. Nobody types it: the
// metric says so.
const cosineUnit = "cosine"

// degreesOf returns an angle in degrees, and whether the unit is known.
func degreesOf(value float64, unit string) (degrees float64, known bool) {
	switch unit {
	case degreeUnit:
		return value, true
	case "arcmin":
		return value / 60, true
	case "arcsec":
		return value / 3600, true
	case "rad":
		return value * (180 / math.Pi), true
	}
	return 0, false
}

// unitNames are other ways to write the units of angle.
func unitNames() map[string]string {
	return map[string]string{
		"degree": "deg", "degrees": "deg", "°": "deg",
		"arcminute": "arcmin", "arcminutes": "arcmin", "'": "arcmin", "′": "arcmin",
		"arcsecond": "arcsec", "arcseconds": "arcsec", `"`: "arcsec", "″": "arcsec",
		"radian": "rad", "radians": "rad",
	}
}

const unitsHelp = "2arcsec, 1arcmin, 0.5deg or 0.01rad"

// parseRadius reads --eps. An angle must have a unit, a length must not.
func parseRadius(text string, angle bool) (radius, error) {
	text = strings.TrimSpace(text)
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\"'°′″")
	number, unit := strings.TrimSpace(digits), text[len(digits):]
	if lower := strings.ToLower(text); strings.HasSuffix(lower, "nan") || strings.HasSuffix(lower, "inf") || strings.HasSuffix(lower, "infinity") {
		number, unit = text, ""
	}
	value, err := strconv.ParseFloat(number, 64)
	if strings.ContainsAny(number, "xX_") { // Go's own spellings
		err = strconv.ErrSyntax
	}
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return radius{}, fmt.Errorf("--eps %q is not a number%s", text, unitHint(angle))
	case err != nil: // out of range: ±Inf
		return radius{}, fmt.Errorf("--eps %s is beyond the range of numbers", text)
	}
	if mantissa, _, _ := strings.Cut(strings.ToLower(number), "e"); value == 0 && strings.ContainsAny(mantissa, "123456789") {
		return radius{}, fmt.Errorf("--eps %s is so small that it would be taken for 0: give --eps 0 for equal rows", text)
	}
	if err := join.CheckEps(value); err != nil {
		return radius{}, fmt.Errorf("--%w", err) // "eps is ..."
	}
	if name, other := unitNames()[unit]; other {
		unit = name
	}
	_, known := degreesOf(value, unit)
	switch {
	case angle && unit == "":
		return radius{}, fmt.Errorf("--eps %s has no unit: an angle on the sky is given as %s", text, unitsHelp)
	case unit != "" && !known:
		return radius{}, fmt.Errorf("--eps %s: unknown unit %q%s", text, unit, unitHint(angle))
	case !angle && unit != "":
		return radius{}, fmt.Errorf("--eps %s is an angle, but the distance is none: "+
			"name the position columns by --ra and --dec, or leave the unit out", text)
	}
	return radius{Value: value, Unit: unit}, nil
}

func unitHint(angle bool) string {
	if angle {
		return "; write it as " + unitsHelp
	}
	return "; write it as a plain number such as 0.5, in the unit of the coordinates"
}

// degrees returns an angle in degrees.
func (r radius) degrees() float64 {
	degrees, _ := degreesOf(r.Value, r.Unit)
	return degrees
}

// join returns ε as the join engines take it: a length as it is, an angle, or
// a cosine distance, as the chord between unit vectors.
func (r radius) join() float64 {
	switch r.Unit {
	case "":
		return r.Value
	case cosineUnit:
		return join.CosineChord(r.Value)
	case "rad":
		return join.Chord(r.Value)
	}
	return join.Chord(r.degrees() * (math.Pi / 180))
}

// String is ε as a person reads it.
func (r radius) String() string {
	number := strconv.FormatFloat(r.Value, 'g', -1, 64)
	switch r.Unit {
	case "", cosineUnit:
		return number
	case degreeUnit:
		return number + r.Unit
	}
	return fmt.Sprintf("%s%s (%.6g deg)", number, r.Unit, r.degrees())
}
