package join_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
)

func TestCheckLists(t *testing.T) {
	const fits = ""
	tests := []struct {
		name           string
		n, k, rows, d2 int
		want           string // part of the error
	}{
		{"as many as wanted", 3, 2, 6, 6, fits},
		{"one each", 3, 1, 3, 3, fits},
		{"no rows", 0, 2, 0, 0, fits},
		{"no rows, any k", 0, math.MaxInt, 0, 0, fits},
		{"k 0", 3, 0, 0, 0, "k is 0, want at least 1"},
		{"k negative", 3, -2, 6, 6, "k is -2, want at least 1"},
		{"rows short", 3, 2, 5, 6, "room for 5 neighbours and 6 distances, want 2 for each of 3 rows"},
		{"rows long", 3, 2, 7, 6, "room for 7"},
		{"both long", 3, 2, 7, 7, "room for 7 neighbours and 7 distances"},
		{"a list too many", 3, 2, 8, 8, "room for 8"},
		{"distances short", 3, 2, 6, 5, "6 neighbours and 5 distances"},
		{"distances long", 3, 2, 6, 7, "6 neighbours and 7 distances"},
		{"room for no rows", 0, 2, 2, 2, "want 2 for each of 0 rows"},
		{"a product that overflows to 0", 4, math.MaxInt/2 + 1, 0, 0, "room for 0"},
		{"a product that overflows to 2", 2, math.MaxInt/2 + 2, 2, 2, "room for 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := join.CheckLists(tt.n, tt.k, make([]int32, tt.rows), make([]float64, tt.d2))
			if tt.want == fits && err != nil || tt.want != fits && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestSetList(t *testing.T) {
	inf := math.Inf(1)
	near := []join.Neighbor{{Row: 5, D2: 0.5}, {Row: 2, D2: inf}, {Row: 7, D2: inf}}
	for n, want := range []struct {
		rows []int32
		d2   []float64
	}{
		{[]int32{-1, -1, -1}, []float64{inf, inf, inf}},
		{[]int32{5, -1, -1}, []float64{0.5, inf, inf}},
		{[]int32{5, 2, -1}, []float64{0.5, inf, inf}},
		{[]int32{5, 2, 7}, []float64{0.5, inf, inf}},
	} {
		rows, d2 := []int32{9, 9, 9}, []float64{9, 9, 9}
		join.SetList(rows, d2, near[:n])
		if !slices.Equal(rows, want.rows) || !slices.Equal(d2, want.d2) {
			t.Errorf("%d of 3: got %v and %v, want %v and %v", n, rows, d2, want.rows, want.d2)
		}
	}
}

// lister is an index that has lists at hand.
type lister struct {
	join.Index
	err error
}

func (l lister) Lists(_ context.Context, _ *join.Points, k int, rows []int32, d2 []float64) error {
	for i := range rows {
		rows[i], d2[i] = int32(k), 0.25
	}
	return l.err
}

func TestListsTakesTheFasterRoad(t *testing.T) {
	failed := errors.New("failed")
	idx := lister{bruteIndex(t, newPoints(t, 1, 1, 2, 4)), failed}
	rows, d2 := make([]int32, 6), make([]float64, 6)
	if err := join.Lists(t.Context(), idx, nil, 2, rows, d2); !errors.Is(err, failed) {
		t.Errorf("got error %v, want that of the index", err)
	}
	if !slices.Equal(rows, []int32{2, 2, 2, 2, 2, 2}) || d2[5] != 0.25 {
		t.Errorf("got %v and %v, want what the index gives", rows, d2)
	}
}

// TestListsOverKNN takes the road that every index has.
func TestListsOverKNN(t *testing.T) {
	inf := math.Inf(1)
	pts, q := newPoints(t, 1, 1, 2, 4), newPoints(t, 1, 3, 8)
	tests := []struct {
		name string
		q    *join.Points
		k    int
		rows []int32
		d2   []float64
	}{
		{"self-join", nil, 2, []int32{1, 2, 0, 2, 1, 0}, []float64{1, 9, 1, 4, 4, 9}},
		{"self-join, k beyond the rows", nil, 3, []int32{1, 2, -1, 0, 2, -1, 1, 0, -1}, []float64{1, 9, inf, 1, 4, inf, 4, 9, inf}},
		{"A ⋈ B", q, 1, []int32{1, 2}, []float64{1, 16}},
		{"A ⋈ B, k beyond the rows", q, 4, []int32{1, 2, 0, -1, 2, 1, 0, -1}, []float64{1, 1, 4, inf, 16, 36, 49, inf}},
		{"no queries", newPoints(t, 1), 4, nil, nil},
	}
	idx := bruteIndex(t, pts)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, d2 := slices.Repeat([]int32{7}, len(tt.rows)), make([]float64, len(tt.rows))
			if err := join.Lists(t.Context(), idx, tt.q, tt.k, rows, d2); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rows, tt.rows) || !slices.Equal(d2, tt.d2) {
				t.Errorf("got %v and %v, want %v and %v", rows, d2, tt.rows, tt.d2)
			}
			if err := join.Lists(t.Context(), idx, tt.q, tt.k, append(rows, 0), d2); err == nil || !strings.HasPrefix(err.Error(), "join: room for") {
				t.Errorf("a place too many: got error %v", err)
			}
		})
	}
}

func TestListsOverKNNStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := join.Lists(ctx, bruteIndex(t, newPoints(t, 1, 1, 2, 4)), nil, 1, make([]int32, 3), make([]float64, 3))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
