package paper

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
)

// Time is a response time, or, if Over is set, the limit that it is longer than.
type Time struct {
	Seconds float64
	Over    bool
}

// Ratio is a ratio of times, or a bound of it: Bound is "<", ">" or "".
type Ratio struct {
	Value float64
	Bound string
}

// Per returns t / u. Where t was cut off, the ratio is at least what it says, where u was,
// at most; where both were, nothing is known, and nil is returned.
func (t Time) Per(u Time) *Ratio {
	r := &Ratio{Value: t.Seconds / u.Seconds}
	switch {
	case t.Over && u.Over, !(u.Seconds > 0):
		return nil
	case t.Over:
		r.Bound = ">"
	case u.Over:
		r.Bound = "<"
	}
	return r
}

// Time returns the median time of [Setting.Runs] runs. A run that is longer than
// [Setting.Timeout] is cut off, and is the last: then Over is set and err is nil.
func (s *Setting) Time(ctx context.Context, run func(ctx context.Context) error) (t Time, err error) {
	var seconds []float64
	for range max(1, s.Runs) {
		spent, over, err := s.once(ctx, run)
		switch {
		case err != nil:
			return Time{}, err
		case over:
			return Time{Seconds: s.Timeout.Seconds(), Over: true}, nil
		}
		seconds = append(seconds, spent.Seconds())
	}
	return Time{Seconds: measure.Median(seconds)}, nil
}

// once times a run. What earlier ones have left for the garbage collector is no part of
// its time.
func (s *Setting) once(ctx context.Context, run func(ctx context.Context) error) (spent time.Duration, over bool, err error) {
	runtime.GC()
	limited, stop := context.WithCancel(ctx)
	if s.Timeout > 0 {
		limited, stop = context.WithTimeout(ctx, s.Timeout)
	}
	defer stop()
	begun := time.Now()
	err = run(limited)
	spent = time.Since(begun)
	over = s.Timeout > 0 && (spent >= s.Timeout || limited.Err() != nil)
	switch {
	case ctx.Err() != nil:
		return spent, false, ctx.Err()
	case over && (err == nil || errors.Is(err, context.DeadlineExceeded)):
		return spent, true, nil
	}
	return spent, false, err
}

// The works that a join is asked for.
const (
	workPairs  = "pairs"  // all pairs, each once, handed over in batches in memory
	workCounts = "counts" // the number of neighbours of each row
)

// Work is the parameter of what a join is asked for.
func Work() Param {
	return Param{
		Name: "work", Word: workPairs + "|" + workCounts, Default: workPairs,
		Usage: "what a join gives: all pairs, in batches in memory, as the paper has it, or the neighbour count of each row, for which groups of rows need not be taken apart",
		Check: OneOf(workPairs, workCounts),
	}
}

// Outcome is what came of the runs of a join.
type Outcome struct {
	Time
	Pairs  int64                      // |R|; 0 if every run was cut off
	Effort map[join.Stage]join.Effort // of the last run that was not cut off
	Stages map[join.Stage]float64     // seconds of each stage, in that run
}

// Join times the self-join of a case by an engine, the index included.
func (s *Setting) Join(ctx context.Context, e join.Engine, c *Case, work string) (*Outcome, error) {
	o := &Outcome{}
	t, err := s.Time(ctx, func(ctx context.Context) error {
		w := newWatch()
		pairs, err := joinOnce(w.watch(ctx), e, c, work)
		switch {
		case err != nil:
			return err
		case o.Pairs != 0 && o.Pairs != pairs:
			return fmt.Errorf("engine %s found %d pairs in one run and %d in another", e.Name(), o.Pairs, pairs)
		}
		o.Pairs, o.Effort, o.Stages = pairs, w.effort, w.stages
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s, engine %s: %w", c, e.Name(), err)
	}
	o.Time = t
	return o, nil
}

// joinOnce makes the index and the join, and returns |R|.
func joinOnce(ctx context.Context, e join.Engine, c *Case, work string) (pairs int64, err error) {
	pts, err := join.NewPoints(c.Data, c.Dim)
	if err != nil {
		return 0, err
	}
	idx, err := e.Index(ctx, pts)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, idx.Close()) }()
	if work == workCounts {
		counts := make([]int32, pts.Rows())
		if err := idx.Counts(ctx, nil, c.Eps, 0, counts); err != nil {
			return 0, err
		}
		for _, n := range counts {
			pairs += int64(n)
		}
		return pairs, nil
	}
	err = idx.Pairs(ctx, nil, c.Eps, func(batch []join.Pair) error {
		pairs += 2 * int64(len(batch))
		return nil
	})
	return pairs + int64(pts.Rows()), err
}

// watch takes down what an engine reports of its stages.
type watch struct {
	mu     sync.Mutex
	begun  map[join.Stage]time.Time
	stages map[join.Stage]float64
	effort map[join.Stage]join.Effort
}

func newWatch() *watch {
	return &watch{begun: map[join.Stage]time.Time{}, stages: map[join.Stage]float64{}, effort: map[join.Stage]join.Effort{}}
}

// watch returns a context under which engines report to w, and go on to report to whom
// they did.
func (w *watch) watch(ctx context.Context) context.Context {
	progress, effort := join.ReportTo(ctx), join.EffortTo(ctx)
	ctx = join.WithProgress(ctx, func(stage join.Stage, done, total int64) {
		w.report(stage, done, total)
		progress(stage, done, total)
	})
	return join.WithEffort(ctx, func(stage join.Stage, e join.Effort) {
		w.mu.Lock()
		all := w.effort[stage]
		all.Add(e)
		w.effort[stage] = all
		w.mu.Unlock()
		effort(stage, e)
	})
}

func (w *watch) report(stage join.Stage, done, total int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	begun, running := w.begun[stage]
	switch {
	case done >= total && running:
		w.stages[stage] += time.Since(begun).Seconds()
		delete(w.begun, stage)
	case done == 0 && !running:
		w.begun[stage] = time.Now()
	}
}
