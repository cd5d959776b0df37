package table_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// writeLevels writes rows whose values have any levels, and returns the path.
func writeLevels(t *testing.T, schema *parquet.Schema, rows []parquet.Row) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[any](f, schema)
	_, err = w.WriteRows(rows)
	if err := errors.Join(err, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestParquetShapes has nested values whose levels do not fit together.
func TestParquetShapes(t *testing.T) {
	number := parquet.Leaf(parquet.Int32Type)
	pair := parquet.Group{"a": parquet.Optional(number), "b": parquet.Optional(number)}
	list := parquet.Group{"c": parquet.Repeated(number)}
	v := func(column, rep, def int) parquet.Value { return parquet.Int32Value(7).Level(rep, def, column) }
	null := func(column, rep, def int) parquet.Value { return parquet.NullValue().Level(rep, def, column) }
	for _, c := range []struct {
		name string
		node parquet.Group
		rows []parquet.Row
		want string // empty: all is well
	}{
		{"structs", parquet.Group{"c": parquet.Optional(pair)}, []parquet.Row{
			{v(0, 0, 2), v(1, 0, 2)}, {null(0, 0, 1), v(1, 0, 2)}, {null(0, 0, 0), null(1, 0, 0)},
		}, ""},
		{"a struct that is there and not there", parquet.Group{"c": parquet.Optional(pair)}, []parquet.Row{
			{v(0, 0, 2), v(1, 0, 2)}, {null(0, 0, 0), null(1, 0, 1)},
		}, `"a" and "b" do not have the same elements of "c"`},
		{"lists of structs", parquet.Group{"c": parquet.Repeated(pair)}, []parquet.Row{
			{null(0, 0, 0), null(1, 0, 0)}, {v(0, 0, 2), null(0, 1, 1), v(1, 0, 2), v(1, 1, 2)},
		}, ""},
		{"lists of different length", parquet.Group{"c": parquet.Repeated(pair)}, []parquet.Row{
			{v(0, 0, 2), v(1, 0, 2)}, {v(0, 0, 2), v(0, 1, 2), v(1, 0, 2)},
		}, `"a" and "b" do not have the same elements of "c"`},
		{"lists", list, []parquet.Row{{null(0, 0, 0)}, {v(0, 0, 1), v(0, 1, 1)}}, ""},
		{"an empty list that goes on", list, []parquet.Row{{null(0, 0, 0), v(0, 1, 1)}}, "its levels describe a further element of a list that is not there"},
		{"a further element that is not there", list, []parquet.Row{{v(0, 0, 1), null(0, 1, 0)}}, "its levels describe a further element of a list that is not there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeLevels(t, parquet.NewSchema("shapes", c.node), c.rows)
			tab := open(t, path, table.ReadOptions{})
			both, err := table.OpenAll(t.Context(), []table.Input{{Path: path}, {Path: path}}, table.SetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = both.Close() }()
			for name, tab := range map[string]*table.Table{"one": tab, "two": both} {
				for _, opt := range []table.WriteOptions{{Format: "csv"}, {Format: "parquet"}, {Format: "parquet", Compression: "gzip"}} {
					opt.Stdout = io.Discard
					err := tab.WriteWith(t.Context(), "-", nil, nil, opt)
					if c.want == "" && err != nil {
						t.Errorf("%s file as %s %s: %v", name, opt.Format, opt.Compression, err)
					}
					if c.want != "" {
						wantDataError(t, err, `in.parquet: column "c": cannot be read: `+c.want)
					}
				}
			}
		})
	}
}
