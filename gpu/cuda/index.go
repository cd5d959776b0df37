//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
	"rtcluster/join"
)

// index implements [join.Index]. One join is at work at a time, and has the card for
// itself; others wait.
type index struct {
	*card
	opt      Options
	stream   *driver.Stream // what the rows were allocated on
	rows     *rows
	expander *join.Expander

	gate     turnstile // of the join at work, and for what follows
	theatre  theatre   // for rays
	choice   choice
	operands *operands // of the rows, once a join has taken the tensor cores

	integers   *integers // of the rows, once a join has taken the tensor cores for integers
	noIntegers bool      // the rows have been found to be others
}

// turnstile lets one join through at a time. Others wait no longer than their context.
type turnstile chan struct{}

func newTurnstile() turnstile { return make(turnstile, 1) }

func (t turnstile) enter(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turnstile) leave() { <-t }

func (x *index) Points() *join.Points { return x.rows.pts }

// Close frees what is on the card.
func (x *index) Close() error {
	return cmp.Or(x.expander.Close(), x.operands.free(x.stream), x.integers.free(x.stream), x.theatre.free(x.stream), x.rows.free(x.stream), x.stream.Close())
}

// KNN expands ε.
func (x *index) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	return x.expander.KNN(ctx, q, k, emit)
}

// check refuses what breaks the contract.
func (x *index) check(ctx context.Context, q *join.Points, eps float64) error {
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	switch pts := x.rows.pts; {
	case q == nil:
	case q.Dim() != pts.Dim():
		return fmt.Errorf("cuda: query points have %d coordinates, the index %d", q.Dim(), pts.Dim())
	case !q.Metric().IsZero():
		return errors.New("cuda: query points have another metric than the index")
	}
	return ctx.Err()
}

// queries is how many query rows a join has: q's, or in a self-join the index's.
func (x *index) queries(q *join.Points) int {
	if q == nil {
		q = x.rows.pts
	}
	return q.Rows()
}

// joining is one join: its queries on the card, and a queue of its own.
type joining struct {
	*index
	ctx  context.Context
	s    *driver.Stream
	q    *rows // the index's own in a self-join
	self bool
	eps2 float64

	itemEntries int   // of an item, at most
	mostBlocks  int   // of the tensor cores' kernel
	openTiles   int64 // pairs of leaves that the last search has left, if there was one

	scratch *driver.Buffer // a cursor, and a number of pairs after it

	// What the tensor cores take. The layout has no steps if the join goes the plain road.
	layout        shape.Tensor
	integersQ     *integers // of the queries, where the layout is of integers
	ownIntegers   *integers // of the queries alone
	a, b          *operands // where it is not: of the queries, and of the indexed rows
	own           *operands // of the queries alone
	doubt, doubts *driver.Buffer
	perLaunch     int            // items that leave no more doubt than there is room for, as far as known
	counted       *driver.Buffer // counts, which a launch that fails has to give back, and
	saved         *driver.Buffer // room for them
}

// join does a join over the queries q, and frees what it took.
func (x *index) join(ctx context.Context, q *join.Points, eps float64, do func(j *joining) error) error {
	if err := x.gate.enter(ctx); err != nil {
		return err
	}
	defer x.gate.leave()
	s, err := x.dev.Stream()
	if err != nil {
		return err
	}
	j := &joining{index: x, ctx: ctx, s: s, q: x.rows, self: q == nil, eps2: join.Squared(eps)}
	if q != nil {
		j.q, err = x.newRows(ctx, s, q, x.rows, x.opt.Threads)
	}
	if err == nil {
		if err = j.prepare(); err == nil {
			err = do(j)
		}
		err = cmp.Or(err, j.release())
		if q != nil {
			err = cmp.Or(err, j.q.free(s))
		}
	}
	return cmp.Or(err, s.Close())
}

// alloc gives a buffer to use for as long as it takes.
func (j *joining) alloc(size int64, use func(b *driver.Buffer) error) error {
	b, err := j.s.Alloc(size)
	if err != nil {
		return err
	}
	return cmp.Or(use(b), j.s.Free(b))
}

// work is the parameter of kernels that refine, as far as the join sets it.
func (j *joining) work() kernels.Work {
	w := kernels.Work{Q: j.q.param, T: j.rows.param, Eps2: j.eps2}
	if j.self {
		w.Self = 1
	}
	return w
}
