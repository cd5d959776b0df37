package dbscan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// This file has what users of other programs complained of, where no other test
// covers the whole kind.

// TestComplaintsFarApart has groups whose places, counted in eps, are the same
// number in 32 or 64 bits: a program that numbers cells makes them one cluster.
func TestComplaintsFarApart(t *testing.T) {
	const size = 6
	for _, dim := range []int{1, 2, 3, 9} {
		for _, exponent := range []int{8, 15, 16, 31, 32, 33, 47} {
			for _, eps := range []float64{1, 1.0 / 1024, 1 << 40} {
				t.Run(fmt.Sprintf("dim=%d/apart=2^%d/eps=%g", dim, exponent, eps), func(t *testing.T) {
					apart := math.Ldexp(eps, exponent)
					var data []float64
					var want []int32
					for group, factor := range []float64{0, 1, -1, 2, 3} {
						for row := range size {
							at := make([]float64, dim)
							for k := range at {
								at[k] = factor * apart
							}
							at[dim-1] += float64(row) / 8 * eps
							data, want = append(data, at...), append(want, int32(group))
						}
					}
					pts := jointest.Points(t, dim, data...)
					for engine, e := range engines() {
						res := cluster(t, e, pts, dbscan.Options{Eps: eps, MinSamples: size})
						if !slices.Equal(res.Labels, want) {
							t.Errorf("%s: labels %v, want %v", engine, res.Labels, want)
						}
					}
				})
			}
		}
	}
}

// TestComplaintsOrderOfRows shuffles the rows of a lattice, where border rows
// often have several clusters to go to: which rows are core, border and noise, and
// which core rows are together, does not depend on their order, whatever the rule.
func TestComplaintsOrderOfRows(t *testing.T) {
	const rows, dim = 400, 2
	pts := jointest.Points(t, dim, jointest.Lattice(rows, dim, 28, 12)...)
	for engine, e := range engines() {
		for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest, dbscan.BorderNoise} {
			opt := dbscan.Options{Eps: 1, MinSamples: 4, Border: border}
			want := cluster(t, e, pts, opt)
			if want.Clusters < 5 || border != dbscan.BorderNoise && want.Borders < 20 {
				t.Fatalf("a dull table: %d clusters, %d border rows", want.Clusters, want.Borders)
			}
			for seed := range uint64(4) {
				perm := make([]int32, rows)
				for to, from := range rand.New(rand.NewPCG(seed, 1)).Perm(rows) {
					perm[to] = int32(from)
				}
				got := cluster(t, e, pts.Subset(perm), opt)
				back := slices.Repeat([]int32{-1}, rows) // labels of core rows, in the order of pts
				for to, from := range perm {
					if got.Core[to] != want.Core[from] || (got.Labels[to] < 0) != (want.Labels[from] < 0) {
						t.Errorf("%s, border %s, seed %d: row %d has core %v, label %d; want %v, %d", engine, border, seed,
							from, got.Core[to], got.Labels[to], want.Core[from], want.Labels[from])
					}
					if got.Core[to] {
						back[from] = got.Labels[to]
					}
				}
				renumber(back, want.Core)
				for i, label := range back {
					if want.Core[i] && label != want.Labels[i] {
						t.Fatalf("%s, border %s, seed %d: core row %d has label %d, want %d", engine, border, seed, i, label, want.Labels[i])
					}
				}
			}
		}
	}
}

// TestComplaintsRuns clusters a large lattice again and again, by any number of
// threads: every label is the same each time.
func TestComplaintsRuns(t *testing.T) {
	const rows, dim = 20_000, 2
	pts := jointest.Points(t, dim, jointest.Lattice(rows, dim, 190, 7)...)
	for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest} {
		opt := dbscan.Options{Eps: 1, MinSamples: 4, Border: border, Counts: true}
		want := cluster(t, cpu.New(cpu.Options{Threads: 1}), pts, opt)
		if want.Clusters < 100 || want.Borders < 1000 || want.Noise < 1000 {
			t.Fatalf("a dull table: %d clusters, %d border and %d noise rows", want.Clusters, want.Borders, want.Noise)
		}
		for _, threads := range []int{2, 3, 8, 8, 8} {
			got := cluster(t, cpu.New(cpu.Options{Threads: threads}), pts, opt)
			if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Core, want.Core) || !slices.Equal(got.Counts, want.Counts) {
				t.Errorf("border %s: %d threads give %d clusters, %d border and %d noise rows, or others; want %d, %d, %d", border,
					threads, got.Clusters, got.Borders, got.Noise, want.Clusters, want.Borders, want.Noise)
			}
		}
	}
}
