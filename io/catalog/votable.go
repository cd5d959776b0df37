package catalog

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxDepth is how deep elements of a VOTable may stand in each other.
const maxDepth = 100

// voReader reads a VOTable element by element.
type voReader struct {
	bytes    *voBytes // what xml reads
	xml      *xml.Decoder
	depth    int
	stream   *voStream // whose tag was read last, or nil
	cells    *voCells  // of the table that is read, or nil
	overflow bool      // a server says that it cut its answer off
}

// newVOReader reads a document in any encoding that is known.
func newVOReader(r io.Reader) *voReader {
	v := &voReader{bytes: newVOBytes(r)}
	v.xml = xml.NewDecoder(v.bytes)
	v.xml.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		if err := v.bytes.declared(label); err != nil {
			return nil, fmt.Errorf("its encoding %q is not known", label)
		}
		return v.bytes, nil
	}
	return v
}

// openVOTable finds a table that has data, and reads its fields; a table without is read,
// as one of no rows, where there is none with data.
func openVOTable(r io.Reader, pick string) (*Reader, error) {
	v := newVOReader(r)
	tables, root := 0, false
	var empty *Reader
	for {
		tok, err := v.token()
		if errors.Is(err, io.EOF) {
			return v.noData(empty, tables, pick)
		}
		if err != nil {
			return nil, err
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if !root && start.Name.Local != "VOTABLE" {
			return nil, fmt.Errorf("begins with an element %q, not with VOTABLE", start.Name.Local)
		}
		root = true
		if start.Name.Local != "TABLE" {
			continue
		}
		tables++
		t, filled, err := v.table(start, tables, pick)
		if err != nil || filled && t != nil {
			return t, err
		}
		if empty == nil {
			empty = t
		}
	}
}

// noData returns what a file is without the data that are wanted: a table of no rows, or
// an error.
func (v *voReader) noData(empty *Reader, tables int, pick string) (*Reader, error) {
	switch {
	case empty != nil:
		return empty, nil
	case pick != "" && tables > 0:
		return nil, fmt.Errorf("has no table %s; it has %d", pick, tables)
	}
	return nil, errors.New("has no table")
}

// token returns the next token. The depth is bounded, and so is what a token takes; a
// STREAM that nobody reads is passed over. It is an error that a server says that it failed.
func (v *voReader) token() (xml.Token, error) {
	if s := v.stream; s != nil {
		v.stream = nil
		if _, err := io.Copy(io.Discard, s); err != nil {
			return nil, cutOff(err)
		}
	}
	v.bytes.in.renew()
	tok, err := v.xml.Token()
	var broken *xml.SyntaxError
	switch {
	case errors.As(err, &broken) && v.depth > 0 && strings.Contains(broken.Msg, "unexpected EOF"):
		return nil, fmt.Errorf("%w in line %d", errCut, broken.Line)
	case err != nil:
		return nil, err
	}
	switch e := tok.(type) {
	case xml.StartElement:
		if v.depth++; v.depth > maxDepth {
			return nil, fmt.Errorf("has elements more than %d deep", maxDepth)
		}
		switch e.Name.Local {
		case "STREAM":
			v.stream = newVOStream(v.bytes)
		case "INFO":
			if err := v.status(e); err != nil {
				return nil, err
			}
		}
	case xml.EndElement:
		v.depth--
	}
	return tok, nil
}

// table reads a TABLE up to its first row, if it has data. nil without error says that
// it is not wanted.
func (v *voReader) table(start xml.StartElement, number int, pick string) (t *Reader, filled bool, err error) {
	fields, filled, err := v.fields()
	if err != nil {
		return nil, false, err
	}
	if pick != "" && pick != strconv.Itoa(number) && pick != attr(start, "name") && pick != attr(start, "ID") {
		return nil, filled, nil
	}
	if t, err = v.columns(fields); err != nil || len(t.Columns) == 0 && !filled {
		return nil, filled, err
	}
	if filled {
		err = v.data(t, fields)
	}
	v.complete(t, strings.TrimSpace(attr(start, "nrows")))
	return t, filled, err
}

// fields reads the fields of a TABLE, up to its data, or to its end if it has none.
func (v *voReader) fields() (fields []voField, filled bool, err error) {
	field := -1 // whose children are read
	said := 0   // bytes that are kept of fields
	for {
		tok, err := v.token()
		if err != nil {
			return nil, false, err
		}
		if e, ok := tok.(xml.EndElement); ok {
			switch e.Name.Local {
			case "TABLE":
				return fields, false, nil
			case "FIELD":
				field = -1
			}
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "FIELD":
			if len(fields) >= maxColumns {
				return nil, false, fmt.Errorf("has more than %d columns", maxColumns)
			}
			fields, field = append(fields, newVOField(e)), len(fields)
			for _, a := range e.Attr {
				said += len(a.Value)
			}
		case "VALUES":
			if null := attr(e, "null"); field >= 0 && null != "" {
				fields[field].null = strings.TrimSpace(null)
			}
		case "DESCRIPTION":
			text, err := v.text()
			if err != nil {
				return nil, false, err
			}
			if field >= 0 {
				fields[field].column.Description = strings.Join(strings.Fields(text), " ")
				said += len(text)
			}
		case "DATA":
			return fields, true, nil
		}
		if said > maxPiece {
			return nil, false, fmt.Errorf("says more than %d MiB of its columns", maxPiece>>20)
		}
	}
}

// text returns what stands in an element up to its end, without what is deeper.
func (v *voReader) text() (string, error) {
	var text strings.Builder
	for depth := v.depth; v.depth >= depth; {
		tok, err := v.token()
		if err != nil {
			return "", err
		}
		if b, ok := tok.(xml.CharData); ok && v.depth == depth {
			if text.Len()+len(b) > maxPiece {
				return "", errTooLong
			}
			text.Write(b)
		}
	}
	return text.String(), nil
}

// columns makes a table of no rows of fields.
func (v *voReader) columns(fields []voField) (*Reader, error) {
	r := &Reader{next: func([]Value) error { return io.EOF }}
	for i := range fields {
		columns, err := fields[i].made()
		if err != nil {
			return nil, err
		}
		if len(columns) > maxColumns-len(r.Columns) {
			return nil, fmt.Errorf("has arrays that are more than %d columns, one for each value", maxColumns)
		}
		r.Columns = append(r.Columns, columns...)
	}
	return r, nil
}

// data begins the data of a table.
func (v *voReader) data(r *Reader, fields []voField) error {
	v.cells = &voCells{fields: fields}
	for {
		tok, err := v.token()
		if err != nil {
			return err
		}
		switch e := tok.(type) {
		case xml.EndElement:
			if e.Name.Local == "DATA" {
				return nil
			}
		case xml.StartElement:
			switch e.Name.Local {
			case "TABLEDATA":
				r.next = v.row
				return nil
			case "BINARY", "BINARY2":
				r.next, err = v.binary(e.Name.Local == "BINARY2")
				return err
			case "FITS":
				return errors.New("has its data in FITS inside of VOTable, which is not read: ask for TABLEDATA, or for FITS alone")
			}
		}
	}
}

// row reads the next TR.
func (v *voReader) row(row []Value) error {
	cell, c := 0, v.cells
	c.arena = c.arena[:0]
	for {
		tok, err := v.token()
		if err != nil {
			return c.at(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			switch {
			case e.Name.Local == "TD" && cell < len(c.fields):
				if is := attr(e, "encoding"); is != "" && is != "none" {
					return c.at(fmt.Errorf("column %s: the cell is in %.20q (encoding of TD), which is not read: ask for TABLEDATA without it", c.fields[cell].column.Name, is))
				}
				text, err := v.text()
				if err != nil {
					return c.at(err)
				}
				if err := c.parse(cell, text, row); err != nil {
					return c.at(fmt.Errorf("column %s: %w", c.fields[cell].column.Name, err))
				}
				cell++
			case e.Name.Local == "TD":
				return c.at(fmt.Errorf("it has more cells than the %d columns", len(c.fields)))
			case e.Name.Local != "TR":
				return c.at(fmt.Errorf("there is an element %q among the rows", e.Name.Local))
			}
		case xml.EndElement:
			switch {
			case e.Name.Local == "TABLEDATA":
				return io.EOF
			case e.Name.Local == "TR" && cell < len(c.fields):
				return c.at(fmt.Errorf("it has %d cells for %d columns", cell, len(c.fields)))
			case e.Name.Local == "TR":
				c.rows++
				return nil
			}
		}
	}
}

// attr returns an attribute, or "".
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
