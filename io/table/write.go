package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// WriteOptions says how to write a table.
type WriteOptions struct {
	// Format is csv, tsv, parquet or fits; "" or auto goes by the extension: .csv .tsv
	// .fits (with .gz or .zst: compressed), .parquet, .pq. The path "-" is CSV unless
	// Format says otherwise.
	Format string

	// Compression of Parquet is zstd, snappy, gzip or none; "" is zstd, but for
	// column chunks that are copied as they are.
	Compression string

	// Force overwrites a file that exists. Without it that is ErrExists.
	Force bool

	// Stdout is written for the path "-".
	Stdout io.Writer

	// Metadata is added to the key-value metadata of Parquet; CSV and FITS have none.
	Metadata map[string]string
}

// Added is a column to be added to a table.
type Added struct {
	Name   string
	Values any    // []int64, []int32 (written as int64), []float64 or []bool, one value a row
	Valid  []bool // nil: every value is there; else one a row, false for null
}

// WriteWith writes the table to path: the kept columns unchanged (nil: all in
// file order; else these, in the order given; empty but not nil: none), then
// the added ones. Rows stay in their order. The source is read once more and
// streamed. A failure leaves no file behind.
//
// The output may be the input, with Force: it is replaced at the very end.
func (t *Table) WriteWith(ctx context.Context, path string, keep []string, added []Added, opt WriteOptions) error {
	format, pack, err := outputFormat(path, opt)
	if err != nil {
		return err
	}
	places, err := t.kept(keep)
	if err != nil {
		return err
	}
	if err := t.checkAdded(places, added); err != nil {
		return err
	}
	out, err := createOutput(path, opt)
	if err != nil {
		return err
	}
	defer out.abort() // does nothing once committed
	ctx, end := metered(ctx, t.Rows())
	switch format {
	case formatParquet:
		err = t.body.writeParquet(ctx, out, places, added, opt)
	case formatFITS:
		err = t.writeFITS(ctx, out, pack, places, added)
	default:
		err = t.writeCSV(ctx, out, format, pack, places, added)
	}
	if err == nil {
		err = out.commit()
	}
	if err != nil {
		return err
	}
	end()
	return nil
}

// writeCSV sets up the compression and the writer of CSV.
func (t *Table) writeCSV(ctx context.Context, out io.Writer, format, pack string, places []int, added []Added) error {
	packed, err := compressor(out, pack)
	if err != nil {
		return err
	}
	w := newCSVWriter(packed, format)
	err = t.body.writeCSV(ctx, w, places, added)
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return err
	}
	return packed.Close()
}

// kept returns the places of the columns to keep.
func (t *Table) kept(keep []string) ([]int, error) {
	if keep != nil {
		return t.find(keep)
	}
	places := make([]int, len(t.Columns()))
	for i := range places {
		places[i] = i
	}
	return places, nil
}

// checkAdded sees that added columns have one value a row and a name of their
// own.
func (t *Table) checkAdded(places []int, added []Added) error {
	if len(places)+len(added) == 0 {
		return fmt.Errorf("%s: no columns to write", t.path)
	}
	taken, all := map[string]bool{}, t.Columns()
	for _, i := range places {
		taken[all[i].Name] = true
		if c, ok := t.body.(*csvFile); ok {
			taken[c.names[i]] = true
		}
	}
	for _, a := range added {
		n, err := a.len()
		switch {
		case err != nil:
			return err
		case int64(n) != t.Rows() || a.Valid != nil && len(a.Valid) != n:
			return fmt.Errorf("table: added column %q has %d values and %d marks, want %d", a.Name, n, len(a.Valid), t.Rows())
		case taken[a.Name]:
			return fmt.Errorf("%s: column %q: %w", t.path, a.Name, ErrColumnExists)
		}
		taken[a.Name] = true
	}
	return nil
}

// len returns the number of values.
func (a *Added) len() (int, error) {
	switch v := a.Values.(type) {
	case []int64:
		return len(v), nil
	case []int32:
		return len(v), nil
	case []float64:
		return len(v), nil
	case []bool:
		return len(v), nil
	case constant:
		return v.rows, nil
	}
	return 0, fmt.Errorf("table: added column %q has values of type %T, want []int64, []int32, []float64 or []bool", a.Name, a.Values)
}

// fieldType returns the type of the values.
func (a *Added) fieldType() FieldType {
	switch v := a.Values.(type) {
	case []int64, []int32:
		return Int64
	case []bool:
		return Bool
	case constant:
		return v.fieldType()
	}
	return Float64
}

// null reports whether the value of a row is null.
func (a *Added) null(row int64) bool {
	if c, ok := a.Values.(constant); ok {
		return c.null
	}
	return a.Valid != nil && !a.Valid[row]
}

// optional reports whether the column can hold nulls.
func (a *Added) optional() bool {
	c, ok := a.Values.(constant)
	return a.Valid != nil || ok && c.optional
}

// names returns the names of the places.
func names(all []Column, places []int) []string {
	list := make([]string, len(places))
	for i, p := range places {
		list[i] = all[p].Name
	}
	return list
}

// duplicate returns a name that is in the list twice, or "".
func duplicate(list []string) string {
	sorted := slices.Sorted(slices.Values(list))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return sorted[i]
		}
	}
	return ""
}

// identity reports whether places are 0 to n-1.
func identity(places []int, n int) bool {
	for i, p := range places {
		if i != p {
			return false
		}
	}
	return len(places) == n
}

// validName checks names for Parquet, and for FITS, which is made of it.
func validName(path string, list []string) error {
	for _, name := range list {
		if !utf8Valid([]byte(name)) {
			return badFile(path, "the column name %q is not UTF-8, or has a NUL character in it: give the column another name", clip([]byte(name)))
		}
	}
	if d := duplicate(list); d != "" {
		return badColumn(path, d, "several columns have this name, and Parquet and FITS want distinct ones; keep one, or write CSV")
	}
	return nil
}

// utf8Valid reports whether b is UTF-8 without NUL bytes.
func utf8Valid(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }
