package outlier

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rtcluster/join"
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

// Ties says what N is where more than K rows are no farther than the K-th. The zero
// value means [TiesK].
type Ties string

// The rules for ties.
const (
	TiesK   Ties = "k"   // exactly K rows, the smaller ones of those equally far
	TiesAll Ties = "all" // all rows that are as far as the K-th
)

// Options are the parameters of a score. Fields that the method does not use
// are ignored.
type Options struct {
	Method Method
	// K is the number of nearest other rows, for methods of nearest rows; 1 or
	// more, and less than the number of rows unless there are none.
	K int
	// Eps is the greatest distance of two neighbours in the unit of the
	// coordinates, for [Count], [DB] and [DBSCAN]; 0 makes neighbours of equal rows
	// alone.
	Eps float64
	// MinSamples is the number of rows within Eps, its own among them, that make a
	// core row, for [DBSCAN]; 1 or more.
	MinSamples int
	// Fraction is π of [DB], the share of rows beyond Eps that makes an outlier: less
	// than 1, or 0 to leave rows unflagged. It decides flags, not scores.
	Fraction float64
	// Lambda is λ of [LoOP], how many deviations count as far; 0 means [DefaultLambda].
	Lambda float64
	// AllPLOF has PLOF below 0 counted in nPLOF of [LoOP] as it is, and not as 0.
	AllPLOF bool
	// Aggregate is for [KNN].
	Aggregate Aggregate
	// Ties is for methods of nearest rows.
	Ties Ties
	// Engine makes indexes of some of the rows: those that are not equal, for
	// [TiesAll], and rows of like k-th distance, for new rows under [ODIN]. It is
	// needed for these.
	Engine join.Engine
	// Distance turns a squared distance of the join, or the measure of another
	// metric, into the distance that methods of nearest rows score by; nil means that
	// of the points' metric, for Euclidean ones the square root. It must not fall as
	// d2 grows, and give 0 or more, never NaN. With points on the unit sphere,
	// [join.AngleDegrees] makes the scores angles. Several goroutines call it.
	Distance func(d2 float64) float64
	// Threads bounds the goroutines beside those of the index; 0 means one a
	// processor. Scores do not depend on it.
	Threads int
}

// DefaultLambda is λ of [LoOP] unless it is given, as in ELKI.
const DefaultLambda = 2

// settle sets what is left open.
func (opt *Options) settle(pts *join.Points) {
	if opt.Ties == "" {
		opt.Ties = TiesK
	}
	if opt.Lambda == 0 {
		opt.Lambda = DefaultLambda
	}
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
	if !slices.Contains(Methods(), opt.Method) {
		return fmt.Errorf("unknown method %q, want %s", opt.Method, anyOf(Methods()))
	}
	if !opt.Method.Nearest() {
		return opt.checkWithin()
	}
	if err := opt.checkNearest(); err != nil {
		return err
	}
	if rows > 0 && opt.K >= rows {
		return fmt.Errorf("k is %d, want at most %d for a table of %d: %w", opt.K, rows-1, rows, ErrTooFewRows)
	}
	return nil
}

// checkWithin is check for methods of Eps.
func (opt *Options) checkWithin() error {
	switch {
	case opt.Method == DBSCAN && (opt.MinSamples < 1 || opt.MinSamples > join.MaxRows):
		return fmt.Errorf("min samples are %d, want 1 to %d (a row counts itself)", opt.MinSamples, join.MaxRows)
	case opt.Method == DB && !(opt.Fraction >= 0 && opt.Fraction < 1):
		return fmt.Errorf("the fraction is %v, want a share of the rows, more than 0 and less than 1, or 0 for no flags", opt.Fraction)
	}
	return join.CheckEps(opt.Eps)
}

// checkNearest is check for methods of nearest rows, for any number of rows.
func (opt *Options) checkNearest() error {
	if all := []Aggregate{Max, Mean, Median, Sum}; opt.Method == KNN && opt.Aggregate != "" && !slices.Contains(all, opt.Aggregate) {
		return fmt.Errorf("unknown aggregate %q, want %s", opt.Aggregate, anyOf(all))
	}
	if all := []Ties{TiesK, TiesAll}; opt.Ties != "" && !slices.Contains(all, opt.Ties) {
		return fmt.Errorf("unknown rule for ties %q, want %s", opt.Ties, anyOf(all))
	}
	if opt.Method == LoOP && !(opt.Lambda >= 0 && !math.IsInf(opt.Lambda, 1)) {
		return fmt.Errorf("lambda is %v, want a finite number above 0, or 0 for %d", opt.Lambda, DefaultLambda)
	}
	if opt.K < 1 {
		return fmt.Errorf("k is %d, want 1 or more (a row does not count itself)", opt.K)
	}
	if opt.Method == LDOF && opt.K < 2 {
		return fmt.Errorf("k is %d, want 2 or more for method %s, which needs distances among the k nearest rows", opt.K, LDOF)
	}
	return nil
}

// anyOf lists names for an error: "a", "b" or "c".
func anyOf[S ~string](names []S) string {
	var text strings.Builder
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			text.WriteString(" or ")
		case i > 0:
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "%q", string(name))
	}
	return text.String()
}
