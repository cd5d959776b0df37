package table

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// profile is what reading tells about a column.
type profile struct {
	looked              bool  // the rest is known
	numbers             int64 // finite and infinite
	nulls, nans, infs   int64
	floats              bool  // a number is no integer literal
	firstRow, firstLine int64 // of the first value that is no finite number, if there is one

	text *DataError // the first word that is no number
	near bool       // it would be one in another style, or may stand for a missing value

	number *DataError // the first number that float64 does not hold
}

// add adds what a later part of the file tells; its rows lack offset.
func (p *profile) add(q *profile, offset int64) {
	if p.nulls+p.nans+p.infs == 0 {
		p.firstRow, p.firstLine = q.firstRow+offset, q.firstLine
	}
	p.numbers += q.numbers
	p.nulls += q.nulls
	p.nans += q.nans
	p.infs += q.infs
	p.floats = p.floats || q.floats
	if p.text == nil {
		p.near = q.near
	}
	for _, e := range []struct{ to, from **DataError }{{&p.text, &q.text}, {&p.number, &q.number}} {
		if *e.to == nil && *e.from != nil {
			*e.to = *e.from
			(*e.to).Row += offset
		}
	}
}

// bad is what Floats tells of a column.
func (p *profile) bad(name string) Bad {
	b := Bad{Column: name, Nulls: p.nulls, NaNs: p.nans, Infs: p.infs, FirstRow: -1}
	if b.Nulls+b.NaNs+b.Infs > 0 {
		b.FirstRow, b.FirstLine = p.firstRow, p.firstLine
	}
	return b
}

// A loader reads numbers, or sees whether there are any.
type loader struct {
	c     *csvFile
	roles []role // one a column, up to the last that matters
	width int    // values kept of each row
	delim []byte
	plain bool // numbers are as fastNumber reads them
	quick bool // records without quotes may be cut and parsed in one go

	isText []atomic.Bool // columns of which that is known before the chunk
	into   []float64     // where the values go, by row; nil: they are gathered in data
	data   []float64
	all    []profile
}

// role says what is done with a column.
type role struct {
	look  bool // at all
	value bool // keep it
	at    int  // its place in the values of a row
	cast  bool // it is asked for by a cast to double
}

// loadPart is what a loader makes of a chunk.
type loadPart struct {
	values []float64
	cols   []profile
	roles  []role
	style  numberStyle
	text   []byte
	row    []float64 // where the values of the next row go, and of those after it
}

// loaded is what the first reading has kept.
type loaded struct {
	columns []int // their places
	data    []float64
}

// newLoader returns a loader of columns with the given roles.
func newLoader(c *csvFile, roles []role) *loader {
	l := &loader{c: c, delim: []byte{c.delim}, plain: c.style.plain(), quick: c.delim != blanks}
	last := 0
	for i, r := range roles {
		if r.value {
			l.width++
		}
		if r.look {
			last = i + 1
		}
	}
	l.roles = roles[:last]
	l.isText = make([]atomic.Bool, last)
	l.all = make([]profile, len(c.names))
	for i, r := range l.roles {
		l.all[i].looked = r.look
	}
	return l
}

// load makes the first pass: it counts the rows, sees which columns are numeric,
// and may keep the numbers of those that the options ask for.
func (c *csvFile) load(ctx context.Context, opt *ReadOptions) error {
	want, keep := opt.Load, !opt.oneOfMany && !opt.Stream
	roles := make([]role, len(c.names))
	var columns []int
	for i := range roles {
		roles[i].look = want == nil || want(c.calls[i])
		if want != nil && keep && roles[i].look && !c.textInSample[i] {
			roles[i] = role{look: true, value: true, at: len(columns)}
			columns = append(columns, i)
		}
	}
	l := newLoader(c, roles)
	var padded, line int64
	p := pass{c: c, work: l.work}
	p.merge = func(ch *chunk) error {
		if padded == 0 {
			line = ch.rows.firstPadded
		}
		padded += ch.rows.padded
		ch.rows.padded = 0
		if err := opt.counted(p.total, len(columns)); err != nil {
			return err
		}
		return l.merge(ch)
	}
	if err := p.run(ctx); err != nil {
		return err
	}
	c.profile = l.all
	if len(columns) > 0 {
		c.loaded = &loaded{columns: columns, data: l.data}
	}
	if padded > 0 {
		c.notes = append(c.notes, Note{Loud: true, Text: fmt.Sprintf("%d rows, the first on line %d, have another number of fields than the first record; they were filled up, or lost empty ones (--ragged pad)", padded, line)})
	}
	return nil
}

