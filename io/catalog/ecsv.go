package catalog

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ecsvTable is an ECSV table that is being read.
type ecsvTable struct {
	ecsvHeader
	shown []int // places of the columns that are no masks
	in    *bounded
	csv   *csv.Reader
	lines int     // of the header
	all   []Value // of a row, masks too
	rows  int64
	arena []byte
}

// openECSV reads the header and the line of names.
func openECSV(r io.Reader) (*Reader, error) {
	t := &ecsvTable{in: newBounded(r)}
	head, _ := t.in.r.Peek(len(bom)) // an error comes again
	if e := utf16Of(head); e != nil {
		t.in.r = bufio.NewReader(e.NewDecoder().Reader(t.in.r))
	} else if bytes.HasPrefix(head, []byte(bom)) {
		_, _ = t.in.r.Discard(len(bom)) // which are there
	}
	text, err := t.header()
	if err != nil {
		return nil, err
	}
	if t.ecsvHeader, err = parseYAML(text); err != nil {
		return nil, err
	}
	t.csv = csv.NewReader(t.in)
	t.csv.Comma, t.csv.Comment, t.csv.TrimLeadingSpace = ' ', '#', true
	switch t.delimiter {
	case ",":
		t.csv.Comma, t.csv.TrimLeadingSpace = ',', false
	case "", " ":
	default:
		return nil, fmt.Errorf("has the delimiter %q; ECSV knows a blank and a comma", t.delimiter)
	}
	t.csv.FieldsPerRecord, t.csv.ReuseRecord = len(t.columns), true
	t.all = make([]Value, len(t.columns))
	return &Reader{Columns: t.show(), next: t.next}, t.names()
}

// show returns the columns that are no masks.
func (t *ecsvTable) show() []Column {
	hidden := map[int]bool{}
	for _, m := range t.masks {
		hidden[m.mask] = true
	}
	var list []Column
	for i := range t.columns {
		if !hidden[i] && len(list) <= maxColumns { // more is told by who asked
			c := t.columns[i]
			c.Type = t.arrays[i].of
			list = append(list, flatten(c, t.arrays[i].size)...)
			t.shown = append(t.shown, i)
		}
	}
	return list
}

// header returns the YAML of the header, without the marks of comments, in the lines in
// which it stands in the file.
func (t *ecsvTable) header() ([]byte, error) {
	var text []byte
	for ; ; t.lines++ {
		head, err := t.in.r.Peek(1)
		if err != nil || head[0] != '#' {
			if errors.Is(err, io.EOF) {
				return nil, errNoNames
			}
			return text, err
		}
		line, err := t.line()
		if err != nil {
			return nil, err
		}
		line = bytes.TrimPrefix(line[1:], []byte(" "))
		if t.lines == 0 || bytes.HasPrefix(line, []byte("---")) {
			line = []byte("\n")
		}
		if text = append(text, line...); len(text) > maxYAML {
			return nil, errLongYAML
		}
	}
}

// line reads a line; all that are read by it have maxPiece bytes at most.
func (t *ecsvTable) line() ([]byte, error) {
	var line []byte
	for {
		c, err := t.in.ReadByte()
		if errors.Is(err, io.EOF) {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
		if line = append(line, c); c == '\n' {
			return line, nil
		}
	}
}

// errNoNames is returned for a header alone.
var errNoNames = errors.New("has a header, and no line of names behind it")

// record reads the next line of fields.
func (t *ecsvTable) record() ([]string, error) {
	t.in.renew()
	record, err := t.csv.Read()
	var bad *csv.ParseError
	switch {
	case !errors.As(err, &bad):
		return record, err
	case errors.Is(err, csv.ErrFieldCount):
		return nil, fmt.Errorf("line %d has %d fields for the %d columns of the header", bad.StartLine+t.lines, len(record), len(t.columns))
	}
	return nil, fmt.Errorf("line %d: %w", bad.Line+t.lines, bad.Err)
}

// names compares the line of names with the header.
func (t *ecsvTable) names() error {
	record, err := t.record()
	if errors.Is(err, io.EOF) {
		return errNoNames
	}
	if err != nil {
		return fmt.Errorf("has a line of names that is not as its header says: %w", err)
	}
	for i, name := range record {
		if name != t.columns[i].Name {
			return fmt.Errorf("has the name %q in the line of names where its header has %q", name, t.columns[i].Name)
		}
	}
	return nil
}

// next reads a row.
func (t *ecsvTable) next(row []Value) error {
	record, err := t.record()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("row %d (counted from 0): %w", t.rows, err)
	}
	t.arena = t.arena[:0]
	for i, text := range record {
		c := &t.columns[i]
		switch {
		case text == "":
			t.all[i] = Value{Null: true}
		case c.Type == Text:
			t.all[i] = t.text(text)
		default:
			if t.all[i], err = parseWord(c.Type, strings.TrimSpace(text)); err != nil {
				line, _ := t.csv.FieldPos(i)
				return fmt.Errorf("column %s, row %d (counted from 0), line %d: %w", c.Name, t.rows, line+t.lines, err)
			}
		}
	}
	for _, m := range t.masks {
		if is := &t.all[m.mask]; is.Null || is.Int != 0 {
			t.all[m.data] = Value{Null: true}
		}
	}
	at := 0
	for _, i := range t.shown {
		a := &t.arrays[i]
		if a.shape == nil {
			row[at] = t.all[i]
		} else if err := t.array(a, t.all[i], row[at:at+a.size]); err != nil {
			line, _ := t.csv.FieldPos(i)
			return fmt.Errorf("column %s, row %d (counted from 0), line %d: %w", t.columns[i].Name, t.rows, line+t.lines, err)
		}
		at += a.size
	}
	t.rows++
	return nil
}

// text is a value that is valid until the next row.
func (t *ecsvTable) text(s string) Value {
	at := len(t.arena)
	t.arena = append(t.arena, s...)
	return Value{Text: t.arena[at:]}
}
