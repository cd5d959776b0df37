package dbscan

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// VerifyPredict recomputes the given rows of what [Predict] returned for q by
// brute force over the core rows, O(cores·Dim) each, and returns nil if they
// agree. Otherwise the error wraps [join.ErrVerify] and names the row of q.
//
// Where BorderFirst meets core rows of dropped clusters beside others, it depends
// on the smallest core row of a dropped cluster, and such a cluster is grown: a
// scan of the core rows for each of its own.
func VerifyPredict(ctx context.Context, cores *join.Points, labels []int32, q *join.Points, opt Options, got []int32, rows []int) error {
	if err := checkCores(cores, labels, &opt); err != nil {
		return fmt.Errorf("dbscan: %w", err)
	}
	if err := checkQueries(cores, q); err != nil {
		return fmt.Errorf("dbscan: %w", err)
	}
	if len(got) != q.Rows() {
		return fmt.Errorf("dbscan: %w: %d labels for %d rows", join.ErrVerify, len(got), q.Rows())
	}
	v := &predictVerifier{cores: cores, labels: labels, bound: cores.Metric().Bound(opt.Eps), border: opt.Border, smallest: smallestRows(labels)}
	for _, row := range rows {
		if row < 0 || row >= q.Rows() {
			return fmt.Errorf("dbscan: row %d to verify, want 0 to %d", row, q.Rows()-1)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if want := v.ruled(q.Row(row)); got[row] != want {
			return fmt.Errorf("dbscan: %w: row %d has label %d, want %d by the core rows near it", join.ErrVerify, row, got[row], want)
		}
	}
	return nil
}

// predictVerifier finds the labels of new rows by scans of the core rows.
type predictVerifier struct {
	cores    *join.Points
	labels   []int32
	bound    float64
	border   Border
	smallest []int32 // core row of each label
}

// ruled returns the label of a new row x.
func (v *predictVerifier) ruled(x []float64) int32 {
	first, nearest, same := int32(noise), join.Neighbor{Row: noise}, int32(noise)
	var dropped []int32
	join.Scan(v.cores, x, v.bound, func(row int, d2 float64) {
		label, this := v.labels[row], join.Neighbor{D2: d2, Row: int32(row)}
		switch {
		case label == noise:
			dropped = append(dropped, this.Row)
		case first == noise || v.smallest[label] < v.smallest[first]:
			first = label
		}
		if nearest.Row == noise || this.Less(nearest) {
			nearest = this
		}
		if slices.Equal(x, v.cores.Row(row)) {
			same = label
		}
	})
	switch {
	case v.border == BorderNoise:
		return same
	case v.border == BorderNearest && nearest.Row != noise:
		return v.labels[nearest.Row]
	case first != noise && v.reaches(dropped, v.smallest[first]):
		return noise
	}
	return first
}

// reaches reports whether the dropped clusters of some core rows have one before
// the row end.
func (v *predictVerifier) reaches(open []int32, end int32) bool {
	seen := map[int32]bool{}
	for _, row := range open {
		seen[row] = true
	}
	for ; len(open) > 0; open = open[1:] {
		if open[0] < end {
			return true
		}
		join.Scan(v.cores, v.cores.Row(int(open[0])), v.bound, func(row int, _ float64) {
			if next := int32(row); v.labels[row] == noise && !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		})
	}
	return false
}
