package dbscan

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// CoreRows returns the core rows in ascending order, and the cluster of each, −1 if
// it was dropped: what [Predict] needs of a clustering.
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
// and labels are their clusters, or −1 where [Result.DropSmall] made noise of
// them. Of opt, which is that of the clustering, Eps and Border matter.
//
//	BorderFirst    of the clusters with core rows within Eps, the one whose
//	               smallest core row comes first
//	BorderNearest  the cluster of the nearest core row, if it is within Eps; of
//	               several equally near, that of the smallest row
//	BorderNoise    the cluster of a core row with the same coordinates
//
// A cluster that was dropped is chosen like others, and makes noise of the row.
//
// No row becomes core: rows of q do not see each other, and what is predicted for
// one does not depend on the others. Under BorderNoise only core rows belong to
// clusters, so that a new row must stand where one stands. Rows that were
// clustered get their own labels again: all core rows within Eps of a core row
// are of its cluster; border rows meet the rule that they met before; and a row
// with the coordinates of a core row has the same neighbours, and is core.
//
// Memory is 17 bytes a row of q and one byte a core row beside the engine's, and
// what [NewPredictor] takes, which saves work where rows come in pieces. It
// returns an error if opt is not valid, if labels do not fit idx, and errors of
// the index, wrapped.
func Predict(ctx context.Context, idx join.Index, labels []int32, q *join.Points, opt Options) ([]int32, error) {
	p, err := NewPredictor(ctx, idx, labels, opt)
	if err != nil {
		return nil, err
	}
	return p.Predict(ctx, q)
}

// Predict returns the cluster of each row of q, as the function Predict does.
func (p *Predictor) Predict(ctx context.Context, q *join.Points) ([]int32, error) {
	if err := checkQueries(p.idx.Points(), q); err != nil {
		return nil, fmt.Errorf("dbscan: %w", err)
	}
	dst := slices.Repeat([]int32{noise}, q.Rows())
	if q.Rows() == 0 || len(p.labels) == 0 {
		return dst, nil
	}
	var err error
	switch p.border {
	case BorderNearest:
		err = predictNearest(ctx, p.idx, p.labels, q, p.eps, dst)
	case BorderNoise:
		err = predictSame(ctx, p.idx, p.labels, q, dst)
	default:
		err = predictFirst(ctx, p.idx, p.inTurn, q, p.eps, dst)
		p.rename(dst)
	}
	if err != nil {
		return nil, fmt.Errorf("dbscan: predicting: %w", err)
	}
	return dst, nil
}

// checkCores returns an error that says what does not fit together.
func checkCores(cores *join.Points, labels []int32, opt *Options) error {
	if err := join.CheckEps(opt.Eps); err != nil {
		return err
	}
	if err := opt.Border.check(); err != nil {
		return err
	}
	if len(labels) != cores.Rows() {
		return fmt.Errorf("%d labels for %d core rows, want one a row", len(labels), cores.Rows())
	}
	if i := slices.IndexFunc(labels, func(label int32) bool { return label < noise || int(label) >= len(labels) }); i >= 0 {
		return fmt.Errorf("core row %d of %d has label %d, want a cluster from 0 on, or %d", i, len(labels), labels[i], noise)
	}
	return nil
}

// checkQueries returns an error unless rows to predict have the coordinates of the
// core rows.
func checkQueries(cores, q *join.Points) error {
	if q.Dim() != cores.Dim() {
		return fmt.Errorf("rows of %d coordinates to predict, the core rows have %d", q.Dim(), cores.Dim())
	}
	return nil
}

// predictFirst sets dst, all noise, to the smallest label near each row. There is
// none of noise.
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
