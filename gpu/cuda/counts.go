//go:build cuda

package cuda

import (
	"context"
	"fmt"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// Counts takes each leaf of the queries through the index.
func (x *index) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if err := x.check(ctx, q, eps); err != nil {
		return err
	}
	rows := x.side.pts.Rows()
	if q != nil {
		rows = q.Rows()
	}
	if len(dst) != rows {
		return fmt.Errorf("cuda: room for %d counts, there are %d query rows", len(dst), rows)
	}
	report, done := join.ReportTo(ctx), 0
	report(join.StageCounts, 0, int64(rows))
	err := x.join(ctx, q, eps, func(w *sweep) error {
		w.param.Limit = int64(max(0, limit))
		return w.alloc(int64(4*rows), func(out *driver.Buffer) error {
			w.param.Out = out.Addr()
			err := w.launch(w.counts, 0, w.queries.leaves, func(*kernels.Join, int) {}, func(leaves int) {
				if done += leaves * kernels.Leaf; done < rows {
					report(join.StageCounts, int64(done), int64(rows))
				}
			})
			if err != nil {
				return err
			}
			return driver.Download(w.s, dst, out, 0)
		})
	})
	if err == nil {
		report(join.StageCounts, int64(rows), int64(rows))
	}
	return err
}
