package dbscan

import (
	"context"

	"rtcluster/join"
)

// chunkBytes bounds the memory of one batch of query rows: large enough that a
// batch keeps all threads busy, small beside any table that needs batches.
const chunkBytes = 16 << 20

// chunked calls do with the rows that want picks, in order, in chunks of at
// most chunkBytes where one row takes rowBytes. The chunk is the callee's only
// until it returns.
func chunked(rows, rowBytes int, want func(row int) bool, do func(chunk []int32) error) error {
	size := max(1, chunkBytes/rowBytes)
	chunk := make([]int32, 0, min(size, rows))
	for i := range rows {
		if want(i) {
			chunk = append(chunk, int32(i))
		}
		if len(chunk) == size {
			if err := do(chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	if len(chunk) == 0 {
		return nil
	}
	return do(chunk)
}

// labelBorders gives border rows their label. Labels of core rows are set and
// all others are noise; counts is nil, or exact for rows that are not core.
func labelBorders(ctx context.Context, idx join.Index, opt *Options, counts []int32, res *Result) error {
	if opt.Border == BorderNoise || res.Clusters == 0 {
		return nil
	}
	if a, ok := idx.(join.Attacher); ok && opt.Border != BorderNearest {
		return a.Attach(ctx, nil, opt.Eps, res.Core, res.Labels, res.Labels)
	}
	pts := idx.Points()
	rowBytes := 8*pts.Dim() + 4 + 16 // coordinates, row number, nearest core
	hasNeighbor := func(row int) bool { return !res.Core[row] && (counts == nil || counts[row] > 1) }
	return chunked(pts.Rows(), rowBytes, hasNeighbor, func(chunk []int32) error {
		if opt.Border == BorderNearest {
			return labelNearest(ctx, idx, opt.Eps, chunk, res)
		}
		return labelFirst(ctx, idx, opt.Eps, chunk, res)
	})
}

// labelFirst labels the rows of chunk, none of them core, with the smallest
// cluster among their core neighbours.
func labelFirst(ctx context.Context, idx join.Index, eps float64, chunk []int32, res *Result) error {
	return idx.Pairs(ctx, idx.Points().Subset(chunk), eps, func(batch []join.Pair) error {
		for _, p := range batch {
			if !res.Core[p.J] { // the row itself, for one
				continue
			}
			label := &res.Labels[chunk[p.I]]
			if found := res.Labels[p.J]; *label == noise || found < *label {
				*label = found
			}
		}
		return nil
	})
}

// labelNearest labels the rows of chunk, none of them core, with the cluster of
// the first core neighbour by (d2, row).
func labelNearest(ctx context.Context, idx join.Index, eps float64, chunk []int32, res *Result) error {
	pts := idx.Points()
	nearest := make([]join.Neighbor, len(chunk))
	for i := range nearest {
		nearest[i].Row = -1
	}
	err := idx.Pairs(ctx, pts.Subset(chunk), eps, func(batch []join.Pair) error {
		for _, p := range batch {
			if !res.Core[p.J] {
				continue
			}
			d2 := pts.Metric().Measure(pts.Row(int(chunk[p.I])), pts.Row(int(p.J)))
			near, best := join.Neighbor{D2: d2, Row: p.J}, &nearest[p.I]
			if best.Row < 0 || near.Less(*best) {
				*best = near
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, near := range nearest {
		if near.Row >= 0 {
			res.Labels[chunk[i]] = res.Labels[near.Row]
		}
	}
	return nil
}
