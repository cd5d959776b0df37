package join

import "context"

// Stage names an engine's part of the work in progress reports.
type Stage string

// The stages of an engine, one a method: building the index, then the joins.
const (
	StageIndex      Stage = "index"
	StageCounts     Stage = "counts"
	StagePairs      Stage = "pairs"
	StageKNN        Stage = "knn"
	StageComponents Stage = "components"
	StageAttach     Stage = "attach"
)

// Progress is told how much of a stage is done, in rows. It is called with
// done = 0 when the stage begins and done = total when it ends, and in between
// now and then, possibly by several goroutines at once; done may then come out
// of order. It must return quickly.
type Progress func(stage Stage, done, total int64)

type progressKey struct{}

// WithProgress returns a context under which engines report to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ReportTo returns the context's Progress, or one that does nothing. Engines
// call it once at the start of a method.
func ReportTo(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		return p
	}
	return func(Stage, int64, int64) {}
}
