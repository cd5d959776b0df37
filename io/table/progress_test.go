package table_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// told is what a Progress was told: how many rows were done, of how many.
type told struct{ done, total []int64 }

// under returns a context that tells it. Calls come one at a time: the race detector sees.
func (p *told) under(ctx context.Context) context.Context {
	return table.WithProgress(ctx, func(done, total int64) {
		p.done, p.total = append(p.done, done), append(p.total, total)
	})
}

// check sees that it was told from 0 to all rows in at least so many steps, never less than
// before, and never of more than there are.
func (p *told) check(t *testing.T, rows, steps int64) {
	t.Helper()
	if len(p.done) == 0 || p.done[0] != 0 {
		t.Fatalf("got %v, want 0 first", p.done)
	}
	for i, done := range p.done {
		switch {
		case p.total[i] != rows:
			t.Fatalf("got %d rows in all, want %d", p.total[i], rows)
		case done > rows, i > 0 && done <= p.done[i-1], done == rows && i < len(p.done)-1:
			t.Fatalf("got %v, want them to rise to %d, which is the last", p.done, rows)
		}
	}
	if last := p.done[len(p.done)-1]; last != rows {
		t.Errorf("got %d rows at the end, want %d", last, rows)
	}
	if n := int64(len(p.done)) - 1; n < steps {
		t.Errorf("got %v, want %d steps at least", p.done, steps)
	}
}

// flat is a row of numbers that FITS need not look at first.
type flat struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
}

// csvRows is text of so many rows with columns x, s and n.
func csvRows(rows int) string {
	var b strings.Builder
	b.WriteString("x,s,n\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d.5,star %d,%d\n", i, i%7, i)
	}
	return b.String()
}

// progressTables opens tables of 40,000 rows each, of all kinds.
func progressTables(t *testing.T, threads int) map[string]*table.Table {
	const rows = 40_000
	read := table.Chunked(table.ReadOptions{Threads: threads}, 16<<10)
	set := table.SetOptions{ReadOptions: read, UnionByName: true, FilenameColumn: "file"}
	dir, csvDir := t.TempDir(), textFiles(t, "a.csv", csvRows(rows/4), "b.csv", "n,y\n"+strings.Repeat("7,1\n", rows/2), "c.csv", csvRows(rows/4))
	snappy := parquet.Compression(&parquet.Snappy)
	wide := wideRows(rows)
	numbers := make([]flat, rows)
	small := parquetFile(t, dir, "small.parquet", wide, snappy, parquet.MaxRowsPerRowGroup(3000))
	large := parquetFile(t, dir, "large.parquet", wide, snappy, parquet.MaxRowsPerRowGroup(20_000))
	kept := read
	kept.Load = func(column string) bool { return column == "x" }
	csv := writeFile(t, "in.csv", csvRows(rows))
	tables := map[string]*table.Table{
		"csv":     open(t, csv, read),
		"kept in": openAll(t, table.SetOptions{ReadOptions: kept, FilenameColumn: "file"}, csv),
		"small":   open(t, small, read),
		"tight":   open(t, small, read),
		"large":   open(t, large, read),
		"flat":    open(t, parquetFile(t, dir, "flat.parquet", numbers), read),
		"csv set": openAll(t, set, csvDir),
		"parquet set": openAll(t, set, parquetFile(t, dir, "a.parquet", wide[:20_000], snappy),
			parquetFile(t, dir, "b.parquet", numbers[:3000]), parquetFile(t, dir, "c.parquet", wide[:17_000], snappy)),
		"alike": openAll(t, set, parquetFile(t, dir, "d.parquet", wide[:18_000], snappy),
			parquetFile(t, dir, "e.parquet", wide[:4000], snappy), parquetFile(t, dir, "f.parquet", wide[:18_000], snappy)),
	}
	tables["tight"].LimitPages(100 << 10)
	var fits []string
	for i := range 2 {
		fits = append(fits, filepath.Join(dir, fmt.Sprint(i, ".fits")))
		part := open(t, parquetFile(t, dir, fmt.Sprint("fits", i, ".parquet"), wide[:rows/2]), read)
		if err := part.WriteWith(t.Context(), fits[i], []string{"id", "d", "name"}, nil, table.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	tables["fits set"] = openAll(t, table.SetOptions{ReadOptions: read}, fits...)
	return tables
}

// TestProgress reads and writes tables by all roads.
func TestProgress(t *testing.T) {
	const rows = 40_000
	added := []table.Added{{Name: "cluster", Values: upTo(rows)}, {Name: "score", Values: make([]float64, rows)}}
	floats := func(columns ...string) func(context.Context, *table.Table) error {
		return func(ctx context.Context, tab *table.Table) error {
			_, err := tab.Floats(ctx, columns)
			return err
		}
	}
	pieces := func(columns ...string) func(context.Context, *table.Table) error {
		return func(ctx context.Context, tab *table.Table) error {
			return tab.FloatsEach(ctx, columns, 5000, func(int64, *table.Floats) error { return nil })
		}
	}
	to := func(format, compression string, keep ...string) func(context.Context, *table.Table) error {
		return func(ctx context.Context, tab *table.Table) error {
			return tab.WriteWith(ctx, "-", keep, added, table.WriteOptions{Format: format, Compression: compression, Stdout: io.Discard})
		}
	}
	bare := func(ctx context.Context, tab *table.Table) error {
		return tab.WriteWith(ctx, "-", nil, nil, table.WriteOptions{Format: "parquet", Stdout: io.Discard})
	}
	alone := func(ctx context.Context, tab *table.Table) error {
		return tab.WriteWith(ctx, "-", []string{}, added, table.WriteOptions{Format: "parquet", Stdout: io.Discard})
	}
	each := func(ctx context.Context, tab *table.Table) error {
		return tab.WriteEach(ctx, filepath.Join(t.TempDir(), "out"), nil, added, table.WriteOptions{})
	}
	const many = 10
	tests := []struct {
		name, table string
		use         func(context.Context, *table.Table) error
		steps       int64
	}{
		{"CSV again", "csv", floats("x", "n", "x"), many},
		{"CSV in pieces", "csv", pieces("n"), many},
		{"CSV of which a set keeps numbers", "kept in", floats("x"), 1},
		{"CSV files", "csv set", floats("n", "x"), many},
		{"CSV files in pieces", "csv set", pieces("n", "y"), many},
		{"a column that two files lack", "csv set", pieces("y"), 4},
		{"Parquet", "small", floats("x", "d", "id"), many},
		{"Parquet, columns one after the other", "tight", floats("x", "d", "id"), many},
		{"Parquet in pieces", "small", pieces("x", "id"), many},
		{"Parquet files", "parquet set", floats("x", "y"), many},
		{"Parquet files in pieces", "parquet set", pieces("id", "x"), many},
		{"CSV to CSV", "csv", to("csv", ""), many},
		{"CSV to TSV", "csv", to("tsv", "", "n", "x"), many},
		{"CSV to Parquet", "csv", to("parquet", ""), many},
		{"CSV to FITS", "csv", to("fits", ""), many},
		{"CSV files to CSV", "csv set", to("csv", ""), many},
		{"CSV files to Parquet", "csv set", to("parquet", ""), many},
		{"Parquet to CSV", "small", to("csv", ""), many},
		{"Parquet to CSV, columns laid aside", "tight", to("csv", ""), many},
		{"Parquet copied", "large", to("parquet", ""), many},
		{"Parquet copied, nothing added", "large", bare, many},
		{"Parquet, only what is added", "large", alone, 1},
		{"Parquet encoded", "small", to("parquet", ""), many},
		{"Parquet encoded by row groups", "tight", to("parquet", ""), many},
		{"Parquet to FITS", "large", to("fits", "", "x", "name", "d"), many},
		{"numbers to FITS", "flat", to("fits", "", "x", "y"), many},
		{"Parquet files to CSV", "parquet set", to("csv", ""), many},
		{"Parquet files copied and encoded", "alike", to("parquet", ""), many},
		{"Parquet files of other columns", "parquet set", to("parquet", ""), many},
		{"Parquet files encoded", "parquet set", to("parquet", "gzip"), many},
		{"Parquet files to FITS", "parquet set", to("fits", "", "x", "y", "file"), many},
		{"each CSV file", "csv set", each, many},
		{"each Parquet file", "parquet set", each, many},
		{"each FITS file", "fits set", each, many},
	}
	for _, threads := range []int{1, 3} {
		tables := progressTables(t, threads)
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s, %d threads", test.name, threads), func(t *testing.T) {
				var p told
				if err := test.use(p.under(t.Context()), tables[test.table]); err != nil {
					t.Fatal(err)
				}
				p.check(t, rows, test.steps)
			})
		}
	}
}

