package main

import (
	"slices"
	"testing"

	"rtcluster/io/table"
)

// TestLabels wants what names say.
func TestLabels(t *testing.T) {
	for _, name := range []string{
		"id", "ID", "source_id", "SOURCE_ID", "DR3.source_id", "uid", "uuid", "objid", "objID", "specobjid", "rowid", "haloID", "fieldId",
		"index", "idx", "match_idx", "row", "row_number", "rownum", "recno", "random_index", "Unnamed: 0", "__index_level_0__",
		"hip", "HIP", "hip_id", "HD", "tyc", "TYC2", "gaia", "gaiaid", "gaia_dr3_source_id", "GaiaEDR3", "Source",
		"class", "label", "Labels", "target", "group", "outlier", "flag",
		"cluster", "cluster_true", "cluster_2", "is_core", "is_core_2", "n_neighbors", "score", "score_knn_10", "is_outlier", "is_outlier_lof_5",
	} {
		if !noCoordinate.MatchString(name) {
			t.Errorf("%s: taken for a coordinate", name)
		}
	}
	for _, name := range []string{
		"x", "ra", "dec", "valid", "grid", "fluid", "centroid", "id_rate", "width", "spectral_index", "index_of_refraction", "rows", "arrow", "crow",
		"class_star", "ship", "hipass", "chip", "hdelta", "hr", "gaia_mag", "phot_g_mean_mag", "source_flux", "resource",
		"target_ra", "group_velocity", "flagged_flux", "clustering", "is_corex", "scores_x", "outlierness", "idle", "mid", "covid", "pH",
	} {
		if noCoordinate.MatchString(name) {
			t.Errorf("%s: taken for an identifier or a label", name)
		}
	}
	if got := labels([]string{"Row", "COL", "id"}); !slices.Equal(got, []string{"id"}) {
		t.Errorf("beside a column: got %q, want id alone", got)
	}
}

// TestDefaultColumns leaves identifiers and labels out, unless nothing else is there.
func TestDefaultColumns(t *testing.T) {
	of := func(names ...string) (cols []table.Column) {
		for _, name := range names {
			cols = append(cols, table.Column{Name: name, Numeric: name != "text"})
		}
		return cols
	}
	for _, test := range []struct{ cols, leaveOut, names, labelled []string }{
		{[]string{"id", "x", "text", "y", "class"}, nil, []string{"x", "y"}, []string{"id", "class"}},
		{[]string{"id", "x", "class"}, []string{"id"}, []string{"x"}, []string{"class"}},
		{[]string{"id", "x", "class"}, []string{"x"}, []string{"id", "class"}, nil},
		{[]string{"id"}, nil, []string{"id"}, nil},
		{[]string{"x", "y"}, nil, []string{"x", "y"}, nil},
	} {
		names, labelled, err := defaultColumns("in.csv", of(test.cols...), test.leaveOut)
		if err != nil || !slices.Equal(names, test.names) || !slices.Equal(labelled, test.labelled) {
			t.Errorf("%q without %q: got %q, %q and %v, want %q and %q", test.cols, test.leaveOut, names, labelled, err, test.names, test.labelled)
		}
	}
}
