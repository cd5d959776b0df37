package catalog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// openFITS finds a table and reads its header.
func openFITS(r io.Reader, pick string) (*Reader, error) {
	number, byNumber := -1, false
	if n, err := strconv.Atoi(pick); err == nil && n >= 0 {
		number, byNumber = n, true
	}
	var seen []string
	for i := 0; ; i++ {
		h, err := readHeader(r)
		if errors.Is(err, io.EOF) {
			return nil, noTable(pick, seen)
		}
		if err != nil {
			return nil, err
		}
		name := h.text("EXTNAME")
		wanted := byNumber && i == number || pick != "" && strings.EqualFold(name, pick) ||
			pick == "" && h.isTable()
		if wanted {
			return openFITSTable(r, h, i)
		}
		if i > 0 {
			seen = append(seen, strings.TrimSpace(fmt.Sprintf("#%d %s %s", i, h.text("XTENSION"), name)))
		}
		if err := skipData(r, h, i); err != nil {
			return nil, err
		}
	}
}

// isTable reports whether an extension is a table of rows: a compressed image is none.
func (h header) isTable() bool {
	kind := h.text("XTENSION")
	return kind == "TABLE" || kind == "BINTABLE" && h.text("ZIMAGE") != "T"
}

// noTable says what a file has instead.
func noTable(pick string, seen []string) error {
	has := "nothing but its primary HDU"
	if len(seen) > 0 {
		const most = 20
		has = strings.Join(seen[:min(len(seen), most)], ", ")
		if len(seen) > most {
			has += fmt.Sprintf(", ... (%d in all)", len(seen))
		}
	}
	if pick == "" {
		return fmt.Errorf("has no table; there is %s", has)
	}
	return fmt.Errorf("has no extension %s; there is %s", pick, has)
}

// skipData passes over the data behind the header of an HDU, which may lack the filling of
// their last block.
func skipData(r io.Reader, h header, number int) error {
	size, err := h.dataSize()
	if err != nil {
		return err
	}
	filled := (size + blockSize - 1) / blockSize * blockSize
	there, err := skip(r, filled)
	if err == nil && there < size {
		return fmt.Errorf("%w in the data of HDU %d, which has %d of %d bytes", errCut, number, there, size)
	}
	return err
}

// skip passes over n bytes, or over those that there are, and returns how many.
func skip(r io.Reader, n int64) (int64, error) {
	s, ok := r.(io.Seeker)
	if !ok {
		there, err := io.CopyN(io.Discard, r, n)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return there, err
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	there := min(n, end-at)
	_, err = s.Seek(at+there, io.SeekStart)
	return there, err
}

// openFITSTable reads what the header of a table says.
func openFITSTable(r io.Reader, h header, number int) (*Reader, error) {
	at := fmt.Sprintf("extension %d", number)
	switch {
	case number == 0:
		return nil, errors.New("has no table in HDU 0, which is the primary one; tables are in #1 and further")
	case h.text("XTENSION") == "BINTABLE" && h.text("ZTABLE") == "T":
		return nil, fmt.Errorf("has a compressed table in %s, which is not read: unpack it, such as by funpack", at)
	case !h.isTable():
		return nil, fmt.Errorf("has no table in %s, but %q", at, h.kind())
	}
	width, err := h.size("NAXIS1")
	if err != nil {
		return nil, err
	}
	rows, err := h.size("NAXIS2")
	if err != nil {
		return nil, err
	}
	if width > maxPiece {
		return nil, fmt.Errorf("claims rows of %d bytes in %s, more than the %d that can be read", width, at, maxPiece)
	}
	if _, err := h.dataSize(); err != nil {
		return nil, err
	}
	if width == 0 && rows > 0 {
		return nil, fmt.Errorf("claims %d rows of 0 bytes in %s", rows, at)
	}
	t := &fitsTable{width: int(width), rows: rows}
	if err := t.fields(h); err != nil {
		return nil, err
	}
	t.in = bufio.NewReaderSize(r, 256<<10)
	return &Reader{Columns: t.columns, LeftOut: t.leftOut, next: t.next}, nil
}

// kind is what an extension is for messages.
func (h header) kind() string {
	if h.text("ZIMAGE") == "T" {
		return "a compressed image"
	}
	return h.text("XTENSION")
}

// fitsTable is a table that is being read.
type fitsTable struct {
	columns []Column
	leftOut []string
	list    []fitsPart
	width   int // bytes of a row
	rows    int64
	row     int64 // the next one
	in      io.Reader
	buf     []byte
}

// fitsPart is where a column stands in a row, and how its values are decoded; decode
// returns how many there are.
type fitsPart struct {
	name     string
	at, size int
	decode   func(b []byte, to []Value) (int, error)
}

// fields reads what is said of the columns.
func (t *fitsTable) fields(h header) error {
	n, err := h.size("TFIELDS")
	if err != nil {
		return err
	}
	if n > maxColumns {
		return fmt.Errorf("claims %d columns, more than the %d that can be read", n, maxColumns)
	}
	if h.text("XTENSION") == "TABLE" {
		return t.asciiFields(h, int(n))
	}
	at := 0
	for i := range int(n) {
		f, err := parseField(h, i+1)
		if err != nil {
			return err
		}
		columns, err := f.made()
		if err != nil {
			return err
		}
		if len(columns) > maxColumns-len(t.columns) {
			return fmt.Errorf("has arrays that are more than %d columns, one for each value; column %s has %d", maxColumns, f.column.Name, f.repeat)
		}
		part := fitsPart{f.column.Name, at, f.bytes(), f.decode}
		if at += part.size; at > t.width {
			return fmt.Errorf("has columns of more bytes than its rows of %d: column %s does not fit", t.width, f.column.Name)
		}
		if f.varying() {
			t.leftOut = append(t.leftOut, f.column.Name)
			continue
		}
		t.columns = append(t.columns, columns...)
		t.list = append(t.list, part)
	}
	if len(t.columns) == 0 && len(t.leftOut) > 0 {
		return errors.New("has no columns but arrays of varying length, which are not read")
	}
	return nil
}

// next reads a row.
func (t *fitsTable) next(row []Value) error {
	if t.row >= t.rows {
		return io.EOF
	}
	if t.buf == nil {
		var err error
		if t.buf, err = readGrowing(t.in, t.width); err != nil {
			return t.cut(err)
		}
	} else if _, err := io.ReadFull(t.in, t.buf); err != nil {
		return t.cut(err)
	}
	k := 0
	for i := range t.list {
		p := &t.list[i]
		n, err := p.decode(t.buf[p.at:][:p.size], row[k:])
		if err != nil {
			return fmt.Errorf("column %s, row %d (counted from 0): %w", p.name, t.row, err)
		}
		k += n
	}
	t.row++
	return nil
}

// cut says where a table ends too early.
func (t *fitsTable) cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends in row %d of %d", errCut, t.row, t.rows)
	}
	return err
}

// readGrowing reads n bytes, and takes no more memory than twice what is there.
func readGrowing(r io.Reader, n int) ([]byte, error) {
	buf := make([]byte, 0, min(n, 64<<10))
	for len(buf) < n {
		at := len(buf)
		step := min(n-at, max(at, 64<<10))
		buf = append(buf, make([]byte, step)...)
		if _, err := io.ReadFull(r, buf[at:]); err != nil {
			return nil, err
		}
	}
	return buf, nil
}
