package join

import "context"

// Effort says what a stage of an engine did to decide pairs of rows. In a
// self-join, an engine may decide a pair for both rows at once or for each.
type Effort struct {
	// Candidates is the number of pairs that bounds left open, so that they were
	// looked at, at least together with others: groups of rows that are not apart.
	Candidates int64 `json:"candidates"`
	// Accepted is the number of pairs that bounds decided to be within ε, so that
	// no distance was needed.
	Accepted int64 `json:"accepted"`
	// Refined is the number of candidates whose distance was computed, in any
	// precision.
	Refined int64 `json:"refined"`
	// Rechecked is the number of refined pairs that were too close to ε for the
	// precision, and were decided by [Within] or ordered by [SquaredDistance].
	Rechecked int64 `json:"rechecked"`

	// Method is what the numbers above came about by, where an engine tells it. It is
	// no part of run reports.
	Method Method `json:"-"`
}

// Method says what became of pairs of groups of rows, such as the leaves of a tree, and
// of results in the course of a join.
type Method struct {
	// Groups is the number of pairs of groups that rows fall into, Within that of those
	// which bounds decided to be within ε, and Mixed that of those which were compared
	// row by row. The others were apart, or not looked at once a limit was reached.
	Groups, Within, Mixed int64
	// Batches is the number of batches that results were handed over in, and Bytes what
	// they took then.
	Batches, Bytes int64
}

// Apart returns the number of pairs of groups that bounds decided to be apart, if there
// was no limit.
func (m Method) Apart() int64 { return m.Groups - m.Within - m.Mixed }

// Add adds the numbers of f.
func (e *Effort) Add(f Effort) {
	e.Candidates += f.Candidates
	e.Accepted += f.Accepted
	e.Refined += f.Refined
	e.Rechecked += f.Rechecked
	e.Method.Groups += f.Method.Groups
	e.Method.Within += f.Method.Within
	e.Method.Mixed += f.Method.Mixed
	e.Method.Batches += f.Method.Batches
	e.Method.Bytes += f.Method.Bytes
}

type effortKey struct{}

// WithEffort returns a context under which engines tell take what a stage took,
// once it has ended without an error. Engines may leave stages out.
func WithEffort(ctx context.Context, take func(Stage, Effort)) context.Context {
	return context.WithValue(ctx, effortKey{}, take)
}

// EffortTo returns the context's function for efforts, or one that does nothing.
func EffortTo(ctx context.Context) func(Stage, Effort) {
	if take, ok := ctx.Value(effortKey{}).(func(Stage, Effort)); ok && take != nil {
		return take
	}
	return func(Stage, Effort) {}
}
