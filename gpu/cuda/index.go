//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// index implements [join.Index].
type index struct {
	*card
	opt    Options
	stream *driver.Stream // what the side was allocated on
	side   *side
	near   *join.Expander
}

func (x *index) Points() *join.Points { return x.side.pts }

// Close frees what is on the card.
func (x *index) Close() error {
	return cmp.Or(x.near.Close(), x.side.free(x.stream), x.stream.Close())
}

// KNN expands ε.
func (x *index) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	return x.near.KNN(ctx, q, k, emit)
}

// check refuses what breaks the contract.
func (x *index) check(ctx context.Context, q *join.Points, eps float64) error {
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	switch pts := x.side.pts; {
	case q == nil:
	case q.Dim() != pts.Dim():
		return fmt.Errorf("cuda: query points have %d coordinates, the index %d", q.Dim(), pts.Dim())
	case !q.Metric().IsZero():
		return errors.New("cuda: query points have another metric than the index")
	}
	return ctx.Err()
}

// sweep is one join: its queries on the card, and a queue of its own.
type sweep struct {
	*index
	ctx     context.Context
	s       *driver.Stream
	queries *side
	param   kernels.Join
	pace    pace
}

// join does a join over the queries q in a sweep, and frees what it took.
func (x *index) join(ctx context.Context, q *join.Points, eps float64, do func(w *sweep) error) error {
	s, err := x.dev.Stream()
	if err != nil {
		return err
	}
	w := &sweep{index: x, ctx: ctx, s: s, queries: x.side}
	if q != nil {
		w.queries, err = x.newSide(ctx, s, q, x.opt.Threads)
	}
	if err == nil {
		w.param = kernels.Join{
			Q: w.queries.param, T: x.side.param, Eps2: join.Squared(eps),
			Dim: int64(x.side.pts.Dim()), End: int64(x.side.groups),
		}
		if q == nil {
			w.param.Self = 1
		}
		err = do(w)
		if q != nil {
			err = cmp.Or(err, w.queries.free(s))
		}
	}
	return cmp.Or(err, s.Close())
}

// alloc gives a buffer to use for as long as it takes.
func (w *sweep) alloc(size int64, use func(b *driver.Buffer) error) error {
	b, err := w.s.Alloc(size)
	if err != nil {
		return err
	}
	return cmp.Or(use(b), w.s.Free(b))
}

// launch runs a kernel for n leaves of queries from first on, in pieces whose number
// of leaves the pace sets, and waits for them.
func (w *sweep) launch(k *driver.Kernel, first, n int, each func(p *kernels.Join, from int), done func(leaves int)) error {
	for from := first; from < first+n; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		piece := min(w.pace.leaves(), first+n-from)
		p := w.param
		p.First = int64(from)
		each(&p, from)
		w.pace.start()
		if err := cmp.Or(driver.Launch(w.s, k, piece, kernels.Threads, &p), w.s.Wait()); err != nil {
			return err
		}
		w.pace.end(piece)
		done(piece)
		from += piece
	}
	return nil
}
