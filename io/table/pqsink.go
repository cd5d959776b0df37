package table

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// groupRows is the most rows in a row group that we write, and groupBytes
	// about the most bytes before compression. A row group is held in memory,
	// packed, until it is whole.
	groupRows  = 1 << 20
	groupBytes = 128 << 20

	// dictionaryBytes is how large a dictionary may grow before its column is
	// written plain, and how much text goes into a page before that is looked at:
	// the library does so at the ends of pages alone, which have as many values as
	// there is room for their numbers in the dictionary, however long they are.
	dictionaryBytes = 1 << 20
)

// parquetSink writes a Parquet file column by column, row group by row group.
// Several goroutines may write at once, each to a leaf of its own.
type parquetSink struct {
	w       fileWriter
	columns []*parquet.ColumnWriter // one a leaf
	pages   *pagePool               // of those that are encoded
	text    []int                   // bytes of text since a page of the leaf was ended here
	threads int

	rows int64 // in the current row group, as far as gathered was told
	mark int64 // size when it began
}

// fileWriter is what is used of parquet.Writer. The library would rather have its
// generic writer used, but that is made for rows of Go values, and panics on the
// old kinds of lists and maps that are only copied here.
type fileWriter interface {
	ColumnWriters() []*parquet.ColumnWriter
	SetKeyValueMetadata(key, value string)
	Size() int64
	Flush() error
	Close() error
}

// newParquetSink begins a file with the given schema, encoded on so many threads.
func newParquetSink(out io.Writer, root *node, metadata map[string]string, compression string, threads int) *parquetSink {
	pages := newPagePool()
	options := []parquet.WriterOption{
		parquet.NewSchema(root.name, root),
		parquet.Compression(codecOf(compression)),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.PageBufferSize(pageRoom(root.leaves)), // taken at once where there are no nulls, however few the rows
		parquet.WriteBufferSize(0),                    // what is written is buffered already
		parquet.MaxRowsPerRowGroup(1 << 40),           // row groups are cut here, not there
		parquet.DataPageStatistics(false),             // they stand in the page index, cut where they are long
		parquet.ColumnPageBuffers(pages),
	}
	for k, v := range metadata {
		options = append(options, parquet.KeyValueMetadata(k, v))
	}
	for _, path := range unorderedPaths(nil, nil, root) {
		options = append(options, parquet.SkipPageBounds(path...))
	}
	w := parquet.NewWriter(out, options...)
	columns := w.ColumnWriters()
	return &parquetSink{w: w, columns: columns, pages: pages, text: make([]int, len(columns)), threads: threads}
}

// codecOf returns a compression by name.
func codecOf(name string) compress.Codec {
	switch name {
	case packSnappy:
		return &parquet.Snappy
	case packGzip:
		return &parquet.Gzip
	case packNone:
		return &parquet.Uncompressed
	}
	return &parquet.Zstd
}

// unorderedPaths lists the leaves for which no bounds must be written.
func unorderedPaths(list [][]string, path []string, n *node) [][]string {
	for _, c := range n.children {
		below := slices.Concat(path, []string{c.name})
		if c.unbounded {
			list = append(list, below)
		}
		list = unorderedPaths(list, below, c)
	}
	return list
}

// write appends the values of whole rows to a leaf. Each page ends soon after it
// has dictionaryBytes of text: the library makes one of all that it gets at once,
// and long values may be in it many times.
func (s *parquetSink) write(leaf int, values []parquet.Value) error {
	from := 0
	for i := range values {
		if s.text[leaf] >= dictionaryBytes && values[i].RepetitionLevel() == 0 {
			if err := s.endPage(leaf, values[from:i]); err != nil {
				return err
			}
			from = i
		}
		if k := values[i].Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
			s.text[leaf] += len(values[i].ByteArray())
		}
	}
	if s.text[leaf] >= dictionaryBytes {
		return s.endPage(leaf, values[from:])
	}
	_, err := s.columns[leaf].WriteRowValues(values[from:])
	return err
}

// endPage appends the values of whole rows to a leaf, and ends its page.
func (s *parquetSink) endPage(leaf int, values []parquet.Value) error {
	s.text[leaf] = 0
	if _, err := s.columns[leaf].WriteRowValues(values); err != nil {
		return err
	}
	return s.columns[leaf].Flush()
}

