package outlier

import (
	"errors"
	"fmt"

	"rtcluster/join"
)

// Method names a definition of the score. It has no default.
type Method string

// The methods; the package comment defines them.
const (
	KNN   Method = "knn"   // distance to the K nearest
	LOF   Method = "lof"   // local outlier factor
	Count Method = "count" // neighbours within Eps
)

// Aggregate says what [KNN] makes of the K distances. The zero value means
// [Max].
type Aggregate string

// The aggregates.
const (
	Max    Aggregate = "max" // the K-th distance
	Mean   Aggregate = "mean"
	Median Aggregate = "median"
	Sum    Aggregate = "sum"
)

// Options are the parameters of a score. Fields that the method does not use
// are ignored.
type Options struct {
	Method Method
	// K is the number of nearest other rows, for [KNN] and [LOF]; 1 or more,
	// and less than the number of rows unless there are none.
	K int
	// Eps is the greatest distance of two neighbours in the unit of the
	// coordinates, for [Count].
	Eps float64
	// Aggregate is for [KNN].
	Aggregate Aggregate
	// Distance turns a squared distance of the join, or the measure of another
	// metric, into the distance that [KNN] and [LOF] score by; nil means that
	// of the points' metric, for Euclidean ones the square root. It must not fall as
	// d2 grows, and give 0 or more, never NaN. With points on the unit sphere,
	// [join.AngleDegrees] makes the scores angles. Several goroutines call it.
	Distance func(d2 float64) float64
	// Threads bounds the goroutines of [LOF] beside those of the index; 0 means
	// one a processor. Scores do not depend on it.
	Threads int
}

// settle sets Distance where it is left open.
func (opt *Options) settle(pts *join.Points) {
	if opt.Distance == nil {
		opt.Distance = pts.Metric().Distance
	}
}

// ErrTooFewRows is returned, wrapped, when a table has rows but not more than
// K, so that there are no K other rows.
var ErrTooFewRows = errors.New("too few rows")

// check returns an error that says what is wrong with opt for a table of rows
// rows.
func (opt *Options) check(rows int) error {
	switch opt.Method {
	case Count:
		return join.CheckEps(opt.Eps)
	case KNN, LOF:
	default:
		return fmt.Errorf("unknown method %q, want %q, %q or %q", opt.Method, KNN, LOF, Count)
	}
	if opt.Method == KNN {
		switch opt.Aggregate {
		case "", Max, Mean, Median, Sum:
		default:
			return fmt.Errorf("unknown aggregate %q, want %q, %q, %q or %q", opt.Aggregate, Max, Mean, Median, Sum)
		}
	}
	if opt.K < 1 {
		return fmt.Errorf("k is %d, want 1 or more (a row does not count itself)", opt.K)
	}
	if rows > 0 && opt.K >= rows {
		return fmt.Errorf("k is %d, want at most %d for a table of %d: %w", opt.K, rows-1, rows, ErrTooFewRows)
	}
	return nil
}
