package table

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// This file walks over numbers that are encoded by their differences:
//
//	header: numbers of a block | miniblocks of a block | numbers | first number
//	block:  least difference | bits of a difference in each miniblock | miniblocks
//
// The header claims how many numbers there are, and a block whose differences
// have no bits takes a few bytes.
//
// https://github.com/apache/parquet-format/blob/master/Encodings.md

// deltaBlock is the most numbers that a block may have, as in the library.
const deltaBlock = 1 << 16

var errDelta = errors.New("its differences are cut off")

// deltaWalk is a place in encoded differences.
type deltaWalk struct {
	b []byte
	n int // numbers of a miniblock
}

// unsigned and signed read the next number of a header.
func (w *deltaWalk) unsigned() (uint64, error) {
	v, k := binary.Uvarint(w.b)
	if k <= 0 {
		return 0, errDelta
	}
	w.b = w.b[k:]
	return v, nil
}

func (w *deltaWalk) signed() (int64, error) {
	v, k := binary.Varint(w.b)
	if k <= 0 {
		return 0, errDelta
	}
	w.b = w.b[k:]
	return v, nil
}

// header reads the header of n numbers and returns the miniblocks of a block and
// the first number.
func (w *deltaWalk) header(n int) (minis int, first int64, err error) {
	var head [3]uint64
	for i := range head {
		if head[i], err = w.unsigned(); err != nil {
			return 0, 0, err
		}
	}
	if first, err = w.signed(); err != nil {
		return 0, 0, err
	}
	switch {
	case head[0] == 0 || head[0] > deltaBlock || head[1] == 0 || head[0]%head[1] != 0 || head[0]/head[1]%32 != 0:
		return 0, 0, fmt.Errorf("it claims blocks of %d differences in %d parts", head[0], head[1])
	case head[2] != uint64(n):
		return 0, 0, fmt.Errorf("it claims %d differences, there are %d values", head[2], n)
	}
	w.n = int(head[0] / head[1])
	return int(head[1]), first, nil
}

// walkDeltas passes over n encoded numbers and returns what follows them. The
// numbers are appended to a list, if there is one.
func walkDeltas(b []byte, n int, list *[]int) ([]byte, error) {
	w := deltaWalk{b: b}
	if n == 0 && len(b) == 0 {
		return b, nil
	}
	minis, last, err := w.header(n)
	if err != nil {
		return nil, err
	}
	if list != nil && n > 0 {
		*list = append(*list, int(last))
	}
	for left := n - 1; left > 0; {
		least, err := w.signed()
		if err != nil || len(w.b) < minis {
			return nil, errDelta
		}
		widths := w.b[:minis]
		w.b = w.b[minis:]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			size := w.n * int(width) / 8
			take := min(left, w.n)
			if width > 64 || (take*int(width)+7)/8 > len(w.b) {
				return nil, errDelta
			}
			mini := w.b[:min(size, len(w.b))]
			w.b = w.b[len(mini):]
			left -= take
			if list == nil {
				continue
			}
			for i := range take {
				last += least + int64(bitsAt(mini, i*int(width), int(width)))
				*list = append(*list, int(int32(last))) // lengths have 32 bits
			}
		}
	}
	return w.b, nil
}

// bitsAt returns the number of so many bits that begins at a bit.
func bitsAt(b []byte, at, width int) uint64 {
	if width == 0 {
		return 0
	}
	b = b[at/8:]
	v := eightBytes(b) >> (at % 8)
	if at%8+width > 64 {
		v |= uint64(b[8]) << (64 - at%8)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}
