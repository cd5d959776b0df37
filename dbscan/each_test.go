package dbscan_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/jointest"
)

// eachCases are options whose results must not depend on what ran before on the
// same index.
func eachCases(rows int) map[string]dbscan.Options {
	r := rand.New(rand.NewPCG(7, 3))
	weights, signed := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		weights[i], signed[i] = float64(r.IntN(5))*0.3, r.NormFloat64()
	}
	return map[string]dbscan.Options{
		"first":            {MinSamples: 5},
		"nearest":          {MinSamples: 5, Border: dbscan.BorderNearest},
		"noise":            {MinSamples: 5, Border: dbscan.BorderNoise},
		"counts":           {MinSamples: 5, Counts: true},
		"weights":          {MinSamples: 4, Weights: weights},
		"weights, nearest": {MinSamples: 4, Weights: weights, Border: dbscan.BorderNearest, Counts: true},
		"signed weights":   {MinSamples: 2, Weights: signed},
	}
}

// eachEps is in no order; lattices have ties at all of it.
var eachEps = []float64{math.Sqrt2, 0, 3, 1, 2}

func TestClusterEach(t *testing.T) {
	const rows, dim = 300, 2
	pts := jointest.Points(t, dim, jointest.Lattice(rows, dim, 30, 4)...)
	for engine, e := range engines() {
		for name, opt := range eachCases(rows) {
			t.Run(engine+"/"+name, func(t *testing.T) {
				results := make([]*dbscan.Result, 0, len(eachEps))
				err := dbscan.ClusterEach(t.Context(), jointest.Index(t, e, pts), opt, eachEps, func(i int, res *dbscan.Result) error {
					if i != len(results) {
						t.Errorf("result %d is said to be that of eps %d", len(results), i)
					}
					results = append(results, res)
					return nil
				})
				if err != nil || len(results) != len(eachEps) {
					t.Fatalf("%d results, %v", len(results), err)
				}
				for i, eps := range eachEps {
					alone := opt
					alone.Eps = eps
					if want := cluster(t, e, pts, alone); !reflect.DeepEqual(results[i], want) {
						t.Errorf("eps %v: got %+v\nalone %+v", eps, results[i], want)
					}
				}
			})
		}
	}
}

// TestClusterEachErrors wants what is wrong with the options to be found before
// anything is clustered, and the callee's own error back.
func TestClusterEachErrors(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1, 2)
	own := errors.New("enough")
	ended, end := context.WithCancel(t.Context())
	end()
	tests := []struct {
		name  string
		ctx   context.Context
		opt   dbscan.Options
		eps   []float64
		fail  error // of the callee
		want  string
		calls int
	}{
		{"no eps", t.Context(), dbscan.Options{MinSamples: 2}, nil, nil, "", 0},
		{"the last eps", t.Context(), dbscan.Options{MinSamples: 2}, []float64{1, 2, math.NaN()}, nil, "dbscan: eps is NaN, want", 0},
		{"min-samples", t.Context(), dbscan.Options{}, []float64{1, 2}, nil, "dbscan: min-samples is 0, want", 0},
		{"weights", t.Context(), dbscan.Options{MinSamples: 1, Weights: []float64{1}}, []float64{1, 2}, nil, "dbscan: 1 weights for 3 rows", 0},
		{"the callee", t.Context(), dbscan.Options{MinSamples: 2}, []float64{1, 2}, own, "enough", 1},
		{"the context", ended, dbscan.Options{MinSamples: 2}, []float64{1, 2}, nil, "context canceled", 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			calls := 0
			err := dbscan.ClusterEach(tc.ctx, jointest.Index(t, jointest.Brute(), pts), tc.opt, tc.eps, func(int, *dbscan.Result) error {
				calls++
				return tc.fail
			})
			if got := fmt.Sprint(err); tc.want == "" && err != nil || !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if calls != tc.calls || tc.fail != nil && !errors.Is(err, tc.fail) {
				t.Errorf("called %d times, want %d; error %v", calls, tc.calls, err)
			}
		})
	}
}

func TestParents(t *testing.T) {
	core := []bool{true, true, false, true, true, true}
	tests := []struct {
		name         string
		inner, outer []int32 // of the rows of core
		clusters     int     // of inner
		want         []int32
	}{
		{"the same", []int32{0, 0, 0, 1, 1, 2}, []int32{0, 0, 0, 1, 1, 2}, 3, []int32{0, 1, 2}},
		{"merged", []int32{0, 0, 0, 1, 1, 2}, []int32{0, 0, 0, 1, 1, 0}, 3, []int32{0, 1, 0}},
		{"what border rows do is no matter", []int32{0, 0, 0, 1, 1, -1}, []int32{1, 1, 0, 1, 1, 0}, 2, []int32{1, 1}},
		{"one falls apart", []int32{0, 0, 0, 0, 0, 1}, []int32{0, 0, 0, 1, 1, 1}, 2, []int32{-1, 1}},
		{"one falls apart, and its last row is where its first is", []int32{0, 0, -1, 0, 0, 0}, []int32{0, 1, 1, 1, 1, 0}, 1, []int32{-1}},
		{"one turns to noise", []int32{0, 0, 0, 1, 1, 1}, []int32{-1, -1, -1, 0, 0, 0}, 2, []int32{-1, 0}},
		{"one has lost a row", []int32{0, 0, 0, 1, 1, 1}, []int32{0, -1, -1, 1, 1, 1}, 2, []int32{-1, 1}},
		{"core rows without cluster", []int32{-1, -1, -1, 0, 0, 0}, []int32{0, 0, 0, 1, 1, 1}, 1, []int32{1}},
		{"none", []int32{-1, -1, -1, -1, -1, -1}, []int32{0, 0, 0, 1, 1, 1}, 0, []int32{}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			inner := &dbscan.Result{Labels: tc.inner, Core: core, Clusters: tc.clusters}
			if got := dbscan.Parents(inner, &dbscan.Result{Labels: tc.outer, Core: core}); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// TestParentsNest wants every cluster inside one of each larger eps, unless there
// are negative weights, which let rows stop being core.
func TestParentsNest(t *testing.T) {
	const rows, dim = 300, 2
	pts := jointest.Points(t, dim, jointest.Lattice(rows, dim, 30, 4)...)
	ascending := slices.Sorted(slices.Values(eachEps))
	for name, opt := range eachCases(rows) {
		t.Run(name, func(t *testing.T) {
			var inner *dbscan.Result
			merged, lost := 0, 0
			idx := jointest.Index(t, jointest.Brute(), pts)
			err := dbscan.ClusterEach(t.Context(), idx, opt, ascending, func(_ int, res *dbscan.Result) error {
				if inner != nil {
					parents := dbscan.Parents(inner, res)
					taken := map[int32]bool{}
					for c, parent := range parents {
						if parent < 0 {
							lost++
							continue
						}
						if taken[parent] {
							merged++
						}
						taken[parent] = true
						for i, label := range inner.Labels {
							if int(label) == c && inner.Core[i] && res.Labels[i] != parent {
								t.Errorf("row %d of cluster %d is in %d, not in %d", i, c, res.Labels[i], parent)
							}
						}
					}
				}
				inner = res
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if signed := name == "signed weights"; merged < 3 || (lost > 0) != signed {
				t.Errorf("%d clusters merged and %d were lost", merged, lost)
			}
		})
	}
}
