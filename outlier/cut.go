package outlier

import (
	"fmt"
	"math"
	"slices"
)

// Rule says what the Value of a [Cut] means.
type Rule string

// The rules. Of equal scores at the cut all are flagged or none, as each says.
const (
	// ByContamination expects a share of outliers, more than 0 and at most 0.5:
	// flagged are the scores above the (1 − share)-quantile, as in PyOD. Scores
	// equal to it are not.
	ByContamination Rule = "contamination"
	// ByTop wants a number of rows, 1 or more: flagged are all scores that are as
	// high as that of the N-th row or higher, so more than N where others equal it.
	ByTop Rule = "top"
	// ByThreshold flags the scores above a number.
	ByThreshold Rule = "threshold"
	// ByMAD flags the scores above median + Value·1.4826·MAD, where MAD is the
	// median of |score − median| and Value is more than 0: those whose modified
	// z-score is above Value, for which 3.5 is the usual choice. Iglewicz and
	// Hoaglin, "How to Detect and Handle Outliers", 1993.
	ByMAD Rule = "mad"
	// ByQuantile flags the scores above a quantile, from 0 to 1, linear between
	// order statistics as numpy's are by default.
	ByQuantile Rule = "quantile"
)

// Rules returns the rules that there are.
func Rules() []Rule { return []Rule{ByContamination, ByTop, ByThreshold, ByMAD, ByQuantile} }

// Cut parts outliers from other rows by their scores.
type Cut struct {
	Rule  Rule
	Value float64 // share, number of rows, score, multiple of the MAD, or quantile
}

// Check returns an error that says what is wrong with c.
func (c Cut) Check() error {
	var want string
	var good bool
	switch v := c.Value; c.Rule {
	case ByContamination:
		want, good = "a share of the rows, more than 0 and at most 0.5", v > 0 && v <= 0.5
	case ByTop:
		want, good = "a whole number of rows, 1 or more", v >= 1 && v == math.Trunc(v) && !math.IsInf(v, 1)
	case ByThreshold:
		want, good = "a number", !math.IsNaN(v)
	case ByMAD:
		want, good = "a finite number more than 0", v > 0 && !math.IsInf(v, 1)
	case ByQuantile:
		want, good = "a share of the rows from 0 to 1", v >= 0 && v <= 1
	default:
		return fmt.Errorf("outlier: unknown rule %q of a cut, want %s", c.Rule, anyOf(Rules()))
	}
	if !good {
		return fmt.Errorf("outlier: %s is %v, want %s", c.Rule, c.Value, want)
	}
	return nil
}

// Limit is where a [Cut] falls among scores.
type Limit struct {
	// Score parts the rows: those above it are outliers, and with Inclusive those
	// that equal it. It is +Inf where there are no scores to fit a cut to.
	Score     float64
	Inclusive bool
	// Median and MAD are those of [ByMAD]. A MAD of 0 means that more than half
	// of the scores equal the median, and that all above are flagged.
	Median, MAD float64
}

// Fit returns where c falls among scores, none of which is NaN; it leaves them
// as they are and takes 8 bytes a score. New rows that are scored against a
// reference are judged by the limit of the reference's own scores, but for
// [ByTop], whose rows are those of the table at hand.
//
// Scores may be infinite. Between two neighbours in order of which one is
// infinite there is no quantile, and the lesser one, above which the same rows
// lie, stands for it. The median of such two is the greater one.
func (c Cut) Fit(scores []float64) (Limit, error) {
	if err := c.Check(); err != nil {
		return Limit{}, err
	}
	if c.Rule == ByThreshold {
		return Limit{Score: c.Value}, nil
	}
	if len(scores) == 0 {
		return Limit{Score: math.Inf(1)}, nil
	}
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	switch c.Rule {
	case ByContamination:
		return Limit{Score: quantile(sorted, 100*(1-c.Value)/100)}, nil // PyOD goes by way of percents
	case ByTop:
		at := max(0, float64(len(sorted))-c.Value)
		return Limit{Score: sorted[int(at)], Inclusive: true}, nil
	case ByMAD:
		return limitMAD(sorted, c.Value), nil
	default:
		return Limit{Score: quantile(sorted, c.Value)}, nil
	}
}

// quantile returns the q-quantile of sorted by numpy's steps, so that it is the
// same to the last bit: they interpolate from the nearer neighbour.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	part := at - float64(i)
	if part == 0 || i+1 == len(sorted) {
		return sorted[i]
	}
	low, high := sorted[i], sorted[i+1]
	switch gap := high - low; {
	case low == high, math.IsInf(low, 0), math.IsInf(high, 0):
		return low
	case math.IsInf(gap, 0):
		return float64(low*(1-part)) + float64(high*part)
	case part < 0.5:
		return low + float64(gap*part)
	default:
		return high - float64(gap*(1-part))
	}
}

// limitMAD returns the limit of [ByMAD]; it uses sorted up.
func limitMAD(sorted []float64, k float64) Limit {
	// scale makes the MAD of a normal distribution its standard deviation.
	const scale = 1.4826
	l := Limit{Median: median(sorted)}
	for i, s := range sorted {
		if s == l.Median { // where Inf − Inf is 0
			sorted[i] = 0
		} else {
			sorted[i] = math.Abs(s - l.Median)
		}
	}
	slices.Sort(sorted)
	l.MAD = median(sorted)
	l.Score = l.Median + float64(k*scale*l.MAD)
	if l.MAD == 0 || math.IsInf(l.Median, 0) { // k·scale may be infinite
		l.Score = l.Median
	}
	return l
}

// median returns the median of sorted, of which there is one at least.
func median(sorted []float64) float64 {
	n := len(sorted)
	low, high := sorted[(n-1)/2], sorted[n/2]
	switch {
	case math.IsInf(high, 1):
		return high
	case math.IsInf(low+high, 0):
		return low/2 + high/2
	}
	return (low + high) / 2
}

// Outlier reports whether a score is beyond the limit.
func (l Limit) Outlier(score float64) bool {
	return score > l.Score || l.Inclusive && score == l.Score
}

// Flags says which rows are outliers.
type Flags struct {
	Outlier []bool // one a row
	Flagged int    // how many are
	// Ties is the number of rows whose score equals the limit's: all of them are
	// flagged if that is inclusive, else none.
	Ties int
}

// Flag returns which of the scores are beyond the limit.
func (l Limit) Flag(scores []float64) *Flags {
	f := &Flags{Outlier: make([]bool, len(scores))}
	for i, score := range scores {
		if l.Outlier(score) {
			f.Outlier[i] = true
			f.Flagged++
		}
		if score == l.Score {
			f.Ties++
		}
	}
	return f
}
