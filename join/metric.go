package join

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Norm says what the differences Δ_k of two rows' coordinates make.
type Norm uint8

// The norms, with what is compared with what: everything is added, or the
// greatest taken, in the order of the coordinates, and each operation rounded
// once to float64.
const (
	Euclidean Norm = iota // ΣΔ² ≤ ε·ε
	Manhattan             // Σ|Δ| ≤ ε
	Chebyshev             // max|Δ| ≤ ε
)

// String is the name of a norm, as --metric takes it.
func (n Norm) String() string {
	return [...]string{"euclidean", "manhattan", "chebyshev"}[n]
}

// Metric says how far two rows are from each other. The zero value is the
// metric of the package comment, Euclidean in open space. Points have one.
type Metric struct {
	Norm Norm
	// Box has the length L of a periodic box along each coordinate, where
	// coordinates are in [0, L) and |Δ| = min(|a − b|, L − |a − b|), or 0 for
	// a coordinate that does not wrap: |Δ| = |a − b|. Nil: none wraps. It must
	// not be changed.
	Box []float64
}

// IsZero reports whether m is the zero value, [SquaredDistance] and [Within].
func (m Metric) IsZero() bool { return m.Norm == Euclidean && m.Box == nil }

// Equal reports whether two metrics are the same.
func (m Metric) Equal(o Metric) bool { return m.Norm == o.Norm && slices.Equal(m.Box, o.Box) }

// Measure returns how far a and b are apart as it is compared with [Metric.Bound]:
// squared for Euclidean, as it is for the other norms. It is the D2 of
// neighbours.
func (m Metric) Measure(a, b []float64) float64 {
	if m.IsZero() {
		return SquaredDistance(a, b)
	}
	var sum float64
	for k, x := range a {
		sum = m.Norm.Add(sum, m.delta(k, math.Abs(x-b[k])))
	}
	return sum
}

// delta wraps the difference of coordinates k.
func (m Metric) delta(k int, diff float64) float64 {
	if length := m.Period(k); length > 0 {
		return min(diff, length-diff)
	}
	return diff
}

// Period returns the length of the box along coordinate k, 0 for none.
func (m Metric) Period(k int) float64 {
	if m.Box == nil {
		return 0
	}
	return m.Box[k]
}

// Add returns a measure with a difference, 0 or more, taken in. It falls
// neither as the measure nor as the difference grows.
func (n Norm) Add(measure, diff float64) float64 {
	switch n {
	case Manhattan:
		return measure + diff
	case Chebyshev:
		return max(measure, diff)
	}
	return measure + float64(diff*diff)
}

// Bound returns what measures of neighbours within eps are at most.
func (m Metric) Bound(eps float64) float64 {
	if m.Norm == Euclidean {
		return Squared(eps)
	}
	return eps
}

// Distance returns the distance of rows of that measure.
func (m Metric) Distance(measure float64) float64 {
	if m.Norm == Euclidean {
		return math.Sqrt(measure)
	}
	return measure
}

// OnlyEuclidean returns nil for the zero value, and for any other metric an
// error that wraps [errors.ErrUnsupported]: what the Index of an engine returns
// that has no metric but that one.
func (m Metric) OnlyEuclidean() error {
	switch {
	case m.IsZero():
		return nil
	case m.Norm == Euclidean:
		return fmt.Errorf("a periodic box is beyond it: %w", errors.ErrUnsupported)
	}
	return fmt.Errorf("the %s distance is beyond it: %w", m.Norm, errors.ErrUnsupported)
}

// WithMetric returns the same points under a metric. It returns an error if
// the box has another number of lengths than there are coordinates, or one
// that is negative or not finite, and a [BoxError] for a coordinate that is
// not in the box.
func (p *Points) WithMetric(m Metric) (*Points, error) {
	if m.Norm > Chebyshev {
		return nil, fmt.Errorf("join: unknown norm %d", m.Norm)
	}
	if m.Box != nil && len(m.Box) != p.dim {
		return nil, fmt.Errorf("join: the box has %d lengths, want %d", len(m.Box), p.dim)
	}
	for k, length := range m.Box {
		if !(length >= 0) || math.IsInf(length, 1) {
			return nil, fmt.Errorf("join: length %d of the box is %v, want a finite number, 0 or more", k, length)
		}
	}
	if !slices.ContainsFunc(m.Box, func(length float64) bool { return length > 0 }) {
		m.Box = nil
	}
	if m.Box != nil {
		for i, x := range p.data {
			if length := m.Box[i%p.dim]; length > 0 && !(x >= 0 && x < length) {
				return nil, &BoxError{Row: i / p.dim, Coordinate: i % p.dim, Value: x, Length: length}
			}
		}
	}
	q := *p
	q.metric = m
	return &q, nil
}

// Metric returns how far the points are from each other.
func (p *Points) Metric() Metric { return p.metric }

// BoxError is returned by [Points.WithMetric] for a coordinate outside the box.
type BoxError struct {
	Row, Coordinate int
	Value, Length   float64
}

func (e *BoxError) Error() string {
	return fmt.Sprintf("join: row %d, coordinate %d is %v, outside the box from 0 to below %v", e.Row, e.Coordinate, e.Value, e.Length)
}
