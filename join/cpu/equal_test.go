package cpu_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// repeated returns rows of whole coordinates, 0 and −0 among them, of which many are
// equal: that which pick names for each row, of so many, the first in a corner.
func repeated(t *testing.T, rows, dim, distinct int, corner float64, pick func(r *rand.Rand) int) *join.Points {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 3))
	from := make([]float64, distinct*dim)
	for i := range from {
		from[i] = float64(r.IntN(13) - 6)
	}
	for k := range dim {
		from[k] = corner // where splits do not part equal rows
	}
	var data []float64
	for range rows {
		at := pick(r) * dim
		for _, x := range from[at : at+dim] {
			if x == 0 && r.IntN(2) == 0 {
				x = math.Copysign(0, -1)
			}
			data = append(data, x)
		}
	}
	return jointest.Points(t, dim, data...)
}

// TestEqualRows compares all methods with a brute force, where leaves and inner nodes
// hold equal rows, alone or among others.
func TestEqualRows(t *testing.T) {
	shapes := []struct {
		name           string
		rows, distinct int
		corner         float64 // all coordinates of the first
		pick           func(r *rand.Rand) int
	}{
		{"one row", 300, 1, 0, func(*rand.Rand) int { return 0 }},
		{"fewer rows than neighbours", 20, 1, 0, func(*rand.Rand) int { return 0 }},
		{"few rows", 700, 5, 1, func(r *rand.Rand) int { return r.IntN(5) }},
		// These have inner nodes of equal rows below the first fan.
		{"most are one row", 2300, 400, -7, func(r *rand.Rand) int { return max(0, r.IntN(1000)-600) }},
		{"less than a third are one row", 2300, 400, 7, func(r *rand.Rand) int { return max(0, r.IntN(1000)-300) % 400 }},
		{"ever rarer", 700, 300, 0, func(r *rand.Rand) int { return int(300 * math.Pow(r.Float64(), 6)) }},
	}
	dims := []int{2, 5}
	if testing.Short() {
		dims = dims[:1]
	}
	for _, dim := range dims {
		for _, shape := range shapes {
			t.Run(fmt.Sprintf("%s in %d dimensions", shape.name, dim), func(t *testing.T) {
				pts := repeated(t, shape.rows, dim, shape.distinct, shape.corner, shape.pick)
				brute := jointest.Index(t, jointest.Brute(), pts)
				engines := []join.Index{
					jointest.Index(t, cpu.New(cpu.Options{Threads: 1}), pts),
					jointest.Index(t, cpu.New(cpu.Options{Threads: 3}), pts),
				}
				for _, eps := range []float64{0, 1, 2.5} {
					want := pairs(t, brute, eps)
					for _, idx := range engines {
						if got := pairs(t, idx, eps); !slices.Equal(got, want) {
							t.Errorf("eps %v: %d pairs, want %d, or others", eps, len(got), len(want))
						}
						compareCounts(t, idx, want, eps)
						compareWeights(t, idx, want, eps)
						compareAttached(t, idx, want, eps)
					}
				}
				compareLists(t, brute, engines, nil)
				if shape.rows < 1000 {
					compareLists(t, brute, engines, pts)
				}
			})
		}
	}
}

