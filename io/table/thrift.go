package table

import (
	"encoding/binary"
	"errors"
)

// This file walks over Thrift's compact encoding without building anything. The
// library's decoder makes room for whatever length a list or a string claims,
// gigabytes from a file of a few bytes; after this walk, every claim is known to
// be covered by bytes that are there.
//
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

var (
	errShort  = errors.New("metadata is cut off")
	errThrift = errors.New("metadata is no Thrift structure")
)

// Types of the compact encoding.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// thriftDepth is how deep structures may nest; Parquet's own need less than ten.
const thriftDepth = 32

// thriftStructure returns the length of the structure that b begins with. The
// error is errShort if b ends before it does.
func thriftStructure(b []byte) (int, error) {
	w := thriftWalk{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	return w.at, nil
}

// thriftWalk is a place in encoded bytes.
type thriftWalk struct {
	b  []byte
	at int
}

func (w *thriftWalk) byte() (byte, error) {
	if w.at >= len(w.b) {
		return 0, errShort
	}
	c := w.b[w.at]
	w.at++
	return c, nil
}

func (w *thriftWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.at:])
	switch {
	case n > 0:
		w.at += n
		return v, nil
	case n == 0:
		return 0, errShort
	}
	return 0, errThrift
}

// skip passes over n bytes.
func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		return errShort
	}
	w.at += int(n)
	return nil
}

func (w *thriftWalk) structure(depth int) error {
	if depth > thriftDepth {
		return errThrift
	}
	for {
		head, err := w.byte()
		if err != nil || head == thriftStop {
			return err
		}
		if head>>4 == 0 { // the field's number stands in full
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if t := head & 15; t != thriftTrue && t != thriftFalse {
			if err := w.value(t, depth); err != nil {
				return err
			}
		}
	}
}

// value passes over a value that is no boolean field.
func (w *thriftWalk) value(t byte, depth int) error {
	switch t {
	case thriftTrue, thriftFalse, thriftByte:
		return w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.skip(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftList, thriftSet:
		return w.list(depth)
	case thriftMap:
		return w.pairs(depth)
	case thriftStruct:
		return w.structure(depth + 1)
	}
	return errThrift
}

func (w *thriftWalk) list(depth int) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	return w.elements(n, depth, head&15)
}

func (w *thriftWalk) pairs(depth int) error {
	n, err := w.varint()
	if err != nil || n == 0 {
		return err
	}
	types, err := w.byte()
	if err != nil {
		return err
	}
	return w.elements(n, depth, types>>4, types&15)
}

// elements passes over n elements of the given types; each takes a byte at least.
func (w *thriftWalk) elements(n uint64, depth int, types ...byte) error {
	if n > uint64(len(w.b)-w.at) {
		return errShort
	}
	if depth > thriftDepth {
		return errThrift
	}
	for range n {
		for _, t := range types {
			if err := w.value(t, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
