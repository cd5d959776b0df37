//go:build cuda

package cuda

import (
	"context"
	"time"

	"rtcluster/gpu/internal/driver"
)

// Trace is told where the time goes, by work under a context of [WithTrace]. Its
// functions are called by the goroutine at work, and may be nil.
type Trace struct {
	// Stage is told how long a stage took, from an idle card to an idle card. A stage
	// that is done in several rounds comes as often.
	Stage func(name string, took time.Duration)
	// Count is told how much there was of something: pairs of leaves, pairs in doubt.
	Count func(name string, n int64)
}

type traceKey struct{}

// WithTrace returns a context under which indexes and joins tell where their time
// goes. They wait for the card at both ends of each stage then, which takes time
// itself: take totals without a trace.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// stage begins a stage of work on a stream, which ends by the function returned.
// Without a trace it does nothing.
//
// The stages of an index are "copy in", "axes", "turn", "order" and "pack", those of a
// join "operands", "search", "refine", "recheck", "unite", "label", "attach" and
// "copy out".
func stage(ctx context.Context, s *driver.Stream, name string) (end func()) {
	t, ok := ctx.Value(traceKey{}).(Trace)
	if !ok || t.Stage == nil {
		return func() {}
	}
	_ = s.Wait() // a fault stays, and who waits next tells it
	began := time.Now()
	return func() {
		_ = s.Wait() // as above
		t.Stage(name, time.Since(began))
	}
}

// tell tells how much there was of something: "pairs of leaves" kept by the search
// and "columns" of an operand, of float16, or of as many bytes, or "pairs in doubt".
func tell(ctx context.Context, name string, n int64) {
	if t, ok := ctx.Value(traceKey{}).(Trace); ok && t.Count != nil {
		t.Count(name, n)
	}
}

// stage is [stage] on the join's stream.
func (j *joining) stage(name string) (end func()) { return stage(j.ctx, j.s, name) }

// tell is [tell] under the join's context.
func (j *joining) tell(name string, n int64) { tell(j.ctx, name, n) }
