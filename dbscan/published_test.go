package dbscan_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestELKIPairCounting wants the agreement with the true labels that ELKI's tests
// have, which compare four digits: the F1 measure of pairs of rows, a row with
// itself too, that share a label, where noise is a label as any other.
func TestELKIPairCounting(t *testing.T) {
	tests := []struct {
		file       string
		eps        float64
		minSamples int
		want       float64
	}{
		{"elki_3clusters_noise_2d.csv", 0.04, 20, 0.996413},
		{"elki_single_link_2d.csv", 11.5, 120, 0.954382},
	}
	for _, tc := range tests {
		t.Run(tc.file, func(t *testing.T) {
			tb := jointest.ReadTable(t, shared+"clustering/"+tc.file)
			data, dim := tb.Coordinates(t)
			res := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, dim, data...), dbscan.Options{Eps: tc.eps, MinSamples: tc.minSamples})
			if got := pairF1(res.Labels, tb.Column(t, "label")); math.Abs(got-tc.want) > 1e-5 {
				t.Errorf("F1 of pairs %.7f, want %.6f", got, tc.want)
			}
		})
	}
}

// pairF1 returns 2·both / (ours + theirs), counts of ordered pairs that share a
// label.
func pairF1(labels []int32, names []string) float64 {
	type cell struct {
		label int32
		name  string
	}
	ours, theirs, both := map[int32]int{}, map[string]int{}, map[cell]int{}
	for i, label := range labels {
		ours[label]++
		theirs[names[i]]++
		both[cell{label, names[i]}]++
	}
	return 2 * squares(both) / (squares(ours) + squares(theirs))
}

func squares[K comparable](counts map[K]int) float64 {
	sum := 0
	for _, n := range counts {
		sum += n * n
	}
	return float64(sum)
}

// TestELKIOutliers wants what ELKI's tests have for DBSCAN as a detector of
// outliers: noise scores 1, and border rows 0 or 0.5. Its rows are numbered from 1.
func TestELKIOutliers(t *testing.T) {
	tb := jointest.ReadTable(t, shared+"outlier/elki_outlier_parabolic.csv")
	data, dim := tb.Coordinates(t)
	res := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, dim, data...), dbscan.Options{Eps: 0.04, MinSamples: 20})
	if res.Clusters != 1 || res.Noise != 153 {
		t.Errorf("%d clusters and %d noise rows, want 1 and 153", res.Clusters, res.Noise)
	}
	kind := func(row int) string {
		switch {
		case res.Labels[row] < 0:
			return "noise"
		case res.Core[row]:
			return "core"
		}
		return "border"
	}
	if got := [3]string{kind(415), kind(28), kind(15)}; got != [3]string{"noise", "border", "core"} {
		t.Errorf("rows 416, 29 and 16 are %v, want noise, border and core", got)
	}
	names := tb.Column(t, "label")
	for border, want := range map[float64]float64{0: 0.718, 0.5: 0.7772} {
		score := map[string]float64{"noise": 1, "border": border, "core": 0}
		better, pairs := 0.0, 0
		for i, name := range names {
			for j, other := range names {
				if name == "Noise" && other != "Noise" {
					pairs++
					better += 0.5 + 0.5*float64(cmp.Compare(score[kind(i)], score[kind(j)]))
				}
			}
		}
		if got := better / float64(pairs); math.Abs(got-want) > 0.51e-4 {
			t.Errorf("border %v: area under the curve %.6f, want %v", border, got, want)
		}
	}
}

// TestPlacesOnSky wants the groups of bright stars where the named ones are, and
// that a plane of right ascension and declination groups them otherwise.
func TestPlacesOnSky(t *testing.T) {
	tb := jointest.ReadTable(t, shared+"catalog/hipparcos_bright_sky.csv")
	lonlat, dim := tb.Coordinates(t, "ra_deg", "dec_deg")
	flat := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, dim, lonlat...), dbscan.Options{Eps: 0.75, MinSamples: 8})
	if flat.Clusters != 12 {
		t.Errorf("%d clusters on the plane, want 12", flat.Clusters)
	}
	xyz, err := join.UnitVectors(slices.Clone(lonlat))
	if err != nil {
		t.Fatal(err)
	}
	opt := dbscan.Options{Eps: join.Chord(0.75 * math.Pi / 180), MinSamples: 8}
	res := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, 3, xyz...), opt)
	places := map[string][2]float64{
		"Pleiades": {56.9, 24.1}, "Orion's sword": {83.8, -5.4}, "NGC 2451": {115.8, -38.1}, "IC 2602": {160.9, -64.4},
		"NGC 6231": {253.5, -41.8}, "M 7": {268.3, -34.7}, "Hyades": {67.5, 15.9}, "Praesepe": {130.1, 19.7},
	}
	for name, want := range places {
		found := false
		for label := range int32(res.Clusters) {
			at := medians(lonlat, dim, res.Labels, label)
			found = found || math.Abs(at[0]-want[0]) < 0.3 && math.Abs(at[1]-want[1]) < 0.3
		}
		if !found {
			t.Errorf("no cluster at %v, where %s is", want, name)
		}
	}
}

// TestPlacesInSpace wants the Hyades, Coma Berenices and the chance clump at their
// published distances and places.
func TestPlacesInSpace(t *testing.T) {
	tb := jointest.ReadTable(t, shared+"catalog/hipparcos_100pc.csv")
	data, dim := tb.Coordinates(t, "x_pc", "y_pc", "z_pc")
	sky, _ := tb.Coordinates(t, "ra_deg", "dec_deg")
	res := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, dim, data...), dbscan.Options{Eps: 2.5, MinSamples: 10})
	tests := []struct {
		name         string
		rows         int
		distance     string
		ra, dec, off float64
	}{
		{"Hyades", 117, "46.4", 66.4, 15.9, 0.06},
		{"Coma Berenices", 18, "86.0", 185.7, 26.1, 0.06},
		{"the clump of nearest stars", 14, "5.5", 0, 0, 360},
	}
	for _, tc := range tests {
		label := slices.IndexFunc(sizesByLabel(res), func(rows int) bool { return rows == tc.rows })
		sum := 0.0
		for i, l := range res.Labels {
			if int(l) == label {
				sum += math.Sqrt(join.SquaredDistance(data[i*dim:(i+1)*dim], make([]float64, dim)))
			}
		}
		distance := strconv.FormatFloat(sum/float64(tc.rows), 'f', 1, 64)
		at := medians(sky, 2, res.Labels, int32(label))
		if distance != tc.distance || math.Abs(at[0]-tc.ra) > tc.off || math.Abs(at[1]-tc.dec) > tc.off {
			t.Errorf("%s: %s pc away at %v, want %s and %v, %v", tc.name, distance, at, tc.distance, tc.ra, tc.dec)
		}
	}
}

// sizesByLabel returns the number of rows of each cluster.
func sizesByLabel(res *dbscan.Result) []int {
	sizes := make([]int, res.Clusters)
	for _, label := range res.Labels {
		if label >= 0 {
			sizes[label]++
		}
	}
	return sizes
}

// medians returns the median of each column over the rows with a label.
func medians(data []float64, dim int, labels []int32, label int32) []float64 {
	columns := make([][]float64, dim)
	for i, l := range labels {
		for k := range columns {
			if l == label {
				columns[k] = append(columns[k], data[i*dim+k])
			}
		}
	}
	at := make([]float64, dim)
	for k, values := range columns {
		slices.Sort(values)
		at[k] = (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	}
	return at
}
