package catalog

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// This file sees that a VOTable is all there: a server that fails while it sends rows, or
// sends no more of them than it may, says so in an INFO behind them (IVOA Recommendation
// "Data Access Layer Interface" 1.1, section 4.4.1).

// status reads an INFO, which may say how a query ended.
func (v *voReader) status(info xml.StartElement) error {
	if attr(info, "name") != "QUERY_STATUS" {
		return nil
	}
	switch attr(info, "value") {
	case "OVERFLOW":
		v.overflow = true
	case "ERROR":
		text, err := v.text()
		if err != nil {
			return err
		}
		text = strings.Join(strings.Fields(text), " ")
		if v.cells != nil {
			return fmt.Errorf("breaks off after %d rows with an error of the server, which says: %.200q", v.cells.rows, text)
		}
		return fmt.Errorf("is the answer of a server that says: %.200q", text)
	}
	return nil
}

// complete has a table be read to the end of the document behind its last row, and
// compares its rows with nrows, unless that is empty.
func (v *voReader) complete(t *Reader, nrows string) {
	next, ended := t.next, false
	t.next = func(row []Value) error {
		if ended {
			return io.EOF
		}
		err := next(row)
		if !errors.Is(err, io.EOF) {
			return err
		}
		ended = true
		if err := v.end(nrows); err != nil {
			return err
		}
		if v.overflow {
			t.Warnings = append(t.Warnings, "the server cut its answer off (QUERY_STATUS is OVERFLOW): it has more rows than these")
		}
		return io.EOF
	}
}

// end reads on to the end of the document.
func (v *voReader) end(nrows string) error {
	rows := int64(0)
	if v.cells != nil {
		rows = v.cells.rows
	}
	if want, err := strconv.ParseInt(nrows, 10, 64); nrows != "" && (err != nil || want != rows) {
		return fmt.Errorf("has %d rows where its nrows is %.40q: it is incomplete or damaged", rows, nrows)
	}
	for {
		root := v.depth > 0
		tok, err := v.token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case root:
			continue
		}
		text, isText := tok.(xml.CharData)
		_, isElement := tok.(xml.StartElement)
		if isElement || isText && len(bytes.TrimSpace(text)) > 0 {
			line, _ := v.xml.InputPos()
			return fmt.Errorf("goes on behind the end of VOTABLE, in line %d", line)
		}
	}
}
