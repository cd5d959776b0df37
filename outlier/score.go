package outlier

import (
	"context"
	"errors"

	"rtcluster/join"
)

// Result is the scores of n rows.
type Result struct {
	// Scores has one score a row, higher for more outlying. Distances are in
	// the unit of the coordinates (or of Distance), LOF is a ratio. None is NaN.
	Scores []float64
	// Duplicates is the number of rows that a rule for duplicates decided, as the
	// package comment has it: those whose density is infinite or whose score is.
	Duplicates int
	// Deviation is nPLOF of the reference, for [LoOP].
	Deviation float64
	// Pairs is the number of unordered pairs of different rows within Eps, for
	// [Count]; of new rows, the number of pairs of one and a row of the reference.
	Pairs int64
	// Outlier says which rows are outliers by the definition of [DB]; nil without a
	// Fraction, and for other methods.
	Outlier []bool

	ruled []uint64 // which rows Duplicates counts, a bit each; nil if none
}

// Score scores the points of idx: [ScoreEach] of one score.
func Score(ctx context.Context, idx join.Index, opt Options) (*Result, error) {
	all, err := ScoreEach(ctx, idx, []Options{opt})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// ScoreEach scores the points of idx, as the package comment defines it, by each of
// opts, and returns the results in their order. Methods of nearest rows share one
// search for the greatest K: a score is what it is alone. An index of 0 rows gives
// empty results. It returns an error if opts are not valid ([ErrTooFewRows] if there
// are no K other rows), ctx's error once that is done, and errors of the index as
// they are, wrapped.
func ScoreEach(ctx context.Context, idx join.Index, opts []Options) ([]*Result, error) {
	m, err := newModel(idx, opts)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(m.fit(ctx), m.Close()); err != nil {
		return nil, err
	}
	return m.results, nil
}