// TestProgressUntold tells nothing where nothing is read, of no rows once, and not the end
// of what fails.
func TestProgressUntold(t *testing.T) {
	var kept, none, failed, stopped told
	tab := open(t, writeFile(t, "in.csv", csvRows(10)), table.ReadOptions{Load: func(string) bool { return true }})
	if _, err := tab.Floats(kept.under(t.Context()), []string{"x"}); err != nil || kept.done != nil {
		t.Errorf("numbers that were kept: got %v and %v, want nothing", kept, err)
	}
	if err := openText(t, "x\n").WriteWith(none.under(t.Context()), "-", nil, nil, table.WriteOptions{Stdout: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if want := (told{[]int64{0}, []int64{0}}); !reflect.DeepEqual(none, want) {
		t.Errorf("no rows: got %v, want %v", none, want)
	}
	large := open(t, parquetFile(t, t.TempDir(), "in.parquet", make([]flat, 9000), parquet.MaxRowsPerRowGroup(1000)), table.ReadOptions{Threads: 1})
	err := large.WriteWith(failed.under(t.Context()), "-", nil, nil, table.WriteOptions{Format: "csv", Stdout: &fullDisk{room: 1000}})
	if n := len(failed.done); err == nil || n == 0 || failed.done[n-1] == 9000 {
		t.Errorf("a full disk: got %v and %v, want no end", failed.done, err)
	}
	enough := errors.New("enough")
	err = large.FloatsEach(stopped.under(t.Context()), []string{"x"}, 1000, func(first int64, _ *table.Floats) error {
		if first == 8000 {
			return enough
		}
		return nil
	})
	if n := len(stopped.done); !errors.Is(err, enough) || stopped.done[n-1] == 9000 {
		t.Errorf("stopped in the last piece: got %v and %v, want no end", stopped.done, err)
	}
}
