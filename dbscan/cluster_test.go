package dbscan_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

func turned(points []float64, degrees float64) []float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	var out []float64
	for i := 0; i < len(points); i += 2 {
		x, y := points[i], points[i+1]
		out = append(out, x*cos-y*sin, x*sin+y*cos)
	}
	return out
}

func TestCluster(t *testing.T) {
	arm := []float64{1.8, 0, 2.3, 0, 2.5, 0, 2.6, 0, 0.9, 0}
	star := slices.Concat(arm, turned(arm, 120), turned(arm, 240), []float64{0, 0})
	seam := []float64{0, .05, .1, .15, .2, .25, 1.1, 1.95, 2, 2.05, 2.1, 2.15, 2.2}
	chain := []float64{0, 0.9, 1.8, 2.7, 3.6, 4.5, 5.4, 6.3}
	tests := []struct {
		name   string
		dim    int
		data   []float64
		opt    dbscan.Options
		labels []int32
		core   string // one digit a row
	}{
		{"at eps", 1, []float64{0, 1, 2}, dbscan.Options{Eps: 1, MinSamples: 2}, []int32{0, 0, 0}, "111"},
		{
			"a cross seen border first", 2,
			[]float64{-1, 0, 0, 1, 1, 0, 0, -1, 0, 0},
			dbscan.Options{Eps: 1.1, MinSamples: 3},
			[]int32{0, 0, 0, 0, 0},
			"00001",
		},
		// The last row is core, but its neighbours are border rows that
		// smaller clusters may claim.
		{
			"a core row without core neighbours", 2, star,
			dbscan.Options{Eps: 1, MinSamples: 4},
			[]int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3},
			"1111011110111101",
		},
		{
			"its cluster of one under DBSCAN*", 2, star,
			dbscan.Options{Eps: 1, MinSamples: 4, Border: dbscan.BorderNoise},
			[]int32{0, 0, 0, 0, -1, 1, 1, 1, 1, -1, 2, 2, 2, 2, -1, 3},
			"1111011110111101",
		},
		{
			"a chain is no cluster", 1, chain,
			dbscan.Options{Eps: 1, MinSamples: 4},
			[]int32{-1, -1, -1, -1, -1, -1, -1, -1},
			"00000000",
		},
		{
			"a row counts itself", 2,
			[]float64{0, 0, 1, 0, 1, 2, 1, 1},
			dbscan.Options{Eps: 5, MinSamples: 4},
			[]int32{0, 0, 0, 0},
			"1111",
		},
		{
			"a border row at the seam", 1, seam,
			dbscan.Options{Eps: 0.88, MinSamples: 6},
			[]int32{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
			"1111110111111",
		},
		{
			"the seam by the nearest core row", 1, seam,
			dbscan.Options{Eps: 0.88, MinSamples: 6, Border: dbscan.BorderNearest},
			[]int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1},
			"1111110111111",
		},
		// Rows 1 and 7 are equally near to row 8; row 1 is in cluster 1.
		{
			"nearest, a tie to the smaller row", 1,
			[]float64{0, 3, 4, 4, 4, 0, 0, 1, 2},
			dbscan.Options{Eps: 1, MinSamples: 4, Border: dbscan.BorderNearest},
			[]int32{0, 1, 1, 1, 1, 0, 0, 0, 1},
			"111111110",
		},
		{
			"the same by the first cluster", 1,
			[]float64{0, 3, 4, 4, 4, 0, 0, 1, 2},
			dbscan.Options{Eps: 1, MinSamples: 4, Border: dbscan.BorderFirst},
			[]int32{0, 1, 1, 1, 1, 0, 0, 0, 0},
			"111111110",
		},
		{"min-samples 1", 1, []float64{5, 0, 5.5}, dbscan.Options{Eps: 1, MinSamples: 1}, []int32{0, 1, 0}, "111"},
		{"eps 0 joins duplicates", 1, []float64{1, 2, 1, 2, 3}, dbscan.Options{MinSamples: 2}, []int32{0, 1, 0, 1, -1}, "11110"},
		{"one row, core", 3, []float64{1, 2, 3}, dbscan.Options{Eps: 1, MinSamples: 1}, []int32{0}, "1"},
		{"one row, noise", 3, []float64{1, 2, 3}, dbscan.Options{Eps: 1, MinSamples: 2}, []int32{-1}, "0"},
		{"more samples than an int32 holds", 1, []float64{1, 1}, dbscan.Options{Eps: 1, MinSamples: math.MaxInt}, []int32{-1, -1}, "00"},
		{"squared eps overflows", 1, []float64{0, 1e300, -1e300}, dbscan.Options{Eps: 1e200, MinSamples: 3}, []int32{0, 0, 0}, "111"},
		{"squared eps underflows", 1, []float64{0, 1e-200, 1}, dbscan.Options{Eps: 1e-201, MinSamples: 2}, []int32{0, 0, -1}, "110"},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			t.Run(engine+"/"+tc.name, func(t *testing.T) {
				pts := jointest.Points(t, tc.dim, tc.data...)
				res := cluster(t, e, pts, tc.opt)
				if !slices.Equal(res.Labels, tc.labels) {
					t.Errorf("labels %v, want %v", res.Labels, tc.labels)
				}
				if got := digits(res.Core); got != tc.core {
					t.Errorf("core %s, want %s", got, tc.core)
				}
				checkAll(t, pts, tc.opt, res)
			})
		}
	}
}

