//go:build cuda

package cuda_test

import (
	"fmt"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/internal/rounded"
	"rtcluster/join"
)

// TestSearch compares the pairs of leaves that a search leaves open, and what it counts
// by boxes alone, with the verdicts of all pairs of boxes, in the same arithmetic.
func TestSearch(t *testing.T) {
	skipWithoutCard(t)
	trySearches(t, []toSearch{
		{"latent", 30_000, 0, 18, []float64{0.05, 3}, 0},
		{"latent", 30_000, 9_001, 18, []float64{0.05, 3}, 0},
		{"uniform", 40_000, 0, 3, []float64{0.05, 0.5}, 0},
		{"blobs", 40_000, 20_000, 2, []float64{0.01, 0.2, 100}, 0},
		{"blobs", 20_000, 0, 2, []float64{0.01, 0.2, 100}, 100},
		{"latent", 9_000, 0, 40, []float64{0.3}, 0},
		{"uniform", 65, 1, 1, []float64{0.1}, 0},
	}, []cuda.SearchSetting{
		{Group: 1, More: true},
		{Group: 2},
		{Group: 3, More: true},
		{Group: 4, More: true},
		{Group: 2, Plain: true},
		{Group: 4, Plain: true, More: true},
		{Group: 4, Sets: true},
		{Group: 3, Plain: true, Sets: true},
	}, nil)
}

// toSearch is rows that are searched for what is near.
type toSearch struct {
	shape   string
	n, q    int // q 0 is a self-join
	dim     int
	eps     []float64
	batches int
}

// trySearches searches all rows with all settings, by a tracer or, if it is nil, by boxes.
func trySearches(t *testing.T, all []toSearch, settings []cuda.SearchSetting, tracer func(dev *driver.Device) (cuda.Tracer, error)) {
	for _, data := range all {
		pts := must(t, data.shape, data.n, data.dim)
		var q *join.Points
		if data.q > 0 {
			q = must(t, data.shape, data.q, data.dim)
		}
		for _, eps := range data.eps {
			for _, set := range settings {
				set.BatchPairs = data.batches
				t.Run(fmt.Sprintf("%s/n=%d/q=%d/dim=%d/eps=%g/%+v", data.shape, data.n, data.q, data.dim, eps, set), func(t *testing.T) {
					set.Tracer = tracer
					got, err := cuda.SearchOpen(t.Context(), pts, q, eps, set)
					if err != nil {
						t.Fatal(err)
					}
					checkSearched(t, got, q == nil, set)
				})
			}
		}
	}
}

func checkSearched(t *testing.T, got cuda.Searched, self bool, set cuda.SearchSetting) {
	open := map[[2]int]bool{}
	for _, tile := range got.Tiles {
		if open[tile] {
			t.Fatalf("pair of leaves %v comes twice", tile)
		}
		open[tile] = true
	}
	more := make([]uint32, got.Q.Leaves)
	within, left := 0, 0
	for a := range got.Q.Leaves {
		for b := range got.T.Leaves {
			if self && b < a {
				continue
			}
			v := verdict(&got, a, b, set.Plain)
			if set.Sets && passedOver(cuda.SetOf(a), cuda.SetOf(b)) {
				v = outside
			}
			if v == inside && set.More {
				within++
				if more[a] += uint32(got.T.Fill[b]); self && a == b {
					more[a]--
				} else if self {
					more[b] += uint32(got.Q.Fill[a])
				}
			} else if v != outside {
				left++
			}
			if want := v == unclear || v == inside && !set.More; open[[2]int{a, b}] != want {
				t.Fatalf("pair of leaves %d and %d, verdict %d, limits %v and %v: left open %t, want %t", a, b, v, got.Apart, got.Within, !want, want)
			}
		}
	}
	if left != len(open) {
		t.Errorf("%d pairs of leaves are left open, want %d", len(open), left)
	}
	for l := range more {
		if more[l] != got.More[l] {
			t.Fatalf("leaf %d is given %d rows, want %d", l, got.More[l], more[l])
		}
	}
	t.Logf("%d open, %d within, of %d × %d; %d rounds, %d items", left, within, got.Q.Leaves, got.T.Leaves, got.Rounds, got.Items)
}

func passedOver(q, t int32) bool { return q == -2 || t == -2 || q >= 0 && q == t }

const (
	outside = iota
	unclear
	inside
)

func verdict(s *cuda.Searched, a, b int, plain bool) int {
	if plain {
		return plainVerdict(s, a, b)
	}
	var gap float32
	beyond := s.Q.Rest[a] + s.T.Rest[b]
	reach := beyond * beyond
	for k := range s.T.Axes {
		up := s.T.Hi[k*s.T.Leaves+b] - s.Q.Lo[k*s.Q.Leaves+a]
		down := s.Q.Hi[k*s.Q.Leaves+a] - s.T.Lo[k*s.T.Leaves+b]
		by := max(0, -up, -down)
		gap = rounded.FMA32(by, by, gap)
		by = max(up, down)
		reach = rounded.FMA32(by, by, reach)
	}
	switch {
	case float64(gap) > s.Apart:
		return outside
	case s.Within >= 0 && float64(reach) <= s.Within:
		return inside
	}
	return unclear
}

func plainVerdict(s *cuda.Searched, a, b int) int {
	var least, most float64
	for k := range s.T.Dim {
		up := s.T.PlainHi[k*s.T.Leaves+b] - s.Q.PlainLo[k*s.Q.Leaves+a]
		down := s.Q.PlainHi[k*s.Q.Leaves+a] - s.T.PlainLo[k*s.T.Leaves+b]
		by := max(up, down)
		most += float64(by * by)
		by = max(0, -up, -down)
		least += float64(by * by)
	}
	switch {
	case least > s.Eps2:
		return outside
	case most <= s.Eps2:
		return inside
	}
	return unclear
}
