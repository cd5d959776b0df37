package dbscan

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// CoreRows returns the core rows in ascending order, and the cluster of each:
// what [Predict] needs of a clustering.
func (r *Result) CoreRows() (rows, labels []int32) {
	for i, core := range r.Core {
		if core {
			rows, labels = append(rows, int32(i)), append(labels, r.Labels[i])
		}
	}
	return rows, labels
}

// Predict returns the cluster of each row of q, or −1, by the rule for border
// rows: the points of idx are the core rows of a clustering in ascending order,
// and labels are their clusters. Of opt, which is that of the clustering, Eps and
// Border matter.
//
//	BorderFirst    the smallest cluster among the core rows within Eps
//	BorderNearest  the cluster of the nearest core row, if it is within Eps; of
//	               several equally near, that of the smallest row
//	BorderNoise    the cluster of a core row with the same coordinates
//
// No row becomes core: rows of q do not see each other, and what is predicted for
// one does not depend on the others. Under BorderNoise only core rows belong to
// clusters, so that a new row must stand where one stands. Rows that were
// clustered get their own labels again: all core rows within Eps of a core row
// are of its cluster; border rows meet the rule that they met before; and a row
// with the coordinates of a core row has the same neighbours, and is core.
//
// Memory is 17 bytes a row of q and one byte a core row beside the engine's. It
// returns an error if opt is not valid, if labels do not fit idx, and errors of
// the index, wrapped.
func Predict(ctx context.Context, idx join.Index, labels []int32, q *join.Points, opt Options) ([]int32, error) {
	if err := checkPredict(idx.Points(), labels, q, &opt); err != nil {
		return nil, fmt.Errorf("dbscan: %w", err)
	}
	dst := slices.Repeat([]int32{noise}, q.Rows())
	if q.Rows() == 0 || len(labels) == 0 {
		return dst, nil
	}
	var err error
	switch opt.Border {
	case BorderNearest:
		err = predictNearest(ctx, idx, labels, q, opt.Eps, dst)
	case BorderNoise:
		err = predictSame(ctx, idx, labels, q, dst)
	default:
		err = predictFirst(ctx, idx, labels, q, opt.Eps, dst)
	}
	if err != nil {
		return nil, fmt.Errorf("dbscan: predicting: %w", err)
	}
	return dst, nil
}

// checkPredict returns an error that says what does not fit together.
func checkPredict(cores *join.Points, labels []int32, q *join.Points, opt *Options) error {
	if err := join.CheckEps(opt.Eps); err != nil {
		return err
	}
	if err := opt.Border.check(); err != nil {
		return err
	}
	if len(labels) != cores.Rows() {
		return fmt.Errorf("%d labels for %d core rows, want one a row", len(labels), cores.Rows())
	}
	if q.Dim() != cores.Dim() {
		return fmt.Errorf("rows of %d coordinates to predict, the core rows have %d", q.Dim(), cores.Dim())
	}
	if i := slices.IndexFunc(labels, func(label int32) bool { return label < 0 || label == join.MaxRows }); i >= 0 {
		return fmt.Errorf("core row %d has label %d, want a cluster from 0 on", i, labels[i])
	}
	return nil
}

// predictFirst sets dst, all noise, to the smallest label near each row.
func predictFirst(ctx context.Context, idx join.Index, labels []int32, q *join.Points, eps float64, dst []int32) error {
	if a, ok := idx.(join.Attacher); ok {
		return a.Attach(ctx, q, eps, slices.Repeat([]bool{true}, len(labels)), labels, dst)
	}
	return idx.Pairs(ctx, q, eps, func(batch []join.Pair) error {
		for _, p := range batch {
			if found := labels[p.J]; dst[p.I] == noise || found < dst[p.I] {
				dst[p.I] = found
			}
		}
		return nil
	})
}