func digits(flags []bool) string {
	var b strings.Builder
	for _, f := range flags {
		fmt.Fprint(&b, map[bool]int{true: 1}[f])
	}
	return b.String()
}

// checkAll checks res against the axioms, and by Verify, in all rows.
func checkAll(t *testing.T, pts *join.Points, opt dbscan.Options, res *dbscan.Result) {
	t.Helper()
	for _, fault := range axiomFaults(pts, opt, res.Labels, res.Core) {
		t.Error(fault)
	}
	rows := make([]int, pts.Rows())
	for i := range rows {
		rows[i] = i
	}
	if err := dbscan.Verify(t.Context(), pts, opt, res, rows); err != nil {
		t.Error(err)
	}
	if got := res.Cores + res.Borders + res.Noise; got != pts.Rows() {
		t.Errorf("%d core + %d border + %d noise rows, want %d", res.Cores, res.Borders, res.Noise, pts.Rows())
	}
}

// TestAllSmallTables clusters all rows of up to five places on a line, with
// every rule, and compares with the textbook.
func TestAllSmallTables(t *testing.T) {
	const places, length = 5, 5
	brute := jointest.Brute()
	for code := range int(math.Pow(places, length)) {
		var data []float64
		for range length {
			data = append(data, float64(code%places))
			code /= places
		}
		pts := jointest.Points(t, 1, data...)
		idx, err := brute.Index(t.Context(), pts)
		if err != nil {
			t.Fatal(err)
		}
		for minSamples := 1; minSamples <= 4; minSamples++ {
			for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest} {
				opt := dbscan.Options{Eps: 1, MinSamples: minSamples, Border: border}
				res, err := dbscan.Cluster(t.Context(), idx, opt)
				if err != nil {
					t.Fatal(err)
				}
				labels, core := textbook(pts, opt)
				if !slices.Equal(res.Labels, labels) || !slices.Equal(res.Core, core) {
					t.Fatalf("%v, %+v: labels %v, core %v; want %v, %v", data, opt, res.Labels, res.Core, labels, core)
				}
			}
		}
	}
}

func TestAgainstTextbook(t *testing.T) {
	sets := []struct {
		name string
		dim  int
		data []float64
		eps  []float64
	}{
		{"uniform plane", 2, jointest.Uniform(300, 2, 1), []float64{0.02, 0.05, 0.08}},
		{"uniform 5-d", 5, jointest.Uniform(200, 5, 2), []float64{0.2, 0.35, 0.5}},
		{"lattice plane", 2, jointest.Lattice(257, 2, 20, 3), []float64{0, 1, math.Sqrt2, 2}},
		{"lattice 3-d", 3, jointest.Lattice(256, 3, 7, 4), []float64{1, math.Sqrt(3)}},
	}
	for _, set := range sets {
		pts := jointest.Points(t, set.dim, set.data...)
		indexes := map[string]join.Index{}
		for engine, e := range engines() {
			indexes[engine] = jointest.Index(t, e, pts)
		}
		for _, eps := range set.eps {
			for _, minSamples := range []int{1, 2, 3, 5, 9} {
				for _, border := range []dbscan.Border{"", dbscan.BorderNearest, dbscan.BorderNoise} {
					opt := dbscan.Options{Eps: eps, MinSamples: minSamples, Border: border}
					labels, core := textbook(pts, opt)
					for engine, idx := range indexes {
						res, err := dbscan.Cluster(t.Context(), idx, opt)
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(res.Labels, labels) || !slices.Equal(res.Core, core) {
							t.Errorf("%s, %s, %+v: labels %v, want %v", engine, set.name, opt, res.Labels, labels)
						}
					}
				}
			}
		}
	}
}

