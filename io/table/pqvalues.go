package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// This file checks the values of a page by the rules of their encoding before the
// library decodes them: it trusts what they claim of their number and length.

// oldDictionary is what old writers say of pages of places in a dictionary, and of
// the plain values of that.
const oldDictionary format.Encoding = 2

// inDictionary reports whether pages of an encoding have places in a dictionary.
func inDictionary(code format.Encoding) bool {
	return code == format.RLEDictionary || code == oldDictionary
}

var errValues = errors.New("its values are cut off")

// pageValues are the values of a data page that are not null.
type pageValues struct {
	code   format.Encoding
	data   []byte
	n      int
	kind   parquet.Kind
	length int // of FIXED_LEN_BYTE_ARRAY
	most   int // bytes that they may unpack to
}

// checked returns the bytes that are the values, without what follows them.
// Booleans in runs become plain ones.
func (v *pageValues) checked() ([]byte, error) {
	switch v.code {
	case format.Plain:
		return v.plain()
	case oldDictionary, format.RLEDictionary:
		return v.dictionary()
	case format.RLE:
		if v.kind == parquet.Boolean {
			return v.booleans()
		}
	case format.ByteStreamSplit:
		if size := v.size(); size > 0 && len(v.data) != v.n*size {
			return nil, fmt.Errorf("%d values of %d bytes are said to be in %d bytes", v.n, size, len(v.data))
		}
		return v.data, nil
	case format.DeltaBinaryPacked:
		rest, err := walkDeltas(v.data, v.n, nil)
		if err != nil {
			return nil, err
		}
		return v.data[:len(v.data)-len(rest)], nil
	case format.DeltaLengthByteArray:
		return v.lengths()
	case format.DeltaByteArray:
		return v.prefixes()
	}
	return nil, fmt.Errorf("it is encoded as %s, which is not supported", v.code)
}

// size is how many bytes a plain value has, or 0.
func (v *pageValues) size() int {
	switch v.kind {
	case parquet.Int32, parquet.Float:
		return 4
	case parquet.Int64, parquet.Double:
		return 8
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return v.length
	}
	return 0
}

// plain checks plain values.
func (v *pageValues) plain() ([]byte, error) {
	size := v.n * v.size()
	switch v.kind {
	case parquet.Boolean:
		size = (v.n + 7) / 8
	case parquet.ByteArray:
		for range v.n {
			if len(v.data)-size < 4 {
				return nil, errValues
			}
			k := binary.LittleEndian.Uint32(v.data[size:])
			size += 4
			if uint64(k) > uint64(len(v.data)-size) {
				return nil, errValues
			}
			size += int(k)
		}
	}
	if size > len(v.data) {
		return nil, errValues
	}
	return v.data[:size], nil
}

// dictionary checks places in the dictionary.
func (v *pageValues) dictionary() ([]byte, error) {
	if v.n == 0 {
		return nil, nil
	}
	if len(v.data) == 0 {
		return nil, errValues
	}
	width := v.data[0]
	if width > 32 {
		return nil, fmt.Errorf("its places in the dictionary have %d bits", width)
	}
	if width == 0 { // all are the first one, whatever follows
		return binary.AppendUvarint([]byte{0}, uint64(v.n)<<1), nil
	}
	runs, err := wholeRuns(v.data[1:], v.n, int(width))
	if err != nil {
		return nil, err
	}
	if len(runs) < len(v.data) {
		return v.data[:1+len(runs)], nil
	}
	return append([]byte{width}, runs...), nil
}

// booleans decodes runs behind their length.
func (v *pageValues) booleans() ([]byte, error) {
	b, _, err := prefixed(v.data)
	if err != nil {
		return nil, err
	}
	return runsOfBits(b, v.n)
}

// prefixed splits bytes that begin with the length of their first part.
func prefixed(b []byte) (first, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errValues
	}
	n := binary.LittleEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, errValues
	}
	return b[:n], b[n:], nil
}

// lengths checks strings that stand behind all of their lengths.
func (v *pageValues) lengths() ([]byte, error) {
	list := make([]int, 0, v.n)
	rest, err := walkDeltas(v.data, v.n, &list)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, n := range list {
		if n < 0 || n > len(rest)-total {
			return nil, fmt.Errorf("one of its values claims %d bytes, %d are left", n, len(rest)-total)
		}
		total += n
	}
	return v.data[:len(v.data)-len(rest)+total], nil
}

// prefixes checks strings that begin as the one before. A long one that is
// repeated takes next to nothing.
func (v *pageValues) prefixes() ([]byte, error) {
	prefix, suffix := make([]int, 0, v.n), make([]int, 0, v.n)
	rest, err := walkDeltas(v.data, v.n, &prefix)
	if err == nil {
		rest, err = walkDeltas(rest, v.n, &suffix)
	}
	if err != nil {
		return nil, err
	}
	last, total, unpacked := 0, 0, 0
	for i, p := range prefix {
		n := suffix[i]
		switch {
		case p < 0 || p > last:
			return nil, fmt.Errorf("one of its values takes %d bytes of the one before, which has %d", p, last)
		case n < 0 || n > len(rest)-total:
			return nil, fmt.Errorf("one of its values claims %d bytes, %d are left", n, len(rest)-total)
		case v.kind == parquet.FixedLenByteArray && p+n != v.length:
			return nil, fmt.Errorf("one of its values has %d bytes, not %d", p+n, v.length)
		}
		last = p + n
		total += n
		if unpacked += last; unpacked > v.most {
			return nil, fmt.Errorf("its values have more than %d bytes in all", v.most)
		}
	}
	return v.data[:len(v.data)-len(rest)+total], nil
}
