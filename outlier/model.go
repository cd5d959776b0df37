package outlier

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// Model is a reference set that new rows are scored against: novelty detection.
// It keeps the index, which must not be closed before, and for each score some
// numbers a row, never lists of neighbours.
type Model struct {
	idx     join.Index
	opts    []Options
	methods []method
	results []*Result
}

// Fit makes the points of idx a reference set. It scores them, too, and errors are
// as those of [ScoreEach].
func Fit(ctx context.Context, idx join.Index, opts []Options) (*Model, error) {
	m, err := newModel(idx, opts)
	if err != nil {
		return nil, err
	}
	m.results, err = m.each(ctx, nil, func(i int, t *task) (*Result, error) { return m.methods[i].fit(ctx, t) })
	if err != nil {
		return nil, err
	}
	return m, nil
}

func newModel(idx join.Index, opts []Options) (*Model, error) {
	m := &Model{idx: idx, opts: slices.Clone(opts)}
	for i := range m.opts {
		opt := &m.opts[i]
		if err := opt.check(idx.Points().Rows()); err != nil {
			return nil, fmt.Errorf("outlier: %w", err)
		}
		opt.settle(idx.Points())
		m.methods = append(m.methods, newMethod(opt))
	}
	return m, nil
}

// Results returns the scores of the reference's own rows, one result for each of the
// options of [Fit], each row left out of its own neighbours. They must not be changed.
func (m *Model) Results() []*Result { return m.results }

// Score scores new rows against the reference, by each of the options of [Fit]: as if
// each were the only row beside those, which keep the neighbours that they have. A
// row of the reference among the new rows is its own nearest neighbour.
//
// New rows may come in pieces: a row's scores depend on no other new row. Memory is
// bounded by the piece, with 12 bytes a neighbour of its rows unless all methods are
// [KNN] and [Count]. Several goroutines may call Score at once.
//
// It returns an error if q has another Dim or Metric than the reference, if the
// reference has no K rows ([ErrTooFewRows]), ctx's error once that is done, and
// errors of the index as they are, wrapped.
func (m *Model) Score(ctx context.Context, q *join.Points) ([]*Result, error) {
	if q == nil {
		return nil, fmt.Errorf("outlier: no new rows to score: want points")
	}
	return m.each(ctx, q, func(i int, t *task) (*Result, error) { return m.methods[i].score(ctx, t) })
}

// each returns what run gives for each score of the rows of q, or of the reference if
// that is nil. Methods which can do without lists are never run if all can.
func (m *Model) each(ctx context.Context, q *join.Points, run func(i int, t *task) (*Result, error)) ([]*Result, error) {
	t := &task{idx: m.idx, q: q}
	results := make([]*Result, len(m.opts))
	if t.rows() == 0 {
		for i := range results {
			results[i] = &Result{Scores: []float64{}}
		}
		return results, nil
	}
	if err := m.nearest(ctx, t, results); err != nil {
		return nil, err
	}
	for i, opt := range m.opts {
		if results[i] != nil {
			continue
		}
		var err error
		if results[i], err = run(i, t); err != nil {
			return nil, fmt.Errorf("outlier: method %s: %w", opt.Method, err)
		}
	}
	return results, nil
}

// nearest makes the lists of the methods of nearest rows, or if all can do without
// lists their results.
func (m *Model) nearest(ctx context.Context, t *task, results []*Result) error {
	n := t.idx.Points().Rows()
	var at, k []int
	lists := false
	for i, opt := range m.opts {
		if !opt.Method.Nearest() {
			continue
		}
		if opt.K > n {
			return fmt.Errorf("outlier: k is %d, want at most %d for a reference of %d: %w", opt.K, n, n, ErrTooFewRows)
		}
		at, k = append(at, i), append(k, opt.K)
		_, can := m.methods[i].(collector)
		lists = lists || !can
	}
	if len(k) == 0 {
		return nil
	}
	var err error
	if lists {
		t.near, err = newLists(ctx, t.idx, t.q, slices.Max(k))
	} else {
		collections := make([]collection, len(k))
		for c, i := range at {
			collections[c] = m.methods[i].(collector).collect(t.rows())
		}
		err = stream(ctx, t.idx, t.q, k, collections)
		for c, i := range at {
			results[i] = collections[c].result()
		}
	}
	if err != nil {
		return fmt.Errorf("outlier: nearest rows: %w", err)
	}
	return nil
}
