package outlier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"rtcluster/join"
)

// Model is a reference set that new rows are scored against: novelty detection.
// It keeps the index, which must not be closed before the model, and for each score
// some numbers a row, never lists of neighbours.
type Model struct {
	idx     join.Index
	opts    []Options
	methods []method
	results []*Result
	spaces  map[Ties]*space
	keep    bool // methods keep what new rows need
}

// Fit makes the points of idx a reference set. It scores them, too. Errors are those of
// [ScoreEach], and one for [ODIN] without an Engine.
func Fit(ctx context.Context, idx join.Index, opts []Options) (*Model, error) {
	for _, opt := range opts {
		if opt.Method == ODIN && opt.Engine == nil {
			return nil, fmt.Errorf("outlier: method %s of new rows needs an engine: set Options.Engine", ODIN)
		}
	}
	m, err := newModel(idx, opts)
	if err != nil {
		return nil, err
	}
	m.keep = true
	if err := m.fit(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// newModel checks options, and has the methods before their fit.
func newModel(idx join.Index, opts []Options) (*Model, error) {
	m := &Model{idx: idx, opts: slices.Clone(opts), spaces: map[Ties]*space{}}
	for i := range m.opts {
		opt := &m.opts[i]
		if err := opt.check(idx.Points().Rows()); err != nil {
			return nil, fmt.Errorf("outlier: %w", err)
		}
		opt.settle(idx.Points())
		if opt.Method.Nearest() && opt.Ties == TiesAll && opt.Engine == nil {
			return nil, fmt.Errorf("outlier: ties %q need an engine: set Options.Engine", TiesAll)
		}
		m.methods = append(m.methods, newMethod(opt))
	}
	return m, nil
}

// fit scores the reference.
func (m *Model) fit(ctx context.Context) error {
	if m.idx.Points().Rows() > 0 {
		for _, opt := range m.opts {
			if !opt.Method.Nearest() || m.spaces[opt.Ties] != nil {
				continue
			}
			at, err := newSpace(ctx, m.idx, opt.Ties, opt.Engine)
			if err != nil {
				return fmt.Errorf("outlier: distinct rows: %w", err)
			}
			m.spaces[opt.Ties] = at
		}
	}
	var err error
	m.results, err = m.each(ctx, nil)
	return err
}

// Results returns the scores of the reference's own rows, one result for each of the
// options of [Fit], each row left out of its own neighbours. They must not be changed.
func (m *Model) Results() []*Result { return m.results }

// Close frees the indexes that the model has made, but not the one it was given.
func (m *Model) Close() error {
	var err error
	for _, at := range m.spaces {
		err = errors.Join(err, at.close())
	}
	for _, method := range m.methods {
		if c, ok := method.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Score scores new rows against the reference, by each of the options of [Fit]: as if
// each were the only row beside those, which keep the neighbours that they have. A
// row of the reference among the new rows is its own nearest neighbour.
//
// New rows may come in pieces: a row's scores depend on no other new row. Memory is
// bounded by the piece, with 12 bytes a neighbour of its rows unless all methods are
// [KNN], [ODIN] and those of Eps. Several goroutines may call Score at once.
//
// It returns an error if q has another Dim or Metric than the reference, if the
// reference has no K rows ([ErrTooFewRows]), ctx's error once that is done, and
// errors of the index as they are, wrapped.
func (m *Model) Score(ctx context.Context, q *join.Points) ([]*Result, error) {
	if q == nil {
		return nil, fmt.Errorf("outlier: no new rows to score: want points")
	}
	return m.each(ctx, q)
}

// each returns the results of all methods for the rows of q, or of the reference if
// that is nil. For all scores with the same rule for ties, neighbours are looked for
// once.
func (m *Model) each(ctx context.Context, q *join.Points) ([]*Result, error) {
	results := make([]*Result, len(m.opts))
	if (&task{idx: m.idx, q: q}).rows() == 0 {
		for i := range results {
			results[i] = &Result{Scores: []float64{}}
		}
		return results, nil
	}
	groups := map[Ties][]int{}
	for i, opt := range m.opts {
		group := Ties("") // sees no neighbours
		if opt.Method.Nearest() && !(opt.Method == ODIN && q != nil) {
			group = opt.Ties
		}
		groups[group] = append(groups[group], i)
	}
	for _, ties := range []Ties{"", TiesK, TiesAll} {
		t := &task{idx: m.idx, q: q, keep: m.keep}
		if ties != "" && len(groups[ties]) > 0 {
			if err := m.find(ctx, t, groups[ties], results); err != nil {
				return nil, err
			}
		}
		for _, i := range groups[ties] {
			if err := m.one(ctx, t, i, results); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// one has the result of score i.
func (m *Model) one(ctx context.Context, t *task, i int, results []*Result) (err error) {
	method := m.methods[i]
	if !m.keep {
		m.methods[i] = nil // what it keeps can go
	}
	switch {
	case results[i] != nil:
	case t.q == nil:
		results[i], err = method.fit(ctx, t)
	default:
		results[i], err = method.score(ctx, t)
	}
	if err != nil {
		return fmt.Errorf("outlier: method %s: %w", m.opts[i].Method, err)
	}
	if t.q == nil && t.search.at != nil {
		results[i].Scores = t.search.at.spread(results[i].Scores)
	}
	return nil
}

// find makes the lists of some methods, or if all can do without lists their results.
func (m *Model) find(ctx context.Context, t *task, methods []int, results []*Result) error {
	n := t.idx.Points().Rows()
	k := make([]int, len(methods))
	collectors := make([]collector, 0, len(methods))
	for c, i := range methods {
		if k[c] = m.opts[i].K; k[c] > n {
			return fmt.Errorf("outlier: k is %d, want at most %d for a reference of %d: %w", k[c], n, n, ErrTooFewRows)
		}
		if one, can := m.methods[i].(collector); can {
			collectors = append(collectors, one)
		}
	}
	first := &m.opts[methods[0]]
	t.search = newSearch(m.spaces[first.Ties], t.q, slices.Max(k))
	var err error
	if len(collectors) < len(methods) {
		t.near, err = newLists(ctx, t.search, first.Threads)
	} else {
		err = m.stream(ctx, t, collectors, k, methods, results)
	}
	if err != nil {
		return fmt.Errorf("outlier: nearest rows: %w", err)
	}
	return nil
}

// stream has the results of methods which see the neighbours of a row once.
func (m *Model) stream(ctx context.Context, t *task, collectors []collector, k, methods []int, results []*Result) error {
	to := make([]collection, len(collectors))
	for c, one := range collectors {
		to[c] = one.collect(t)
	}
	err := stream(ctx, t.search, k, to)
	for c, i := range methods {
		if err == nil {
			results[i], err = to[c].result(ctx)
		}
	}
	return err
}
