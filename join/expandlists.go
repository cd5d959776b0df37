package join

import (
	"cmp"
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// expansion is one call of [Expander.KNN].
type expansion struct {
	ctx  context.Context // of the calls of the index
	idx  Index           // of the targets
	self bool            // the queries are the targets

	targets, queries *places

	k    int   // neighbours of a row
	rows int   // the same, with the row itself in a self-join
	want int   // places that hold them
	most int32 // places that are not too many

	emit        func(row int, near []Neighbor) error
	report      Progress
	done, total int64

	threads int
	turn    sync.Mutex // of the goroutine that emits
	failed  error      // the first error; with the turn
}

// run finds an ε for each query, lists its pairs, and emits its neighbours.
func (e *expansion) run() error {
	all := make([]int32, e.queries.pts.Rows())
	for i := range all {
		all[i] = int32(i)
	}
	if len(all) == 0 {
		return nil
	}
	if e.want == 0 {
		return e.emitNone()
	}
	if int(e.most) == e.targets.pts.Rows() { // no ε has too many
		return e.list(all, nil, math.MaxFloat64)
	}
	first, err := e.firstEps()
	if err != nil {
		return err
	}
	r := rounds{
		ctx: e.ctx, idx: e.idx, queries: e.queries.pts, self: e.self,
		least: int32(e.want), most: e.most, fine: 1, done: e.list, farthest: e.farthest,
	}
	return r.run(all, openBracket(first))
}

// farthest returns the measure of the last of the want nearest places of a query,
// all within eps.
func (e *expansion) farthest(query int32, eps float64) (float64, error) {
	c := e.newCandidates([]int32{query})
	if err := c.gather(eps); err != nil {
		return 0, err
	}
	f := finisher{candidates: c}
	f.measure(0)
	if len(f.near) < e.want {
		return 0, errMiscounted(c.seen[0], eps)
	}
	return f.near[e.want-1].D2, nil
}

// emitNone emits rows that have no neighbours: none is indexed.
func (e *expansion) emitNone() error {
	for row := range e.queries.rows {
		if err := e.pass(row, nil); err != nil {
			return err
		}
	}
	return nil
}

// list emits the neighbours of queries that have want places within eps, or less
// if it is the greatest. counts has the numbers of these places, or is nil.
func (e *expansion) list(queries, counts []int32, eps float64) error {
	size := max(1, batchBytes/(8*e.queries.pts.Dim()+4*int(e.most)+32))
	for len(queries) > 0 {
		size = min(size, len(queries))
		b := e.newCandidates(queries[:size])
		if counts != nil {
			b.counts, counts = counts[:size], counts[size:]
		}
		if err := b.gather(eps); err != nil {
			return err
		}
		if err := b.finish(eps); err != nil {
			return err
		}
		queries = queries[size:]
	}
	return nil
}

// candidates are places near a batch of queries, among them the nearest.
type candidates struct {
	*expansion
	batch  []int32 // the queries
	pts    *Points // the same
	counts []int32 // how many will come for each, or nil

	start []int   // of query i: places[start[i]:start[i]+held[i]]
	held  []int32 // at most start[i+1]−start[i]
	place []int32
	seen  []int64 // how many came
}

func (e *expansion) newCandidates(queries []int32) *candidates {
	return &candidates{expansion: e, batch: queries, pts: e.queries.pts.Subset(queries)}
}

// gather takes in all pairs within eps.
func (c *candidates) gather(eps float64) error {
	c.start = make([]int, len(c.batch)+1)
	for i := range c.batch {
		hold := c.most
		if c.counts != nil {
			hold = min(hold, c.counts[i])
		}
		c.start[i+1] = c.start[i] + int(hold)
	}
	c.place = make([]int32, c.start[len(c.batch)])
	c.held, c.seen = make([]int32, len(c.batch)), make([]int64, len(c.batch))
	f := finisher{candidates: c}
	return c.idx.Pairs(c.ctx, c.pts, eps, func(pairs []Pair) error {
		for _, p := range pairs {
			at := c.start[p.I] + int(c.held[p.I])
			if at == c.start[p.I+1] { // among many at one distance
				f.keepNearest(int(p.I))
				at = c.start[p.I] + int(c.held[p.I])
			}
			c.place[at] = p.J
			c.held[p.I]++
			c.seen[p.I]++
		}
		return nil
	})
}

// finish emits the neighbours of all queries, with several goroutines at work.
func (c *candidates) finish(eps float64) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(c.threads, len(c.batch)) {
		wait.Go(func() {
			f := finisher{candidates: c}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(c.batch) {
					return
				}
				if err := f.finish(i, eps); err != nil {
					c.fail(err)
					next.Store(int64(len(c.batch))) // nothing is left for the others
				}
			}
		})
	}
	wait.Wait()
	return c.failed
}

// fail keeps the first error.
func (e *expansion) fail(err error) {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.failed = cmp.Or(e.failed, err)
}

// pass emits the neighbours of one row, unless something failed.
func (e *expansion) pass(row int, near []Neighbor) error {
	e.turn.Lock()
	defer e.turn.Unlock()
	if e.failed == nil {
		e.failed = e.ctx.Err()
	}
	if e.failed == nil {
		e.failed = e.emit(row, near)
	}
	if e.failed != nil {
		return e.failed
	}
	if e.done++; e.done == e.total || e.done%reportRows == 0 {
		e.report(StageKNN, e.done, e.total)
	}
	return nil
}

// reportRows is how many rows pass between reports of progress.
const reportRows = 1 << 10
