package dbscan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// TestArrange drops and sorts clusters of the drawing
//
//	row    0 1 2  3  4  5   6  7  8  9  10 11   12  13 14 15
//	x      0 1 2  9 10 11  20 21 22 23  30 31   36  40 41 42
//
// where two samples within 1 make clusters of 3, 3, 4, 2 and 3 rows.
func TestArrange(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1, 2, 9, 10, 11, 20, 21, 22, 23, 30, 31, 36, 40, 41, 42)
	tests := []struct {
		name    string
		arrange func(r *dbscan.Result)
		want    []int32
		sizes   []int
		dropped dbscan.Dropped
		counts  [4]int // clusters, core, border, noise
	}{
		{
			"as they are", func(*dbscan.Result) {},
			[]int32{0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, -1, 4, 4, 4},
			[]int{3, 3, 4, 2, 3},
			dbscan.Dropped{},
			[4]int{5, 15, 0, 1},
		},
		{
			"none is small", func(r *dbscan.Result) { r.DropSmall(2) },
			[]int32{0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, -1, 4, 4, 4},
			[]int{3, 3, 4, 2, 3},
			dbscan.Dropped{},
			[4]int{5, 15, 0, 1},
		},
		{
			"one is small", func(r *dbscan.Result) { r.DropSmall(3) },
			[]int32{0, 0, 0, 1, 1, 1, 2, 2, 2, 2, -1, -1, -1, 3, 3, 3},
			[]int{3, 3, 4, 3},
			dbscan.Dropped{Clusters: 1, Rows: 2, Cores: 2},
			[4]int{4, 13, 0, 3},
		},
		{
			"one is left", func(r *dbscan.Result) { r.DropSmall(4) },
			[]int32{-1, -1, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1},
			[]int{4},
			dbscan.Dropped{Clusters: 4, Rows: 11, Cores: 11},
			[4]int{1, 4, 0, 12},
		},
		{
			"none is left", func(r *dbscan.Result) { r.DropSmall(5) },
			slices.Repeat([]int32{-1}, 16),
			[]int{},
			dbscan.Dropped{Clusters: 5, Rows: 15, Cores: 15},
			[4]int{0, 0, 0, 16},
		},
		{
			"in two steps", func(r *dbscan.Result) { r.DropSmall(3); r.DropSmall(4) },
			[]int32{-1, -1, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1},
			[]int{4},
			dbscan.Dropped{Clusters: 4, Rows: 11, Cores: 11},
			[4]int{1, 4, 0, 12},
		},
		{
			"by size", func(r *dbscan.Result) { r.SortBySize() },
			[]int32{1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 4, 4, -1, 3, 3, 3},
			[]int{4, 3, 3, 3, 2},
			dbscan.Dropped{},
			[4]int{5, 15, 0, 1},
		},
		{
			"by size twice", func(r *dbscan.Result) { r.SortBySize(); r.SortBySize() },
			[]int32{1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 4, 4, -1, 3, 3, 3},
			[]int{4, 3, 3, 3, 2},
			dbscan.Dropped{},
			[4]int{5, 15, 0, 1},
		},
		{
			"dropped and sorted", func(r *dbscan.Result) { r.DropSmall(3); r.SortBySize() },
			[]int32{1, 1, 1, 2, 2, 2, 0, 0, 0, 0, -1, -1, -1, 3, 3, 3},
			[]int{4, 3, 3, 3},
			dbscan.Dropped{Clusters: 1, Rows: 2, Cores: 2},
			[4]int{4, 13, 0, 3},
		},
		{
			"sorted and dropped", func(r *dbscan.Result) { r.SortBySize(); r.DropSmall(3) },
			[]int32{1, 1, 1, 2, 2, 2, 0, 0, 0, 0, -1, -1, -1, 3, 3, 3},
			[]int{4, 3, 3, 3},
			dbscan.Dropped{Clusters: 1, Rows: 2, Cores: 2},
			[4]int{4, 13, 0, 3},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := cluster(t, jointest.Brute(), pts, dbscan.Options{Eps: 1, MinSamples: 2})
			tc.arrange(r)
			if !slices.Equal(r.Labels, tc.want) {
				t.Errorf("labels %v, want %v", r.Labels, tc.want)
			}
			if got := r.Sizes(); !slices.Equal(got, tc.sizes) {
				t.Errorf("sizes %v, want %v", got, tc.sizes)
			}
			if r.Dropped != tc.dropped {
				t.Errorf("dropped %+v, want %+v", r.Dropped, tc.dropped)
			}
			if got := [4]int{r.Clusters, r.Cores, r.Borders, r.Noise}; got != tc.counts {
				t.Errorf("clusters, core, border and noise rows %v, want %v", got, tc.counts)
			}
		})
	}
}

