package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// ReadOptions says how to read a table. The zero value finds everything out.
// What is found out about CSV is in [Table.Notes]; the options from Header on are
// for CSV alone.
type ReadOptions struct {
	Format  string    // "" or auto, parquet, csv, tsv, fits, votable, ecsv
	Stdin   io.Reader // read for the path "-"
	TempDir string    // for input that is not seekable; "": os.TempDir()

	Header    string   // "" or auto, yes, no, comment: the names are in the last comment line before the first record
	Delimiter rune     // an ASCII character; 0: by format and content; a blank: runs of blanks
	Comment   string   // what comment lines begin with; "" or auto: # if the file looks so; none: there are no comments
	Trailing  string   // comments behind the fields of a line: "" or auto, if the lines are not of one kind otherwise; yes, no
	Encoding  string   // "" or auto, utf-8, utf-16, utf-16le, utf-16be, latin1, latin9, windows-1252
	Skip      int      // lines before the table, which are not looked at
	UnitRows  string   // "" or auto, or how many records under the header hold units, types or a ruler: 0, 1, 2 ...
	Null      []string // words for missing values beside the usual ones
	Decimal   rune     // decimal separator; 0: the point
	Thousands rune     // separator of groups of three digits; 0: none
	Ragged    string   // "" or error; pad: fields that a record lacks are missing
	Threads   int      // that read at once, of Parquet too; 0: as many as the processor has

	// Load reports, if it is not nil, that the numbers of a column will be asked
	// for. They are then read with the first reading of the file, which Floats
	// need not repeat, and of other columns that reading learns nothing: their
	// Type is "" and they are not Numeric.
	Load func(column string) bool

	// Stream says that the numbers will be asked for by FloatsEach, piece by piece:
	// then none are kept, and Load only says which columns are looked at.
	Stream bool

	// Counted, if it is not nil, is told again and again while a file that is no Parquet
	// is read for the first time how many rows were counted so far, of all files, and how
	// many numbers of each row are kept. Its error ends the reading and is returned as it is.
	Counted func(rows int64, kept int) error

	oneOfMany bool // numbers are not kept: they would lie in memory twice
	chunk     int  // of text in a pass, in bytes; 0: chunkSize
}

// threads returns how many threads to use, 1 at least.
func (o *ReadOptions) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// counted calls Counted, if there is one.
func (o *ReadOptions) counted(rows int64, kept int) error {
	if o.Counted == nil {
		return nil
	}
	return o.Counted(rows, kept)
}

// Column is a column of a table.
type Column struct {
	Name string
	Type string // for people: int64, double, string, list, ...; "" if not looked at

	// Numeric says that the column can be a coordinate as it is: it has numbers,
	// and every value that is there is one. A CSV column without any value is not
	// numeric unless the table has no rows.
	Numeric bool

	// Fault is, of a CSV column that is not numeric but has numbers before the
	// first other word, or has numbers of another style, what that word is, where,
	// and what can be done. It is nil otherwise.
	Fault error

	// Unit, UCD and Description are what FITS, VOTable, ECSV and the metadata of
	// VOParquet say of the column, or empty.
	Unit, UCD, Description string

	mask string // the column that is true where this one is missing, or empty
}

// Table is an open table. Its methods must not be called concurrently.
type Table struct {
	path  string // for messages
	body  body
	files []*part // what it is made of; OpenAll's tables may have several
}

// body is a table in one format.
type body interface {
	// rows returns the number of rows.
	rows() int64
	// columns returns the columns in file order.
	columns() []Column
	// floats fills f with the columns of the given places. As all that follow, it counts
	// each row once with the meter of the context.
	floats(ctx context.Context, columns []int, f *Floats) error
	// eachFloats hands them to fn piece by piece, of the given names and about so
	// many rows; bad rows count from the start of the body.
	eachFloats(ctx context.Context, columns []int, names []string, size int, fn func(*Floats) error) error
	// writeCSV sends the columns of the given places, and what is added, to w.
	writeCSV(ctx context.Context, w *csvWriter, keep []int, added []Added) error
	// writeParquet does so as Parquet.
	writeParquet(ctx context.Context, w io.Writer, keep []int, added []Added, opt WriteOptions) error
	// describe hands the values of the columns of the given places to takers, row by
	// row.
	describe(ctx context.Context, columns []int, to []taker) error
}