// work reads the values of a chunk.
func (l *loader) work(ch *chunk) error {
	p := &ch.load
	p.cols = append(p.cols[:0], make([]profile, len(l.roles))...)
	p.roles = append(p.roles[:0], l.roles...)
	p.style = l.c.style
	for i := range p.roles {
		if l.isText[i].Load() {
			p.roles[i].look = false // is no number, whatever follows
		}
	}
	r := ch.rows
	if l.into != nil {
		p.row = l.into[r.row*int64(l.width) : min(r.most*int64(l.width), int64(len(l.into)))]
	} else {
		most := bytes.Count(ch.data, newline) + 1 + int(r.blanks.n)
		p.values = slices.Grow(p.values[:0], most*l.width)[:most*l.width]
		p.row = p.values
	}
	err := l.rows(ch)
	if l.into == nil {
		p.values = p.values[:len(p.values)-len(p.row)]
	}
	return err
}

// rows reads the rows of a chunk.
func (l *loader) rows(ch *chunk) error {
	r := ch.rows
	take := func(rec *record) error { return l.record(ch, rec) }
	quotes := bytes.IndexByte(ch.data, '"') >= 0
	for {
		if l.quick && r.nul < 0 && r.blanks.n == 0 && r.row < r.most {
			line := r.buf[r.pos:]
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line = line[:n]
			}
			if (!quotes || bytes.IndexByte(line, '"') < 0) && l.line(ch, line) {
				r.pos = min(r.pos+len(line)+1, len(r.buf))
				r.line++
				r.row++
				r.saw = true
				continue
			}
		}
		if more, err := r.one(take, nil); !more || err != nil {
			return err
		}
	}
}

// line reads the values of a record without quotes, cutting and parsing in one
// go. It returns false if that must be left to the general way.
func (l *loader) line(ch *chunk, raw []byte) bool {
	if n := len(raw); n > 0 && raw[n-1] == '\r' {
		raw = raw[:n-1]
	}
	if len(raw) == 0 || raw[0] <= ' ' && isBlankLine(raw, l.c.delim) || l.c.isComment(raw) ||
		l.c.trailing && bytes.Contains(raw, l.c.comment) {
		return false
	}
	p, width := &ch.load, len(l.c.names)
	if l.c.pad && bytes.Count(raw, l.delim)+1 != width {
		return false
	}
	i := 0
	for k := range p.roles {
		end := -1
		if role := &p.roles[k]; role.look {
			if l.plain {
				if v, next, integer, ok := fastNumber(raw, i, l.c.delim); ok {
					p.cols[k].numbers++
					if !integer {
						p.cols[k].floats = true
					}
					if end = next; role.value {
						p.row[role.at] = v
					}
				}
			}
			if end < 0 {
				end = fieldEnd(raw, i, l.c.delim)
				l.field(ch, k, raw[i:end], ch.rows.line)
			}
		} else {
			end = fieldEnd(raw, i, l.c.delim)
			if role.value {
				p.row[role.at] = math.NaN()
			}
		}
		if end == len(raw) {
			p.row = p.row[l.width:]
			return k == width-1
		}
		i = end + 1
	}
	if bytes.Count(raw[i:], l.delim)+1 != width-len(p.roles) {
		return false
	}
	p.row = p.row[l.width:]
	return true
}