// TestSmallWithBorder wants border rows to count in the size of a cluster, and to
// be noise where it is dropped, though a core row of another cluster is near: 1.9
// is near 1.0 and 2.7.
func TestSmallWithBorder(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 0.3, 0.6, 1.0, 1.9, 2.7, 3, 3.3, 3.6, 3.9, 4.2)
	first, second := []int32{-1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0}, []int32{-1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0}
	for _, tc := range []struct {
		border dbscan.Border
		least  int
		want   []int32
		counts [4]int // core, border and noise rows, and dropped ones
	}{
		{dbscan.BorderFirst, 5, []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}, [4]int{10, 1, 0, 0}},
		{dbscan.BorderFirst, 6, first, [4]int{6, 0, 5, 5}},
		{dbscan.BorderNearest, 6, second, [4]int{6, 1, 4, 4}},
		{dbscan.BorderNearest, 7, second, [4]int{6, 1, 4, 4}},
		{dbscan.BorderNoise, 6, first, [4]int{6, 0, 5, 4}},
		{dbscan.BorderNoise, 7, slices.Repeat([]int32{-1}, 11), [4]int{0, 0, 11, 10}},
	} {
		r := cluster(t, jointest.Brute(), pts, dbscan.Options{Eps: 1, MinSamples: 4, Border: tc.border})
		core := slices.Clone(r.Core)
		r.DropSmall(tc.least)
		counts := [4]int{r.Cores, r.Borders, r.Noise, r.Dropped.Rows}
		if !slices.Equal(r.Labels, tc.want) || counts != tc.counts || !slices.Equal(r.Core, core) {
			t.Errorf("%s, %d rows: labels %v, counts %v, want %v, %v", tc.border, tc.least, r.Labels, counts, tc.want, tc.counts)
		}
	}
}

// TestSortBySizeTies has two clusters of three rows, of which the second has the
// first row, a border row, and the first has the smallest core row.
func TestSortBySizeTies(t *testing.T) {
	pts := jointest.Points(t, 1, 9, 1, 10, 11, 0, 2)
	r := cluster(t, jointest.Brute(), pts, dbscan.Options{Eps: 1, MinSamples: 3})
	r.SortBySize()
	if want := []int32{1, 0, 1, 1, 0, 0}; !slices.Equal(r.Labels, want) {
		t.Errorf("labels %v, want %v", r.Labels, want)
	}
}

// TestPredictChain drops the cluster of a chain from 0 to 2, links of which are eps
// long. The border row 3 is near 2, and near a cluster that comes after 0 and
// before 2.
func TestPredictChain(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 4, 5, 6, 7, 8, 1, 2, 3)
	opt := dbscan.Options{Eps: 1, MinSamples: 5, Weights: []float64{5, 1, 5, 5, 5, 5, 5, 1, 1}}
	for name, e := range engines() {
		r := cluster(t, e, pts, opt)
		r.DropSmall(5)
		if want := []int32{-1, 0, 0, 0, 0, 0, -1, -1, -1}; !slices.Equal(r.Labels, want) {
			t.Fatalf("%s: labels %v, want %v", name, r.Labels, want)
		}
		if got := predict(t, e, pts, r, pts, opt); !slices.Equal(got, r.Labels) {
			t.Errorf("%s: predicted %v, want %v", name, got, r.Labels)
		}
	}
}

// arrangements are what is done to results in the tests of predicting.
func arrangements() map[string]func(r *dbscan.Result) {
	dropHalf := func(r *dbscan.Result) {
		if sizes := slices.Sorted(slices.Values(r.Sizes())); len(sizes) > 0 {
			r.DropSmall(sizes[len(sizes)/2])
		}
	}
	return map[string]func(r *dbscan.Result){
		"half":             dropHalf,
		"half, by size":    func(r *dbscan.Result) { dropHalf(r); r.SortBySize() },
		"by size":          func(r *dbscan.Result) { r.SortBySize() },
		"small":            func(r *dbscan.Result) { r.DropSmall(6) },
		"large":            func(r *dbscan.Result) { r.DropSmall(12) },
		"all":              func(r *dbscan.Result) { r.DropSmall(1e6) },
		"by size, dropped": func(r *dbscan.Result) { r.SortBySize(); r.DropSmall(8) },
	}
}

// seams are blobs of 4 to 13 points in a row, and between them points that are near
// two blobs, shuffled.
func seams(t *testing.T, rnd *rand.Rand) *join.Points {
	var data []float64
	for blob := range 20 {
		for range 4 + rnd.IntN(10) {
			data = append(data, float64(3*blob)+float64(rnd.IntN(13)-6)/8)
		}
		data = append(data, float64(3*blob)+1.5)
	}
	rnd.Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
	return jointest.Points(t, 1, data...)
}

