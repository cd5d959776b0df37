package cpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// worms returns rows along random walks that pass each other closely, with a
// tenth of the rows strewn about: clusters that are long, thin and not
// separated by any plane.
func worms(rows, dim int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(dim)))
	data := make([]float64, 0, rows*dim)
	at := make([]float64, dim)
	for i := range rows {
		for k := range at {
			at[k] += 0.05 * rng.NormFloat64()
			if i%1000 == 0 {
				at[k] = 10 * rng.Float64()
			}
			x := at[k]
			if i%10 == 9 {
				x = 20*rng.Float64() - 5
			}
			data = append(data, x)
		}
	}
	return data
}

// bands returns rows of a broad band between two lines that it does not touch:
// along the seam of two nodes, parts of the band and of a line share nodes, and
// the band is one piece before all of the line is looked at.
func bands(rows, dim int) []float64 {
	rng := rand.New(rand.NewPCG(5, 5))
	data := make([]float64, rows*dim)
	for i := range rows {
		x, y := 4*rng.Float64(), rng.Float64()
		switch i % 8 {
		case 0:
			y = 1.2
		case 1:
			y = -0.2
		}
		data[i*dim], data[i*dim+1] = x, y
	}
	return data
}

// TestLarge compares sets that are large enough for every road of the engine,
// rounds of links and the sample of counts among them, with brute force.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		name      string
		make      func(rows, dim int) []float64
		rows, dim int
		eps       float64
	}{
		{"worms", worms, 9000, 2, 0.12},
		{"worms", worms, 9000, 2, 0.4},
		{"worms", worms, 6000, 5, 0.3},
		{"bands", bands, 9000, 2, 0.06},
		{"bands", bands, 6000, 4, 0.07},
	} {
		t.Run(fmt.Sprintf("%s/rows=%d/dim=%d/eps=%v", c.name, c.rows, c.dim, c.eps), func(t *testing.T) {
			pts, err := join.NewPoints(c.make(c.rows, c.dim), c.dim)
			if err != nil {
				t.Fatal(err)
			}
			idx, err := cpu.New(cpu.Options{Threads: 3}).Index(t.Context(), pts)
			if err != nil {
				t.Fatal(err)
			}
			near := make([][]int32, c.rows) // by brute force
			for i := range near {
				join.Scan(pts, pts.Row(i), join.Squared(c.eps), func(j int, _ float64) { near[i] = append(near[i], int32(j)) })
			}
			for _, limit := range []int32{0, 2, 8, 40, 300} {
				checkLimited(t, idx, c.eps, limit, near)
			}
			for _, least := range []int{1, 5, 20} {
				checkClusters(t, idx, c.eps, least, near)
			}
		})
	}
}

func checkLimited(t *testing.T, idx join.Index, eps float64, limit int32, near [][]int32) {
	t.Helper()
	counts := make([]int32, len(near))
	if err := idx.Counts(t.Context(), nil, eps, limit, counts); err != nil {
		t.Fatal(err)
	}
	for i, got := range counts {
		want := int32(len(near[i]))
		if limit > 0 {
			want = min(want, limit)
		}
		if got != want {
			t.Fatalf("limit %d: row %d has %d neighbours, want %d", limit, i, got, want)
		}
	}
}

// checkClusters compares Components of the rows with enough neighbours, and
// Attach of the others.
func checkClusters(t *testing.T, idx join.Index, eps float64, least int, near [][]int32) {
	t.Helper()
	member, label := make([]bool, len(near)), make([]int32, len(near))
	for i := range near {
		member[i], label[i] = len(near[i]) >= least, -1
	}
	var flood func(i, name int32)
	flood = func(i, name int32) {
		label[i] = name
		for _, j := range near[i] {
			if member[j] && label[j] < 0 {
				flood(j, name)
			}
		}
	}
	for i := range label {
		if member[i] && label[i] < 0 {
			flood(int32(i), int32(i))
		}
	}
	got := make([]int32, len(near))
	if err := idx.(join.Componenter).Components(t.Context(), eps, member, got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, label) {
		t.Fatalf("least %d: components differ from brute force", least)
	}
	if err := idx.(join.Attacher).Attach(t.Context(), nil, eps, member, label, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		want := label[i]
		for _, j := range near[i] {
			if !member[i] && member[j] && (want < 0 || label[j] < want) {
				want = label[j]
			}
		}
		if got[i] != want {
			t.Fatalf("least %d: row %d is attached to %d, want %d", least, i, got[i], want)
		}
	}
}

// TestRefusals asks for what the contract calls an error.
func TestRefusals(t *testing.T) {
	pts, err := join.NewPoints(make([]float64, 6), 2)
	if err != nil {
		t.Fatal(err)
	}
	other, err := join.NewPoints(make([]float64, 6), 3)
	if err != nil {
		t.Fatal(err)
	}
	idx, err := cpu.New(cpu.Options{}).Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, three, two := t.Context(), make([]int32, 3), make([]int32, 2)
	pairs := func([]join.Pair) error { return nil }
	near := func(int, []join.Neighbor) error { return nil }
	members := idx.(join.Componenter)
	labels, lists, squares := idx.(join.Attacher), idx.(join.Lister), make([]float64, 3)
	for name, call := range map[string]func() error{
		"counts of other coordinates": func() error { return idx.Counts(ctx, other, 1, 0, two) },
		"counts at a negative eps":    func() error { return idx.Counts(ctx, nil, -1, 0, three) },
		"counts without room":         func() error { return idx.Counts(ctx, nil, 1, 0, two) },
		"pairs of other coordinates":  func() error { return idx.Pairs(ctx, other, 1, pairs) },
		"pairs at a negative eps":     func() error { return idx.Pairs(ctx, nil, -1, pairs) },
		"knn of other coordinates":    func() error { return idx.KNN(ctx, other, 1, near) },
		"knn without neighbours":      func() error { return idx.KNN(ctx, nil, 0, near) },
		"lists of other coordinates":  func() error { return lists.Lists(ctx, other, 1, two, squares[:2]) },
		"lists without neighbours":    func() error { return lists.Lists(ctx, nil, 0, three, squares) },
		"lists without room":          func() error { return lists.Lists(ctx, nil, 1, two, squares) },
		"lists, few distances":        func() error { return lists.Lists(ctx, nil, 1, three, squares[:2]) },
		"components, negative eps":    func() error { return members.Components(ctx, -1, make([]bool, 3), three) },
		"components without room":     func() error { return members.Components(ctx, 1, make([]bool, 3), two) },
		"components, few members":     func() error { return members.Components(ctx, 1, make([]bool, 2), three) },
		"attach, negative eps":        func() error { return labels.Attach(ctx, nil, -1, make([]bool, 3), three, three) },
		"attach without room":         func() error { return labels.Attach(ctx, nil, 1, make([]bool, 3), three, two) },
		"attach, few labels":          func() error { return labels.Attach(ctx, nil, 1, make([]bool, 3), two, three) },
		"attach to other coordinates": func() error { return labels.Attach(ctx, other, 1, make([]bool, 3), three, two) },
		"attach, room for few others": func() error { return labels.Attach(ctx, pts, 1, make([]bool, 3), three, two) },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWorkerPanics sees that a panic in a goroutine reaches the caller.
func TestWorkerPanics(t *testing.T) {
	defer func() {
		if recover() != "broken" {
			t.Error("the panic did not reach the caller")
		}
	}()
	_ = cpu.ForEach(context.Background(), 2, 10, func(int) func(int) error {
		return func(task int) error {
			if task == 3 {
				panic("broken")
			}
			return nil
		}
	})
}
