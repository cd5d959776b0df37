package cpu

import (
	"context"
	"sync"
	"sync/atomic"

	"rtcluster/join"
)

// mostTasks and turns bound how many tasks a goroutine takes at a time: several,
// since turns cost time where tasks are small, but few enough that each has many
// turns and no other waits long at the end.
const (
	mostTasks = 16
	turns     = 128
)

// forEach does tasks 0 to n−1 on the given number of goroutines. Each has a share of
// tasks that follow each other, which are likely about the same things, and takes the
// next few when it is free; once it has done its own, those of others. worker is called
// once a goroutine, with the goroutine's number, and returns the function that does a
// task. The first error ends the work and is returned, else ctx's. A panic in a
// goroutine is raised again here, where the caller can recover it.
func forEach(ctx context.Context, threads, n int, worker func(id int) func(task int) error) error {
	var (
		all   sync.WaitGroup
		once  sync.Once
		ended atomic.Bool
		first error
		fault any
	)
	end := func(err error, p any) {
		once.Do(func() { first, fault = err, p })
		ended.Store(true)
	}
	few := min(max(1, n/(threads*turns)), mostTasks)
	shares := newShares(min(threads, n), n)
	for id := range shares {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					end(nil, p)
				}
			}()
			do := worker(id)
			for !ended.Load() && ctx.Err() == nil {
				from, to := take(shares, id, few)
				if from == to {
					return
				}
				for task := from; task < to; task++ {
					if err := do(task); err != nil {
						end(err, nil)
						break
					}
				}
			}
		})
	}
	all.Wait()
	if fault != nil {
		panic(fault)
	}
	if first != nil {
		return first
	}
	return ctx.Err()
}

// share is a range of tasks that are taken from its beginning on.
type share struct {
	next atomic.Int64
	end  int
	_    [48]byte // a cache line for each
}

// newShares divides tasks 0 to n−1.
func newShares(shares, n int) []share {
	all := make([]share, shares)
	for i := range all {
		all[i].next.Store(int64(i * n / shares))
		all[i].end = (i + 1) * n / shares
	}
	return all
}

// take returns a few tasks, as a range: of a goroutine's own share, or else of the next
// one that has any. The range is empty when all are taken.
func take(shares []share, id, few int) (from, to int) {
	for i := range shares {
		s := &shares[(id+i)%len(shares)]
		if s.next.Load() >= int64(s.end) {
			continue
		}
		if from = int(s.next.Add(int64(few))) - few; from < s.end {
			return from, min(from+few, s.end)
		}
	}
	return 0, 0
}

// together does some tasks at the same time, such as to make large slices: to clear
// them takes a while.
func together(threads int, tasks ...func()) {
	_ = forEach(context.Background(), threads, len(tasks), func(int) func(task int) error {
		return func(task int) error { tasks[task](); return nil }
	}) // never done, and no task fails
}

// beside does a task on all threads but the caller's while the caller goes on, or,
// where there is one thread only, when the caller waits for it. wait must be called.
// A panic of the task is raised there.
func beside(threads int, task func(threads int)) (wait func()) {
	if threads < 2 {
		return func() { task(threads) }
	}
	var done sync.WaitGroup
	var fault any
	done.Go(func() {
		defer func() { fault = recover() }()
		task(threads - 1)
	})
	return func() {
		if done.Wait(); fault != nil {
			panic(fault)
		}
	}
}

// meter reports the progress of a stage in about a hundred steps, and its effort
// at the end.
type meter struct {
	report join.Progress
	stage  join.Stage
	total  int64 // rows
	groups int64 // pairs of leaves
	work   int64 // what add counts, rows unless told otherwise
	done   atomic.Int64

	tell  func(join.Stage, join.Effort)
	lock  sync.Mutex
	hands []*join.Effort
}

func newMeter(ctx context.Context, stage join.Stage, rows int) *meter {
	return newWorkMeter(ctx, stage, rows, rows)
}

// newWorkMeter is for a stage of so many rows whose work is counted otherwise.
func newWorkMeter(ctx context.Context, stage join.Stage, rows, work int) *meter {
	m := &meter{
		report: join.ReportTo(ctx), tell: join.EffortTo(ctx), stage: stage,
		total: int64(rows), work: int64(max(work, 1)),
	}
	m.report(stage, 0, m.total)
	return m
}

// hand returns what one goroutine adds its work with. Its effort is read when the
// stage has ended.
func (m *meter) hand(effort *join.Effort) *meterHand {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.hands = append(m.hands, effort)
	return &meterHand{m: m, step: m.work/400 + 1}
}

// meterHand gathers the work of one goroutine, so that goroutines rarely meet at
// the meter.
type meterHand struct {
	m          *meter
	step, work int64
}

// add notes that so much more work is done.
func (h *meterHand) add(work int) {
	if h.work += int64(work); h.work >= h.step {
		h.m.add(h.work)
		h.work = 0
	}
}

func (m *meter) add(work int64) {
	done := m.done.Add(work)
	step := m.work/100 + 1
	if before := done - work; done/step != before/step && done < m.work {
		m.report(m.stage, int64(float64(done)/float64(m.work)*float64(m.total)), m.total)
	}
}

// end reports the whole stage.
func (m *meter) end() {
	m.report(m.stage, m.total, m.total)
	all := join.Effort{Method: join.Method{Groups: m.groups}}
	for _, effort := range m.hands {
		all.Add(*effort)
	}
	m.tell(m.stage, all)
}

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