// pairs returns the pairs of a self-join in order.
func pairs(t *testing.T, idx join.Index, eps float64) []join.Pair {
	t.Helper()
	var all []join.Pair
	err := idx.Pairs(t.Context(), nil, eps, func(batch []join.Pair) error {
		all = append(all, batch...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b join.Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return all
}

func compareCounts(t *testing.T, idx join.Index, all []join.Pair, eps float64) {
	t.Helper()
	n := idx.Points().Rows()
	full := slices.Repeat([]int32{1}, n)
	for _, p := range all {
		full[p.I]++
		full[p.J]++
	}
	for _, limit := range []int32{0, 3, 40, 2000} {
		got := make([]int32, n)
		if err := idx.Counts(t.Context(), nil, eps, limit, got); err != nil {
			t.Fatal(err)
		}
		for i, want := range full {
			if limit > 0 {
				want = min(want, limit)
			}
			if got[i] != want {
				t.Fatalf("eps %v, limit %d: row %d: got %d, want %d", eps, limit, i, got[i], want)
			}
		}
	}
}

func compareWeights(t *testing.T, idx join.Index, all []join.Pair, eps float64) {
	t.Helper()
	n := idx.Points().Rows()
	for _, least := range []float64{0, -2} {
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = least + float64(i*7%5)
		}
		w, err := join.NewWeights(weights, 60)
		if err != nil {
			t.Fatal(err)
		}
		sums := slices.Clone(weights) // small whole numbers: exact
		for _, p := range all {
			sums[p.I] += weights[p.J]
			sums[p.J] += weights[p.I]
		}
		got := make([]bool, n)
		if err := idx.(join.Weigher).Weigh(t.Context(), eps, w, got); err != nil {
			t.Fatal(err)
		}
		for i, sum := range sums {
			if got[i] != (sum >= 60) {
				t.Fatalf("eps %v: row %d with neighbours of weight %v reaches 60: %v", eps, i, sum, got[i])
			}
		}
	}
}

// TestEqualRowsAtTies has rows that differ by less than float32 can tell, so that the
// same rows are open to all of them, and are near to some.
func TestEqualRowsAtTies(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	data := make([]float64, 0, 600)
	for range cap(data) {
		data = append(data, float64(r.IntN(4))+float64(r.IntN(3)-1)*1e-12)
	}
	pts := jointest.Points(t, 1, data...)
	brute, idx := jointest.Index(t, jointest.Brute(), pts), jointest.Index(t, cpu.New(cpu.Options{Threads: 1}), pts)
	for _, eps := range []float64{0, 1e-12, 1, 2} {
		want := pairs(t, brute, eps)
		if got := pairs(t, idx, eps); !slices.Equal(got, want) {
			t.Errorf("eps %v: %d pairs, want %d, or others", eps, len(got), len(want))
		}
		compareCounts(t, idx, want, eps)
		compareWeights(t, idx, want, eps)
	}
}

// TestEqualRowsCostNothing checks that the same work is not done again for each leaf of
// equal rows.
func TestEqualRowsCostNothing(t *testing.T) {
	const n, most = 100 * cpu.LeafRows, 8 * cpu.LeafRows
	pts := jointest.Points(t, 3, make([]float64, 3*n)...)
	idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 1}), pts)
	for name, call := range map[string]func(ctx context.Context) error{
		"counts": func(ctx context.Context) error { return idx.Counts(ctx, nil, 1, 0, make([]int32, n)) },
		"knn": func(ctx context.Context) error {
			return idx.KNN(ctx, nil, 3, func(int, []join.Neighbor) error { return nil })
		},
	} {
		looked := int64(0)
		ctx := join.WithEffort(t.Context(), func(_ join.Stage, e join.Effort) { looked += e.Candidates + e.Rechecked })
		if err := call(ctx); err != nil {
			t.Fatal(err)
		}
		if looked > most {
			t.Errorf("%s looked at %d pairs, want %d at most", name, looked, most)
		}
	}
}

// compareLists compares lists of the nearest rows of q, of which short ones are the
// beginnings of long ones.
func compareLists(t *testing.T, brute join.Index, engines []join.Index, q *join.Points) {
	t.Helper()
	const most = 70
	n := brute.Points().Rows()
	want, far := make([]int32, n*most), make([]float64, n*most)
	if err := join.Lists(t.Context(), brute, q, most, want, far); err != nil {
		t.Fatal(err)
	}
	for _, idx := range engines {
		for _, k := range []int{1, 5, most} {
			rows, d2 := make([]int32, n*k), make([]float64, n*k)
			if err := join.Lists(t.Context(), idx, q, k, rows, d2); err != nil {
				t.Fatal(err)
			}
			for at := range rows {
				i, r := at/k, at%k
				if rows[at] != want[i*most+r] || d2[at] != far[i*most+r] {
					t.Fatalf("k %d, self-join %t: row %d, neighbour %d: got row %d at %v, want row %d at %v",
						k, q == nil, i, r, rows[at], d2[at], want[i*most+r], far[i*most+r])
				}
			}
		}
	}
}

// compareAttached compares labels after a count that is remembered, and after weights
// that are.
func compareAttached(t *testing.T, idx join.Index, all []join.Pair, eps float64) {
	t.Helper()
	n := idx.Points().Rows()
	member, label := make([]bool, n), make([]int32, n)
	for i := range member {
		member[i], label[i] = i*7%5 == 0, int32(i*31%n)
	}
	want := slices.Repeat([]int32{-1}, n)
	lower := func(i, j int32) {
		if member[j] && (want[i] < 0 || label[j] < want[i]) {
			want[i] = label[j]
		}
	}
	for _, p := range all {
		lower(p.I, p.J)
		lower(p.J, p.I)
	}
	for i := range want {
		if member[i] {
			want[i] = label[i]
		}
	}
	w, err := join.NewWeights(slices.Repeat([]float64{1}, n), 40)
	if err != nil {
		t.Fatal(err)
	}
	remember := map[string]func(ctx context.Context) error{
		"counts":  func(ctx context.Context) error { return idx.Counts(ctx, nil, eps, 40, make([]int32, n)) },
		"weights": func(ctx context.Context) error { return idx.(join.Weigher).Weigh(ctx, eps, w, make([]bool, n)) },
	}
	for after, sweep := range remember {
		if err := sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := make([]int32, n)
		if err := idx.(join.Attacher).Attach(t.Context(), nil, eps, member, label, got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("eps %v, after %s: labels %v, want %v", eps, after, got, want)
		}
	}
}
