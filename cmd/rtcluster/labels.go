package main

import (
	"regexp"
	"slices"
	"strings"

	"rtcluster/io/table"
)

// This file tells by the names of columns what is hardly a coordinate: identifiers,
// labels, and what rtcluster itself adds to a table.

// noCoordinate are their names, as a whole. What measures something is not among them,
// even if it sounds like it: spectral_index, class_star.
var noCoordinate = regexp.MustCompile(`^(?:` + strings.Join([]string{
	// Identifiers and numbers of rows.
	`(?i:(.*[^a-z])?u?u?id|ids|oid|(obj|object|source|src|star|row|obs|cat|gaia|user|event|track|halo|subhalo|particle|specobj|photoobj)id)`,
	`.*[a-z]I[Dd]`, // haloID
	`(?i:(random_)?index|idx|.*[^a-z]idx|(row|rec)_?(no|num|number|idx|index)|row|unnamed: ?\d+|__index_level_\d+__)`,
	// Those of catalogs.
	`(?i:(hip|hd|tyc[123]?|kic|gaia(_?e?dr\d)?)(_?(no|num|number|name|id))?|source)`,
	// Labels.
	`(?i:labels?|class(es)?|target|group|(is_)?outliers?|flags?|cluster_.*)`,
	// What rtcluster adds.
	`(?i:cluster|is_core(_\d+)?|n_neighbors(_\d+)?|score(_.*)?|is_outlier(_.*)?)`,
}, "|") + `)$`)

// labels are the names that are hardly those of coordinates. A row beside a column is a
// place on a detector.
func labels(names []string) []string {
	pixels := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, "col") || strings.EqualFold(name, "column") })
	var found []string
	for _, name := range names {
		if noCoordinate.MatchString(name) && !(pixels && strings.EqualFold(name, "row")) {
			found = append(found, name)
		}
	}
	return found
}

// defaultColumns returns the columns to use where none are chosen, and the numeric ones
// that their names leave out: none, if none would be left.
func defaultColumns(path string, cols []table.Column, leaveOut []string) (names, labelled []string, err error) {
	if names, err = numericColumns(path, cols, leaveOut); err != nil {
		return nil, nil, err
	}
	labelled = labels(names)
	if len(labelled) == len(names) {
		return names, nil, nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(labelled, name) }), labelled, nil
}

// labelsText says which columns their names leave out, and how to have them.
func labelsText(labelled []string) string {
	return listed(labelled) + " (identifiers or labels, by their names; -c takes them)"
}
