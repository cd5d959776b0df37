package main

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// This file warns of coordinates that were hardly meant: labels and identifiers, and positions on the sky that are taken
// for a plane, swapped, or in another unit than degrees.

var (
	rightAscension = regexp.MustCompile(`(?i)^_?ra(_|j|deg|icrs|[0-9]|$)`)
	declination    = regexp.MustCompile(`(?i)^_?dec?(_|j|deg|icrs|[0-9]|$)`)
	hoursName      = regexp.MustCompile(`(?i)^_?ra[a-z0-9]*_?(h|hr|hrs|hours?)$`)
	longitude      = regexp.MustCompile(`(?i)^_?(g|gal_?|ec_?|e)?(lon(g|gitude)?)(_?deg)?$`)
	latitude       = regexp.MustCompile(`(?i)^_?(g|gal_?|ec_?|e)?(lat(itude)?)(_?deg)?$`)
)

// warnCoordinates looks at the names and the values of the columns before they
// are scaled or put on the sphere.
func (j *job) warnCoordinates(s *source, in *inputOptions, metric *metricOptions) {
	if metric.sky() {
		j.warnSky(s)
		return
	}
	names := labels(s.columns)
	if len(names) > 0 {
		remedy := "choose the coordinates with --columns"
		if len(in.Columns) > 0 {
			remedy = "leave it out of --columns unless it is meant"
		}
		j.warn("%s: taken as a coordinate, but by the name a label or an identifier: %s", strings.Join(names, ", "), remedy)
	}
	j.warnFlat(s)
	j.warnValues(s, in, metric, names)
}

// warnFlat warns of angles on a sphere that are taken for a plane.
func (j *job) warnFlat(s *source) {
	for _, names := range [][2]*regexp.Regexp{{rightAscension, declination}, {longitude, latitude}} {
		lon, lat := slices.IndexFunc(s.columns, names[0].MatchString), slices.IndexFunc(s.columns, names[1].MatchString)
		if lon < 0 || lat < 0 || slices.ContainsFunc(s.sample[lat], func(x float64) bool { return math.Abs(x) > 90 }) {
			continue
		}
		alone := ""
		if len(s.columns) > 2 {
			alone = ", which measure by these two alone"
		}
		j.warn("straight-line distance on %s and %s: for distances on the sky use --ra %s --dec %s%s",
			s.columns[lon], s.columns[lat], s.columns[lon], s.columns[lat], alone)
		return
	}
}

// quarters reports whether right ascensions are spread over all of 0 to 24 as those of
// hours are: each quarter has a tenth of the rows or more. Those in degrees would be a
// narrow stripe from pole to pole.
func (s *source) quarters() bool {
	var rows [4]int
	for i := 0; i < len(s.data); i += 2 {
		rows[min(3, int(s.data[i]/6))]++
	}
	return 10*slices.Min(rows[:]) >= len(s.data)/2
}

// warnSky warns of positions that are likely not right ascension and
// declination in degrees.
func (j *job) warnSky(s *source) {
	if len(s.columns) != 2 {
		return
	}
	ra, dec := s.columns[0], s.columns[1]
	if declination.MatchString(ra) && rightAscension.MatchString(dec) {
		j.warn("%s is taken as right ascension and %s as declination: by their names they are swapped", ra, dec)
	}
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, v := range s.data {
		low[i%2], high[i%2] = min(low[i%2], v), max(high[i%2], v)
	}
	spreadRA, spreadDec := high[0]-low[0], high[1]-low[1]
	switch {
	case spreadRA > 3 && low[0] >= -math.Pi && high[0] <= 2*math.Pi && spreadDec > 1 && low[1] >= -math.Pi/2 && high[1] <= math.Pi/2:
		j.warn("%s and %s are taken as degrees, but their ranges are those of radians", ra, dec)
	case low[0] >= 0 && high[0] <= 24 && (hoursName.MatchString(ra) || spreadRA > 20 && spreadDec > 45 && max(-low[1], high[1]) > 30 && s.quarters()):
		j.warn("%s is taken as degrees, but by its %s it may be in hours: add a column of degrees, which are hours times 15", ra,
			map[bool]string{true: "name", false: "range"}[hoursName.MatchString(ra)])
	}
}
