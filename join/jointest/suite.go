package jointest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
)

// TestEngine checks that e keeps the contract of package join: that its answers
// equal those of a brute force on named cases, on all small sets of lattice
// points, and on larger sets by the laws that tie the answers together, and
// that it stops, reports and shares as it must. With -short it leaves out the
// repetitive part. Each fault names its case, its seed and the first
// difference.
func TestEngine(t *testing.T, e join.Engine) {
	t.Helper()
	run(t, e, steps(testing.Short()))
}

// TestShort is [TestEngine] as -short has it: for the other settings of an engine that
// passes the whole with some.
func TestShort(t *testing.T, e join.Engine) {
	t.Helper()
	run(t, e, steps(true))
}

// TestCalls is the part of [TestEngine] that is not about answers: errors, contexts and
// progress, and calls by several goroutines at once. It is for a quick look at an
// engine that passes the whole elsewhere.
func TestCalls(t *testing.T, e join.Engine) {
	t.Helper()
	run(t, e, callSteps())
}

func run(t *testing.T, e join.Engine, steps []step) {
	t.Helper()
	// The group returns when its parallel subtests have ended: e is not used
	// after run.
	t.Run("conformance", func(t *testing.T) {
		for _, s := range steps {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				if err := s.check(t.Context(), e); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// step is one check of an engine. It returns the first fault.
type step struct {
	name  string
	check func(ctx context.Context, e join.Engine) error
}

// steps returns the whole suite, quick steps first.
func steps(short bool) []step {
	all := []step{{"name", checkName}}
	all = append(all, exhaustiveSteps(short)...)
	all = append(all, callSteps()...)
	for _, c := range cases(short) {
		all = append(all, step{"case " + c.name, func(ctx context.Context, e join.Engine) error {
			return checkCase(ctx, e, c)
		}})
	}
	all = append(all, lawSteps(short)...)
	return append(all, metricSteps(short)...)
}

func checkName(_ context.Context, e join.Engine) error {
	if e.Name() == "" {
		return errors.New("the engine has no name")
	}
	return nil
}

// withIndex builds an index over pts and closes it after use. It also checks
// that the points are still what they were.
func withIndex(ctx context.Context, e join.Engine, pts *join.Points, use func(join.Index) error) error {
	before := slices.Clone(pts.Data())
	idx, err := e.Index(ctx, pts)
	if err != nil {
		return fmt.Errorf("Index over %d rows in %d dimensions: %w", pts.Rows(), pts.Dim(), err)
	}
	err = use(idx)
	if err == nil && idx.Points() != pts && !slices.Equal(idx.Points().Data(), before) {
		err = errors.New("Points does not return the indexed points")
	}
	if closed := idx.Close(); err == nil && closed != nil {
		err = fmt.Errorf("Close: %w", closed)
	}
	if err == nil && !slices.Equal(pts.Data(), before) {
		err = errors.New("the indexed points were changed")
	}
	return err
}

// checkCase compares all answers about one case with the truth.
func checkCase(ctx context.Context, e join.Engine, c testCase) error {
	q := c.q
	if q == nil {
		q = others(c.pts)
	}
	self, other := newTruth(c.name, c.pts, nil), newTruth(c.name, c.pts, q)
	return withIndex(ctx, e, c.pts, func(idx join.Index) error {
		if err := checkBounds(ctx, idx, self, c.eps); err != nil {
			return err
		}
		if err := checkBounds(ctx, idx, other, c.eps); err != nil {
			return err
		}
		for _, k := range nearest(c.pts.Rows()) {
			if err := cmp.Or(self.checkNearest(ctx, idx, k), other.checkNearest(ctx, idx, k)); err != nil {
				return err
			}
		}
		return nil
	})
}

// nearest returns the k that are tried with n rows: few, one less than there
// are, and more.
func nearest(n int) []int {
	if n > 300 {
		return []int{1, 20}
	}
	return []int{1, 3, max(1, n-1), n + 3}
}

// checkBounds checks counts, pairs and components at the given bounds, at
// attained distances and about them, and at the ends of float64.
func checkBounds(ctx context.Context, idx join.Index, tr *truth, eps []float64) error {
	quantiles := []float64{0, 0.02, 0.4, 1}
	if tr.rows*tr.cols > 100_000 {
		quantiles = []float64{0.002, 0.05}
	}
	eps = append(tr.attained(quantiles...), eps...)
	// 1e-160 has a subnormal square, 1e-170 none, and MaxFloat64 an infinite one.
	eps = append(eps, 0, 1e-160, 1e-170, math.MaxFloat64)
	r := rand.New(rand.NewPCG(seed, uint64(tr.rows)))
	for i, bound := range eps {
		limit := []int32{1, 2, 3, 7, math.MaxInt32}[i%5]
		err := cmp.Or(
			tr.checkCounts(ctx, idx, bound, 0),
			tr.checkCounts(ctx, idx, bound, limit),
			tr.checkPairs(ctx, idx, bound))
		if err == nil {
			err = tr.checkRoads(ctx, idx, bound, tr.members(r, i, bound))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// members returns the i-th choice of members: all rows, those whose query row has
// company, about half of the rows, none.
func (tr *truth) members(r *rand.Rand, i int, eps float64) []bool {
	member := make([]bool, tr.cols)
	for row := range member {
		switch i % 4 {
		case 0:
			member[row] = true
		case 1:
			member[row] = row < tr.rows && tr.count(row, tr.bound(eps)) >= 4
		case 2:
			member[row] = r.IntN(2) == 0
		}
	}
	return member
}
