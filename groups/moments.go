package groups

import "math"

// moments are the sum of some numbers d and that of their squares. They are kept
// apart from the exponent of the largest d, so that squares neither overflow nor
// vanish.
type moments struct {
	exp     int     // of the largest |d|
	sum     twofold // Σd · 2^−exp
	squares twofold // Σd² · 4^−exp, 1/4 or more once a d is not 0
}

func (m *moments) add(d twofold) {
	if d.hi == 0 {
		return
	}
	if _, exp := math.Frexp(d.hi); m.zero() || exp > m.exp {
		m.sum, m.squares = m.sum.shifted(m.exp-exp), m.squares.shifted(2*(m.exp-exp))
		m.exp = exp
	}
	d = d.shifted(-m.exp)
	m.sum, m.squares = m.sum.plus(d), m.squares.plus(d.square())
}

// zero reports whether all numbers were 0.
func (m *moments) zero() bool { return m.squares.hi == 0 }

// total is the sum.
func (m *moments) total() twofold { return m.sum.shifted(m.exp) }

// mean is the mean of n numbers.
func (m *moments) mean(n int) twofold { return m.sum.over(float64(n)).shifted(m.exp) }

// deviation is the standard deviation of n numbers, with divisor n.
//
// It cancels little where one of the numbers is 0, as the difference to one of n
// rows is: that number is |mean| away from the mean, so that n·variance ≥ mean², and
// Σd²/n is at most n + 1 times the variance.
func (m *moments) deviation(n int) float64 {
	mean := m.sum.over(float64(n))
	variance := m.squares.over(float64(n)).minus(mean.square())
	return math.Ldexp(math.Sqrt(max(0, variance.value())), m.exp)
}

// norm is the root of the mean square of n numbers.
func (m *moments) norm(n int) float64 {
	return math.Ldexp(math.Sqrt(m.squares.over(float64(n)).value()), m.exp)
}