// predictNearest sets dst, all noise, to the label of the nearest core row within
// eps.
func predictNearest(ctx context.Context, idx join.Index, labels []int32, q *join.Points, eps float64, dst []int32) error {
	rows, d2, err := nearestCores(ctx, idx, q)
	if err != nil {
		return err
	}
	bound := q.Metric().Bound(eps)
	for i, row := range rows {
		if d2[i] <= bound {
			dst[i] = labels[row]
		}
	}
	return nil
}

// predictSame sets dst, all noise, to the label of a core row with the same
// coordinates. Squares of small differences may underflow, so that a core row at
// the distance 0 need not be one: then all at that distance are looked at.
func predictSame(ctx context.Context, idx join.Index, labels []int32, q *join.Points, dst []int32) error {
	cores := idx.Points()
	rows, d2, err := nearestCores(ctx, idx, q)
	if err != nil {
		return err
	}
	open := make([]bool, len(rows))
	for i, row := range rows {
		switch {
		case d2[i] != 0:
		case slices.Equal(q.Row(i), cores.Row(int(row))):
			dst[i] = labels[row]
		default:
			open[i] = true
		}
	}
	rowBytes := 8*q.Dim() + 4
	return chunked(len(open), rowBytes, func(row int) bool { return open[row] }, func(chunk []int32) error {
		return idx.Pairs(ctx, q.Subset(chunk), 0, func(batch []join.Pair) error {
			for _, p := range batch {
				if row := int(chunk[p.I]); slices.Equal(q.Row(row), cores.Row(int(p.J))) {
					dst[row] = labels[p.J]
				}
			}
			return nil
		})
	})
}

// nearestCores returns the nearest core row of each row of q, by (d2, row), and
// its squared distance. There is one core row at least.
func nearestCores(ctx context.Context, idx join.Index, q *join.Points) (rows []int32, d2 []float64, err error) {
	rows, d2 = make([]int32, q.Rows()), make([]float64, q.Rows())
	return rows, d2, join.Lists(ctx, idx, q, 1, rows, d2)
}

// VerifyPredict recomputes the given rows of what [Predict] returned for q by
// brute force over the core rows, O(cores·Dim) each, and returns nil if they
// agree. Otherwise the error wraps [join.ErrVerify] and names the row of q.
func VerifyPredict(ctx context.Context, cores *join.Points, labels []int32, q *join.Points, opt Options, got []int32, rows []int) error {
	if err := checkPredict(cores, labels, q, &opt); err != nil {
		return fmt.Errorf("dbscan: %w", err)
	}
	if len(got) != q.Rows() {
		return fmt.Errorf("dbscan: %w: %d labels for %d rows", join.ErrVerify, len(got), q.Rows())
	}
	for _, row := range rows {
		if row < 0 || row >= q.Rows() {
			return fmt.Errorf("dbscan: row %d to verify, want 0 to %d", row, q.Rows()-1)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if want := ruled(cores, labels, q.Row(row), &opt); got[row] != want {
			return fmt.Errorf("dbscan: %w: row %d has label %d, want %d by the core rows near it", join.ErrVerify, row, got[row], want)
		}
	}
	return nil
}

// ruled returns the label of a new row x by the rule of opt.
func ruled(cores *join.Points, labels []int32, x []float64, opt *Options) int32 {
	first, nearest, same := int32(noise), join.Neighbor{Row: noise}, int32(noise)
	join.Scan(cores, x, cores.Metric().Bound(opt.Eps), func(row int, d2 float64) {
		label, this := labels[row], join.Neighbor{D2: d2, Row: int32(row)}
		if first == noise || label < first {
			first = label
		}
		if nearest.Row == noise || this.Less(nearest) {
			nearest = this
		}
		if slices.Equal(x, cores.Row(row)) {
			same = label
		}
	})
	switch {
	case opt.Border == BorderNoise:
		return same
	case opt.Border == BorderNearest && nearest.Row != noise:
		return labels[nearest.Row]
	}
	return first
}
