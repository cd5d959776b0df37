package main

import (
	"rtcluster/io/table"
	"rtcluster/join/synth"
)

func starFields() []table.Field {
	fields := []table.Field{{Name: "source_id", Type: table.Int64}, {Name: "name", Type: table.String}}
	fields = append(fields, numberFields("ra", "dec", "parallax", "gmag", "x_pc", "y_pc", "z_pc")...)
	return append(fields, table.Field{Name: "cluster_true", Type: table.Int64})
}

func starColumns(stars []synth.Star) []any {
	ids, clusters := starNumbers(stars)
	names := make([]string, len(stars))
	for i := range stars {
		names[i] = stars[i].Name
	}
	columns := append([]any{ids, names}, starFloats(stars, func(s *synth.Star) []float64 {
		return []float64{s.RA, s.Dec, s.Parallax, s.GMag, s.X, s.Y, s.Z}
	})...)
	return append(columns, clusters)
}

// gaiaFields are named as in Gaia's catalog; places in parsecs are no part of that.
func gaiaFields() []table.Field {
	fields := []table.Field{{Name: "source_id", Type: table.Int64}}
	fields = append(fields, numberFields("ra", "dec", "parallax", "pmra", "pmdec", "phot_g_mean_mag", "x_pc", "y_pc", "z_pc")...)
	return append(fields, table.Field{Name: "cluster_true", Type: table.Int64})
}

func gaiaColumns(stars []synth.Star) []any {
	ids, clusters := starNumbers(stars)
	columns := append([]any{ids}, starFloats(stars, func(s *synth.Star) []float64 {
		return []float64{s.RA, s.Dec, s.Parallax, s.PMRA, s.PMDec, s.GMag, s.X, s.Y, s.Z}
	})...)
	return append(columns, clusters)
}

func numberFields(names ...string) []table.Field {
	var fields []table.Field
	for _, name := range names {
		fields = append(fields, table.Field{Name: name, Type: table.Float64})
	}
	return fields
}

// starNumbers returns the identifiers and the true clusters.
func starNumbers(stars []synth.Star) (ids, clusters []int64) {
	ids, clusters = make([]int64, len(stars)), make([]int64, len(stars))
	for i, s := range stars {
		ids[i], clusters[i] = s.SourceID, int64(s.Cluster)
	}
	return ids, clusters
}

// starFloats returns a column for each of the numbers of a star.
func starFloats(stars []synth.Star, numbers func(*synth.Star) []float64) []any {
	columns := make([][]float64, len(numbers(new(synth.Star))))
	for k := range columns {
		columns[k] = make([]float64, len(stars))
	}
	for i := range stars {
		for k, x := range numbers(&stars[i]) {
			columns[k][i] = x
		}
	}
	list := make([]any, len(columns))
	for k, column := range columns {
		list[k] = column
	}
	return list
}