// fieldEnd returns the place of the delimiter that ends the field at b[i].
func fieldEnd(b []byte, i int, delim byte) int {
	if n := bytes.IndexByte(b[i:], delim); n >= 0 {
		return i + n
	}
	return len(b)
}

// record reads the values of a record of any kind.
func (l *loader) record(ch *chunk, rec *record) error {
	p := &ch.load
	for k := range p.roles {
		switch role := &p.roles[k]; {
		case role.look:
			p.text = rec.appendText(p.text[:0], k)
			l.field(ch, k, p.text, rec.line)
		case role.value:
			p.row[role.at] = math.NaN()
		}
	}
	p.row = p.row[l.width:]
	return nil
}

// field takes the text of a field as the value of column k.
func (l *loader) field(ch *chunk, k int, text []byte, line int64) {
	p, row := &ch.load, ch.rows.row
	col, role := &p.cols[k], &p.roles[k]
	v, kind, integer, err := p.style.parse(text)
	if role.cast && (kind == kindText || err != nil) {
		plain, _, _ := p.style.normal(text)
		v, kind, err = castText(plain)
	}
	if role.value {
		p.row[role.at] = v
	}
	switch kind {
	case kindNumber:
		col.numbers++
		col.floats = col.floats || !integer
		if err != nil && col.number == nil {
			col.number = &DataError{Path: l.c.src.path, Column: l.c.calls[k], Row: row, Line: line, Err: err}
		}
		return
	case kindInf:
		col.numbers++
		col.floats = true
		col.infs++
	case kindNaN:
		col.nans++
	case kindNull:
		col.nulls++
	default:
		role.look = false
		col.text = l.c.notNumber(k, row, line, text)
		word := trimBlanks(text)
		col.near = p.style.otherStyle(word) != "" || standsForMissing(word)
		return
	}
	if col.nulls+col.nans+col.infs == 1 {
		col.firstRow, col.firstLine = row, line
	}
}

// merge takes over what was read in a chunk.
func (l *loader) merge(ch *chunk) error {
	for k := range ch.load.cols {
		l.all[k].add(&ch.load.cols[k], ch.offset)
		if l.all[k].text != nil {
			l.isText[k].Store(true)
		}
	}
	if l.into != nil {
		return l.firstError()
	}
	if values := ch.load.values; len(values) > 0 {
		if l.data == nil {
			l.data = make([]float64, 0, l.estimate(ch))
		}
		l.data = append(l.data, values...)
	}
	return nil
}

// estimate guesses how many values the file holds, from its first chunk. What is
// guessed too much is never touched, and so costs no memory.
func (l *loader) estimate(ch *chunk) int {
	if l.c.pack != "" || l.c.src.size > 1<<40 {
		return len(ch.load.values)
	}
	return int(float64(len(ch.load.values)) * (1.05*float64(l.c.src.size)/float64(len(ch.data)) + 1))
}

// firstError returns the error of the column that has the first one.
func (l *loader) firstError() error {
	var first *DataError
	for _, p := range l.all {
		for _, e := range []*DataError{p.text, p.number} {
			if e != nil && (first == nil || e.Row < first.Row) {
				first = e
			}
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// notNumber is the error for a word in a column of numbers.
func (c *csvFile) notNumber(column int, row, line int64, text []byte) *DataError {
	text = trimBlanks(text)
	hint := ""
	if flags := c.style.otherStyle(text); flags != "" {
		hint = "; " + flags + " reads it as one"
	} else if standsForMissing(text) {
		hint = fmt.Sprintf("; if it stands for a missing value: --null '%s'", text)
	}
	return &DataError{
		Path: c.src.path, Column: c.calls[column], Row: row, Line: line,
		Err: fmt.Errorf("%q is not a number%s", clip(text), hint),
	}
}
