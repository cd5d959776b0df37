package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestMistakesInParquet warns of what only types say: numbers stored in 32 bits,
// and time stamps that were asked for.
func TestMistakesInParquet(t *testing.T) {
	type row struct {
		RA     float32 `parquet:"ra"`
		Dec    float32 `parquet:"dec"`
		Wide   float64 `parquet:"wide"`
		Seen   int64   `parquet:"seen,timestamp(microsecond)"`
		Bright float64 `parquet:"bright"`
	}
	var rows []row
	for i := range 9 {
		x := float64(i)
		rows = append(rows, row{float32(200 + x/10), float32(40 + x/10), 200 + x/10, int64(i*i) * 1e9, x})
	}
	path := filepath.Join(t.TempDir(), "in.parquet")
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	const narrow = "is too small for column ra: numbers such as its 200.2 are 1.5e-05 apart in 32 bits, so"
	tests := []struct {
		name string
		args []string
		want string // "" for no warning but of the result
	}{
		{"float32", []string{"-c", "ra,dec", "-e", "1e-5"}, "eps 1e-05 " + narrow},
		{"float32 on the sky", []string{"--ra", "ra", "--dec", "dec", "-e", "0.05arcsec"}, "eps 0.05arcsec (1.38889e-05 deg) " + narrow},
		{"float32, larger eps", []string{"--ra", "ra", "--dec", "dec", "-e", "1arcsec"}, ""},
		{"float64", []string{"-c", "wide,bright", "-e", "1e-5"}, ""},
		{"epoch", []string{"-c", "seen:epoch,bright", "-e", "1"}, "seen:epoch: a time among the coordinates, which spreads 8,000 times as far"},
		{"epoch, scaled", []string{"-c", "seen:epoch,bright", "-e", "1e-3", "--scale", "standard"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp()
			a.mustRun(t, exitOK, append([]string{"dbscan", path, "-m", "2"}, test.args...)...)
			got := a.stderr.String()
			if test.want == "" && (strings.Contains(got, "too small for") || strings.Contains(got, "a time among")) ||
				!strings.Contains(got, test.want) {
				t.Errorf("got %s, want a warning with %q", got, test.want)
			}
		})
	}
}

// TestNoFalseAlarms clusters and scores published sets as it is right for them: no
// warning.
func TestNoFalseAlarms(t *testing.T) {
	const data = "../../../shared/data/"
	xyz := "x_pc,y_pc,z_pc"
	dbscan := func(file, columns, eps, least string) []string {
		return []string{"dbscan", data + file, "-c", columns, "-e", eps, "-m", least}
	}
	runs := [][]string{
		{"dbscan", "../../testdata/stars.csv", "-c", xyz, "-e", "3", "-m", "8"},
		{"dbscan", data + "catalog/hipparcos_bright_sky.csv", "--ra", "ra_deg", "--dec", "dec_deg", "-e", "0.75deg", "-m", "8"},
		dbscan("catalog/hipparcos_100pc.csv", xyz, "2.5", "10"),
		dbscan("clustering/iris.csv", "x*", "0.4", "4"),
		dbscan("clustering/elki_3clusters_noise_2d.csv", "x*", "0.04", "20"),
		dbscan("clustering/elki_single_link_2d.csv", "x*", "11.5", "120"),
		dbscan("clustering/elki_different_densities_2d.csv", "x*", "3", "5"),
		dbscan("clustering/elki_hierarchical_2d.csv", "x*", "0.02", "10"),
		dbscan("clustering/aggregation.csv", "x*", "1.5", "10"),
		dbscan("clustering/compound.csv", "x*", "1.5", "3"),
		dbscan("clustering/target.csv", "x*", "0.4", "3"),
		dbscan("clustering/ring_noisy.csv", "x*", "0.3", "5"),
		dbscan("clustering/isolation.csv", "x*", "0.1", "5"),
		dbscan("clustering/hdbscan.csv", "x*", "0.025", "8"),
		dbscan("clustering/chameleon_t4_8k.csv", "x*", "8.5", "15"),
	}
	for _, name := range []string{
		"elki_outlier_3d_3clusters", "elki_outlier_axis_subspaces_6d", "elki_outlier_fire", "elki_outlier_parabolic",
		"dami_glass", "dami_stamps_minmax", "cardio", "vowels", "thyroid", "wine",
	} {
		runs = append(runs, []string{"outliers", data + "outlier/" + name + ".csv", "-c", "x*", "--method", "knn", "-k", "5"})
	}
	for _, args := range runs {
		t.Run(filepath.Base(args[1]), func(t *testing.T) {
			if _, err := os.Stat(args[1]); err != nil {
				t.Skipf("%s is not beside this checkout", args[1])
			}
			a := newTestApp()
			a.mustRun(t, exitOK, append(args, "--keep", "none")...)
			if got := a.stderr.String(); strings.Contains(got, "warning") {
				t.Errorf("got %s", got)
			}
		})
	}
}
