package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// extra is a column of a set of files that has one value in each file: a
// partition, or the name of the file.
type extra struct {
	name     string
	optional bool // some file has no value
	integer  bool

	partition bool // the column comes from the names of folders

	value func(p *part) (text string, ok bool)
}

// constant is the value of an extra column in all rows of a file, as Values of
// an Added.
type constant struct {
	text     string
	null     bool
	optional bool
	integer  bool
	rows     int
}

// fieldType returns the type of the column.
func (c constant) fieldType() FieldType {
	if c.integer {
		return Int64
	}
	return String
}

// value returns the value as Parquet has it.
func (c constant) value() parquet.Value {
	if c.integer {
		n, _ := strconv.ParseInt(c.text, 10, 64) // was seen to be one
		return parquet.Int64Value(n)
	}
	return parquet.ByteArrayValue([]byte(c.text))
}

// number returns the value as a number.
func (c constant) number() (float64, kind, error) {
	if c.null {
		return math.NaN(), kindNull, nil
	}
	return parseNumber([]byte(c.text))
}

// constantOf is the value of an extra column in a file.
func (e *extra) constantOf(p *part) constant {
	text, ok := e.value(p)
	return constant{text: text, null: !ok, optional: e.optional, integer: e.integer, rows: int(p.rows)}
}

// addExtra adds a column behind the others.
func (d *dataset) addExtra(e extra) {
	typ := "string"
	if e.integer {
		typ = "int64"
	}
	d.all = append(d.all, Column{Name: e.name, Type: typ})
	d.extra = append(d.extra, e)
}

// findPartitions makes columns of the partitions. Those whose name is that of a
// column of the files are in the files already.
func (d *dataset) findPartitions(union bool) error {
	var keys []string
	for _, p := range d.parts {
		for _, x := range p.in.Partitions {
			if !slices.Contains(keys, x.Name) {
				keys = append(keys, x.Name)
			}
		}
	}
	for _, key := range keys {
		if slices.ContainsFunc(d.all, func(c Column) bool { return c.Name == key }) {
			continue
		}
		e := extra{name: key, integer: true, partition: true, value: func(p *part) (string, bool) { return p.in.partition(key) }}
		some := false
		for _, p := range d.parts {
			if !p.in.has(key) && !union {
				return badColumn(p.src.path, key, "is no folder %s=... of this file's path, though of others; --union-by-name would fill it with nulls", key)
			}
			text, ok := e.value(p)
			if !ok {
				e.optional = true
				continue
			}
			some = true
			if e.integer = e.integer && text != ""; e.integer {
				e.integer = isPrintedInt(text)
			}
		}
		e.integer = e.integer && some
		d.addExtra(e)
	}
	return nil
}

// isPrintedInt reports whether a text is how an int64 is printed.
func isPrintedInt(text string) bool {
	v, err := strconv.ParseInt(text, 10, 64)
	return err == nil && strconv.FormatInt(v, 10) == text
}

// Partitions returns the columns that come from folders k=v of the paths.
func (t *Table) Partitions() []string {
	d, ok := t.body.(*dataset)
	if !ok {
		return nil
	}
	var list []string
	for _, e := range d.extra {
		if e.partition {
			list = append(list, e.name)
		}
	}
	return list
}

// addFilenames adds the column of file names, if one is wanted.
func (d *dataset) addFilenames(name string) error {
	if name == "" {
		return nil
	}
	if slices.ContainsFunc(d.all, func(c Column) bool { return c.Name == name }) {
		return badColumn(d.parts[0].src.path, name, "is there already; give --filename-column another name")
	}
	d.addExtra(extra{name: name, value: func(p *part) (string, bool) { return p.in.Path, true }})
	return nil
}

// partition returns the value of a partition, false for none or null.
func (in *Input) partition(key string) (string, bool) {
	for _, p := range in.Partitions {
		if p.Name == key {
			return p.Value, !p.Null
		}
	}
	return "", false
}

// has reports whether the input has a partition of that name.
func (in *Input) has(key string) bool {
	return slices.ContainsFunc(in.Partitions, func(p Partition) bool { return p.Name == key })
}

// floatsOf fills column j of f with the number that a constant is.
func (c constant) floatsOf(path string, j int, f *Floats) error {
	x, k, err := c.number()
	if err == nil && k == kindText {
		err = fmt.Errorf("%q is not a number", clip([]byte(c.text)))
	}
	if err != nil {
		return badColumn(path, f.Bad[j].Column, "%w", err)
	}
	for row := range f.Rows {
		f.Data[row*f.Cols+j] = x
		f.Bad[j].note(k, int64(row), 0)
	}
	return nil
}
