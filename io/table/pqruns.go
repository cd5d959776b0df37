package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// This file walks over Parquet's hybrid of run lengths and packed bits before the
// library decodes it: a run of six bytes may claim two thousand million values,
// and the library makes room for them.
//
//	run:  header | values
//	      n<<1   | one value, in whole bytes            n times that value
//	      n<<1|1 | 8*n values of width bits each        the last ones may be padding

var errRuns = errors.New("its runs are cut off")

// runWalk is a place in encoded runs.
type runWalk struct {
	b     []byte
	width int // bits of a value
	left  int // values that are still to come
	pad   int // bytes that are missing behind b, whose values are padding
}

// run is a run of count values: one that is repeated, or packed ones.
type run struct {
	count  int
	packed bool
	bytes  []byte
}

// next returns the next run.
func (w *runWalk) next() (run, error) {
	head, k := binary.Uvarint(w.b)
	if k <= 0 {
		return run{}, errRuns
	}
	w.b = w.b[k:]
	claim := head >> 1
	r := run{packed: head&1 == 1}
	size := uint64(w.width+7) / 8
	if r.packed {
		size = claim * uint64(w.width)
		r.count = int(min(8*min(claim, uint64(w.left)), uint64(w.left)))
	} else {
		r.count = int(min(claim, uint64(w.left)))
	}
	switch long := r.packed && claim > uint64(w.left+7)/8; {
	case claim == 0:
		return run{}, errors.New("one of its runs is of no values")
	case !r.packed && claim > uint64(w.left), long && (w.width == 0 || claim > uint64(len(w.b))):
		return run{}, fmt.Errorf("a run claims %d values, %d are left", runClaim(head), w.left)
	case long && size > uint64(len(w.b)):
		return run{}, errRuns
	}
	if missing := int(size) - len(w.b); missing > 0 {
		if !r.packed || (r.count*w.width+7)/8 > len(w.b) {
			return run{}, errRuns
		}
		w.pad = missing
		size = uint64(len(w.b))
	}
	r.bytes, w.b = w.b[:size], w.b[size:]
	w.left -= r.count
	return r, nil
}

// passed returns what of b the walk has passed, and padding that it lacks.
func (w *runWalk) passed(b []byte) []byte {
	end := len(b) - len(w.b)
	return append(b[:end:end], make([]byte, w.pad)...)
}

// runClaim is how many values the header of a run claims.
func runClaim(head uint64) uint64 {
	if head&1 == 1 {
		return head >> 1 * 8
	}
	return head >> 1
}

// wholeRuns returns the bytes of b which n values of width bits take.
func wholeRuns(b []byte, n, width int) ([]byte, error) {
	w := runWalk{b: b, width: width, left: n}
	for w.left > 0 {
		if _, err := w.next(); err != nil {
			return nil, err
		}
	}
	return w.passed(b), nil
}

// levels are what is to be known of the repetition or definition levels of a page.
type levels struct {
	runs  []byte // as they are encoded
	first int
	full  int // how many are the greatest
}

// readLevels walks over n levels, of which most is the greatest.
func readLevels(b []byte, n, most int) (levels, error) {
	l := levels{first: -1}
	w := runWalk{b: b, width: bits.Len(uint(most)), left: n}
	for w.left > 0 {
		r, err := w.next()
		if err != nil {
			return l, err
		}
		if r.packed {
			err = l.packed(r, w.width, most)
		} else {
			err = l.add(int(r.bytes[0]), r.count, most)
		}
		if err != nil {
			return l, err
		}
	}
	l.runs = w.passed(b)
	return l, nil
}

// add counts n equal levels.
func (l *levels) add(level, n, most int) error {
	if level > most {
		return fmt.Errorf("there is a level of %d, the greatest is %d", level, most)
	}
	if l.first < 0 {
		l.first = level
	}
	if level == most {
		l.full += n
	}
	return nil
}

// packed counts packed levels, eight at a time: as many bytes as a level has bits.
func (l *levels) packed(r run, width, most int) error {
	mask := uint64(1)<<width - 1
	if l.first < 0 {
		l.first = int(uint64(r.bytes[0]) & mask)
	}
	ones := uint64(0) // the lowest bit of each level
	for i := range 8 {
		ones |= 1 << (i * width)
	}
	for left := r.count; left > 0; left -= 8 {
		word := eightBytes(r.bytes)
		k := min(left, 8)
		fields := ones
		if bits := k * width; bits < 64 {
			fields &= 1<<bits - 1
		}
		for level := most + 1; level <= int(mask); level++ {
			if equalFields(word, fields, width, level) > 0 {
				return fmt.Errorf("there is a level of %d, the greatest is %d", level, most)
			}
		}
		l.full += equalFields(word, fields, width, most)
		r.bytes = r.bytes[min(width, len(r.bytes)):]
	}
	return nil
}

// equalFields counts the fields of a word that have a value. Each field has the
// given width, and its lowest bit is set in fields. A field x is not 0 if a carry
// reaches its highest bit when all lower ones are added to it, or if that is set.
func equalFields(word, fields uint64, width, value int) int {
	x := word ^ fields*uint64(value)
	high := fields << (width - 1)
	low := high - fields // all bits but the highest
	return bits.OnesCount64(high &^ (x&low + low | x))
}

// eightBytes returns the number that the first bytes of b are, eight at most.
func eightBytes(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// oldLevels turns n levels of the encoding that came before runs, packed from the
// highest bit on, into one run of packed ones. It returns what follows them too.
func oldLevels(b []byte, n, most int) (runs, rest []byte, err error) {
	width := bits.Len(uint(most))
	size := (n*width + 7) / 8
	if size > len(b) {
		return nil, nil, errRuns
	}
	groups := (n + 7) / 8
	runs = binary.AppendUvarint(nil, uint64(groups)<<1|1)
	at := len(runs)
	runs = append(runs, make([]byte, groups*width)...)
	for i := range n * width { // bit by bit: such files are old and rare
		if b[i/8]>>(7-i%8)&1 == 1 {
			to := i - i%width + width - 1 - i%width
			runs[at+to/8] |= 1 << (to % 8)
		}
	}
	return runs, b[size:], nil
}

// runsOfBits decodes n booleans in runs to packed bits, as plain ones are. The
// library takes a run of n values as n/8 whole bytes, which is what it writes
// itself, so that it misreads the files of others: a run of ones is a single bit
// there, and its length need not be a multiple of eight.
func runsOfBits(b []byte, n int) ([]byte, error) {
	list := make([]byte, (n+7)/8)
	w := runWalk{b: b, width: 1, left: n}
	for at := 0; w.left > 0; {
		r, err := w.next()
		if err != nil {
			return nil, err
		}
		for i := range r.count {
			bit := r.bytes[0] & 1
			if r.packed {
				bit = r.bytes[i/8] >> (i % 8) & 1
			}
			list[at/8] |= bit << (at % 8)
			at++
		}
	}
	return list, nil
}
