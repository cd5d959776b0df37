package catalog

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// maxFITSColumns is how many columns a binary table may have.
const maxFITSColumns = 999

// maxFITSName is how long the name of a column may be, a quote in it counted twice:
// readers want it in one line.
const maxFITSName = 68

// An UnfitError says what of a table FITS cannot hold.
type UnfitError struct{ text string }

// Error returns that.
func (e *UnfitError) Error() string { return e.text }

func unfitf(format string, args ...any) error { return &UnfitError{fmt.Sprintf(format, args...)} }

// EachRow calls yield for each row of a table, with the values of the columns of the
// given places alone.
type EachRow func(columns []int, yield func(row []Value) error) error

// WriteFITS writes a table of so many rows as the first extension of a FITS file.
// Some columns are looked at first ([Column.Surveyed]), so that each is called twice if
// there are any.
//
// Null is TNULL in integers (a value that no row has; if all are there, and where TZERO
// would shift it, the column gets a wider type), neither T nor F in Bool, NaN in floats, and empty in Text.
// Units are TUNIT, UCDs TUCD, descriptions TCOMM. What FITS cannot hold is an
// *UnfitError.
func WriteFITS(w io.Writer, columns []Column, rows int64, each EachRow) error {
	if len(columns) > maxFITSColumns {
		return unfitf("%d columns are more than the %d that a FITS table can have; choose some with --keep", len(columns), maxFITSColumns)
	}
	fields, err := surveyed(columns, each)
	if err != nil {
		return err
	}
	width, all := 0, make([]int, len(columns))
	for i := range fields {
		all[i] = i
		width += fields[i].bytes()
	}
	if width > maxPiece {
		return unfitf("rows of %d bytes are too long for a FITS table; leave out columns of long text by --keep", width)
	}
	out := bufio.NewWriterSize(w, 256<<10)
	if err := writeHeaders(out, fields, width, rows); err != nil {
		return err
	}
	var seen int64
	buf := make([]byte, 0, width)
	err = each(all, func(row []Value) error {
		buf = buf[:0]
		for i := range fields {
			buf = fields[i].append(buf, &row[i])
		}
		seen++
		_, err := out.Write(buf)
		return err
	})
	if err != nil {
		return err
	}
	if seen != rows {
		return fmt.Errorf("catalog: %d rows were written, %d announced", seen, rows)
	}
	if rest := int64(width) * rows % blockSize; rest > 0 {
		if _, err := out.Write(make([]byte, blockSize-rest)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// outField is a column that is written.
type outField struct {
	Column
	width   int // of text, 1 at least
	null    int64
	hasNull bool   // null is a value that no row has
	nulls   bool   // there are some
	huge    bool   // some value of an uint64 is above all of int64
	seen    []byte // a bit for each of the values that may stand for null, if it is there
}

// nullChoice is how many values are looked at for one that no row has and that can
// stand for null: from the least on, or from the greatest down if a type is unsigned.
const nullChoice = 1 << 16

// surveyed looks at the columns for how long texts are, and for nulls.
func surveyed(columns []Column, each EachRow) ([]outField, error) {
	fields := make([]outField, len(columns))
	var look []int
	for i, c := range columns {
		fields[i] = outField{Column: c, width: 1}
		if c.Name == "" {
			return nil, unfitf("column %d has no name", i+1)
		}
		if !ascii(c.Name) {
			return nil, unfitf("the column name %q is not ASCII, as FITS wants; leave the column out by --keep", c.Name)
		}
		if n := len(strings.ReplaceAll(c.Name, "'", "''")); n > maxFITSName {
			return nil, unfitf("the column name %.20q... has %d characters, and FITS has room for %d; leave the column out by --keep", c.Name, n, maxFITSName)
		}
		if c.Surveyed() {
			look = append(look, i)
		}
	}
	if len(look) > 0 {
		err := each(look, func(row []Value) error {
			for k, i := range look {
				if err := fields[i].look(&row[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range fields {
		if err := fields[i].chooseNull(); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// Surveyed reports whether WriteFITS looks at the values before it writes: for how long
// texts are, and for an integer that can stand for null.
func (c *Column) Surveyed() bool { return c.Type == Text || c.Nullable && c.integer() }

// integer reports whether values are integers.
func (c *Column) integer() bool { return c.Type >= Int8 && c.Type <= Uint64 }

// choice returns value number k of those that may stand for null.
func (c *Column) choice(k int64) int64 {
	n, signed := c.Type.bits()
	if signed {
		return -1<<(n-1) + k
	}
	return int64(^uint64(0)>>(64-n)) - k
}

// number is which of those a value is.
func (c *Column) number(value int64) uint64 {
	if _, signed := c.Type.bits(); signed {
		return uint64(value) - uint64(c.choice(0))
	}
	return uint64(c.choice(0)) - uint64(value)
}

// look looks at a value.
func (f *outField) look(v *Value) error {
	switch {
	case v.Null:
		f.nulls = true
	case f.Type == Text:
		for _, c := range v.Text {
			if c < ' ' || c > '~' {
				return unfitf("column %s has the text %.40q, and FITS knows ASCII from blank to ~ only; leave the column out by --keep, or write Parquet", f.Name, v.Text)
			}
		}
		f.width = max(f.width, len(v.Text))
	default:
		if f.seen == nil {
			f.seen = make([]byte, nullChoice/8)
		}
		f.huge = f.huge || f.Type == Uint64 && v.Int < 0
		if k := f.number(v.Int); k < nullChoice {
			f.seen[k/8] |= 1 << (k % 8)
		}
	}
	return nil
}

// chooseNull chooses what stands for null in integers: a value that no row has, of a
// wider type if all are there. Where TZERO shifts values, TNULL is one before the shift,
// but astropy, and who follows it, takes it for one behind. So such a column has no TNULL
// unless it has nulls, and is signed and wider then; for an uint64 with a value above all of
// int64 there is none that is wider, and it is refused.
func (f *outField) chooseNull() error {
	if !f.integer() || !f.Nullable {
		return nil
	}
	if wider, ok := f.Type.unshifted(); ok {
		if !f.nulls {
			return nil
		}
		if f.Type != Uint64 {
			f.widen(wider)
			return nil
		}
		if f.huge {
			return unfitf("column %s has nulls and integers above %d, and readers of FITS would take the nulls for integers; leave the column out by --keep, or write Parquet", f.Name, math.MaxInt64)
		}
		f.Type, f.seen = Int64, nil // which has the values below 0 for nulls
	}
	n, _ := f.Type.bits()
	for k := range min(nullChoice, int64(1)<<min(n, 32)) {
		if f.seen == nil || f.seen[k/8]>>(k%8)&1 == 0 {
			f.null, f.hasNull = f.choice(k), true
			return nil
		}
	}
	if !f.nulls {
		return nil
	}
	wider, ok := map[Type]Type{Uint8: Int16, Int16: Int32, Int32: Int64}[f.Type]
	if !ok {
		return unfitf("column %s has nulls, and no integer to spare that could stand for them in FITS; leave the column out by --keep, or write Parquet", f.Name)
	}
	f.widen(wider)
	return nil
}

// unshifted returns the type without TZERO for the values of a type that has one.
func (t Type) unshifted() (Type, bool) {
	switch t {
	case Int8:
		return Int16, true
	case Uint16:
		return Int32, true
	case Uint32, Uint64:
		return Int64, true
	}
	return t, false
}

// widen takes a type with room for null beside all values.
func (f *outField) widen(t Type) {
	f.Type, f.hasNull = t, true
	f.null = f.choice(0)
}

// form returns TFORM without the width, and TZERO.
func (f *outField) form() (code byte, zero string) {
	switch f.Type {
	case Bool:
		return 'L', ""
	case Int8:
		return 'B', "-128"
	case Uint8:
		return 'B', ""
	case Int16:
		return 'I', ""
	case Uint16:
		return 'I', "32768"
	case Int32:
		return 'J', ""
	case Uint32:
		return 'J', "2147483648"
	case Int64:
		return 'K', ""
	case Uint64:
		return 'K', "9223372036854775808"
	case Float32:
		return 'E', ""
	case Float64:
		return 'D', ""
	}
	return 'A', ""
}

// bytes is how many bytes of a row it has.
func (f *outField) bytes() int {
	switch f.Type {
	case Text:
		return f.width
	case Float32:
		return 4
	case Float64:
		return 8
	case Bool:
		return 1
	}
	n, _ := f.Type.bits()
	return n / 8
}

// stored returns an integer as it stands in the file, before TZERO.
func (f *outField) stored(n int64) int64 {
	switch f.Type {
	case Int8:
		return n + 128
	case Uint16:
		return n - 1<<15
	case Uint32:
		return n - 1<<31
	case Uint64:
		return n + math.MinInt64
	}
	return n
}

// append appends a value.
func (f *outField) append(b []byte, v *Value) []byte {
	switch f.Type {
	case Text:
		at := len(b)
		if !v.Null {
			b = append(b, v.Text...)
		}
		for len(b) < at+f.width {
			b = append(b, ' ')
		}
		return b
	case Bool:
		switch {
		case v.Null:
			return append(b, 0)
		case v.Int != 0:
			return append(b, 'T')
		}
		return append(b, 'F')
	case Float32, Float64:
		x := v.Float
		if v.Null {
			x = math.NaN()
		}
		if f.Type == Float32 {
			return binary.BigEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
		return binary.BigEndian.AppendUint64(b, math.Float64bits(x))
	}
	n := v.Int
	if v.Null {
		n = f.null
	}
	n = f.stored(n)
	switch f.bytes() {
	case 1:
		return append(b, byte(n))
	case 2:
		return binary.BigEndian.AppendUint16(b, uint16(n))
	case 4:
		return binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return binary.BigEndian.AppendUint64(b, uint64(n))
}
