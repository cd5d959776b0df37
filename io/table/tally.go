package table

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go/bloom/xxhash"
)

// tally gathers what Describe tells of a column, value by value.
type tally struct {
	numbers bool // values are taken as numbers
	ordered bool // texts have a least and a greatest

	nulls, nans, infs, values int64
	low, high                 extreme
	first, last               []byte // of texts
	moments                   moments
	distinct                  distinct
}

// textKept is how much of a text is kept as least or greatest, in bytes.
const textKept = 64

func (t *tally) asNumbers() bool { return t.numbers }

func (t *tally) value(text []byte, x float64, k kind) {
	switch {
	case k == kindNull:
		t.nulls++
	case k == kindNaN:
		t.nans++
	case t.numbers && k != kindText:
		t.number(text, x, k)
	default:
		t.values++
		t.distinct.add(xxhash.Sum64(text))
		if t.ordered {
			t.text(text[:min(len(text), textKept)])
		}
	}
}

// number takes a number, whose text tells an integer beyond 2^53 from its
// neighbours.
func (t *tally) number(text []byte, x float64, k kind) {
	t.values++
	if math.Abs(x) >= 1<<53 && k == kindNumber {
		t.distinct.add(xxhash.Sum64(text))
	} else {
		t.distinct.add(xxhash.Sum64Uint64(math.Float64bits(x + 0))) // -0 is 0
	}
	if k == kindInf {
		t.infs++
		return
	}
	e := extremeOf(text, x)
	if t.moments.n == 0 || e.less(&t.low) {
		t.low = e
	}
	if t.moments.n == 0 || t.high.less(&e) {
		t.high = e
	}
	t.moments.add(x)
	t.moments.lost += e.residue()
}

// text takes a text for the least and the greatest.
func (t *tally) text(b []byte) {
	if t.first == nil || bytes.Compare(b, t.first) < 0 {
		t.first = append([]byte{}, b...)
	}
	if t.last == nil || bytes.Compare(b, t.last) > 0 {
		t.last = append([]byte{}, b...)
	}
}

// extreme is a number that may be the least or the greatest.
type extreme struct {
	x       float64
	i       int64
	u       uint64 // of a number beyond int64
	integer bool   // i, or if it is not 0, u, is the number, exactly
}

// extremeOf looks for the exact integer where float64 does not tell.
func extremeOf(text []byte, x float64) extreme {
	e := extreme{x: x}
	switch {
	case math.Abs(x) < 1<<53:
		e.i, e.integer = int64(x), x == math.Trunc(x)
	default:
		var err error
		if e.i, err = strconv.ParseInt(string(text), 10, 64); errors.Is(err, strconv.ErrRange) {
			e.u, err = strconv.ParseUint(string(text), 10, 64)
		}
		e.integer = err == nil
	}
	return e
}

// residue is what float64 does not hold of an integer. Differences of integers are
// right modulo 2^64, and this one is small.
func (e *extreme) residue() float64 {
	if !e.integer || math.Abs(e.x) < 1<<53 {
		return 0
	}
	exact, held := uint64(e.i), uint64(0) // of 2^64
	if e.u != 0 {
		exact = e.u
	}
	switch {
	case e.x < 0:
		held = -uint64(-e.x)
	case e.x < 1<<64:
		held = uint64(e.x)
	}
	return float64(int64(exact - held))
}

func (e *extreme) less(o *extreme) bool {
	if e.x != o.x || !e.integer || !o.integer {
		return e.x < o.x
	}
	if e.u != 0 || o.u != 0 {
		return e.u < o.u
	}
	return e.i < o.i
}

// text prints the number.
func (e *extreme) text() string {
	if e.integer && e.u != 0 {
		return strconv.FormatUint(e.u, 10)
	}
	if e.integer {
		return strconv.FormatInt(e.i, 10)
	}
	return string(appendFloat(nil, e.x, 64))
}

// moments sums up numbers in the order in which they come: their squares by the
// method of Welford 1962 (doi:10.1080/00401706.1962.10490022), where differences
// from the first number keep the digits that a large offset would cost; the numbers
// themselves with the rounding errors beside them, by Neumaier 1974
// (doi:10.1002/zamm.19740540106), so that a mean near zero has all its digits.
type moments struct {
	n     int64
	first float64
	shift float64 // the mean of the differences
	m2    float64

	sum, lost float64
}

func (m *moments) add(x float64) {
	if m.n == 0 {
		m.first = x
	}
	sum := m.sum + x
	if math.Abs(m.sum) >= math.Abs(x) {
		m.lost += (m.sum - sum) + x
	} else {
		m.lost += (x - sum) + m.sum
	}
	m.sum = sum
	m.n++
	x -= m.first
	d := x - m.shift
	m.shift += d / float64(m.n)
	m.m2 += float64(d * (x - m.shift))
}

// mean is the mean.
func (m *moments) mean() float64 {
	total := m.sum + m.lost
	if m.m2 == 0 || total-total != 0 { // all are the same, or their sum is beyond float64
		return m.first + m.shift
	}
	return total / float64(m.n)
}

// sd is the standard deviation, as --scale standard takes it: of all values, not
// an estimate from a sample.
func (m *moments) sd() float64 { return math.Sqrt(m.m2 / float64(m.n)) }
