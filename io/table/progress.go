package table

import (
	"context"
	"sync"
)

// This file tells how far the reading or writing of a table is. A meter in the context
// counts rows; who looks at a row several times counts under a meter of its own, which
// hands on those that were counted so often:
//
//	pass of CSV -> twice, for types and values -\
//	column chunks -> as often as there are       -> twice, for FITS -> teller -> Progress
//	batches of rows ----------------------------/

// Progress is told how many rows of a table are done, of so many in all.
//
// [Table.Floats], [Table.FloatsEach], [Table.WriteWith] and [Table.WriteEach] call it with
// done = 0 when they begin, with done = total once all is read, or the output stands in its
// place, and now and then in between: done never falls. They do not end at total if they
// fail. Calls come one at a time, from any goroutine, and should return quickly. A row that
// is looked at several times, as column by column, is done in parts, so that the count goes
// on evenly. Floats tells nothing where Open has kept the numbers, and nothing is read.
type Progress func(done, total int64)

type progressKey struct{}

// WithProgress returns a context under which tables tell p how far they are.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// tellings is about how often a Progress is told something.
const tellings = 1000

// teller tells a Progress of rows that are done.
type teller struct {
	tell              Progress
	done, told, total int64
}

// take takes note of more rows. That all are done is for the end to tell: files are not in
// their places yet.
func (t *teller) take(rows int64) {
	t.done += rows
	if t.done-t.told >= max(t.total/tellings, 1) && t.done != t.total {
		t.told = t.done
		t.tell(t.done, t.total)
	}
}

// end tells of the last rows.
func (t *teller) end() {
	if t.done > t.told {
		t.told = t.done
		t.tell(t.done, t.total)
	}
}

// A meter counts rows, and hands on those that are done. A nil meter does nothing.
type meter struct {
	times int64            // how often a row is counted before it is done
	next  func(rows int64) // takes those that are, one call at a time

	mu         sync.Mutex
	seen, done int64 // rows counted, a row as often as it was
}

// count counts rows, once. It is safe for use by several goroutines.
func (m *meter) count(rows int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen += rows
	if done := m.seen / m.times; done > m.done {
		m.next(done - m.done)
		m.done = done
	}
}

type meterKey struct{}

// meterOf returns the meter of a context, nil if nobody is to be told.
func meterOf(ctx context.Context) *meter {
	m, _ := ctx.Value(meterKey{}).(*meter)
	return m
}

// metered tells the context's Progress that so many rows are begun, and returns a context
// with a meter for them; end tells that all went well.
func metered(ctx context.Context, rows int64) (_ context.Context, end func()) {
	p, ok := ctx.Value(progressKey{}).(Progress)
	if !ok || p == nil {
		return ctx, func() {}
	}
	p(0, rows)
	t := &teller{tell: p, total: rows}
	return context.WithValue(ctx, meterKey{}, &meter{times: 1, next: t.take}), t.end
}

// counting returns a context with a meter for which a row is done once it was counted so
// many times.
func counting(ctx context.Context, times int) context.Context {
	m := meterOf(ctx)
	if m == nil {
		return ctx
	}
	return context.WithValue(ctx, meterKey{}, &meter{times: int64(times), next: m.count})
}