// taker takes the values of a column, all of them in order.
type taker interface {
	// asNumbers reports whether values are wanted as numbers.
	asNumbers() bool
	// value takes a value: a text, and what it is as a number.
	value(text []byte, x float64, k kind)
}

// Open opens the table at path; "-" reads opt.Stdin. What is wrong with the data
// is a *DataError. CSV is read through once, to count the rows and to see which
// columns are numeric.
func Open(ctx context.Context, path string, opt ReadOptions) (*Table, error) {
	switch opt.Format {
	case "", formatAuto, formatCSV, formatTSV, formatParquet, formatFITS, formatVOTable, formatECSV:
	default:
		return nil, fmt.Errorf("%w %q; known are auto, parquet, csv, tsv, fits, votable and ecsv", ErrFormat, opt.Format)
	}
	file, pick := splitPick(path)
	src, err := openSource(ctx, file, opt)
	if err != nil {
		return nil, err
	}
	b, src, err := openContent(ctx, src, path, pick, opt)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	t := &Table{path: src.path, body: b}
	t.files = []*part{{in: Input{Path: path}, src: src, body: b, rows: b.rows()}}
	return t, nil
}

// openContent opens the table in a source, or in a temporary one that is made of it.
func openContent(ctx context.Context, src *source, path, pick string, opt ReadOptions) (body, *source, error) {
	if src.size == 0 {
		return nil, src, badFile(src.path, "is empty (0 bytes)")
	}
	format, err := catalogFormat(src, &opt)
	if err != nil {
		return nil, src, err
	}
	if format == "" {
		if pick != "" {
			return nil, src, badFile(path, "is no FITS file and no VOTable, which alone have several tables: leave out # and what is behind it")
		}
		b, err := openBody(ctx, src, path, opt)
		return b, src, err
	}
	src.path = shownPath(src.path, pick)
	spool, notes, err := spoolCatalog(ctx, src, format, pick, &opt)
	if err != nil {
		return nil, src, err
	}
	p, err := openParquet(spool, magicParquet, opt.threads())
	if err != nil {
		return nil, spool, err
	}
	p.from, p.notes = format, append(p.notes, notes...)
	return p, spool, nil
}

// openBody opens the table in its format, seen from the first bytes unless the
// options name it.
func openBody(ctx context.Context, src *source, path string, opt ReadOptions) (body, error) {
	magic := make([]byte, 4)
	if n, err := src.ReadAt(magic, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", src.path, err)
	} else if n < len(magic) {
		magic = magic[:n]
	}
	byName, _ := byExtension(path)
	auto := opt.Format == "" || opt.Format == formatAuto
	if opt.Format == formatParquet ||
		auto && (byName == formatParquet || bytes.Equal(magic, magicParquet) || bytes.Equal(magic, magicEncrypted)) {
		return openParquet(src, magic, opt.threads())
	}
	return openCSV(ctx, src, magic, opt)
}

// Rows returns the number of rows.
func (t *Table) Rows() int64 { return t.body.rows() }

// Format is csv, parquet, fits, votable or ecsv: what the first of the files is.
func (t *Table) Format() string {
	if p, ok := t.files[0].body.(*parquetFile); ok {
		return p.from
	}
	return formatCSV
}

// Columns returns the columns in file order. Names may repeat in Parquet; in CSV
// those that do have their place behind them: two columns x are x#1 and x#2.
func (t *Table) Columns() []Column { return t.body.columns() }

// Notes says what was found out about files, and why: what holds for some of several
// files only begins with their names.
func (t *Table) Notes() []Note {
	var notes []Note
	files := map[Note][]string{}
	for _, p := range t.files {
		var own []Note
		switch b := p.body.(type) {
		case *csvFile:
			own = b.notes
		case *parquetFile:
			own = b.notes
		}
		for _, n := range own {
			if files[n] == nil {
				notes = append(notes, n)
			}
			files[n] = append(files[n], p.src.path)
		}
	}
	for i, n := range notes {
		switch of := files[n]; {
		case len(of) == len(t.files):
		case len(of) == 1:
			notes[i].Text = of[0] + ": " + n.Text
		default:
			notes[i].Text = fmt.Sprintf("%s and %d more: %s", of[0], len(of)-1, n.Text)
		}
	}
	if d, ok := t.body.(*dataset); ok {
		notes = append(notes, d.notes...)
	}
	return notes
}

