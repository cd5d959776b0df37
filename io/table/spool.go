package table

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/catalog"
)

// This file reads FITS, VOTable and ECSV by way of a temporary Parquet file. These
// are read from the start to the end alone, and a table is read several times, by
// columns; and so all that is done with Parquet is done with them: reading some
// columns, several files, metadata, writing.

// spoolCells is about how many values of a batch are in memory, and spoolRows how
// many rows at most.
const (
	spoolCells = 1 << 18
	spoolRows  = 1 << 12
)

// splitPick parts the name of a table, in a file of several, from the file: as in
// stars.fits#2 or stars.fits#GALAXIES. A file that has # in its name comes first.
func splitPick(path string) (file, pick string) {
	i := strings.LastIndexByte(path, '#')
	if i <= 0 || i == len(path)-1 {
		return path, ""
	}
	if _, err := os.Lstat(path); err == nil {
		return path, ""
	}
	if info, err := os.Stat(path[:i]); err != nil || info.IsDir() {
		return path, ""
	}
	return path[:i], path[i+1:]
}

// isPick reports whether a name is of a table in a file of several.
func isPick(name string) bool {
	_, pick := splitPick(name)
	return pick != ""
}

// shownPath is what messages call a table in a file.
func shownPath(file, pick string) string {
	if pick == "" {
		return file
	}
	return file + "#" + pick
}

// catalogFormat tells which of the formats of package catalog a file is in, or "".
func catalogFormat(src *source, opt *ReadOptions) (string, error) {
	switch opt.Format {
	case formatFITS, formatVOTable, formatECSV:
		return opt.Format, nil
	case "", formatAuto:
	default:
		return "", nil
	}
	r, err := unpacked(src)
	if err != nil {
		return "", nil //nolint:nilerror // told by who reads it as CSV
	}
	defer func() { _ = r.Close() }() // was only read
	head := make([]byte, 4096)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) && n == 0 {
		return "", nil //nolint:nilerror // likewise
	}
	return catalog.Detect(head[:n]), nil
}

// unpacked reads a file from its start, of gzip or zstd what is packed in it.
func unpacked(src *source) (io.ReadCloser, error) {
	section := io.NewSectionReader(src, 0, src.size)
	head := make([]byte, 4)
	n, err := section.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if pack := packOf(head[:n]); pack != "" {
		return decompressor(bufio.NewReaderSize(section, 256<<10), pack)
	}
	return seekable{section}, nil
}

// seekable is a file whose Close does nothing.
type seekable struct{ *io.SectionReader }

func (seekable) Close() error { return nil }

// spoolCatalog makes a temporary Parquet file of a file in a format of package
// catalog, and lets go of that.
func spoolCatalog(ctx context.Context, src *source, format, pick string, opt *ReadOptions) (*source, []Note, error) {
	in, err := unpacked(src)
	if err != nil {
		return nil, nil, badFile(src.path, "%w", err)
	}
	defer func() { _ = in.Close() }() // faults were told by reading
	r, err := catalog.Open(in, format, pick)
	if err != nil {
		return nil, nil, badFile(src.path, "%w", err)
	}
	file, err := newScratch(opt.TempDir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", src.path, err)
	}
	s := &source{path: src.path, file: file.File, temp: file.name}
	if err := fillSpool(ctx, src, file, r, opt); err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	s.size, s.modTime = info.Size(), info.ModTime()
	return s, catalogNotes(r), src.Close()
}

// fillSpool writes the rows of a file to a temporary one, and sees that it did not
// change meanwhile.
func fillSpool(ctx context.Context, src *source, file *scratch, r *catalog.Reader, opt *ReadOptions) error {
	out := bufio.NewWriterSize(file, 256<<10)
	if err := guardWrite(src.path, func() error { return writeSpool(ctx, src.path, out, r, opt) }); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("copy %s to a temporary file (TMPDIR says where): %w", src.path, err)
	}
	return src.unchanged()
}

// catalogNotes says which columns of a file are not read, and what else is to be told of it.
func catalogNotes(r *catalog.Reader) []Note {
	var notes []Note
	if len(r.LeftOut) > 0 {
		columns := make([]Column, len(r.LeftOut))
		for i, name := range r.LeftOut {
			columns[i].Name = name
		}
		notes = append(notes, Note{Loud: true, Text: "left out columns of arrays of varying length, which are not read: " + listNames(columns)})
	}
	for _, text := range r.Warnings {
		notes = append(notes, Note{Loud: true, Text: text})
	}
	return notes
}

