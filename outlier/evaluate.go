package outlier

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Evaluation says how well scores part the outliers from the inliers of n rows,
// where it is known which are which. Rows of equal score are never put in an
// order of their own: they count half, as one threshold, or by their mean, as
// each figure says. Adjusted figures are (figure − Share) / (1 − Share), so that
// rows in random order have 0 and a perfect order has 1: Campos et al. 2016,
// https://doi.org/10.1007/s10618-015-0444-8.
type Evaluation struct {
	Outliers, Inliers int
	// Share is Outliers / n, what random order is expected to have for each of
	// the figures but AUROC, for which that is 0.5.
	Share float64
	// AUROC is the area under the ROC curve: the share of pairs of an outlier and
	// an inlier in which the outlier has the higher score, ties half; counted in
	// whole numbers.
	AUROC float64
	// AveragePrecision is the mean over the outliers of the precision at their
	// score, which is the share of outliers in the rows at or above it, as in
	// scikit-learn.
	AveragePrecision, AdjustedAveragePrecision float64
	// PrecisionAtN is the share of outliers in the Outliers rows of highest score;
	// of rows tied for the last places, what is expected of a random choice.
	PrecisionAtN, AdjustedPrecisionAtN float64
	// MaxF1 is the greatest harmonic mean of precision and recall that a
	// threshold has, and MaxF1Score the highest score that has it: the rows at or
	// above it.
	MaxF1, AdjustedMaxF1 float64
	MaxF1Score           float64
}

// ErrOneClass is returned, wrapped, by [Evaluate] when no row is an outlier or
// all are, so that there is nothing to part.
var ErrOneClass = errors.New("no two kinds of rows")

// Evaluate compares scores, none of which is NaN, with what rows are: outlier
// has one value a row. It takes 4 bytes a row.
func Evaluate(scores []float64, outlier []bool) (*Evaluation, error) {
	if len(scores) != len(outlier) {
		return nil, fmt.Errorf("outlier: %d scores to evaluate, and %d labels", len(scores), len(outlier))
	}
	e := &Evaluation{}
	for _, is := range outlier {
		if is {
			e.Outliers++
		}
	}
	e.Inliers = len(outlier) - e.Outliers
	if e.Outliers == 0 || e.Inliers == 0 {
		return nil, fmt.Errorf("outlier: of %d rows %d are outliers, want one at least and not all: %w", len(outlier), e.Outliers, ErrOneClass)
	}
	e.Share = float64(e.Outliers) / float64(len(outlier))
	e.walk(steps(scores, outlier))
	adjusted := func(x float64) float64 { // by whole numbers, which are exact
		return (float64(x*float64(len(outlier))) - float64(e.Outliers)) / float64(e.Inliers)
	}
	e.AdjustedAveragePrecision = adjusted(e.AveragePrecision)
	e.AdjustedPrecisionAtN = adjusted(e.PrecisionAtN)
	e.AdjustedMaxF1 = adjusted(e.MaxF1)
	return e, nil
}

// step is the rows of one score.
type step struct {
	score             float64
	outliers, inliers int
}

// steps yields the scores from the highest down, each once.
func steps(scores []float64, outlier []bool) iter.Seq[step] {
	order := make([]int32, len(scores))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
	return func(yield func(step) bool) {
		for from := 0; from < len(order); {
			s := step{score: scores[order[from]]}
			for ; from < len(order) && scores[order[from]] == s.score; from++ {
				if outlier[order[from]] {
					s.outliers++
				} else {
					s.inliers++
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// walk goes down the scores and fills the figures.
func (e *Evaluation) walk(each iter.Seq[step]) {
	var won int64 // pairs of an outlier above an inlier, twice; at most n²/2, n < 2³¹
	var precision compensated
	outliers, rows, top := 0, 0, e.Outliers
	for s := range each {
		if size := s.outliers + s.inliers; rows < top {
			share := min(1, float64(top-rows)/float64(size))
			e.PrecisionAtN += float64(s.outliers) * share
		}
		won += int64(s.inliers) * int64(2*outliers+s.outliers)
		outliers += s.outliers
		rows += s.outliers + s.inliers
		precision.add(float64(s.outliers) * float64(outliers) / float64(rows))
		if f1 := 2 * float64(outliers) / float64(top+rows); f1 > e.MaxF1 {
			e.MaxF1, e.MaxF1Score = f1, s.score
		}
	}
	e.AUROC = float64(won) / float64(2*int64(e.Outliers)*int64(e.Inliers))
	e.AveragePrecision = precision.sum() / float64(e.Outliers)
	e.PrecisionAtN /= float64(e.Outliers)
}

// compensated is a sum of Neumaier 1974, https://doi.org/10.1002/zamm.19740540106,
// which is as good as if it were made in twice the digits and rounded.
type compensated struct{ high, low float64 }

func (c *compensated) add(x float64) {
	s := c.high + x
	if math.Abs(c.high) >= math.Abs(x) {
		c.low += (c.high - s) + x
	} else {
		c.low += (x - s) + c.high
	}
	c.high = s
}

func (c *compensated) sum() float64 { return c.high + c.low }
