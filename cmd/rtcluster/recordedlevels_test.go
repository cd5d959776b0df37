package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecordedLevels writes several eps to a report and reads them again, each to the
// bit, and finds each by what --eps would be.
func TestRecordedLevels(t *testing.T) {
	for _, metric := range []struct{ name, unit string }{{"euclidean", ""}, {"haversine", "arcsec"}, {"cosine", cosineUnit}} {
		t.Run(metric.name, func(t *testing.T) {
			p := parameters{Command: "dbscan", Columns: []string{"x", "y"}, NaN: "error", Scale: "none", Metric: metric.name, Border: "first"}
			var counts levelsCounts
			for i, eps := range awkward[:5] {
				p.Levels = append(p.Levels, levelEps{eps, metric.unit})
				counts.Levels = append(counts.Levels, levelCounts{clusterCounts: clusterCounts{Core: i}})
			}
			path := filepath.Join(t.TempDir(), "run.json")
			if err := (&report{Schema: reportSchema, Parameters: &p, Counts: &counts}).write(path); err != nil {
				t.Fatal(err)
			}
			for i, eps := range awkward[:5] {
				typed := exact(eps) + strings.TrimSuffix(metric.unit, cosineUnit)
				for _, choice := range []levelChoice{{Level: i + 1}, {Eps: typed}} {
					rec, err := readReport(path)
					if err == nil {
						err = rec.choose(choice)
					}
					if err != nil {
						t.Fatal(err)
					}
					got := rec.params.radius()
					if math.Float64bits(got.Value) != math.Float64bits(eps) || got.Unit != metric.unit || rec.params.Level != i+1 || rec.counts.Core != i {
						t.Errorf("%+v: got level %d, %v, %+v", choice, rec.params.Level, got, rec.counts)
					}
				}
			}
		})
	}
}

// TestLevelsDamaged changes what a clustering with several eps tells, or its table.
func TestLevelsDamaged(t *testing.T) {
	a := newTestApp()
	in, told := writeFile(t, "in.csv", "x\n0\n1\n2\n5\n6\n9\n"), filepath.Join(t.TempDir(), "run.json")
	a.mustRun(t, exitOK, "dbscan", in, "-e", "1,5", "-m", "2", "--report", told)
	clustered, text := a.stdout.String(), readText(t, told)
	list := text[strings.Index(text, `"levels": [`) : strings.Index(text, `],`+"\n    \"min_samples\"")+2]
	tests := []struct {
		name     string
		report   bool // what is changed: the report, or else the table
		from, to string
		level    string
		code     int
		want     string
	}{
		{"negative eps", true, `"eps": 5`, `"eps": -5`, "1", exitData, "cannot be used: eps is -5, want"},
		{"a unit", true, `"eps": 5`, `"eps": 5, "eps_unit": "deg"`, "1", exitData, `eps_unit is "deg" for the metric euclidean`},
		{"an unknown field", true, `"eps": 5`, `"eps": 5, "warp": 1`, "1", exitData, `unknown field "warp"`},
		{"eps as well", true, `"levels": [`, `"eps": 1, "levels": [`, "1", exitData, "there are both eps and levels"},
		{"chosen already", true, `"levels": [`, `"level": 1, "levels": [`, "1", exitData, "there is a setting that predict does not know"},
		{"one level", true, list, `"levels": [{"eps": 1}],`, "1", exitData, "eps is missing"},
		{"no levels", true, list, `"levels": [],`, "1", exitData, "eps is missing"},
		{"another number of counts", true, "0,\n    \"levels\": [", "0,\n    \"levels\": [{\"level\": 1},", "1", exitData, "the recorded counts are damaged: 3 levels for 2 eps"},
		{"damaged counts", true, `"clusters": 2,`, `"clusters": "two",`, "1", exitData, "the recorded counts are damaged"},
		{"no counts", true, `"counts": {`, `"counts": null, "other": {`, "2", exitOK, "6 in 1 cluster\n"},
		{"the other level's label", false, "5,1,true,0,true", "5,1,true,1,true", "1", exitOK, "5 in 2 clusters\n"},
		{"its own label", false, "5,1,true,0,true", "5,1,true,1,true", "2", exitData, "the clusters of its core rows are not those of the clustering"},
		{"its own flag", false, "9,-1,false,0,true", "9,-1,false,0,false", "2", exitData, "it has 5 core rows, and the clustering had 6"},
		{"no column", false, "is_core_2", "is_core_3", "2", exitData, `no column "is_core_2", which rtcluster dbscan adds`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			texts := []string{clustered, text}
			at := slices.Index([]bool{false, true}, tc.report)
			if !strings.Contains(texts[at], tc.from) {
				t.Fatalf("%q is not there to be changed in %s", tc.from, texts[at])
			}
			texts[at] = strings.Replace(texts[at], tc.from, tc.to, 1)
			a.mustRun(t, tc.code, "predict", writeFile(t, "c.csv", texts[0]), in, "--params", writeFile(t, "run.json", texts[1]), "--level", tc.level)
			if !strings.Contains(a.stderr.String(), tc.want) {
				t.Errorf("got %q, want %q", a.stderr.String(), tc.want)
			}
			if tc.code != exitOK && strings.Count(a.stderr.String(), "\n") != 1 {
				t.Errorf("got %q, want one line", a.stderr.String())
			}
		})
	}
}
