package join_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

// bruteIndex returns the slow index over pts.
func bruteIndex(t testing.TB, pts *join.Points) join.Index {
	t.Helper()
	idx, err := jointest.Brute().Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	return idx
}

// allPairs returns the right pairs.
func allPairs(t testing.TB, q, pts *join.Points, eps float64) []join.Pair {
	t.Helper()
	var all []join.Pair
	err := bruteIndex(t, pts).Pairs(t.Context(), q, eps, func(pairs []join.Pair) error {
		all = append(all, pairs...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lattice returns n points of a square lattice.
func lattice(t testing.TB, n int, seed uint64) *join.Points {
	t.Helper()
	set, err := synth.Make("lattice", n, 2, seed)
	if err != nil {
		t.Fatal(err)
	}
	return newPoints(t, 2, set.Data...)
}

func TestPairCheckAcceptsTheRightPairs(t *testing.T) {
	pts, q := lattice(t, 150, 1), lattice(t, 70, 2)
	tests := []struct {
		name string
		q    *join.Points
		rows []int
	}{
		{"self-join", nil, []int{0, 3, 63, 64, 149}},
		{"self-join, no rows", nil, nil},
		{"self-join, a row twice", nil, []int{5, 5, 6, 5}},
		{"A ⋈ B", q, []int{0, 1, 69}},
		{"A ⋈ A", pts, []int{0, 149}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := allPairs(t, test.q, pts, 1)
			check := join.NewPairCheck(test.q, pts, 1, test.rows)
			for batch := range slices.Chunk(all, 7) {
				check.See(batch)
			}
			if err := check.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPairCheckFindsPlantedFaults checks all faults with row 5 sampled.
func TestPairCheckFindsPlantedFaults(t *testing.T) {
	pts := lattice(t, 100, 1)
	near := slices.IndexFunc(allPairs(t, nil, pts, 1), func(p join.Pair) bool { return p.I == 5 })
	far := func() int32 { // a row that is beyond eps of row 5
		for j := range int32(100) {
			if !join.Within(pts.Row(5), pts.Row(int(j)), 1) {
				return j
			}
		}
		return -1
	}()
	tests := []struct {
		name  string
		plant func([]join.Pair) []join.Pair
		want  string // empty: not to be found
	}{
		{"a pair missing", func(all []join.Pair) []join.Pair { return slices.Delete(all, near, near+1) }, "were not paired"},
		{"a pair twice", func(all []join.Pair) []join.Pair { return append(all, all[near]) }, "paired twice"},
		{"a pair in both orders", func(all []join.Pair) []join.Pair {
			return append(all, join.Pair{I: all[near].J, J: all[near].I})
		}, "paired twice"},
		{"a pair beyond eps", func(all []join.Pair) []join.Pair {
			return append(all, join.Pair{I: min(5, far), J: max(5, far)})
		}, "are not within eps"},
		{"the row with itself", func(all []join.Pair) []join.Pair { return append(all, join.Pair{I: 5, J: 5}) }, "rows 5 and 5"},
		{"no such row", func(all []join.Pair) []join.Pair { return append(all, join.Pair{I: 5, J: 100}) }, "with row 100 of 100"},
		{"a negative row", func(all []join.Pair) []join.Pair { return append(all, join.Pair{I: 5, J: -1}) }, "with row -1"},
		{"nothing at all", func([]join.Pair) []join.Pair { return nil }, "were not paired"},
		{"a fault of another row", func(all []join.Pair) []join.Pair {
			other := slices.IndexFunc(all, func(p join.Pair) bool { return p.I != 5 && p.J != 5 })
			return slices.Delete(all, other, other+1)
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check := join.NewPairCheck(nil, pts, 1, []int{5})
			check.See(test.plant(allPairs(t, nil, pts, 1)))
			err := check.Err()
			if test.want == "" && err != nil {
				t.Error(err)
			}
			if test.want != "" && (!errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want ErrVerify with %q", err, test.want)
			}
		})
	}
}

// TestPairCheckOfTwoTables checks that the order of A and B matters.
func TestPairCheckOfTwoTables(t *testing.T) {
	pts, q := newPoints(t, 1, 0, 1, 5), newPoints(t, 1, 4, 0)
	right := []join.Pair{{I: 0, J: 2}, {I: 1, J: 0}, {I: 1, J: 1}}
	turned := []join.Pair{{I: 2, J: 0}, {I: 0, J: 1}, {I: 1, J: 1}}
	for name, pairs := range map[string][]join.Pair{"right": right, "turned round": turned} {
		check := join.NewPairCheck(q, pts, 1, []int{0, 1})
		check.See(pairs)
		if err := check.Err(); errors.Is(err, join.ErrVerify) != (name != "right") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
