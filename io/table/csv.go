package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// csvFile is a table in a CSV file. Each use of it reads the file from its
// start.
type csvFile struct {
	dialect
	src     *source
	pack    string
	fromTSV bool // the input is .tsv by name or option, and has tabs
	threads int
	chunk   int // in bytes

	pre   preamble
	names []string // as the header has them
	calls []string // what columns are called: names, made distinct
	units []string // one a column, if a record under the header has them; else nil
	notes []Note

	textInSample []bool // one a column

	profile []profile // one a column
	loaded  *loaded   // what the first reading has kept, until it is asked for
	starts  []int64   // after the first reading: the first row of each chunk, and the number of rows
}

// openCSV finds out the dialect and the preamble, and reads the file once.
func openCSV(ctx context.Context, src *source, magic []byte, opt ReadOptions) (*csvFile, error) {
	if err := checkCSV(opt); err != nil {
		return nil, err
	}
	c := &csvFile{src: src, pack: packOf(magic), threads: opt.threads(), chunk: cmp.Or(opt.chunk, chunkSize)}
	c.pad = opt.Ragged == raggedPad
	var err error
	if c.style, err = newNumberStyle(opt); err != nil {
		return nil, err
	}
	if err := c.begin(opt); err != nil {
		return nil, err
	}
	byName, _ := byExtension(src.path)
	c.fromTSV = c.delim == '\t' && (opt.Format == formatTSV || opt.Format != formatCSV && byName == formatTSV)
	if err := c.load(ctx, &opt); err != nil {
		return nil, err
	}
	return c, nil
}

// begin looks at the beginning of the file, at more of it if it must.
func (c *csvFile) begin(opt ReadOptions) error {
	in, err := c.open()
	if err != nil {
		return err
	}
	mark := make([]byte, 4)
	n, err := io.ReadFull(in, mark)
	var why string
	if err = notEOF(err); err == nil {
		c.encoding, why, err = findEncoding(opt.Encoding, mark[:n])
	} else {
		err = c.readError(err, 1)
	}
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	if c.encoding != encodingUTF8 {
		c.notes = append(c.notes, Note{Loud: true, Text: fmt.Sprintf("the text is %s, %s; it is written as UTF-8 (--encoding)", c.encoding, why)})
	}
	in, err = c.reader()
	if err != nil {
		return err
	}
	s, err := c.sniff(in, opt)
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	c.rule, c.pre, c.names, c.notes = s.dialect.rule, s.pre, s.names, append(c.notes, s.notes...)
	c.textInSample = s.textColumns()
	c.calls, c.units = distinctNames(c.names), c.pre.units()
	if d := duplicate(c.names); d != "" {
		c.notes = append(c.notes, Note{Loud: true, Text: fmt.Sprintf("several columns are called %q; by their places they are %s", d, c.called(d))})
	}
	return nil
}

// distinctNames returns the names, with #K behind a name that repeats in column
// K.
func distinctNames(names []string) []string {
	count := make(map[string]int, len(names))
	for _, name := range names {
		count[name]++
	}
	list := slices.Clone(names)
	for i, name := range names {
		if count[name] == 1 {
			continue
		}
		list[i] = name + "#" + strconv.Itoa(i+1)
		for count[list[i]] > 0 { // is a name of its own
			list[i] += "#"
		}
	}
	return list
}

// called lists what the columns of a name are called.
func (c *csvFile) called(name string) string {
	var list []string
	for i := range c.names {
		if c.names[i] == name {
			list = append(list, c.calls[i])
		}
	}
	if len(list) > 4 {
		list = append(list[:3], "...")
	}
	return strings.Join(list, ", ")
}

// sniff reads a sample of the text and finds out the dialect and the preamble.
func (c *csvFile) sniff(in io.Reader, opt ReadOptions) (*sniffer, error) {
	sample := make([]byte, 0, sniffSize)
	for {
		n, err := io.ReadFull(in, sample[len(sample):cap(sample)])
		sample = sample[:len(sample)+n]
		s := &sniffer{path: c.src.path, opt: opt, whole: err != nil, dialect: c.dialect}
		if err = notEOF(err); err != nil {
			return nil, c.readError(err, int64(1+bytes.Count(sample, newline)))
		}
		err = s.sniff(sample)
		if err == nil || !errors.Is(err, errMore) {
			return s, err
		}
		if len(sample) >= maxRecord {
			return nil, c.readError(errLong, 1)
		}
		sample = append(make([]byte, 0, 4*cap(sample)), sample...)
	}
}

// notEOF returns err unless it is an end of input.
func notEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// open returns the file from its start, decompressed.
func (c *csvFile) open() (io.ReadCloser, error) {
	r, err := decompressor(io.NewSectionReader(c.src, 0, c.src.size), c.pack)
	if err != nil {
		return nil, c.readError(err, 1)
	}
	return r, nil
}

// reader returns the text of the file from its start, in UTF-8.
func (c *csvFile) reader() (io.ReadCloser, error) {
	in, err := c.open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{decode(in, c.encoding), in}, nil
}

// readError says where reading broke off. Faults of the system keep their own
// words; what remains is about the data.
func (c *csvFile) readError(err error, line int64) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return fmt.Errorf("%s: %w", c.src.path, err)
	}
	if c.pack != "" && !isScanError(err) {
		err = fmt.Errorf("%s data is broken: %w", c.pack, err)
	}
	return &DataError{Path: c.src.path, Row: -1, Line: line, Err: err}
}

// isScanError reports whether err comes from the scanner and not from below.
func isScanError(err error) bool {
	return errors.Is(err, errNUL) || errors.Is(err, errLong) || errors.Is(err, errOpen) || errors.Is(err, errTrailed)
}

// changed is the error for a file that is not what it was when it was read
// before.
func (c *csvFile) changed() error { return &DataError{Path: c.src.path, Row: -1, Err: ErrChanged} }

// counted reports whether the number of rows is known.
func (c *csvFile) counted() bool { return c.starts != nil }

// rows returns the number of rows.
func (c *csvFile) rows() int64 { return c.starts[len(c.starts)-1] }
