//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// peakOf runs a command line in a process of its own and returns its peak of
// resident memory, and what it was estimated to be.
func peakOf(t *testing.T, folder, line string) (peak, estimate int64) {
	t.Helper()
	args := append(strings.Fields(line), "--report", "run.json", "--force")
	cmd, stderr := startProcess(t, folder, args...)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil || r.Memory == nil {
		t.Fatalf("%s: no memory in the report (%v)", line, err)
	}
	return r.Memory.Peak, r.Memory.Estimate
}

// TestMemoryPeak compares the estimate with what runs take: it is never below,
// whatever eps, and not far above. With the estimate as the limit, runs keep to it.
func TestMemoryPeak(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("runs large tables")
	}
	folder := t.TempDir()
	for _, table := range []string{
		"blobs -n 200000 -d 3 -o a.parquet", "blobs -n 200000 -d 3 -o a.csv",
		"latent -n 20000 -d 40 -o wide.parquet", "latent -n 20000 -d 40 -o wide.csv",
		"latent -n 40000 -d 100 -o large.csv",
		"blobs -n 200000 -d 3 -o a.fits", "latent -n 20000 -d 40 -o wide.fits.gz", "latent -n 40000 -d 100 -o large.fits",
	} {
		newTestApp().mustRun(t, exitOK, append([]string{"generate"}, strings.Fields(strings.Replace(table, "-o ", "-o "+folder+"/", 1))...)...)
	}
	const most = 2.8 // for small tables, where much is the least that is reckoned with
	for _, line := range []string{
		"dbscan a.parquet -c x* -e 0.5 -m 5 -o out.parquet",
		"dbscan a.parquet -c x* -e 1e9 -m 5 -o out.parquet",
		"dbscan a.csv -c x* -e 0.5 -m 5 -o out.csv",
		"dbscan a.csv -c x* -e 0.5 -m 5 --counts --nan drop -o out.parquet",
		"dbscan wide.parquet -c x* -e 1 -m 5 -o out.parquet",
		"dbscan a.parquet -c x* -e 0 -m 1 --clusters clusters.parquet -o out.csv",
		"dbscan a.csv -c x* -e 0.5 -m 5 --plot a.svg --html a.html -o out.csv",
		"dbscan a.fits -c x* -e 0.5 -m 5 -o out.fits",
		"dbscan wide.fits.gz -c x1,x2,x3 -e 0.1 -m 5 -o out.csv",
		"dbscan large.fits -c x1,x2,x3 -e 0.1 -m 5 -o out.fits.gz",
		"dbscan wide.csv -c x1,x2,x3 -e 0.1 -m 5 -o out.parquet",
		"dbscan wide.parquet -c x1,x2 -e 0.1 -m 5 -o out.csv",
		"outliers large.csv -c x* --method count -e 1 --keep none -o out.csv",
		"outliers a.parquet -c x* --method lof -k 20 -o out.parquet",
		"outliers a.parquet -c x* --method knn,loop,lof -k 20,5 --nan drop -o out.csv",
		"outliers a.csv --reference a.parquet -c x* --method lof,ldof,odin -k 10 -o out.csv",
		"outliers a.parquet --reference a.csv -c x* --method lof -k 10 --ties all -o out.csv",
		"outliers wide.parquet --reference wide.csv -c x* --method knn -k 10 --nan drop -o out.parquet",
		"outliers a.csv -c x* --method knn,dbscan,db -k 5 -e 0.5 -m 5 --mad 3 --evaluate group --evaluate-outlier -1 --nan drop -o out.parquet",
		"join wide.parquet -c x1,x2 -e 0.002 --sort -o out.csv",
	} {
		t.Run(line, func(t *testing.T) {
			peak, estimate := peakOf(t, folder, line+" --memory-limit 100TB")
			pairs := strings.HasPrefix(line, "join") // whose number nobody knows before
			t.Logf("estimated %s, and it took %s", bytesText(float64(estimate)), bytesText(float64(peak)))
			if estimate < peak || !pairs && float64(estimate) > most*float64(peak) {
				t.Errorf("estimated %s, and it took %s", bytesText(float64(estimate)), bytesText(float64(peak)))
			}
			limit := strconv.FormatInt(estimate, 10)
			if peak, _ := peakOf(t, folder, line+" --memory-limit "+limit); peak > estimate {
				t.Errorf("it took %s, and the limit was %s", bytesText(float64(peak)), bytesText(float64(estimate)))
			}
		})
	}
}
