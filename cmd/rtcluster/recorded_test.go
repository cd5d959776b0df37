package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// awkward are numbers that lose digits where a format is careless.
var awkward = []float64{
	0.1 + 0.2, 1.0 / 3, math.Pi * 1e-300, 5e-324, math.MaxFloat64, math.Nextafter(1, 2), math.Nextafter(1, 0), 1e21, 1e-7, 123456789012345680,
	-2.5e-8, math.Copysign(0, -1), 9007199254740993, 0.30000000000000004, 4.35, 2.2250738585072011e-308,
}

// TestRecordedRoundTrip writes parameters to a report and to metadata, and reads
// them again: every number is the same to the bit.
func TestRecordedRoundTrip(t *testing.T) {
	dim := len(awkward)
	columns := make([]string, dim)
	for i := range columns {
		columns[i] = fmt.Sprint("c,\"", i)
	}
	for _, eps := range awkward[:10] {
		p := parameters{
			Command: "dbscan", Columns: columns, NaN: "drop", Scale: "robust", ScaleCenter: awkward, ScaleWidth: awkward, Weights: awkward,
			Metric: "mahalanobis", WhiteCenter: awkward, WhiteFactor: slices.Repeat(awkward, dim), Eps: &eps, Border: "nearest", Prefix: "p",
		}
		r := report{Schema: reportSchema, Version: "v1", Command: "dbscan", Parameters: &p, Counts: &dbscanCounts{clusterCounts: clusterCounts{Core: 3, CoreSum: "x"}}}
		path := filepath.Join(t.TempDir(), "run.json")
		if err := r.write(path); err != nil {
			t.Fatal(err)
		}
		byReport, err := readReport(path)
		if err != nil {
			t.Fatal(err)
		}
		metadata, err := r.metadata()
		if err != nil {
			t.Fatal(err)
		}
		pq := filepath.Join(t.TempDir(), "c.parquet")
		writeAs(t, "x\n1\n", pq, nil, metadata)
		tab, err := table.Open(t.Context(), pq, table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		byMetadata, err := readMetadata(pq, tab)
		if err != nil {
			t.Fatal(err)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string]*recorded{"report": byReport, "metadata": byMetadata} {
			for what, pair := range map[string][2][]float64{
				"center": {got.params.ScaleCenter, p.ScaleCenter}, "width": {got.params.ScaleWidth, p.ScaleWidth},
				"weights": {got.params.Weights, p.Weights}, "white center": {got.params.WhiteCenter, p.WhiteCenter},
				"white factor": {got.params.WhiteFactor, p.WhiteFactor}, "eps": {{*got.params.Eps}, {eps}},
			} {
				same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
				if !slices.EqualFunc(pair[0], pair[1], same) {
					t.Errorf("%s: %s is %v, want %v", name, what, pair[0], pair[1])
				}
			}
			if got.version != "v1" || !slices.Equal(got.params.Columns, columns) || got.counts.Core != 3 || got.counts.CoreSum != "x" {
				t.Errorf("%s: got %+v", name, got)
			}
		}
	}
}

// writeAs writes CSV text as a Parquet file with added columns and metadata.
func writeAs(t *testing.T, text, path string, added []table.Added, metadata map[string]string) {
	t.Helper()
	tab, err := table.Open(t.Context(), writeFile(t, "as.csv", text), table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.WriteWith(t.Context(), path, nil, added, table.WriteOptions{Metadata: metadata}); err != nil {
		t.Fatal(err)
	}
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPredictDamaged changes what a clustering tells, or its table: one line says
// what is wrong.
func TestPredictDamaged(t *testing.T) {
	a := newTestApp()
	const text = "x,y\n0,0\n0,1\n0,2\n5,5\n5,6\n9,9\n"
	in, dir := writeFile(t, "in.csv", text), t.TempDir()
	report := filepath.Join(dir, "run.json")
	a.mustRun(t, exitOK, "dbscan", in, "-c", "x,y", "-e", "1", "-m", "2", "--scale", "none", "--report", report)
	clustered, told := a.stdout.String(), readText(t, report)
	a.mustRun(t, exitOK, "predict", writeFile(t, "c.csv", clustered), in, "--params", report)
	tests := []struct {
		name       string
		report     bool // what is changed: the report, or else the table
		from, to   string
		code       int
		want       string // in the one line
		unaffected bool   // it is a warning
	}{
		{"another version", true, `"version": "`, `"version": "v0.`, exitOK, "run.json was written by rtcluster v0.devel, and this is devel: ", true},
		{"another schema", true, `"schema_version": 2`, `"schema_version": 3`, exitData, "it is a run report of schema version 3, written by rtcluster devel, and this version reads those up to 2", false},
		{"an older schema", true, `"schema_version": 2`, `"schema_version": 1`, exitOK, "", true},
		{"no report", true, `"schema_version"`, `"schema"`, exitData, "it is no run report, which --report writes: it lacks", false},
		{"no parameters", true, `"parameters": {`, `"parameters": null, "other": {`, exitData, "it is no run report, which --report writes: it lacks", false},
		{"no JSON", true, "{\n", "", exitData, "it is no run report, which --report writes: ", false},
		{"a list", true, "{\n  \"schema_version\"", "[1] {\"x\"", exitData, "it is no run report, which --report writes: ", false},
		{"unknown parameter", true, `"eps": 1,`, `"eps": 1, "warp": [1, 2],`, exitData, `are damaged or unknown to this version: json: unknown field "warp"`, false},
		{"a parameter of others", true, `"eps": 1,`, `"eps": 1, "k": 5,`, exitData, "cannot be used: there is a setting that predict does not know", false},
		{"box", true, `"eps": 1,`, `"eps": 1, "box": [100],`, exitData, "box has 1 number for 2 columns", false},
		{"a box with whitening", true, `"metric": "euclidean"`, `"metric": "mahalanobis", "white_center": [1, 2], "white_factor": [1, 0, 0, 1], "box": [9, 9]`, exitData, "there is a box for the metric mahalanobis", false},
		{"another command", true, `"command": "dbscan",` + "\n    \"columns\"", `"command": "outliers",` + "\n    \"columns\"", exitData, "the parameters are those of rtcluster outliers, not of dbscan", false},
		{"another metric", true, `"metric": "euclidean"`, `"metric": "canberra"`, exitData, `cannot be used: metric is "canberra", which predict does not know`, false},
		{"no metric", true, `"metric": "euclidean"`, `"metric": ""`, exitData, `metric is ""`, false},
		{"eps without number", true, `"eps": 1,`, ``, exitData, "cannot be used: eps is missing", false},
		{"another eps", true, `"eps": 1,`, `"eps": 2,`, exitData, "run.json: the recorded parameters were edited since, and are not those of the clustering", false},
		{"another border", true, `"border": "first"`, `"border": "nearest"`, exitData, "the recorded parameters were edited since", false},
		{"eps twice", true, `"border": "first"`, `"border": "first", "eps": 3`, exitData, "the recorded parameters were edited since", false},
		{"eps written otherwise", true, `"eps": 1,`, `"eps" :1.00e0,`, exitOK, "", true},
		{"negative eps", true, `"eps": 1,`, `"eps": -1,`, exitData, "cannot be used: eps is -1, want", false},
		{"eps as text", true, `"eps": 1,`, `"eps": "1",`, exitData, "are damaged or unknown to this version: it has JSON string as eps, which is something else there", false},
		{"a unit", true, `"eps": 1,`, `"eps": 1, "eps_unit": "deg",`, exitData, `eps_unit is "deg" for the metric euclidean`, false},
		{"no unit on the sky", true, `"metric": "euclidean"`, `"metric": "haversine"`, exitData, `eps_unit is "" for the metric haversine`, false},
		{"border", true, `"border": "first"`, `"border": "last"`, exitData, `border is "last"`, false},
		{"nan", true, `"nan": "error"`, `"nan": "keep"`, exitData, `nan is "keep"`, false},
		{"scale", true, `"scale": "none"`, `"scale": "log"`, exitData, `scale is "log"`, false},
		{"scale without numbers", true, `"scale": "none"`, `"scale": "minmax"`, exitData, "scale_center has 0 numbers for 2 columns", false},
		{"numbers without scale", true, `"scale": "none"`, `"scale": "none", "scale_width": [1, 2]`, exitData, "scale_width has 2 numbers for 2 columns", false},
		{"whitening", true, `"metric": "euclidean"`, `"metric": "mahalanobis", "white_center": [1, 2]`, exitData, "white_factor has 0 numbers for 2 columns", false},
		{"column weights", true, `"eps": 1,`, `"eps": 1, "column_weights": [1],`, exitData, "column_weights has 1 number for 2 columns", false},
		{"counts", true, `"clusters": 2`, `"clusters": "two"`, exitData, "the recorded counts are damaged", false},
		{"no counts", true, `"counts": {`, `"counts": null, "other": {`, exitOK, "", true},

		{"no is_core", false, "is_core", "core", exitData, `no column "is_core", which rtcluster dbscan adds`, false},
		{"no cluster", false, "cluster,", "group,", exitData, `no column "cluster", which rtcluster dbscan adds`, false},
		{"no coordinate", false, "x,y,", "x,z,", exitData, `no column "y"; columns are x, z, cluster, is_core`, false},
		{"a core row less", false, "5,6,1,true\n", "", exitData, "it has 4 core rows, and the clustering had 5, by ", false},
		{"a core row is none", false, "5,6,1,true\n", "5,6,1,false\n", exitData, "it has 4 core rows, and the clustering had 5, by ", false},
		{"a label changed", false, "0,1,0,true\n", "0,1,1,true\n", exitData, "the clusters of its core rows are not those of the clustering, by ", false},
		{"core rows in another order", false, "0,2,0,true\n5,5,1,true\n", "5,5,1,true\n0,2,0,true\n", exitData, "the clusters of its core rows are not those", false},
		{"columns that changed places", false, "x,y,", "y,x,", exitData, "c.csv: its core rows are not where they were clustered: column x is 2.8 on average, and was 2, by ", false},
		{"a row that moved", false, "5,6,1,true\n", "5,6.00000001,1,true\n", exitData, "column y is 2.8 on average, and was 2.8, by ", false},
		{"core and noise", false, "0,1,0,true\n", "0,1,-1,true\n", exitData, "row 1 (counted from 0) is not as rtcluster dbscan wrote it: it is core, and its cluster is -1; cluster again", false},
		{"half a cluster", false, "0,1,0,true\n", "0,1,0.5,true\n", exitData, "its cluster is 0.5", false},
		{"core without cluster", false, "0,1,0,true\n", "0,1,,true\n", exitData, "its cluster is missing", false},
		{"core without coordinate", false, "0,1,0,true\n", "0,,0,true\n", exitData, "it is core, and its y is missing", false},
		{"core without place", false, "0,1,0,true\n", "0,inf,0,true\n", exitData, "it is core, and its y is +Inf", false},
		{"is_core is missing", false, "9,9,-1,false\n", "9,9,-1,\n", exitData, "row 5 (counted from 0) is not as rtcluster dbscan wrote it: is_core is missing", false},
		{"is_core is no truth", false, "9,9,-1,false\n", "9,9,-1,2\n", exitData, "is_core is 2", false},
		{"is_core is a word", false, "9,9,-1,false\n", "9,9,-1,perhaps\n", exitData, `c.csv: column "is_core": line 7 (row 5): "perhaps" is not a number`, false},
		{"a large integer", false, "0,1,0,true\n", "9007199254740993,1,0,true\n", exitData, "9007199254740993 is not exact", false},
		{"noise left out", false, "9,9,-1,false\n", "", exitOK, "c.csv has 5 rows, and had 6 when it was clustered; its core rows are all there", true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			source := &clustered
			if tc.report {
				source = &told
			}
			changed := strings.Replace(*source, tc.from, tc.to, 1)
			if changed == *source {
				t.Fatalf("%q is not there to be changed", tc.from)
			}
			c, r := clustered, told
			if source = &c; tc.report {
				source = &r
			}
			*source = changed
			table, run := writeFile(t, "c.csv", c), writeFile(t, "run.json", r)
			a.mustRun(t, tc.code, "predict", table, in, "--params", run, "-q")
			lines := a.stderr.String()
			if tc.unaffected {
				if got := column(t, a.stdout.String(), "cluster"); !slices.Equal(got, []string{"0", "0", "0", "1", "1", "-1"}) {
					t.Errorf("got the labels %v", got)
				}
				a.mustRun(t, tc.code, "predict", table, in, "--params", run)
				lines = a.stderr.String()
			} else if strings.Count(lines, "\n") != 1 {
				t.Errorf("got %q, want one line", lines)
			}
			if !strings.Contains(lines, tc.want) {
				t.Errorf("got %q, want %q", lines, tc.want)
			}
		})
	}
}

// TestPredictMetadata has Parquet that other programs, or other commands, wrote.
func TestPredictMetadata(t *testing.T) {
	a, dir := newTestApp(), t.TempDir()
	const text = "x\n0\n0\n5\n"
	in := writeFile(t, "in.csv", text)
	write := func(name string, labels []int64, core []bool, change func(map[string]string)) string {
		metadata := map[string]string{
			keyVersion: version(),
			keyParams:  `{"command":"dbscan","columns":["x"],"nan":"error","scale":"none","metric":"euclidean","eps":1,"min_samples":2,"border":"first"}`,
			keySummary: `{"counts":{"rows":3,"clusters":1,"core":2,"core_crc32c":"` + sumOf(0, 0) + `"},"warnings":[]}`,
		}
		if change != nil {
			change(metadata)
		}
		path := filepath.Join(dir, name)
		added := []table.Added{{Name: "cluster", Values: labels}}
		if core != nil {
			added = append(added, table.Added{Name: "is_core", Values: core})
		}
		writeAs(t, text, path, added, metadata)
		return path
	}
	labels, core := []int64{0, 0, -1}, []bool{true, true, false}
	right := write("right.parquet", labels, core, nil)
	tests := []struct {
		name, path string
		code       int
		want       string
	}{
		{"right", right, exitOK, "1; cluster (rows): 0 (2)"},
		{"no metadata", write("none.parquet", labels, core, func(m map[string]string) { clear(m) }), exitData, "none.parquet: it holds no parameters of a clustering; CSV cannot, "},
		{"no is_core", write("flat.parquet", labels, nil, nil), exitData, `flat.parquet: no column "is_core", which rtcluster dbscan adds`},
		{"labels changed", write("relabelled.parquet", []int64{1, 1, -1}, core, nil), exitData, "relabelled.parquet: the clusters of its core rows are not those of the clustering"},
		{"core changed", write("recored.parquet", labels, []bool{true, false, false}, nil), exitData, "recored.parquet: it has 1 core row, and the clustering had 2"},
		{"another version", write("old.parquet", labels, core, func(m map[string]string) { m[keyVersion] = "v0.1.0" }), exitOK, "old.parquet was written by rtcluster v0.1.0, and this is devel"},
		{"no version", write("unknown.parquet", labels, core, func(m map[string]string) { delete(m, keyVersion) }), exitOK, "unknown.parquet was written by rtcluster of unknown version, and this is devel"},
		{"no summary", write("unsummed.parquet", labels, core, func(m map[string]string) { delete(m, keySummary) }), exitOK, "0 (2)"},
		{"a summary that is none", write("torn.parquet", labels, core, func(m map[string]string) { m[keySummary] = "{" }), exitData, "torn.parquet: rtcluster.summary in its metadata is damaged"},
		{"parameters that are none", write("cut.parquet", labels, core, func(m map[string]string) { m[keyParams] = m[keyParams][:50] }), exitData, "cut.parquet: the parameters, recorded by rtcluster devel, are damaged"},
		{"more behind the parameters", write("long.parquet", labels, core, func(m map[string]string) { m[keyParams] += "{}" }), exitData, "there is more behind them"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			a.mustRun(t, tc.code, "predict", tc.path, in)
			if !strings.Contains(a.stderr.String(), tc.want) {
				t.Errorf("got %q, want %q", a.stderr.String(), tc.want)
			}
			if tc.code != exitOK && strings.Count(a.stderr.String(), "\n") != 1 {
				t.Errorf("got %q, want one line", a.stderr.String())
			}
		})
	}
}

// sumOf is the checksum of clusters of core rows.
func sumOf(labels ...int32) string {
	var s coreSum
	for _, label := range labels {
		s.add(label)
	}
	return s.String()
}
