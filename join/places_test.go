package join_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rtcluster/join/jointest"
)

func TestPlaces(t *testing.T) {
	zero := math.Copysign(0, -1)
	tests := []struct {
		name         string
		dim          int
		data         []float64
		place, first []int32
	}{
		{"no rows", 2, nil, []int32{}, nil},
		{"one row", 2, []float64{1, 2}, []int32{0}, []int32{0}},
		{"in the order of first rows", 1, []float64{5, 3, 5, 4, 3, 5}, []int32{0, 1, 0, 2, 1, 0}, []int32{0, 1, 3}},
		{"signs of zero", 2, []float64{0, 1, zero, 1, zero, -1, 1, 0, 0, -1}, []int32{0, 0, 1, 2, 1}, []int32{0, 2, 3}},
		{"order of coordinates", 2, []float64{1, 2, 2, 1}, []int32{0, 1}, []int32{0, 1}},
	}
	for _, tc := range tests {
		place, first, err := jointest.Points(t, tc.dim, tc.data...).Places(t.Context())
		if err != nil || !slices.Equal(place, tc.place) || !slices.Equal(first, tc.first) {
			t.Errorf("%s: got %v and %v, error %v, want %v and %v", tc.name, place, first, err, tc.place, tc.first)
		}
	}
}

// TestManyPlaces has so many distinct rows that places of the table are shared, and stops
// when it is told to.
func TestManyPlaces(t *testing.T) {
	data := jointest.Uniform(5000, 2, 1)
	pts := jointest.Points(t, 2, append(data, data...)...)
	place, first, err := pts.Places(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range place {
		if int(p) != i%5000 || int(first[p]) != i%5000 {
			t.Fatalf("row %d is at place %d, whose first row is %d", i, p, first[p])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := pts.Places(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