// writeSpool writes the rows of a catalog as Parquet.
func writeSpool(ctx context.Context, path string, out io.Writer, r *catalog.Reader, opt *ReadOptions) error {
	nodes := make([]*node, len(r.Columns))
	list := make([]string, len(nodes))
	for i := range r.Columns {
		nodes[i] = catalogNode(&r.Columns[i])
		list[i] = r.Columns[i].Name
	}
	if err := validName(path, list); err != nil {
		return err
	}
	metadata := map[string]string{}
	addDescriptions(metadata, r.Columns)
	sink := newParquetSink(out, newRoot("schema", nodes), metadata, "", opt.threads())
	defer sink.close()
	b := newSpoolBatch(r.Columns)
	for rows := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		end, err := b.fill(r)
		if err != nil {
			return badFile(path, "%w", err)
		}
		rows += int64(b.rows)
		if err := opt.counted(rows, 0); err != nil { // none is kept, nor known to be asked for
			return err
		}
		err = sink.each(len(nodes), func(leaf int) error { return sink.write(leaf, b.values[leaf][:b.rows]) })
		if err != nil {
			return err
		}
		if full := sink.gathered(int64(b.rows)); full && !end {
			if err := sink.flush(); err != nil {
				return err
			}
		}
		if end {
			return sink.finish()
		}
	}
}

// spoolMemory is what the conversion takes for so many columns and bytes of Parquet:
// a batch of values, and pages.
func spoolMemory(columns int, size int64) int64 {
	const valueBytes = 24 // of a parquet.Value
	return spoolCells*valueBytes + 2*batchBytes + columnsMemory(columns) + min(size, heldPages)*5/4
}

// spoolBatch is some rows by columns.
type spoolBatch struct {
	columns []catalog.Column
	row     []catalog.Value
	values  [][]parquet.Value
	rows    int
	most    int
	text    []byte // of the texts of the batch
}

func newSpoolBatch(columns []catalog.Column) *spoolBatch {
	b := &spoolBatch{columns: columns, row: make([]catalog.Value, len(columns))}
	b.most = min(max(spoolCells/len(columns), 1), spoolRows)
	b.values = make([][]parquet.Value, len(columns))
	for i := range b.values {
		b.values[i] = make([]parquet.Value, b.most)
	}
	return b
}

// fill reads the next rows, fewer where their texts are long.
func (b *spoolBatch) fill(r *catalog.Reader) (end bool, err error) {
	b.rows, b.text = 0, b.text[:0]
	for b.rows < b.most && len(b.text) < batchBytes {
		err := r.Next(b.row)
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		for i := range b.row {
			level := 0
			if b.columns[i].Nullable && !b.row[i].Null {
				level = 1
			}
			b.values[i][b.rows] = b.value(b.columns[i].Type, &b.row[i]).Level(0, level, i)
		}
		b.rows++
	}
	return false, nil
}

// value returns a value as Parquet has it.
func (b *spoolBatch) value(t catalog.Type, v *catalog.Value) parquet.Value {
	if v.Null {
		return parquet.NullValue()
	}
	switch t {
	case catalog.Bool:
		return parquet.BooleanValue(v.Int != 0)
	case catalog.Int64, catalog.Uint64:
		return parquet.Int64Value(v.Int)
	case catalog.Float32:
		return parquet.FloatValue(float32(v.Float))
	case catalog.Float64:
		return parquet.DoubleValue(v.Float)
	case catalog.Text:
		at := len(b.text)
		b.text = append(b.text, v.Text...)
		return parquet.ByteArrayValue(b.text[at:len(b.text):len(b.text)])
	}
	return parquet.Int32Value(int32(v.Int))
}

// catalogNode is a column of a catalog in Parquet.
func catalogNode(c *catalog.Column) *node {
	switch c.Type {
	case catalog.Bool:
		return newNode(c.Name, Bool, c.Nullable)
	case catalog.Int64:
		return newNode(c.Name, Int64, c.Nullable)
	case catalog.Float64:
		return newNode(c.Name, Float64, c.Nullable)
	case catalog.Text:
		return newNode(c.Name, String, c.Nullable)
	}
	n := newNode(c.Name, Int64, c.Nullable)
	switch c.Type {
	case catalog.Float32:
		n.typ, n.encoding = parquet.FloatType, &parquet.Plain
	case catalog.Int8:
		n.typ = parquet.Int(8).Type()
	case catalog.Int16:
		n.typ = parquet.Int(16).Type()
	case catalog.Int32:
		n.typ = parquet.Int(32).Type()
	case catalog.Uint8:
		n.typ = parquet.Uint(8).Type()
	case catalog.Uint16:
		n.typ = parquet.Uint(16).Type()
	case catalog.Uint32:
		n.typ = parquet.Uint(32).Type()
	case catalog.Uint64:
		n.typ = parquet.Uint(64).Type()
	}
	return n
}
