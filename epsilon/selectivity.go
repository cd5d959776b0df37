package epsilon

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"rtcluster/join"
)

// selectivityTolerance bounds how far, relatively, the ε of a selectivity may lie
// above the least one.
const selectivityTolerance = 1e-6

// mostRoot is about the largest ε whose square does not overflow: a larger one joins
// all rows, whatever their distance.
const mostRoot = 1.34e154

// Selected is an ε and the neighbours that it gives.
type Selected struct {
	Eps  float64
	Mean float64 // other rows within Eps, per row
}

// Selectivity suggests the ε with which rows have so many other rows within it on
// average: the least one, or up to a millionth above it, with as few digits as that
// allows. Where distances tie, the mean can be larger by far than what was asked
// for. The average is over the rows named, different ones, or all rows for nil. It is
// the selectivity by which papers on ε-joins, RT-HiSS among them, say how large a join
// is.
//
// idx is the index that the curve is of; the search starts from the curve. Selectivity
// returns a [NoneError] if no ε gives so many, as for the number of rows and more, an
// error for a mean that is not above 0, and those of the index, wrapped.
func (c *Curve) Selectivity(ctx context.Context, idx join.Index, rows []int32, mean float64) (Selected, error) {
	if !(mean > 0) {
		return Selected{}, fmt.Errorf("epsilon: the selectivity is %v, want more than 0", mean)
	}
	s := &selector{idx: idx, unit: c.opt.Unit, counts: make([]int32, idx.Points().Rows())}
	if rows != nil {
		if err := checkRows(rows, idx.Points().Rows()); err != nil {
			return Selected{}, err
		}
		s.queries, s.counts = idx.Points().Subset(rows), s.counts[:len(rows)]
	}
	low, high, err := s.bracket(ctx, mean, c)
	if err != nil {
		return Selected{}, err
	}
	for high.Eps-low > selectivityTolerance*high.Eps {
		// Half way between the bits: numbers of all sizes are near to each other.
		mid, err := s.at(ctx, math.Float64frombits((math.Float64bits(low)+math.Float64bits(high.Eps))/2))
		switch {
		case err != nil:
			return Selected{}, err
		case mid.Eps == low || mid.Eps == high.Eps: // there is nothing between
			return high, nil
		case mid.Mean >= mean:
			high = mid
		default:
			low = mid.Eps
		}
	}
	for {
		short, err := s.at(ctx, shortest(low, high.Eps))
		if err != nil || short.Mean >= mean {
			return short, err
		}
		low = short.Eps // and the next has more digits
	}
}

// selector counts neighbours.
type selector struct {
	idx     join.Index
	queries *join.Points
	unit    Unit
	counts  []int32
}

// at returns what an ε gives.
func (s *selector) at(ctx context.Context, eps float64) (Selected, error) {
	if err := s.idx.Counts(ctx, s.queries, s.unit.Eps(eps), 0, s.counts); err != nil {
		return Selected{}, fmt.Errorf("epsilon: counting neighbours: %w", err)
	}
	var sum int64
	for _, count := range s.counts {
		sum += int64(count) - 1 // without the row itself
	}
	return Selected{Eps: eps, Mean: float64(sum) / float64(len(s.counts))}, nil
}

// bracket returns an ε that gives less than the mean, or the same twice, and one
// that gives it. It starts from the middle of the curve, and its steps grow.
func (s *selector) bracket(ctx context.Context, mean float64, c *Curve) (low float64, high Selected, err error) {
	if high, err = s.at(ctx, 0); err != nil || high.Mean >= mean {
		return 0, high, err
	}
	metric := s.idx.Points().Metric()
	most := min(s.unit.Distance(metric, join.DiameterBound(s.idx.Points())), math.MaxFloat64)
	if metric.Norm == join.Euclidean {
		most = min(most, mostRoot)
	}
	eps := c.At(0.5)
	if eps == 0 {
		eps = most
	}
	for factor := 2.; ; factor *= factor {
		if high, err = s.at(ctx, min(eps, most)); err != nil || high.Mean >= mean {
			return low, high, err
		}
		if eps >= most {
			return 0, Selected{}, nonef("with eps %v rows have %.6g others within it on average, and no more with a larger", high.Eps, high.Mean)
		}
		low = eps
		eps *= factor
	}
}

// shortest returns a number of few digits that is above low and at most high, which
// it is if there is no other.
func shortest(low, high float64) float64 {
	for digits := 1; digits < 17; digits++ {
		x, err := strconv.ParseFloat(strconv.FormatFloat(high, 'g', digits, 64), 64)
		if err == nil && x > low && x <= high {
			return x
		}
	}
	return high
}
