package dbscan_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

const shared = "../../shared/data/"

// known is a published or twice computed result. Sizes has the clusters' sizes,
// largest first; minus ones and nil mean that it is not known.
type known struct {
	file                   string
	columns                []string
	eps                    float64
	minSamples             int
	clusters, noise, cores int
	sizes                  []int
	labelled               bool // clusters and noise are those of column label
}

func TestKnownAnswers(t *testing.T) {
	xyz := []string{"x_pc", "y_pc", "z_pc"}
	tests := []known{
		{"catalog/hipparcos_100pc.csv", xyz, 2.5, 10, 3, 22055, -1, []int{117, 18, 14}, false},
		{"catalog/hipparcos_100pc.csv", xyz, 3, 12, 3, 22023, -1, []int{132, 29, 20}, false},
		{"clustering/iris.csv", nil, 0.4, 4, 4, 25, -1, []int{47, 38, 36, 4}, false},
		{"clustering/elki_3clusters_noise_2d.csv", nil, 0.04, 20, 3, 29, 290, []int{150, 101, 50}, false},
		{"clustering/elki_single_link_2d.csv", nil, 11.5, 120, 3, 11, 163, []int{224, 203, 200}, false},
		{"clustering/elki_different_densities_2d.csv", nil, 3, 5, 6, 169, -1, nil, false},
		{"clustering/elki_hierarchical_2d.csv", nil, 0.02, 10, 5, 283, -1, nil, false},
		{"clustering/aggregation.csv", nil, 1.5, 10, 7, 26, 555, nil, false},
		{"clustering/compound.csv", nil, 1.5, 3, 6, 51, -1, nil, false},
		{"clustering/target.csv", nil, 0.4, 3, 6, 0, -1, nil, true},
		{"clustering/target.csv", nil, 0.4, 4, 2, 12, -1, nil, false},
		{"clustering/ring_noisy.csv", nil, 0.3, 5, 2, 43, -1, []int{505, 502}, true},
		{"clustering/isolation.csv", nil, 0.1, 5, 3, 0, -1, []int{3000, 3000, 3000}, true},
		{"clustering/isolation.csv", nil, 0.2, 5, 1, 0, -1, []int{9000}, false},
		{"clustering/hdbscan.csv", nil, 0.025, 8, 10, 479, -1, nil, false},
		{"clustering/hdbscan.csv", nil, 0.025, 5, 8, 355, -1, nil, false},
		{"clustering/chameleon_t4_8k.csv", nil, 8.5, 15, 6, 724, -1, []int{1791, 1663, 1565, 973, 645, 639}, false},
		{"clustering/birch2.csv.gz", nil, 1000, 10, 100, 917, 96775, nil, false},
		{"clustering/worms_2.csv.gz", nil, 15, 10, 179, 17838, 79602, nil, false},
		{"clustering/worms_2.csv.gz", nil, 30, 20, 10, 9413, -1, nil, false},
	}
	tables := map[string]jointest.Table{} // files with two tests are read once
	for _, tc := range tests {
		t.Run(tc.file, func(t *testing.T) {
			if strings.HasSuffix(tc.file, ".gz") {
				slow(t)
			}
			tb, ok := tables[tc.file]
			if !ok {
				tb = jointest.ReadTable(t, shared+tc.file)
				tables[tc.file] = tb
			}
			data, dim := tb.Coordinates(t, tc.columns...)
			res := tc.check(t, jointest.Points(t, dim, data...))
			if tc.labelled {
				sameGroups(t, res.Labels, tb.Column(t, "label"), "0")
			}
		})
	}
}

