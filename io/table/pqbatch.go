package table

import (
	"fmt"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// This file says how many rows are read at once, and what is wrong with some.

// valueBatch is how many values are taken from a page at a time.
const valueBatch = 1024

// valueBytes is what a value takes in memory beside its text.
const valueBytes = 24

// batchBytes is about how many bytes of values are handed on at a time.
const batchBytes = 1 << 20

// step returns how many rows to read at once, most at most.
func (r *leafReader) step(most int64) int64 {
	if r.left > 0 {
		return min(r.left, most, r.p.batchRows(r.group-1, r.leaf))
	}
	for g := r.group; g < len(r.p.meta.RowGroups); g++ {
		if rows := r.p.meta.RowGroups[g].NumRows; rows > 0 {
			return min(rows, most, r.p.batchRows(g, r.leaf))
		}
	}
	return 0
}

// batchRows is how many rows of these leaves are read at once: valueBatch, or
// fewer where they take more than batchBytes on average.
func (p *parquetFile) batchRows(group int, leaves ...int) int64 {
	g, bytes := &p.meta.RowGroups[group], int64(0)
	for _, leaf := range leaves {
		m := &g.Columns[leaf].MetaData
		size := m.TotalUncompressedSize
		if p.leaf[leaf].maxRep > 0 {
			size = max(size, m.NumValues*valueBytes)
		}
		bytes += size / max(g.NumRows, 1)
	}
	return min(max(batchBytes/max(bytes, 1), 1), valueBatch)
}

// checkRows sees that no row has more text than can be in memory at once, as it has
// to be to be encoded: long values may be in it many times.
func (r *leafReader) checkRows(values []parquet.Value) error {
	if !r.nested {
		return nil
	}
	total := 0
	for i := range values {
		if values[i].RepetitionLevel() == 0 {
			total = 0
		}
		if k := values[i].Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
			total += len(values[i].ByteArray())
		}
		if total > r.p.bound() {
			return r.p.damaged(r.leaf, fmt.Errorf("a row has more than %d bytes, which is the most in a file of this size", r.p.bound()))
		}
	}
	return nil
}

// checkText sees that strings are UTF-8: a file that is copied with others would
// be refused by its readers.
func checkText(values []parquet.Value) error {
	for _, v := range values {
		if b := v.ByteArray(); !utf8.Valid(b) {
			return fmt.Errorf("the string %q is not UTF-8", clip(b))
		}
	}
	return nil
}
