package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// Field is a column of a new table.
type Field struct {
	Name string
	Type FieldType
}

// writerBatch is how many rows of a batch of a Writer are encoded at a time.
const writerBatch = 1 << 14

// Writer writes a new table batch by batch. Nothing stands under its path before
// Commit.
type Writer struct {
	out    *output
	path   string
	fields []Field
	csv    *csvWriter
	packed io.WriteCloser
	sink   *parquetSink
	fits   *fitsSpool // where it goes to become FITS, or nil
	pack   string     // of FITS
	failed error      // the first failure, or that the writer is closed
}

// errClosed is about a writer after Commit or Abort.
var errClosed = errors.New("table: the writer is closed")

// Create begins a new table at path. Every column is REQUIRED in Parquet.
func Create(path string, fields []Field, opt WriteOptions) (*Writer, error) {
	format, pack, err := outputFormat(path, opt)
	if err != nil {
		return nil, err
	}
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
		if f.Type < Int64 || f.Type > String {
			return nil, fmt.Errorf("table: column %q has no known type", f.Name)
		}
	}
	if len(fields) == 0 {
		return nil, errors.New("table: a new table needs a column")
	}
	if d := duplicate(list); d != "" {
		return nil, fmt.Errorf("%s: column %q: %w", path, d, ErrColumnExists)
	}
	out, err := createOutput(path, opt)
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, path: path, fields: slices.Clone(fields)}
	switch format {
	case formatParquet:
		err = w.beginParquet(out, opt)
	case formatFITS:
		w.pack = pack
		if w.fits, err = newFITSSpool(); err == nil {
			err = w.beginParquet(w.fits.buf, WriteOptions{Compression: packSnappy})
		}
	default:
		err = w.beginCSV(format, pack, list)
	}
	if err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

func (w *Writer) beginParquet(out io.Writer, opt WriteOptions) error {
	nodes := make([]*node, len(w.fields))
	for i, f := range w.fields {
		nodes[i] = newNode(f.Name, f.Type, false)
	}
	return guardWrite(w.path, func() error {
		w.sink = newParquetSink(out, newRoot("schema", nodes), opt.Metadata, opt.Compression, runtime.GOMAXPROCS(0))
		return nil
	})
}

func (w *Writer) beginCSV(format, pack string, list []string) error {
	packed, err := compressor(w.out, pack)
	if err != nil {
		return err
	}
	w.packed = packed
	w.csv = newCSVWriter(packed, format)
	w.csv.names(list)
	return w.csv.end(newline)
}

// Write appends a batch: one slice a field, in their order, all of the same
// length: []int64, []float64, []bool or []string.
func (w *Writer) Write(columns ...any) error {
	if w.failed != nil {
		return w.failed
	}
	rows, err := w.check(columns)
	if err != nil {
		return err
	}
	if w.sink != nil {
		err = guardWrite(w.path, func() error { return w.writeParquet(columns, rows) })
	} else {
		err = w.writeCSV(columns, rows)
	}
	w.failed = err
	return err
}

// check sees that a batch has the shape of the table.
func (w *Writer) check(columns []any) (int, error) {
	if len(columns) != len(w.fields) {
		return 0, fmt.Errorf("table: %d columns given, want %d", len(columns), len(w.fields))
	}
	rows := 0
	for i, c := range columns {
		n, t := 0, FieldType(-1)
		switch v := c.(type) {
		case []int64:
			n, t = len(v), Int64
		case []float64:
			n, t = len(v), Float64
		case []bool:
			n, t = len(v), Bool
		case []string:
			n, t = len(v), String
		}
		if i == 0 {
			rows = n
		}
		if t != w.fields[i].Type || n != rows {
			return 0, fmt.Errorf("table: column %q gets %d values of type %T, want %d of its own type", w.fields[i].Name, n, c, rows)
		}
	}
	return rows, nil
}

func (w *Writer) writeCSV(columns []any, rows int) error {
	for row := range rows {
		for _, c := range columns {
			switch v := c.(type) {
			case []string:
				w.csv.text([]byte(v[row]))
				continue
			case []int64:
				w.csv.separate()
				w.csv.buf = strconv.AppendInt(w.csv.buf, v[row], 10)
			case []float64:
				w.csv.separate()
				w.csv.buf = appendFloat(w.csv.buf, v[row], 64)
			case []bool:
				w.csv.separate()
				w.csv.buf = strconv.AppendBool(w.csv.buf, v[row])
			}
		}
		if err := w.csv.end(newline); err != nil {
			return err
		}
	}
	return nil
}

// writeParquet sends a batch, in parts, so that row groups end where they should.
func (w *Writer) writeParquet(columns []any, rows int) error {
	for from := 0; from < rows; {
		n := min(writerBatch, rows-from)
		err := w.sink.each(len(columns), func(leaf int) error {
			return w.sink.writeRows(leaf, int64(from), int64(from+n), func(row int64) parquet.Value {
				return cell(columns[leaf], int(row)).Level(0, 0, leaf)
			})
		})
		if err != nil {
			return err
		}
		from += n
		if w.sink.gathered(int64(n)) {
			if err := w.sink.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cell returns a value of a column as Parquet has it.
func cell(column any, row int) parquet.Value {
	switch v := column.(type) {
	case []int64:
		return parquet.Int64Value(v[row])
	case []float64:
		return parquet.DoubleValue(v[row])
	case []bool:
		return parquet.BooleanValue(v[row])
	case []string:
		return parquet.ByteArrayValue([]byte(v[row]))
	}
	return parquet.NullValue()
}

// SetMetadata adds to the key-value metadata of Parquet; CSV and FITS have none. It may be
// called until Commit.
func (w *Writer) SetMetadata(metadata map[string]string) {
	if w.sink == nil {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(metadata)) {
		w.sink.w.SetKeyValueMetadata(k, metadata[k])
	}
}

// Commit ends the table and puts the file in its place. After a failure there is
// none.
func (w *Writer) Commit() error {
	if w.failed != nil {
		w.Abort()
		return w.failed
	}
	var err error
	if w.sink != nil {
		err = guardWrite(w.path, w.sink.finish)
		if err == nil && w.fits != nil {
			_, err = w.fits.convert(context.Background(), w.path, w.out, w.pack)
		}
	} else {
		err = errors.Join(w.csv.flush(), w.packed.Close())
	}
	if err == nil {
		err = w.out.commit()
	}
	if err != nil {
		w.out.abort()
	}
	w.dropSpool()
	w.failed = err
	if err == nil {
		w.failed = errClosed
	}
	return err
}

// Abort removes what was written. After Commit it does nothing.
func (w *Writer) Abort() {
	w.out.abort()
	w.dropSpool()
	if w.failed == nil {
		w.failed = errClosed
	}
}

// dropSpool removes the temporary file.
func (w *Writer) dropSpool() {
	if w.fits != nil {
		w.fits.close()
		w.fits = nil
	}
}
