package cpu

import (
	"context"
	"sync"
	"sync/atomic"

	"rtcluster/join"
)

// forEach does tasks 0 to n−1 on the given number of goroutines, each taking
// the next task when it is free. worker is called once a goroutine, with the
// goroutine's number, and returns the function that does a task. The first
// error, or ctx's, ends the work and is returned.
func forEach(ctx context.Context, threads, n int, worker func(id int) func(task int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for id := range min(threads, n) {
		all.Go(func() {
			do := worker(id)
			for ctx.Err() == nil {
				task := int(next.Add(1)) - 1
				if task >= n {
					return
				}
				if err := do(task); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// meter reports the progress of a stage in about a hundred steps.
type meter struct {
	report join.Progress
	stage  join.Stage
	total  int64
	step   int64
	done   atomic.Int64
}

func newMeter(ctx context.Context, stage join.Stage, total int) *meter {
	m := &meter{report: join.ReportTo(ctx), stage: stage, total: int64(total), step: int64(total)/100 + 1}
	m.report(stage, 0, m.total)
	return m
}

// add notes that rows more are done.
func (m *meter) add(rows int) {
	done := m.done.Add(int64(rows))
	if before := done - int64(rows); done/m.step != before/m.step && done < m.total {
		m.report(m.stage, done, m.total)
	}
}

// end reports the whole stage.
func (m *meter) end() { m.report(m.stage, m.total, m.total) }

// gate lets calls of emit pass one at a time, and none after the first that
// failed.
type gate struct {
	ctx  context.Context // of the one method call that it serves
	lock sync.Mutex
	err  error
}

// pass makes the call and returns its error, or that of an earlier call.
func (g *gate) pass(call func() error) error {
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.err == nil {
		g.err = g.ctx.Err()
	}
	if g.err == nil {
		g.err = call()
	}
	return g.err
}
