package catalog

import (
	"bufio"
	"fmt"
	"math"
	"strings"
)

// ascii reports whether a text is of characters that a header can have.
func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// headerWriter writes lines of headers.
type headerWriter struct {
	w     *bufio.Writer
	lines int
	err   error
}

// line writes a line.
func (h *headerWriter) line(s string) {
	if h.err == nil {
		_, h.err = fmt.Fprintf(h.w, "%-80s", s)
		h.lines++
	}
}

// value writes a keyword with a value that is no text.
func (h *headerWriter) value(key string, v any) { h.line(fmt.Sprintf("%-8s= %20v", key, v)) }

// text writes a keyword with a text, over several lines if it is long. What is not
// ASCII is left out.
func (h *headerWriter) text(key, s string) {
	if s == "" || !ascii(s) {
		return
	}
	const room = cardSize - len("CONTINUE  ''")
	s = strings.ReplaceAll(s, "'", "''")
	head := fmt.Sprintf("%-8s= ", key)
	for len(s) > room {
		cut := room - 1
		if strings.Count(s[:cut], "'")%2 == 1 {
			cut-- // not between the two of a quote
		}
		h.line(head + "'" + s[:cut] + "&'")
		s, head = s[cut:], "CONTINUE  "
	}
	h.line(fmt.Sprintf("%s'%-8s'", head, s))
}

// end fills the block.
func (h *headerWriter) end() {
	h.line("END")
	for h.lines%(blockSize/cardSize) != 0 {
		h.line("")
	}
}

// writeHeaders writes the primary HDU and the header of the table.
func writeHeaders(w *bufio.Writer, fields []outField, width int, rows int64) error {
	if width > 0 && rows > (math.MaxInt64-blockSize)/int64(width) {
		return unfitf("the table is too large for FITS")
	}
	h := &headerWriter{w: w}
	h.value("SIMPLE", "T")
	h.value("BITPIX", 8)
	h.value("NAXIS", 0)
	h.value("EXTEND", "T")
	h.end()
	h.text("XTENSION", "BINTABLE")
	h.value("BITPIX", 8)
	h.value("NAXIS", 2)
	h.value("NAXIS1", width)
	h.value("NAXIS2", rows)
	h.value("PCOUNT", 0)
	h.value("GCOUNT", 1)
	h.value("TFIELDS", len(fields))
	for i := range fields {
		f := &fields[i]
		key := func(word string) string { return fmt.Sprintf("%s%d", word, i+1) }
		code, zero := f.form()
		h.text(key("TTYPE"), f.Name)
		if code == 'A' {
			h.text(key("TFORM"), fmt.Sprintf("%dA", f.width))
		} else {
			h.text(key("TFORM"), string(code))
		}
		if zero != "" {
			h.value(key("TSCAL"), 1)
			h.value(key("TZERO"), zero)
		}
		if f.hasNull {
			h.value(key("TNULL"), f.stored(f.null))
		}
		h.text(key("TUNIT"), f.Unit)
		h.text(key("TUCD"), f.UCD)
		h.text(key("TCOMM"), f.Description)
	}
	h.end()
	return h.err
}
