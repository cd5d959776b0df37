package groups

import "math"

// twofold is the number hi + lo, where lo is what hi lacks: about 106 bits.
// Sums and products are those of Dekker 1971, https://doi.org/10.1007/BF01397083,
// and Knuth. No product stands beside a sum, so that Go has nothing to fuse but
// where math.FMA says so.
type twofold struct{ hi, lo float64 }

// twoSum returns a + b, exactly unless it overflows.
func twoSum(a, b float64) twofold {
	sum := a + b
	back := sum - a
	return twofold{sum, (a - (sum - back)) + (b - back)}
}

// normal returns hi + lo for |hi| ≥ |lo|.
func normal(hi, lo float64) twofold {
	sum := hi + lo
	return twofold{sum, lo - (sum - hi)}
}

func (a twofold) plus(b twofold) twofold {
	high, low := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	high = normal(high.hi, high.lo+low.hi)
	return normal(high.hi, high.lo+low.lo)
}

func (a twofold) minus(b twofold) twofold { return a.plus(twofold{-b.hi, -b.lo}) }

func (a twofold) square() twofold {
	hi := float64(a.hi * a.hi)
	return normal(hi, math.FMA(2*a.hi, a.lo, math.FMA(a.hi, a.hi, -hi)))
}

// over returns a / n.
func (a twofold) over(n float64) twofold {
	quotient := a.hi / n
	rest := math.FMA(-quotient, n, a.hi) + a.lo
	return normal(quotient, rest/n)
}

// shifted returns a·2^exp.
func (a twofold) shifted(exp int) twofold {
	return twofold{math.Ldexp(a.hi, exp), math.Ldexp(a.lo, exp)}
}

// value is the float64 next to it.
func (a twofold) value() float64 { return a.hi + a.lo }
