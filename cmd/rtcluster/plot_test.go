package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rtcluster/io/chart"
)

func TestPlotFlags(t *testing.T) {
	plain := plotOptions{
		Paths: []string{"out.csv"}, Sky: chart.SkyOptions{Center: skyCenter},
		Input:  inputOptions{Format: "auto", Header: "auto"},
		Output: outputOptions{Path: "a.png"}, Run: runOptions{Engine: "auto", LogFormat: "text"},
	}
	columns := plain
	columns.X, columns.Y, columns.Kind, columns.Cluster = "x", "y", kindClusters, "cluster_2"
	columns.Axes = chart.ScatterOptions{FlipX: true, LogY: true}
	sky := plain
	sky.RA, sky.Dec, sky.Kind, sky.Sky = "a", "d", kindSky, chart.SkyOptions{Projection: chart.Aitoff, Center: 0, Whole: true}
	sky.projection, sky.Output.Force = "aitoff", true
	scores := plain
	scores.Kind, scores.Score, scores.Params = kindScores, "score_lof_5", "run.json"
	tests := []struct {
		name string
		args []string
		want plotOptions
	}{
		{"least", []string{"out.csv", "-o", "a.png"}, plain},
		{"columns", []string{"out.csv", "-o", "a.png", "-x", "x", "-y", "y", "--cluster", "cluster_2", "--xflip", "--ylog"}, columns},
		{"sky", []string{"out.csv", "-o", "a.png", "--ra", "a", "--dec", "d", "--projection", "aitoff", "--center", "0", "--whole-sky", "--force"}, sky},
		{"scores", []string{"out.csv", "-o", "a.png", "--kind", "scores", "--score", "score_lof_5", "--params", "run.json"}, scores},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *plotOptions
			parse(t, newPlotCmd(newTestApp().app, func(_ context.Context, _ *app, o *plotOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

// TestPlotOfOutput wants the picture of dbscan --plot, but for the name of the file in
// its title, from the output of the run as well.
func TestPlotOfOutput(t *testing.T) {
	stars, folder := shipped+"stars.csv", t.TempDir()
	for name, args := range map[string][]string{
		"axes":    {"-c", "x_pc,y_pc,z_pc", "-e", "3"},
		"scaled":  {"-c", "x_pc,y_pc,z_pc", "--scale", "standard", "--column-weights", "1,2,0.5", "-e", "0.2"},
		"columns": {"-c", "x_pc,y_pc", "-e", "1"},
		"sky":     {"--ra", "ra", "--dec", "dec", "-e", "30arcmin"},
	} {
		t.Run(name, func(t *testing.T) {
			base := filepath.Join(folder, name)
			out, first, second := base+".parquet", base+"-1.svg", base+"-2.svg"
			a := newTestApp()
			a.mustRun(t, exitOK, append([]string{"dbscan", stars, "-q", "-m", "8", "-o", out, "--plot", first}, args...)...)
			a.mustRun(t, exitOK, "plot", out, "-o", second)
			texts := [2]string{}
			for i, path := range []string{first, second} {
				content, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts[i] = withoutTitle(string(content))
			}
			if texts[0] != texts[1] || len(texts[0]) < 5000 {
				t.Errorf("the pictures of %d and %d bytes differ", len(texts[0]), len(texts[1]))
			}
		})
	}
}

// withoutTitle leaves out the texts of the title, and where they are.
func withoutTitle(svg string) string {
	elements := strings.Split(svg, "<text")
	kept := elements[:1]
	for _, e := range elements[1:] {
		if !strings.Contains(e, "font-size:11px") {
			kept = append(kept, e)
		}
	}
	return strings.Join(kept, "<text")
}

// TestMoments compares with sums over all rows, far from 0, too.
func TestMoments(t *testing.T) {
	rows := [][]float64{{1e8 + 1, 2}, {1e8 + 2, 4}, {1e8 + 3, 3}, {1e8 + 6, 7}}
	m := newMoments(2)
	for _, row := range rows {
		m.add(row)
	}
	cov := m.covariance()
	// Means 1e8 + 3 and 4; deviations -2 -1 0 3 and -2 0 -1 3.
	for _, want := range []struct {
		i, k int
		x    float64
	}{{0, 0, 14. / 3}, {0, 1, 13. / 3}, {1, 1, 14. / 3}} {
		if got := cov.At(want.i, want.k); math.Abs(got-want.x) > 1e-9 {
			t.Errorf("covariance of %d and %d: got %v, want %v", want.i, want.k, got, want.x)
		}
	}
	if got := project([]float64{1e8 + 4, 5}, m.mean, []float64{0.6, 0.8}); math.Abs(got-1.4) > 1e-9 {
		t.Errorf("along an axis: got %v, want 1.4", got)
	}
}

func TestWeightsText(t *testing.T) {
	columns := []string{"a", "averylongcolumn", "c", "d"}
	for want, weights := range map[string][]float64{
		"0.80 averylongco… − 0.60 a":            {-0.6, 0.8},
		"−1.00 a":                               {-1},
		"0.70 c + 0.50 a − 0.40 averylongco… …": {0.5, -0.4, 0.7, 0.1},
	} {
		if got := weightsText(weights, columns); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFlagColumn(t *testing.T) {
	names := []string{"score", "is_outlier", "score_lof_5", "is_outlier_lof_5", "p_score", "p_is_outlier", "score_knn_5"}
	for score, want := range map[string]string{
		"score": "is_outlier", "score_lof_5": "is_outlier_lof_5", "p_score": "p_is_outlier", "score_knn_5": "", "x": "", "": "",
	} {
		if got := flagColumn(score, names); got != want {
			t.Errorf("%q: got %q, want %q", score, got, want)
		}
	}
}

// TestManyColumns draws and describes tables whose covariance would take minutes, of few
// rows and of more than a sample has.
func TestManyColumns(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		rows, columns int
		axis          string
	}{
		{4, 3000, "1st principal axis ("},
		{260, 300, "1st principal axis of 256 rows ("},
	} {
		r := rand.New(rand.NewPCG(uint64(test.rows), 0))
		var text strings.Builder
		for i := range test.columns {
			fmt.Fprintf(&text, "%sc%d", separator(i), i)
		}
		for range test.rows {
			text.WriteByte('\n')
			for i := range test.columns {
				fmt.Fprintf(&text, "%s%.3f", separator(i), r.Float64())
			}
		}
		path, plot := filepath.Join(folder, fmt.Sprintf("%d.csv", test.rows)), filepath.Join(folder, fmt.Sprintf("%d.svg", test.rows))
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		a := newTestApp()
		a.mustRun(t, exitOK, "dbscan", path, "-e", "1", "-m", "2", "--plot", plot)
		picture, err := os.ReadFile(plot)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(picture), test.axis) {
			t.Errorf("%d rows: the picture has no %q", test.rows, test.axis)
		}
		a.mustRun(t, exitOK, "describe", path)
	}
}

// separator is what is before field i of a line of CSV.
func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}
