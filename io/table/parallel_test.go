package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// writeCase is a way of writing a table on several threads.
type writeCase struct {
	name  string
	paths []string
	union bool
	opt   table.WriteOptions
}

// mixedText is CSV with columns of all types, quotes and gaps.
func mixedText(from, rows int) string {
	rnd := rand.New(rand.NewPCG(uint64(from), 7))
	var b strings.Builder
	b.WriteString("i,x,s,r\n")
	for i := from; i < from+rows; i++ {
		s := fmt.Sprintf("name %d", i%700)
		if i%5 == 0 {
			s = fmt.Sprintf("\"a \"\"%d\"\",\nb\"", i)
		}
		x := ""
		if i%7 > 0 {
			x = table.AppendFloat(rnd.NormFloat64(), 64)
		}
		fmt.Fprintf(&b, "%d,%s,%s,%x\n", i*i, x, s, rnd.Uint64())
	}
	return b.String()
}

// writeCases are the ways in which tables are written.
func writeCases(t *testing.T) []writeCase {
	t.Helper()
	const lines, rows = 10_000, 33_000
	texts := textFiles(t, "0.csv", mixedText(0, lines), "1.csv", mixedText(lines, 2000), "2.csv", "s,y\na,1.5\n")
	text := func(i int) string { return filepath.Join(texts, fmt.Sprint(i, ".csv")) }
	dir := t.TempDir()
	snappy := parquet.Compression(&parquet.Snappy)
	large := parquetFile(t, dir, "large.parquet", wideRows(rows), snappy, parquet.MaxRowsPerRowGroup(rows/2))
	small := parquetFile(t, dir, "small.parquet", wideRows(1000), snappy)
	types := parquetFile(t, dir, "types.parquet", makeRows(2000), parquet.MaxRowsPerRowGroup(700))
	part := parquetFile(t, dir, "part.parquet", []struct {
		X float64 `parquet:"x"`
		E string  `parquet:"e"`
	}{{1, "a"}, {2, "b"}})
	const csvFormat, pqFormat = "csv", "parquet"
	return []writeCase{
		{"csv to csv", []string{text(0)}, false, table.WriteOptions{Format: csvFormat}},
		{"csv to parquet", []string{text(0)}, false, table.WriteOptions{Format: pqFormat}},
		{"several csv to parquet", []string{text(0), text(1)}, false, table.WriteOptions{Format: pqFormat}},
		{"several csv by name to parquet", []string{text(0), text(2), text(1)}, true, table.WriteOptions{Format: pqFormat}},
		{"chunks copied", []string{large}, false, table.WriteOptions{Format: pqFormat}},
		{"chunks packed anew", []string{large}, false, table.WriteOptions{Format: pqFormat, Compression: "zstd"}},
		{"all types packed anew", []string{types}, false, table.WriteOptions{Format: pqFormat}},
		{"several parquet", []string{large, small, large, small, small}, false, table.WriteOptions{Format: pqFormat}},
		{"several parquet packed anew", []string{large, small}, false, table.WriteOptions{Format: pqFormat, Compression: "gzip"}},
		{"several parquet by name", []string{large, part, small}, true, table.WriteOptions{Format: pqFormat}},
		{"parquet to csv", []string{large}, false, table.WriteOptions{Format: csvFormat}},
	}
}

// open opens the tables of a case.
func (c *writeCase) open(t *testing.T, threads int) (*table.Table, []table.Added) {
	t.Helper()
	opt := table.SetOptions{ReadOptions: table.Chunked(table.ReadOptions{Threads: threads}, 20_000), UnionByName: c.union}
	var inputs []table.Input
	for _, path := range c.paths {
		inputs = append(inputs, table.Input{Path: path})
	}
	tab, err := table.OpenAll(t.Context(), inputs, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	score, valid := make([]float64, tab.Rows()), make([]bool, tab.Rows())
	for i := range score {
		score[i], valid[i] = float64(i)/3, i%3 > 0
	}
	return tab, []table.Added{{Name: "cluster", Values: upTo(len(score))}, {Name: "score", Values: score, Valid: valid}}
}

// writeTo writes the tables of a case.
func (c *writeCase) writeTo(ctx context.Context, tab *table.Table, added []table.Added, out io.Writer) error {
	opt := c.opt
	opt.Stdout = out
	return tab.WriteWith(ctx, "-", nil, added, opt)
}

// TestWriteThreads sees that no byte depends on the number of threads, and that
// what was written holds the rows of what was read.
func TestWriteThreads(t *testing.T) {
	for _, c := range writeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			var want []byte
			for _, threads := range []int{1, 2, 7} {
				var got bytes.Buffer
				tab, added := c.open(t, threads)
				if err := c.writeTo(t.Context(), tab, added, &got); err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got.Bytes()
					again := open(t, writeFile(t, "out", got.String()), table.ReadOptions{})
					if got, want := writeText(t, again, nil, nil), writeText(t, tab, nil, added); got != want {
						t.Error("the rows written are not those of the input")
					}
				}
				if !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%d threads: got other bytes than with 1", threads)
				}
			}
		})
	}
}

// fullDisk fails once it has taken some bytes.
type fullDisk struct{ room int }

var errFull = errors.New("no space left")

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteFailsMidway sees that an output that fails ends all goroutines.
func TestWriteFailsMidway(t *testing.T) {
	for _, c := range writeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			tab, added := c.open(t, 4)
			var all bytes.Buffer
			if err := c.writeTo(t.Context(), tab, added, &all); err != nil {
				t.Fatal(err)
			}
			before := runtime.NumGoroutine()
			for _, room := range []int{all.Len() / 2, all.Len() - 1} {
				if err := c.writeTo(t.Context(), tab, added, &fullDisk{room: room}); !errors.Is(err, errFull) {
					t.Errorf("room for %d of %d bytes: got error %v, want %v", room, all.Len(), err, errFull)
				}
				wantGoroutines(t, before)
			}
		})
	}
}

// wantGoroutines waits until there are no more goroutines than before.
func wantGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left, there were %d", runtime.NumGoroutine(), before)
}

// countdown is a context that is cancelled when it was asked so often.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestWriteCancelled cancels writing at several points, and wants neither files
// nor goroutines to be left.
func TestWriteCancelled(t *testing.T) {
	for _, c := range writeCases(t) {
		t.Run(c.name, func(t *testing.T) {
			tab, added := c.open(t, 4)
			before := runtime.NumGoroutine()
			for _, questions := range []int64{0, 1, 5} {
				inner, cancel := context.WithCancel(t.Context())
				ctx := &countdown{Context: inner, cancel: cancel}
				ctx.left.Store(questions)
				path := filepath.Join(t.TempDir(), "out")
				err := tab.WriteWith(ctx, path, nil, added, c.opt)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled at question %d: got error %v", questions, err)
				}
				onlyFile(t, filepath.Dir(path))
				cancel()
				wantGoroutines(t, before)
			}
		})
	}
}
