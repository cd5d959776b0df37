package groups

// track follows the rows of a group along a coordinate: differences to the first
// row, of half the numbers, which do not overflow.
//
// Along one that wraps after the length wrap, a row stands where it is nearest to
// the first, at most half of wrap away:
//
//	0             first         wrap
//	├───c───────────a──b──────────┤ c         a, b and c are rows
//	                └──────────────┘ the way from a up to c, which is shorter than down
//
// If the shortest arc with all rows is less than half of wrap, the first row sees
// all others in it, and from the lowest to the highest is that arc. Otherwise these
// are as far apart as that, or more, whichever row was the first.
type track struct {
	first, low, high float64 // numbers as they are
	moments          moments // of the half differences to first
}

func (t *track) begin(x float64) { *t = track{first: x, low: x, high: x} }

func (t *track) add(x, wrap float64) {
	d := t.offset(x, wrap)
	t.moments.add(d)
	if wrap == 0 {
		t.low, t.high = min(t.low, x), max(t.high, x)
		return
	}
	if d.hi < t.offset(t.low, wrap).hi {
		t.low = x
	}
	if d.hi > t.offset(t.high, wrap).hi {
		t.high = x
	}
}

// offset is half the difference of x to the first row.
func (t *track) offset(x, wrap float64) twofold {
	d := twoSum(x/2, -t.first/2)
	switch {
	case d.hi > wrap/4 && wrap > 0:
		return d.plus(twofold{hi: -wrap / 2})
	case d.hi < -wrap/4 && wrap > 0:
		return d.plus(twofold{hi: wrap / 2})
	}
	return d
}

// narrow reports whether less than half of wrap holds all rows.
func (t *track) narrow(wrap float64) bool {
	return t.offset(t.high, wrap).minus(t.offset(t.low, wrap)).hi < wrap/4
}

// extent is what the track tells of n rows.
func (t *track) extent(n int, wrap float64) Extent {
	e := Extent{Mean: t.first, Low: t.low, High: t.high}
	if t.moments.zero() {
		return e
	}
	mean := twoSum(t.first/2, 0).plus(t.moments.mean(n))
	e.Deviation = 2 * t.moments.deviation(n)
	if wrap == 0 {
		e.Mean = min(max(2*mean.value(), t.low), t.high)
		return e
	}
	switch {
	case mean.hi < 0:
		mean = mean.plus(twofold{hi: wrap / 2})
	case mean.value() >= wrap/2:
		mean = mean.plus(twofold{hi: -wrap / 2})
	}
	if e.Mean = 2 * mean.value(); e.Mean >= wrap { // rounded up from below 0
		e.Mean = 0
	}
	return e
}
