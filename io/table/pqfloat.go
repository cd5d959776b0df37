package table

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// floats reads the columns of the given places, each over all row groups.
func (p *parquetFile) floats(ctx context.Context, columns []int, f *Floats) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	for j, i := range columns {
		n := p.root.children[i]
		if !coordinate(n) && !textual(n) {
			return badColumn(p.src.path, n.name, "%s", whyNot(n))
		}
		if err := p.floatColumn(ctx, n, j, f); err != nil {
			return err
		}
	}
	return p.src.unchanged()
}

// textual reports whether a column is of strings. They are taken as numbers as
// fields of CSV are, since that is how number columns come out of CSV whose
// digits would not be printed again as they were.
func textual(n *node) bool { return n.Leaf() && !n.Repeated() && n.leaf.class == classText }

// whyNot says why a column is no coordinate.
func whyNot(n *node) string {
	switch {
	case !n.Leaf() || n.Repeated():
		return fmt.Sprintf("is nested (%s); only columns at the top level can be coordinates", n.typeName())
	case n.leaf.class == classNull:
		return "is a null column: there are no numbers in it"
	case n.leaf.class == classBytes || n.leaf.class == classUUID:
		return fmt.Sprintf("is a %s column, not one of numbers", n.leaf.name)
	}
	return fmt.Sprintf("is a %s column, which is not taken as numbers; cast it to double first", n.leaf.name)
}

// floatColumn reads a column into column j of f.
func (p *parquetFile) floatColumn(ctx context.Context, n *node, j int, f *Floats) error {
	r := p.newLeafReader(n.firstLeaf)
	defer r.close()
	row := int64(0)
	for row < int64(f.Rows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		values, err := r.read(r.step(valueBatch))
		if err != nil {
			return err
		}
		for _, v := range values {
			x, k, err := numberOf(v, n.leaf.class)
			if err != nil {
				return &DataError{Path: p.src.path, Column: n.name, Row: row, Err: err}
			}
			if k != kindNumber {
				f.Bad[j].note(k, row, 0)
			}
			f.Data[row*int64(f.Cols)+int64(j)] = x
			row++
		}
	}
	return nil
}

// step returns how many rows can be read at once, most at most.
func (r *leafReader) step(most int64) int64 {
	if r.left > 0 {
		return min(r.left, most)
	}
	for _, g := range r.p.meta.RowGroups[r.group:] {
		if g.NumRows > 0 {
			return min(g.NumRows, most)
		}
	}
	return 0
}

// numberOf returns a value of a number or string column as float64.
func numberOf(v parquet.Value, c class) (x float64, k kind, err error) {
	if c != classText || v.IsNull() {
		x, k, ok := number(v, c)
		if !ok {
			return 0, k, errInexact(integerText(v, c))
		}
		return x, k, nil
	}
	x, k, err = parseNumber(v.ByteArray())
	if err == nil && k == kindText {
		err = fmt.Errorf("%q is not a number", clip(v.ByteArray()))
	}
	return x, k, err
}

// number returns a value as float64; ok is false if that would change it.
func number(v parquet.Value, c class) (x float64, k kind, ok bool) {
	if v.IsNull() {
		return math.NaN(), kindNull, true
	}
	exact := true
	switch c {
	case classInt:
		i := signed(v)
		x, exact = float64(i), exactUint(magnitude(i))
	case classUint:
		u := unsigned(v)
		x, exact = float64(u), exactUint(u)
	case classFloat:
		x = float64(v.Float())
	case classDouble:
		x = v.Double()
	case classHalf:
		x = half(v)
	}
	switch {
	case math.IsNaN(x):
		return x, kindNaN, true
	case math.IsInf(x, 0):
		return x, kindInf, true
	}
	return x, kindNumber, exact
}

// magnitude returns |i|.
func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// signed returns the value of a column of signed integers.
func signed(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// unsigned returns the value of a column of unsigned integers.
func unsigned(v parquet.Value) uint64 {
	if v.Kind() == parquet.Int32 {
		return uint64(v.Uint32())
	}
	return v.Uint64()
}

// integerText returns an integer in digits.
func integerText(v parquet.Value, c class) string {
	if c == classUint {
		return strconv.FormatUint(unsigned(v), 10)
	}
	return strconv.FormatInt(signed(v), 10)
}