func TestCounts(t *testing.T) {
	data := []float64{0, 0.5, 1, 1, 9}
	for engine, e := range engines() {
		t.Run(engine, func(t *testing.T) {
			pts := jointest.Points(t, 1, data...)
			idx := jointest.Index(t, e, pts)
			run := func(opt dbscan.Options) *dbscan.Result {
				res, err := dbscan.Cluster(t.Context(), idx, opt)
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			full := run(dbscan.Options{Eps: 1, MinSamples: 2, Counts: true})
			if want := []int32{3, 3, 3, 3, 0}; !slices.Equal(full.Counts, want) || full.Pairs != 6 || !full.PairsExact {
				t.Errorf("counts %v, %d pairs, exact %v; want %v, 6, true", full.Counts, full.Pairs, full.PairsExact, want)
			}
			// Four rows with at least one neighbour prove two pairs.
			short := run(dbscan.Options{Eps: 1, MinSamples: 2})
			if short.Counts != nil || short.Pairs != 2 || short.PairsExact {
				t.Errorf("limited: counts %v, %d pairs, exact %v; want none, 2, false", short.Counts, short.Pairs, short.PairsExact)
			}
			// No count reached the limit, so all are full.
			never := run(dbscan.Options{Eps: 1, MinSamples: 5})
			if never.Pairs != 6 || !never.PairsExact {
				t.Errorf("limit not reached: %d pairs, exact %v; want 6, true", never.Pairs, never.PairsExact)
			}
			// Weights ask for no counts.
			bare := run(dbscan.Options{Eps: 1, MinSamples: 2, Weights: []float64{0, 0, 0, 0, 7}})
			if bare.Counts != nil || bare.Pairs != 0 || bare.PairsExact {
				t.Errorf("weighted, not counted: counts %v, %d pairs, exact %v; want none, 0, false", bare.Counts, bare.Pairs, bare.PairsExact)
			}
			weighted := run(dbscan.Options{Eps: 1, MinSamples: 2, Weights: []float64{0, 0, 0, 0, 7}, Counts: true})
			if !slices.Equal(weighted.Counts, full.Counts) || weighted.Pairs != 6 || !weighted.PairsExact {
				t.Errorf("weighted: counts %v, %d pairs, exact %v; want %v, 6, true", weighted.Counts, weighted.Pairs, weighted.PairsExact, full.Counts)
			}
		})
	}
}

func TestNoRows(t *testing.T) {
	for engine, e := range engines() {
		t.Run(engine, func(t *testing.T) {
			pts := jointest.Points(t, 2)
			res := cluster(t, e, pts, dbscan.Options{Eps: 1, MinSamples: 3, Counts: true, Weights: []float64{}})
			if len(res.Labels) != 0 || len(res.Core) != 0 || res.Counts == nil || res.Clusters != 0 || !res.PairsExact {
				t.Errorf("got %+v, want an empty result", res)
			}
			checkAll(t, pts, dbscan.Options{Eps: 1, MinSamples: 3, Counts: true}, res)
		})
	}
}

func TestRefused(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name string
		opt  dbscan.Options
		want string
	}{
		{"eps NaN", dbscan.Options{Eps: nan, MinSamples: 1}, "eps is NaN"},
		{"eps negative", dbscan.Options{Eps: -1, MinSamples: 1}, "eps is -1"},
		{"eps infinite", dbscan.Options{Eps: math.Inf(1), MinSamples: 1}, "eps is +Inf"},
		{"no min-samples", dbscan.Options{Eps: 1}, "min-samples is 0, want 1 or more"},
		{"min-samples negative", dbscan.Options{Eps: 1, MinSamples: -3}, "min-samples is -3"},
		{"border rule", dbscan.Options{Eps: 1, MinSamples: 1, Border: "last"}, `unknown border rule "last", want "first"`},
		{"too few weights", dbscan.Options{Eps: 1, MinSamples: 1, Weights: []float64{1}}, "1 weights for 2 rows"},
		{"weight NaN", dbscan.Options{Eps: 1, MinSamples: 1, Weights: []float64{1, nan}}, "row 1 has weight NaN"},
		{"weight infinite", dbscan.Options{Eps: 1, MinSamples: 1, Weights: []float64{math.Inf(-1), 1}}, "row 0 has weight -Inf"},
	}
	pts := jointest.Points(t, 1, 1, 2)
	idx := jointest.Index(t, jointest.Brute(), pts)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := dbscan.Cluster(t.Context(), idx, tc.opt)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Cluster: error %v, want one with %q", err, tc.want)
			}
			err = dbscan.Verify(t.Context(), pts, tc.opt, &dbscan.Result{}, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, join.ErrVerify) {
				t.Errorf("Verify: error %v, want one with %q, not ErrVerify", err, tc.want)
			}
			var bad *dbscan.WeightError
			if isWeight := strings.HasPrefix(tc.name, "weight"); errors.As(err, &bad) != isWeight {
				t.Errorf("error %v is a WeightError: %v, want %v", err, !isWeight, isWeight)
			}
		})
	}
}

func TestContextDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pts := jointest.Points(t, 2, jointest.Uniform(500, 2, 9)...)
	for engine, e := range engines() {
		idx := jointest.Index(t, e, pts)
		cancel()
		for _, opt := range []dbscan.Options{
			{Eps: 0.1, MinSamples: 4},
			{Eps: 0.1, MinSamples: 4, Weights: jointest.Uniform(500, 1, 9)},
		} {
			if _, err := dbscan.Cluster(ctx, idx, opt); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v, want context.Canceled", engine, err)
			}
		}
	}
	err := dbscan.Verify(ctx, pts, dbscan.Options{Eps: 1, MinSamples: 501}, noiseOnly(500), []int{0})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Verify: error %v, want context.Canceled", err)
	}
}

// noiseOnly is the result of rows that are all noise.
func noiseOnly(n int) *dbscan.Result {
	res := &dbscan.Result{Labels: make([]int32, n), Core: make([]bool, n), Noise: n}
	for i := range res.Labels {
		res.Labels[i] = -1
	}
	return res
}
