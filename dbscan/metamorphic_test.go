package dbscan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// TestMetamorphic changes a table in ways that must not matter. The tables are
// whole numbers, so that no sum depends on the order of the axes and no shift
// rounds; they are full of ties.
func TestMetamorphic(t *testing.T) {
	const rows, dim = 400, 3
	data := jointest.Lattice(rows, dim, 9, 21)
	changes := []struct {
		name   string
		factor float64 // of eps
		change func(x []float64) []float64
	}{
		{"axes turned round", 1, func(x []float64) []float64 { return []float64{x[1], x[2], x[0]} }},
		{"axes mirrored", 1, func(x []float64) []float64 { return []float64{-x[0], x[1], -x[2]} }},
		{"shifted", 1, func(x []float64) []float64 { return []float64{x[0] + 1<<40, x[1] - 12345, x[2] + 0.5} }},
		{"scaled by 2", 2, func(x []float64) []float64 { return []float64{2 * x[0], 2 * x[1], 2 * x[2]} }},
		{"scaled by 1/1024", 1.0 / 1024, func(x []float64) []float64 { return []float64{x[0] / 1024, x[1] / 1024, x[2] / 1024} }},
		{"an axis of zeros more", 1, func(x []float64) []float64 { return []float64{x[0], 0, x[1], x[2]} }},
	}
	for engine, e := range engines() {
		pts := jointest.Points(t, dim, data...)
		for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest} {
			opt := dbscan.Options{Eps: 1, MinSamples: 4, Border: border, Counts: true}
			want := cluster(t, e, pts, opt)
			if want.Clusters < 3 || want.Borders < 20 || want.Noise < 20 {
				t.Fatalf("a dull table: %d clusters, %d border and %d noise rows", want.Clusters, want.Borders, want.Noise)
			}
			for _, c := range changes {
				t.Run(fmt.Sprintf("%s/%s/%s", engine, border, c.name), func(t *testing.T) {
					var changed []float64
					for i := range rows {
						changed = append(changed, c.change(pts.Row(i))...)
					}
					opt := opt
					opt.Eps *= c.factor
					got := cluster(t, e, jointest.Points(t, len(changed)/rows, changed...), opt)
					if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Counts, want.Counts) || got.Pairs != want.Pairs {
						t.Errorf("labels %v, want %v", got.Labels, want.Labels)
					}
				})
			}
		}
	}
}

// TestRowsPermuted wants the same groups in any order of rows. Whichever way
// border rows tie is a matter of row numbers; data without ties have one answer
// under BorderNearest, up to the cluster numbers.
func TestRowsPermuted(t *testing.T) {
	const rows, dim = 300, 2
	data := jointest.Uniform(rows, dim, 31)
	opt := dbscan.Options{Eps: 0.06, MinSamples: 5, Border: dbscan.BorderNearest}
	for engine, e := range engines() {
		pts := jointest.Points(t, dim, data...)
		want := cluster(t, e, pts, opt)
		for seed := range uint64(5) {
			perm := make([]int32, rows)
			for to, from := range rand.New(rand.NewPCG(seed, 0)).Perm(rows) {
				perm[to] = int32(from)
			}
			moved := pts.Subset(perm)
			got := cluster(t, e, moved, opt)
			back, core := make([]int32, rows), make([]bool, rows)
			for to, from := range perm {
				back[from], core[from] = got.Labels[to], got.Core[to]
			}
			renumber(back, core)
			if !slices.Equal(back, want.Labels) || !slices.Equal(core, want.Core) {
				t.Errorf("%s, seed %d: labels %v, want %v", engine, seed, back, want.Labels)
			}
			checkAll(t, moved, opt, got)
		}
	}
}

// renumber numbers the clusters anew, by their smallest core row.
func renumber(labels []int32, core []bool) {
	number := map[int32]int32{-1: -1}
	for i, label := range labels {
		if _, seen := number[label]; core[i] && !seen {
			number[label] = int32(len(number) - 1)
		}
	}
	for i, label := range labels {
		labels[i] = number[label]
	}
}

// TestRowsDoubled doubles every row and MinSamples: the same
// clusters, each twice as large.
func TestRowsDoubled(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Uniform(250, 2, 41)...)
	twice := make([]int32, 0, 500)
	for i := range int32(250) {
		twice = append(twice, i, i)
	}
	doubled := pts.Subset(twice)
	for engine, e := range engines() {
		want := cluster(t, e, pts, dbscan.Options{Eps: 0.07, MinSamples: 4})
		got := cluster(t, e, doubled, dbscan.Options{Eps: 0.07, MinSamples: 8})
		byWeight := cluster(t, e, pts, dbscan.Options{Eps: 0.07, MinSamples: 8, Weights: slices.Repeat([]float64{2}, 250)})
		for i := range pts.Rows() {
			if got.Labels[2*i] != want.Labels[i] || got.Labels[2*i+1] != want.Labels[i] || byWeight.Labels[i] != want.Labels[i] {
				t.Errorf("%s, row %d: labels %d and %d doubled, %d by weight; want %d", engine, i,
					got.Labels[2*i], got.Labels[2*i+1], byWeight.Labels[i], want.Labels[i])
			}
		}
	}
}

// FuzzCluster compares engines with the textbook on tables made of bytes, with
// eps the distance of two rows, so that pairs lie exactly at it.
func FuzzCluster(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 9, 9, 9}, uint8(2), uint8(0), uint8(1), false)
	f.Add([]byte{0, 0, 1, 0, 1, 2, 1, 1, 7, 7, 8, 7}, uint8(3), uint8(1), uint8(2), true)
	f.Fuzz(func(t *testing.T, raw []byte, minSamples, a, b uint8, nearest bool) {
		const dim = 2
		n := min(len(raw)/dim, 60)
		if n == 0 {
			return
		}
		data := make([]float64, n*dim)
		for i := range data {
			data[i] = float64(raw[i]%32) / 10
		}
		pts := jointest.Points(t, dim, data...)
		eps := math.Sqrt(join.SquaredDistance(pts.Row(int(a)%n), pts.Row(int(b)%n)))
		opt := dbscan.Options{Eps: eps, MinSamples: 1 + int(minSamples%8)}
		if nearest {
			opt.Border = dbscan.BorderNearest
		}
		labels, core := textbook(pts, opt)
		for engine, e := range engines() {
			res := cluster(t, e, pts, opt)
			if !slices.Equal(res.Labels, labels) || !slices.Equal(res.Core, core) {
				t.Errorf("%s: %+v: labels %v, want %v", engine, opt, res.Labels, labels)
			}
		}
	})
}