// writeAdded appends rows from to to of an added column to a leaf.
func (s *parquetSink) writeAdded(leaf int, a *Added, from, to int64) error {
	return s.writeRows(leaf, from, to, func(row int64) parquet.Value { return a.value(row).Level(0, a.level(row), leaf) })
}

// writeRows appends rows from to to of a flat leaf, whose values value makes, with
// their levels.
func (s *parquetSink) writeRows(leaf int, from, to int64, value func(row int64) parquet.Value) error {
	slab := make([]parquet.Value, min(valueBatch, to-from))
	for from < to {
		values := slab[:min(valueBatch, to-from)]
		for k := range values {
			values[k] = value(from + int64(k))
		}
		if err := s.write(leaf, values); err != nil {
			return err
		}
		from += int64(len(values))
	}
	return nil
}

// each calls fn for n leaves, from the first on, on several goroutines. A panic
// of the library in one of them is an error, as guard makes it.
func (s *parquetSink) each(n int, fn func(leaf int) error) error {
	return parallel(s.threads, n, func(leaf int) error {
		return guard(func() error { return fn(leaf) })
	})
}

// value returns the value of a row as Parquet has it.
func (a *Added) value(row int64) parquet.Value {
	if a.null(row) {
		return parquet.NullValue()
	}
	switch v := a.Values.(type) {
	case []int64:
		return parquet.Int64Value(v[row])
	case []int32:
		return parquet.Int64Value(int64(v[row]))
	case []bool:
		return parquet.BooleanValue(v[row])
	case []float64:
		return parquet.DoubleValue(v[row])
	case constant:
		return v.value()
	}
	return parquet.NullValue()
}

// level returns the definition level of a row.
func (a *Added) level(row int64) int {
	if a.optional() && !a.null(row) {
		return 1
	}
	return 0
}

// gathered counts rows of the current row group, which were written to all leaves.
// It reports whether the row group is as large as one may be, so that flush must end
// it.
func (s *parquetSink) gathered(rows int64) (full bool) {
	s.rows += rows
	return s.rows >= groupRows || s.size()-s.mark >= groupBytes
}

// flush ends a row group.
func (s *parquetSink) flush() error {
	err := s.each(len(s.columns), func(leaf int) error { return s.columns[leaf].Flush() })
	if err == nil {
		err = s.w.Flush()
	}
	s.rows, s.mark = 0, s.size()
	return err
}

// finish ends the file.
func (s *parquetSink) finish() error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.w.Close()
}

// close frees what a file that was not finished holds.
func (s *parquetSink) close() { s.pages.close() }

// size is an estimate of what was written, in bytes.
func (s *parquetSink) size() int64 { return s.w.Size() }

// addedNodes are the columns for added values.
func addedNodes(added []Added) []*node {
	var list []*node
	for i := range added {
		list = append(list, newNode(added[i].Name, added[i].fieldType(), added[i].optional()))
	}
	return list
}

// keptMetadata returns the key-value metadata of a source that stays true of
// another schema, and what is added to it.
func keptMetadata(source []format.KeyValue, allColumns bool, added map[string]string) map[string]string {
	all := make(map[string]string)
	for _, kv := range source {
		if !foreignKey(kv.Key, allColumns) {
			all[kv.Key] = kv.Value
		}
	}
	maps.Copy(all, added)
	return all
}

// foreignKey reports whether a key describes the schema of the file that it
// stands in, so that a copy beside other columns would mislead its readers.
// GeoParquet's only names columns that it needs.
func foreignKey(key string, allColumns bool) bool {
	switch key {
	case "pandas", "ARROW:schema", astropyKey, masksKey, "parquet.avro.schema", "avro.schema", "iceberg.schema":
		return true
	case "geo":
		return !allColumns
	}
	return strings.HasPrefix(key, "IVOA.VOTable-Parquet.") || strings.HasPrefix(key, "org.apache.spark.")
}

// guardWrite runs fn, which writes the table at path as Parquet, and turns a
// panic of the library into an error.
func guardWrite(path string, fn func() error) error {
	err := guard(fn)
	var told *DataError
	if errors.Is(err, errPanic) && !errors.As(err, &told) {
		return badFile(path, "cannot be written as Parquet: %w", err)
	}
	return err
}
