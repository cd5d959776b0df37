package table

import (
	"math"
	"math/bits"
)

// distinct counts different values by their hashes: exactly while there are few,
// then by HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007,
// doi:10.46298/dmtcs.3545) with the estimator of Ertl 2017 (arXiv:1702.01284,
// algorithm 6), which needs no tables of corrections and is good for all counts.
// The libraries for it bring three modules more, and this is all that is needed
// of them.
type distinct struct {
	few       map[uint64]struct{} // all hashes, nil once there are too many
	registers []uint8
}

const (
	// distinctExact is how many different values are counted exactly.
	distinctExact = 4096

	// registerBits makes 2^14 registers of a byte: a standard error of
	// 1.04/√2^14 = 0.8 %.
	registerBits = 14
	hashBits     = 64 - registerBits
)

// add takes the hash of a value.
func (d *distinct) add(hash uint64) {
	if d.registers != nil {
		d.register(hash)
		return
	}
	if d.few == nil {
		d.few = make(map[uint64]struct{})
	}
	d.few[hash] = struct{}{}
	if len(d.few) <= distinctExact {
		return
	}
	d.registers = make([]uint8, 1<<registerBits)
	for h := range d.few {
		d.register(h)
	}
	d.few = nil
}

// register keeps the largest place of the first one bit among the hashes that
// share their first bits.
func (d *distinct) register(hash uint64) {
	i := hash >> hashBits
	rank := uint8(bits.LeadingZeros64(hash<<registerBits|1<<(registerBits-1)) + 1)
	d.registers[i] = max(d.registers[i], rank)
}

// count returns how many different values there were, and whether that is exact.
func (d *distinct) count() (n int64, exact bool) {
	if d.registers == nil {
		return int64(len(d.few)), true
	}
	var have [hashBits + 2]float64
	for _, rank := range d.registers {
		have[rank]++
	}
	const m = 1 << registerBits
	z := m * tau(1-have[hashBits+1]/m)
	for k := hashBits; k >= 1; k-- {
		z = 0.5 * (z + have[k])
	}
	z += m * sigma(have[0]/m)
	return int64(math.Round(m / (2 * math.Ln2) * m / z)), false
}

// sigma and tau are the series of Ertl's estimator.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	z := x
	for y := 1.0; ; y += y {
		x *= x
		last := z
		z += float64(x * y)
		if z == last {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	z := 1 - x
	for y := 0.5; ; y /= 2 {
		x = math.Sqrt(x)
		last := z
		z -= float64((1-x)*(1-x)) * y
		if z == last {
			return z / 3
		}
	}
}