// check clusters pts, compares with what is known and verifies a few rows.
func (k known) check(t *testing.T, pts *join.Points) *dbscan.Result {
	t.Helper()
	opt := dbscan.Options{Eps: k.eps, MinSamples: k.minSamples}
	res := cluster(t, cpu.New(cpu.Options{}), pts, opt)
	if res.Clusters != k.clusters || res.Noise != k.noise {
		t.Errorf("%d clusters and %d noise rows, want %d and %d", res.Clusters, res.Noise, k.clusters, k.noise)
	}
	if k.cores >= 0 && res.Cores != k.cores {
		t.Errorf("%d core rows, want %d", res.Cores, k.cores)
	}
	if sizes := clusterSizes(res); k.sizes != nil && !slices.Equal(sizes, k.sizes) {
		t.Errorf("sizes %v, want %v", sizes, k.sizes)
	}
	rows := []int{0, pts.Rows() / 3, pts.Rows() / 2, pts.Rows() - 1}
	if err := dbscan.Verify(t.Context(), pts, opt, res, rows); err != nil {
		t.Error(err)
	}
	return res
}

// clusterSizes returns the clusters' sizes, largest first.
func clusterSizes(res *dbscan.Result) []int {
	sizes := make([]int, res.Clusters)
	for _, label := range res.Labels {
		if label >= 0 {
			sizes[label]++
		}
	}
	slices.SortFunc(sizes, func(a, b int) int { return cmp.Compare(b, a) })
	return sizes
}

// sameGroups wants labels and names to group the rows alike, with noiseName
// for −1.
func sameGroups(t *testing.T, labels []int32, names []string, noiseName string) {
	t.Helper()
	nameOf, labelOf := map[int32]string{-1: noiseName}, map[string]int32{noiseName: -1}
	for i, label := range labels {
		name, seen := nameOf[label]
		if !seen {
			name, nameOf[label] = names[i], names[i]
		}
		other, seen := labelOf[names[i]]
		if !seen {
			other, labelOf[names[i]] = label, label
		}
		if name != names[i] || other != label {
			t.Fatalf("row %d has label %d, which is group %q elsewhere, and group %q, which has label %d elsewhere",
				i, label, name, names[i], other)
		}
	}
}

// TestKnownSky finds the Pleiades among the bright stars, by great circle.
func TestKnownSky(t *testing.T) {
	tb := jointest.ReadTable(t, shared+"catalog/hipparcos_bright_sky.csv")
	lonlat, _ := tb.Coordinates(t, "ra_deg", "dec_deg")
	xyz, err := join.UnitVectors(lonlat)
	if err != nil {
		t.Fatal(err)
	}
	const degree = 3.14159265358979323846 / 180
	sky := known{eps: join.Chord(0.75 * degree), minSamples: 8, clusters: 18, noise: 15328, cores: -1}
	res := sky.check(t, jointest.Points(t, 3, xyz...))

	sizes := map[int32]int{}
	for _, label := range res.Labels {
		sizes[label]++
	}
	named := strings.Fields("17489 17499 17531 17573 17579 17608 17702 17847 17851")
	found := 0
	for i, hip := range tb.Column(t, "hip") {
		if slices.Contains(named, hip) && res.Labels[i] >= 0 && sizes[res.Labels[i]] == 24 {
			found++
		}
	}
	if largest := clusterSizes(res)[0]; largest != 24 || found != len(named) {
		t.Errorf("the largest cluster has %d stars, %d of the named Pleiades are in one of 24; want 24 and %d", largest, found, len(named))
	}
}

// TestKnownHyades wants the listed members in the largest nearby cluster.
func TestKnownHyades(t *testing.T) {
	tb := jointest.ReadTable(t, shared+"catalog/hipparcos_100pc.csv")
	members := jointest.ReadTable(t, shared+"catalog/hyades_hip_ids.csv").Column(t, "id_hip")
	data, dim := tb.Coordinates(t, "x_pc", "y_pc", "z_pc")
	res := cluster(t, cpu.New(cpu.Options{}), jointest.Points(t, dim, data...), dbscan.Options{Eps: 2.5, MinSamples: 10})
	counts := map[int32]int{}
	for i, hip := range tb.Column(t, "hip") {
		if slices.Contains(members, hip) {
			counts[res.Labels[i]]++
		}
	}
	most := 0
	for label, n := range counts {
		if label >= 0 {
			most = max(most, n)
		}
	}
	if most != 33 {
		t.Errorf("%d of the listed Hyades in one cluster, want 33", most)
	}
}