// addNotes adds what was found out while the table was written.
func (t *Table) addNotes(notes []Note) {
	to := &[]Note{}
	switch b := t.body.(type) {
	case *csvFile:
		to = &b.notes
	case *parquetFile:
		to = &b.notes
	case *dataset:
		to = &b.notes
	}
	for _, n := range notes {
		if !slices.Contains(*to, n) {
			*to = append(*to, n)
		}
	}
}

// Close closes the files and removes the temporary ones, if there were any.
func (t *Table) Close() error {
	var err error
	for _, p := range t.files {
		err = errors.Join(err, p.src.Close())
	}
	return err
}

// Floats is some columns of a table as numbers.
type Floats struct {
	Rows, Cols int
	Data       []float64 // row-major, Rows × Cols; null and missing as NaN
	Bad        []Bad     // one a column
}

// Bad counts the values of a column that are not finite numbers.
type Bad struct {
	Column              string
	Nulls, NaNs, Infs   int64
	FirstRow, FirstLine int64 // the first of them: row from 0, or -1 if there is none; CSV line from 1, else 0

	// Path is the file of the first of them, and FileRow its row there, where the
	// table has several files.
	Path    string
	FileRow int64
}

// columnNames returns the columns as they were asked for.
func (f *Floats) columnNames() []string {
	list := make([]string, len(f.Bad))
	for j := range f.Bad {
		list[j] = f.Bad[j].Column
	}
	return list
}

// note counts a value of the given kind in a row.
func (b *Bad) note(k kind, row, line int64) {
	switch k {
	case kindNull:
		b.Nulls++
	case kindNaN:
		b.NaNs++
	case kindInf:
		b.Infs++
	default:
		return
	}
	if b.FirstRow < 0 {
		b.FirstRow, b.FirstLine = row, line
	}
}

// Floats reads the columns of the given names, and only these, as float64. Null
// becomes NaN and is counted in Bad. An unknown or ambiguous name, a column or
// value that is no number, and an integer that float64 does not hold exactly are
// a *DataError. A name may end in a cast, see [SplitCast].
func (t *Table) Floats(ctx context.Context, columns []string) (*Floats, error) {
	places, err := t.numberPlaces(columns)
	if err != nil {
		return nil, err
	}
	rows := t.Rows()
	if int64(int(rows)) != rows || int(rows) > maxInt/8/len(columns) {
		return nil, badFile(t.path, "%d rows of %d columns do not fit into memory", rows, len(columns))
	}
	f := newFloats(columns, int(rows), nil)
	if c, ok := t.body.(*csvFile); ok {
		if done, err := c.take(places, f); err != nil {
			return nil, err
		} else if done {
			return f, nil
		}
	}
	ctx, end := metered(ctx, rows)
	f.Data = make([]float64, f.Rows*f.Cols)
	if err := t.body.floats(ctx, places, f); err != nil {
		return nil, err
	}
	end()
	return f, nil
}

const maxInt = int(^uint(0) >> 1)

// find returns the places of columns by name, or by #K for the K-th column.
func (t *Table) find(names []string) ([]int, error) {
	all := t.Columns()
	places := make([]int, 0, len(names))
	for _, name := range names {
		is := func(c Column) bool { return c.Name == name }
		i := slices.IndexFunc(all, is)
		if k, err := strconv.Atoi(strings.TrimPrefix(name, "#")); i < 0 && err == nil && name[0] == '#' && k >= 1 && k <= len(all) {
			i = k - 1
		}
		if i < 0 {
			if c, ok := t.body.(*csvFile); ok && slices.Contains(c.names, name) {
				return nil, badColumn(t.path, name, "the name is ambiguous: several columns have it; by their places they are %s", c.called(name))
			}
			return nil, badColumn(t.path, name, "no such column; there are %s", listNames(all))
		}
		if slices.ContainsFunc(all[i+1:], func(c Column) bool { return c.Name == all[i].Name }) {
			return nil, badColumn(t.path, name, "the name is ambiguous: several columns have it")
		}
		places = append(places, i)
	}
	return places, nil
}

// listNames lists column names for a message.
func listNames(all []Column) string {
	const most = 20
	var names []string
	for _, c := range all[:min(len(all), most)] {
		names = append(names, clip([]byte(c.Name)))
	}
	if len(all) > most {
		names = append(names, fmt.Sprintf("... (%d in all)", len(all)))
	}
	return strings.Join(names, ", ")
}