// TestPredictArranged predicts the rows of clusterings whose clusters were dropped
// and sorted: they get their own labels, as before.
func TestPredictArranged(t *testing.T) {
	torn := 0
	for seed := range uint64(3) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		sets := []*join.Points{
			jointest.Points(t, 2, jointest.Lattice(100, 2, 10+2*int(seed%4), seed)...),
			jointest.Points(t, 3, jointest.Lattice(100, 3, 7, seed)...),
			seams(t, rnd),
		}
		for at, pts := range sets {
			for _, border := range borders {
				opt := dbscan.Options{Eps: 1, MinSamples: 4 + rnd.IntN(3), Border: border}
				for name, arrange := range arrangements() {
					t.Run(fmt.Sprintf("seed=%d/set=%d/%s/%s", seed, at, border, name), func(t *testing.T) {
						for _, e := range engines() {
							r := cluster(t, e, pts, opt)
							arrange(r)
							if got := predict(t, e, pts, r, pts, opt); !slices.Equal(got, r.Labels) {
								t.Fatalf("labels %v became %v", r.Labels, got)
							}
							torn += tornBorders(pts, r, opt)
						}
					})
				}
			}
		}
	}
	if torn < 50 {
		t.Errorf("only %d rows chose a dropped cluster beside another", torn)
	}
}

// tornBorders counts the rows that are noise, not core, and near a core row of a
// cluster.
func tornBorders(pts *join.Points, r *dbscan.Result, opt dbscan.Options) int {
	n := 0
	for i, label := range r.Labels {
		near := false
		join.Scan(pts, pts.Row(i), join.Squared(opt.Eps), func(j int, _ float64) { near = near || r.Core[j] && r.Labels[j] >= 0 })
		if label < 0 && !r.Core[i] && near && opt.Border != dbscan.BorderNoise {
			n++
		}
	}
	return n
}

// TestPredictArrangedExhaustive predicts the rows of all orders of two clusters of
// two and four rows, and a border row of both, for each size that is dropped.
func TestPredictArrangedExhaustive(t *testing.T) {
	slow(t)
	torn, tried := 0, 0
	weights := map[float64]float64{-2: 1, -3: 8, -3.5: 8, -3.75: 8, 0: 1, 2: 1, 3: 8}
	permute([]float64{-3.75, -3.5, -3, -2, 0, 2, 3}, func(data []float64) {
		tried++
		opt := dbscan.Options{Eps: 2, MinSamples: 9}
		for _, x := range data {
			opt.Weights = append(opt.Weights, weights[x])
		}
		pts := jointest.Points(t, 1, data...)
		for _, opt.Border = range borders[:2] {
			for least := 4; least < 6; least++ {
				r := cluster(t, jointest.Brute(), pts, opt)
				r.DropSmall(least)
				if tried%2 == 0 {
					r.SortBySize()
				}
				if got := predict(t, jointest.Brute(), pts, r, pts, opt); !slices.Equal(got, r.Labels) {
					t.Fatalf("%v, border %s, clusters of %d rows: labels %v became %v", data, opt.Border, least, r.Labels, got)
				}
				torn += tornBorders(pts, r, opt)
			}
		}
	})
	if torn != 5040/3+5040/2 || tried != 5040 {
		t.Errorf("%d rows of %d orders chose a dropped cluster beside another, want a third by the first rule and half by the nearest", torn, tried)
	}
}

// permute calls do with all orders of data.
func permute(data []float64, do func([]float64)) {
	var from func(k int)
	from = func(k int) {
		if k == len(data) {
			do(data)
			return
		}
		for i := k; i < len(data); i++ {
			data[k], data[i] = data[i], data[k]
			from(k + 1)
			data[k], data[i] = data[i], data[k]
		}
	}
	from(0)
}

// TestPredictArrangedNew predicts other rows, and finds the labels that the whole
// clustering gives, arranged after.
func TestPredictArrangedNew(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(150, 2, 15, 7)...)
	data := jointest.Lattice(300, 2, 32, 8)
	for i := range data {
		data[i] = data[i]/2 - 0.5
	}
	q := jointest.Points(t, 2, data...)
	for _, border := range borders {
		opt := dbscan.Options{Eps: 1, MinSamples: 3, Border: border}
		for name, arrange := range arrangements() {
			t.Run(fmt.Sprintf("%s/%s", border, name), func(t *testing.T) {
				for _, e := range engines() {
					r := cluster(t, e, pts, opt)
					names := map[int32]int32{-1: -1}
					before := slices.Clone(r.Labels)
					whole := predict(t, e, pts, r, q, opt)
					arrange(r)
					for i, label := range before {
						if r.Core[i] {
							names[label] = r.Labels[i]
						}
					}
					got := predict(t, e, pts, r, q, opt)
					for i := range got {
						if want := names[whole[i]]; got[i] != want {
							t.Fatalf("row %d %v is %d, want %d", i, q.Row(i), got[i], want)
						}
					}
				}
			})
		}
	}
}
