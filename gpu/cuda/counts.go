//go:build cuda

package cuda

import (
	"context"
	"fmt"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// Counts counts by position, on the card, and copies what the caller asked for.
func (x *index) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if err := x.check(ctx, q, eps); err != nil {
		return err
	}
	n := x.queries(q)
	if len(dst) != n {
		return fmt.Errorf("cuda: room for %d counts, there are %d query rows", len(dst), n)
	}
	report := join.ReportTo(ctx)
	report(join.StageCounts, 0, int64(n))
	err := x.join(ctx, q, eps, func(j *joining) error {
		return j.alloc(int64(4*j.q.places()), func(count *driver.Buffer) error {
			if err := j.countPositions(count); err != nil {
				return err
			}
			return j.alloc(int64(4*n), func(out *driver.Buffer) error {
				end := j.stage("copy out")
				defer end()
				p := kernels.Result{Rows: j.q.param, Count: count.Addr(), Out: out.Addr(), Limit: int64(max(0, limit))}
				if err := j.result("deliver", &p); err != nil {
					return err
				}
				return driver.Download(j.s, dst, out, 0)
			})
		})
	})
	if err == nil {
		report(join.StageCounts, int64(n), int64(n))
	}
	return err
}

// countPositions sets count to the number of rows near each query, in a self-join the
// row itself too, by position.
func (j *joining) countPositions(count *driver.Buffer) error {
	if err := j.s.Zero(count, 0, count.Size()); err != nil {
		return err
	}
	if done, err := j.countByRows(count); done || err != nil {
		return err
	}
	if j.a != nil {
		return j.alloc(count.Size(), func(saved *driver.Buffer) error {
			j.counted, j.saved = count, saved
			err := j.sumCounts(count, wanted{group: j.group()})
			j.counted, j.saved = nil, nil
			return err
		})
	}
	return j.sumCounts(count, wanted{group: j.group()})
}

// sumCounts counts by pairs of leaves. want says of which.
func (j *joining) sumCounts(count *driver.Buffer, want wanted) error {
	return j.alloc(int64(4*j.q.leaves), func(more *driver.Buffer) error {
		if err := j.s.Zero(more, 0, more.Size()); err != nil {
			return err
		}
		want.more = more
		err := j.search(want, func(r round) error {
			w := j.work()
			w.CountQ, w.CountT = count.Addr(), count.Addr()
			_, err := j.refine("count", &w, r)
			return err
		})
		if err != nil {
			return err
		}
		p := kernels.Result{Rows: j.q.param, Count: count.Addr(), More: more.Addr()}
		if j.self {
			p.Own = 1
		}
		return j.result("complete", &p)
	})
}

// result runs a kernel of result.cu over all positions.
func (j *joining) result(name string, p *kernels.Result) error {
	return launch(j.card, j.s, "result", name, (j.q.places()+kernels.ResultThreads-1)/kernels.ResultThreads, kernels.ResultThreads, p)
}
