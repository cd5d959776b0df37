package epsilon

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
)

// MinSamples returns the min-samples of DBSCAN to take for points of dim
// coordinates where nothing else is known: two a coordinate, at least 4. It is the
// choice of Sander et al. 1998, https://doi.org/10.1023/A:1009745219419, and for
// two coordinates that of the paper on DBSCAN.
func MinSamples(dim int) int { return max(4, 2*dim) }

// Options say what to measure.
type Options struct {
	// K is how many other rows are within the k-distance, 1 or more and less
	// than the number of rows: min-samples − 1 for DBSCAN.
	K int
	// Rows are the rows to measure, different ones; nil means all.
	Rows []int32
	// Unit is what distances are written in.
	Unit Unit
}

// ErrTooFewRows is returned, wrapped, when there are not more than K rows, so that
// no row has K others.
var ErrTooFewRows = errors.New("too few rows")

// NoneError is returned when a rule has no ε to suggest for these data.
type NoneError struct{ Reason string }

func (e *NoneError) Error() string { return "epsilon: no eps: " + e.Reason }

func nonef(format string, args ...any) error {
	return &NoneError{Reason: fmt.Sprintf(format, args...)}
}

// Curve has k-distances in ascending order. It is read-only.
type Curve struct {
	// Distances has one k-distance for each row measured, +Inf last.
	Distances []float64
	// Rows is the number of rows of the index.
	Rows int

	opt Options
}

// checkK returns an error that says what is wrong with k for a table of rows rows.
func checkK(k, rows int) error {
	switch {
	case k < 1:
		return fmt.Errorf("k is %d, want 1 or more (a row does not count itself)", k)
	case k >= rows:
		return fmt.Errorf("k is %d, want less than the number of rows, %d: %w", k, rows, ErrTooFewRows)
	}
	return nil
}

// checkRows wants one row or more, of those that are there.
func checkRows(rows []int32, n int) error {
	if len(rows) == 0 {
		return errors.New("epsilon: there are no rows to look at, want one or more, or nil for all")
	}
	for _, row := range rows {
		if row < 0 || int(row) >= n {
			return fmt.Errorf("epsilon: row %d is not there, there are %d rows", row, n)
		}
	}
	return nil
}

// Measure measures the k-distances of rows of idx. It returns [ErrTooFewRows] if
// there are not more than K rows, an error if a row to measure is not there, ctx's
// error once that is done, and errors of the index as they are, wrapped.
func Measure(ctx context.Context, idx join.Index, opt Options) (*Curve, error) {
	pts := idx.Points()
	if err := checkK(opt.K, pts.Rows()); err != nil {
		return nil, fmt.Errorf("epsilon: %w", err)
	}
	if err := checkRows(opt.Rows, pts.Rows()); opt.Rows != nil && err != nil {
		return nil, err
	}
	c := &Curve{Rows: pts.Rows(), opt: opt, Distances: make([]float64, pts.Rows())}
	if opt.Rows != nil {
		c.Distances = make([]float64, len(opt.Rows))
	}
	err := eachFarthest(ctx, idx, &opt, func(at int, measure float64) { c.Distances[at] = measure })
	if err != nil {
		return nil, fmt.Errorf("epsilon: measuring k-distances: %w", err)
	}
	slices.Sort(c.Distances)
	for i, measure := range c.Distances {
		c.Distances[i] = opt.Unit.Distance(pts.Metric(), measure)
	}
	return c, nil
}

// eachFarthest calls take with the place of each row to measure and the measure, by
// the metric of the points, of its K-th nearest other row.
func eachFarthest(ctx context.Context, idx join.Index, opt *Options, take func(at int, measure float64)) error {
	var queries *join.Points
	k := opt.K
	if opt.Rows != nil {
		// A row is among its own nearest here: it or an equal one comes first,
		// at distance 0, whichever has the lower number.
		queries = idx.Points().Subset(opt.Rows)
		k++
	}
	return idx.KNN(ctx, queries, k, func(at int, near []join.Neighbor) error {
		if len(near) != k {
			return fmt.Errorf("the engine gives row %d %d neighbours, want %d", at, len(near), k)
		}
		take(at, near[k-1].D2)
		return nil
	})
}

// Finite returns how many of the k-distances are not +Inf.
func (c *Curve) Finite() int {
	at, _ := slices.BinarySearch(c.Distances, math.Inf(1))
	return at
}

// Sampled tells whether the curve is of some rows only.
func (c *Curve) Sampled() bool { return c.opt.Rows != nil }

// At returns the k-distance at the place of a share of the rows, 0 to 1: the least
// within which this share of rows or more, and one at least, have K others.
func (c *Curve) At(share float64) float64 {
	n := len(c.Distances)
	at := int(math.Ceil(share*float64(n))) - 1
	return c.Distances[min(max(at, 0), n-1)]
}

// Share returns the share of rows, 0 to 1, that have K others within a distance.
func (c *Curve) Share(distance float64) float64 {
	at, _ := slices.BinarySearch(c.Distances, math.Nextafter(distance, math.Inf(1)))
	return float64(at) / float64(len(c.Distances))
}

// Quantile suggests the ε with which a share of the rows, more than 0 and at most
// 1, is core. It is a k-distance that occurs, without interpolation. It returns
// a [NoneError] if that is +Inf.
func (c *Curve) Quantile(share float64) (float64, error) {
	if !(share > 0 && share <= 1) {
		return 0, fmt.Errorf("epsilon: the quantile is %v, want more than 0 and at most 1", share)
	}
	eps := c.At(share)
	if math.IsInf(eps, 1) {
		return 0, nonef("quantile %v: distances overflow for %d of %d rows",
			share, len(c.Distances)-c.Finite(), len(c.Distances))
	}
	return eps, nil
}
