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
}

// Add adds the numbers of f.
func (e *Effort) Add(f Effort) {
	e.Candidates += f.Candidates
	e.Accepted += f.Accepted
	e.Refined += f.Refined
	e.Rechecked += f.Rechecked
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
