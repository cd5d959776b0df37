package main

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"rtcluster/io/table"
)

// This file finds right ascension and declination where nobody named them: by UCD,
// then by name.

// positionNames are pairs of names, in lower case, that catalogs give to positions
// in degrees, the plain ones first. Where a table has several others, none is chosen.
func positionNames() [][2]string {
	return [][2]string{
		{"ra", "dec"},
		{"ra_icrs", "de_icrs"},
		{"ra_icrs", "dec_icrs"},
		{"raj2000", "dej2000"},
		{"raj2000", "decj2000"},
		{"_raj2000", "_dej2000"},
		{"ra_j2000", "dec_j2000"},
		{"ra2000", "dec2000"},
		{"ra2000", "de2000"},
		{"ra_deg", "dec_deg"},
		{"radeg", "dedeg"},
		{"radeg", "decdeg"},
		{"ra_d", "dec_d"},
		{"alpha_j2000", "delta_j2000"},
		{"alphawin_j2000", "deltawin_j2000"},
		{"right_ascension", "declination"},
		{"rightascension", "declination"},
		{"s_ra", "s_dec"},
		{"ramean", "decmean"},
		{"_ra", "_de"},
	}
}

// position settles the columns of right ascension and declination, and says how they
// were found; it leaves them open if nothing tells them.
func (s *source) position(j *job, cols []table.Column, leaveOut []string) (err error) {
	s.columns, s.found, err = findPosition(j.log, s.path, cols, leaveOut)
	return err
}

// findPosition returns the columns of right ascension and declination, and how they were
// found, for the summary; none if nothing tells them. Where several could be meant that
// is an error. Columns of numbers come first, and then those of strings, which a column of
// CSV is in Parquet if one of its numbers has more digits than a float64 holds.
func findPosition(log *slog.Logger, path string, cols []table.Column, leaveOut []string) (columns []string, how string, err error) {
	for _, maybe := range []func(c table.Column) bool{
		func(c table.Column) bool { return c.Numeric },
		func(c table.Column) bool { return c.Numeric || c.Type == "string" },
	} {
		among := slices.DeleteFunc(slices.Clone(cols), func(c table.Column) bool { return !maybe(c) || slices.Contains(leaveOut, c.Name) })
		if columns, how, err = positionAmong(log, path, among); err != nil || columns != nil {
			break
		}
	}
	return columns, how, err
}

// positionAmong is findPosition for columns that can be one.
func positionAmong(log *slog.Logger, path string, cols []table.Column) (columns []string, how string, err error) {
	ra, raWhy, err := byUCD(path, cols, "pos.eq.ra")
	if err != nil {
		return nil, "", err
	}
	dec, decWhy, err := byUCD(path, cols, "pos.eq.dec")
	if err != nil {
		return nil, "", err
	}
	if ra != "" && dec != "" {
		log.Info(fmt.Sprintf("right ascension is %s (UCD %s), declination %s (UCD %s) (choose with --ra and --dec)", ra, raWhy, dec, decWhy),
			"ra", ra, "dec", dec)
		return []string{ra, dec}, ", found by UCD", nil
	}
	pairs := byName(cols)
	switch {
	case len(pairs) == 0:
		return nil, "", nil
	case len(pairs) > 1 && !strings.EqualFold(pairs[0][0], "ra"):
		return nil, "", inputf(path, "several columns can be the position: %s; name two by --ra and --dec", pairsText(pairs))
	}
	log.Info(fmt.Sprintf("right ascension is %s, declination %s, by their names (choose with --ra and --dec)", pairs[0][0], pairs[0][1]),
		"ra", pairs[0][0], "dec", pairs[0][1])
	return pairs[0][:], ", found by name", nil
}

// byUCD returns the column with a UCD, of several the main one, and its UCD. The old
// names of UCD1 count: POS_EQ_RA_MAIN.
func byUCD(path string, cols []table.Column, ucd string) (name, why string, err error) {
	old := strings.ToUpper(strings.ReplaceAll(ucd, ".", "_"))
	var all, main []table.Column
	for _, c := range cols {
		word, rest, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(c.UCD), "ivoa:"), ";")
		switch {
		case word == ucd && slices.Contains(strings.Split(rest, ";"), "meta.main"), strings.EqualFold(c.UCD, old+"_MAIN"):
			main = append(main, c)
		case word == ucd && rest == "", strings.EqualFold(c.UCD, old):
			all = append(all, c)
		}
	}
	if len(main) > 0 {
		all = main
	}
	if len(all) > 1 {
		var list []string
		for _, c := range all {
			list = append(list, c.Name)
		}
		return "", "", inputf(path, "several columns have the UCD %s: %s; name one by --ra and --dec", all[0].UCD, listed(list))
	}
	if len(all) == 0 {
		return "", "", nil
	}
	return all[0].Name, all[0].UCD, nil
}

// byName returns the pairs of columns that are called as positions are.
func byName(cols []table.Column) [][2]string {
	var pairs [][2]string
	find := func(name string) string {
		i := slices.IndexFunc(cols, func(c table.Column) bool { return strings.EqualFold(c.Name, name) })
		if i < 0 {
			return ""
		}
		return cols[i].Name
	}
	for _, names := range positionNames() {
		if ra, dec := find(names[0]), find(names[1]); ra != "" && dec != "" {
			pairs = append(pairs, [2]string{ra, dec})
		}
	}
	if len(pairs) > 0 {
		return pairs
	}
	for _, c := range cols { // as astropy calls those of a column of coordinates
		if coord, ok := strings.CutSuffix(c.Name, ".ra"); ok {
			if dec := find(coord + ".dec"); dec != "" {
				pairs = append(pairs, [2]string{c.Name, dec})
			}
		}
	}
	return pairs
}

// pairsText lists pairs for a message.
func pairsText(pairs [][2]string) string {
	var list []string
	for _, p := range pairs {
		list = append(list, p[0]+" and "+p[1])
	}
	return strings.Join(list, ", or ")
}

// checkDegrees refuses positions that say of themselves that they are in other units
// than degrees.
func checkDegrees(path string, cols []table.Column, chosen []string) error {
	for _, name := range chosen {
		i := slices.IndexFunc(cols, func(c table.Column) bool { return c.Name == name })
		if i < 0 {
			continue
		}
		switch unit := strings.ToLower(strings.TrimSpace(cols[i].Unit)); unit {
		case "rad", "radian", "radians", "h", "hr", "hour", "hourangle", "arcmin", "arcsec", "mas", "uas":
			return inputf(path, "column %s is in %s, and positions must be in degrees: add a column that is", name, cols[i].Unit)
		}
	}
	return nil
}

// sixtieths is a text in quotes of hours or degrees, minutes, and perhaps seconds.
var sixtieths = regexp.MustCompile(`^"[+-]?\d{1,3} ?[:hd° ] ?[0-5]?\d ?([:m'′. ]|"|…)`)

// sexagesimal says of a position that is no number what it looks like, and what is wanted.
func (s *source) sexagesimal(err error) error {
	var data *table.DataError
	if !errors.As(err, &data) || !slices.Contains(s.columns, data.Column) || !sixtieths.MatchString(data.Err.Error()) {
		return err
	}
	hours := ""
	if data.Column == s.columns[0] {
		hours = ", which are hours times 15 if these are hours"
	}
	return &table.DataError{
		Path: data.Path, Column: data.Column, Row: data.Row, Line: data.Line,
		Err: fmt.Errorf("%w: it looks sexagesimal, and positions must be in degrees%s: add a column that is", data.Err, hours),
	}
}
