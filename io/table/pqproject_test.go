package table_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"rtcluster/io/table"
)

// readAtFunc is a file that is read by a function.
type readAtFunc func(b []byte, at int64) (int, error)

func (f readAtFunc) ReadAt(b []byte, at int64) (int, error) { return f(b, at) }

// writeWide writes columns c0, c1, ... of n numbers in several row groups.
func writeWide(t *testing.T, columns, n, groups int) string {
	t.Helper()
	fields, batch := make([]table.Field, columns), make([]any, columns)
	for j := range fields {
		fields[j] = table.Field{Name: fmt.Sprint("c", j), Type: table.Float64}
	}
	var parts []table.Input
	for g := range groups {
		for j := range batch {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(g*n+i) / float64(j+1)
			}
			batch[j] = values
		}
		path := filepath.Join(t.TempDir(), "part.parquet")
		w, err := table.Create(path, fields, table.WriteOptions{})
		if err == nil {
			err = errors.Join(w.Write(batch...), w.Commit())
		}
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, table.Input{Path: path})
	}
	all, err := table.OpenAll(t.Context(), parts, table.SetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = all.Close() }()
	path := filepath.Join(t.TempDir(), "wide.parquet")
	if err := all.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestParquetProjection chooses 3 of 100 columns: no byte of others is read, and
// none of these twice but for page headers.
func TestParquetProjection(t *testing.T) {
	const rows, groups = 17_000, 2
	tab := open(t, writeWide(t, 100, rows, groups), table.ReadOptions{})
	meta := tab.Metadata()
	if len(meta.RowGroups) != groups {
		t.Fatalf("got %d row groups, want %d", len(meta.RowGroups), groups)
	}
	chosen := []int{3, 50, 99}
	var mu sync.Mutex
	bytes := int64(0)
	tab.ReadPagesFrom(func(r io.ReaderAt) io.ReaderAt {
		return readAtFunc(func(b []byte, at int64) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			bytes += int64(len(b))
			end := at + int64(len(b))
			inside := false
			for g := range meta.RowGroups {
				for _, j := range chosen {
					m := meta.RowGroups[g].Columns[j].MetaData
					inside = inside || at >= m.DataPageOffset && end <= m.DataPageOffset+m.TotalCompressedSize
				}
			}
			if !inside {
				t.Errorf("bytes %d to %d are read, which are of no chosen column", at, end)
			}
			return r.ReadAt(b, at)
		})
	})
	f, err := tab.Floats(t.Context(), []string{"c3", "c50", "c99"})
	if err != nil {
		t.Fatal(err)
	}
	if last := f.Data[len(f.Data)-3:]; !slices.Equal(last, []float64{(rows*groups - 1) / 4., (rows*groups - 1) / 51., (rows*groups - 1) / 100.}) {
		t.Errorf("the last row is %v", last)
	}
	all := int64(0)
	for g := range meta.RowGroups {
		for _, j := range chosen {
			all += meta.RowGroups[g].Columns[j].MetaData.TotalCompressedSize
		}
	}
	if bytes < all/2 || bytes > all+all/20 {
		t.Errorf("%d bytes are read, the columns have %d", bytes, all)
	}
}

// TestParquetParallel holds up each read of a page until another row group is
// read too: two threads decode them at once.
func TestParquetParallel(t *testing.T) {
	tab := open(t, writeWide(t, 1, 20_000, 2), table.ReadOptions{Threads: 2})
	second := tab.Metadata().RowGroups[1].Columns[0].MetaData.DataPageOffset
	var met [2]sync.Once
	begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	tab.ReadPagesFrom(func(r io.ReaderAt) io.ReaderAt {
		return readAtFunc(func(b []byte, at int64) (int, error) {
			group := 0
			if at >= second {
				group = 1
			}
			met[group].Do(func() { close(begun[group]) })
			select {
			case <-begun[1-group]:
				return r.ReadAt(b, at)
			case <-time.After(10 * time.Second):
				return 0, errors.New("the other row group is not read")
			}
		})
	})
	if _, err := tab.Floats(t.Context(), []string{"c0"}); err != nil {
		t.Error(err)
	}
}
