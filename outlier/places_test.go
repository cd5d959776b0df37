package outlier_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// open is an engine that counts the indexes which are open.
type open struct {
	join.Engine
	indexes *int
}

func (e open) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	*e.indexes++
	idx, err := e.Engine.Index(ctx, pts)
	return opened{idx, e.indexes}, err
}

type opened struct {
	join.Index
	indexes *int
}

func (x opened) Close() error {
	*x.indexes--
	return x.Index.Close()
}

// TestClose wants all indexes closed that were made for scores.
func TestClose(t *testing.T) {
	indexes, pts := 0, jointest.Points(t, 2, jointest.Lattice(200, 2, 20, 1)...)
	idx := jointest.Index(t, jointest.Brute(), pts)
	opts := []outlier.Options{
		{Method: outlier.ODIN, K: 3, Ties: outlier.TiesAll, Engine: open{jointest.Brute(), &indexes}},
		{Method: outlier.ODIN, K: 3, Engine: open{jointest.Brute(), &indexes}},
		{Method: outlier.LOF, K: 3, Ties: outlier.TiesAll, Engine: open{jointest.Brute(), &indexes}},
	}
	m, err := outlier.Fit(t.Context(), idx, opts)
	if err != nil {
		t.Fatal(err)
	}
	if indexes < 3 {
		t.Errorf("%d indexes are open, want one of places, and one for each odin at least", indexes)
	}
	if err := m.Close(); err != nil || indexes != 0 {
		t.Errorf("%d indexes are open at the end, error %v", indexes, err)
	}
	if _, err := outlier.ScoreEach(t.Context(), idx, opts); err != nil || indexes != 0 {
		t.Errorf("%d indexes are open after ScoreEach, error %v", indexes, err)
	}
}

// TestTiesOfNewRows has new rows just as far from the reference's first row as its
// nearest is, where roots of squared distances round: odin has to count both rows.
func TestTiesOfNewRows(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		a, b := r.Float64(), r.Float64()
		for ties, want := range map[outlier.Ties]float64{outlier.TiesK: -1, outlier.TiesAll: -2} {
			opt := outlier.Options{Method: outlier.ODIN, K: 1, Ties: ties, Engine: jointest.Brute()}
			idx := jointest.Index(t, jointest.Brute(), jointest.Points(t, 2, 0, 0, a, b))
			m, err := outlier.Fit(t.Context(), idx, []outlier.Options{opt})
			if err != nil {
				t.Fatal(err)
			}
			res, err := m.Score(t.Context(), jointest.Points(t, 2, a, b))
			if err != nil {
				t.Fatal(err)
			}
			if got := res[0].Scores[0]; got != want {
				t.Errorf("seed %d, ties %s: a row at (%v, %v) has score %v, want %v", seed, ties, a, b, got, want)
			}
		}
	}
}
