//go:build cuda

package cuda

import (
	"context"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// emitPairs is how many pairs are given away at a time, at most: between such
// batches the context is asked.
const emitPairs = 1 << 16

// pairer is a sweep that lists pairs. It goes over the indexed rows in slices, so
// few groups that the pairs of one leaf of queries always fit a batch, and for each
// over the queries.
type pairer struct {
	*sweep
	emit   func([]join.Pair) error
	batch  int            // pairs
	tallyB *driver.Buffer // pairs that each leaf finds; then the places where they go
	pairB  *driver.Buffer
	found  []int64
	pairs  []join.Pair
}

// Pairs streams the pairs in batches.
func (x *index) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if err := x.check(ctx, q, eps); err != nil {
		return err
	}
	rows := int64(x.side.pts.Rows())
	if q != nil {
		rows = int64(q.Rows())
	}
	report := join.ReportTo(ctx)
	report(join.StagePairs, 0, rows)
	err := x.join(ctx, q, eps, func(w *sweep) error {
		free, err := x.dev.Memory()
		if err != nil {
			return err
		}
		// Several joins may be at work at once: half of what is free is ours.
		p := &pairer{sweep: w, emit: emit, batch: max(min(x.opt.BatchPairs, int(free/2/8)), groupPairs)}
		return w.alloc(int64(8*w.queries.leaves), func(b *driver.Buffer) error {
			p.tallyB, p.found = b, make([]int64, w.queries.leaves)
			return w.alloc(int64(8*p.batch), func(b *driver.Buffer) error {
				p.pairB = b
				return p.run()
			})
		})
	})
	if err == nil {
		report(join.StagePairs, rows, rows)
	}
	return err
}

// groupPairs is the most pairs that a leaf of queries and a group have.
const groupPairs = kernels.Leaf * kernels.Group * kernels.Leaf

func (p *pairer) run() error {
	slice := p.batch / groupPairs
	for from := 0; from < p.side.groups; from += slice {
		p.param.Begin, p.param.End = int64(from), int64(min(from+slice, p.side.groups))
		last := p.queries.leaves
		if p.param.Self == 1 {
			last = min(last, int(p.param.End)*kernels.Group) // later leaves list nothing here
		}
		if err := p.list(last); err != nil {
			return err
		}
	}
	return nil
}

// list finds how many pairs the first n leaves of queries have in a slice, and then
// the pairs, of as many leaves at a time as fit the batch.
func (p *pairer) list(n int) error {
	err := p.launch(p.tally, 0, n, func(j *kernels.Join, from int) {
		j.Out = p.tallyB.Addr() + uint64(8*from)
	}, func(int) {})
	if err != nil {
		return err
	}
	found := p.found[:n]
	if err := driver.Download(p.s, found, p.tallyB, 0); err != nil {
		return err
	}
	for from := 0; from < n; {
		to, total := from, int64(0)
		for to < n && total+found[to] <= int64(p.batch) {
			found[to], total = total, total+found[to]
			to++
		}
		if err := p.fetch(from, to, found[from:to], total); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// fetch lists the pairs of some leaves at their places, and gives them away.
func (p *pairer) fetch(from, to int, place []int64, total int64) error {
	if total == 0 {
		return nil
	}
	if err := driver.Upload(p.s, p.tallyB, int64(8*from), place); err != nil {
		return err
	}
	err := p.launch(p.fill, from, to-from, func(j *kernels.Join, from int) {
		j.Out, j.Place = p.pairB.Addr(), p.tallyB.Addr()+uint64(8*from)
	}, func(int) {})
	if err != nil {
		return err
	}
	if len(p.pairs) < int(total) {
		p.pairs = make([]join.Pair, total)
	}
	pairs := p.pairs[:total]
	if err := driver.Download(p.s, pairs, p.pairB, 0); err != nil {
		return err
	}
	for len(pairs) > 0 {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		n := min(emitPairs, len(pairs))
		if err := p.emit(pairs[:n]); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}
