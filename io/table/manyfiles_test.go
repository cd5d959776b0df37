//go:build unix

package table_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"rtcluster/io/table"
)

// TestManyFiles reads and writes more files than a process may hold open.
func TestManyFiles(t *testing.T) {
	const files, limit = 250, 60
	dir := t.TempDir()
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("%03d.csv", i))
		if err := os.WriteFile(name, fmt.Appendf(nil, "x\n%d\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Skipf("the number of open files cannot be limited: %v", err)
	}
	few := old
	few.Cur = limit
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Skipf("the number of open files cannot be limited: %v", err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
			t.Error(err)
		}
	}()
	set := openAll(t, table.SetOptions{}, dir)
	f, err := set.Floats(t.Context(), []string{"x"})
	if err != nil || f.Rows != files || f.Data[files-1] != files-1 {
		t.Fatalf("got %v, %v", f, err)
	}
	added := []table.Added{{Name: "n", Values: upTo(files)}}
	one := open(t, write(t, set, "out.parquet", nil, added), table.ReadOptions{})
	if one.Rows() != files {
		t.Errorf("got %d rows, want %d", one.Rows(), files)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := set.WriteEach(t.Context(), out, nil, added, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(out, "249.csv")); got != "x,n\n249,249\n" {
		t.Errorf("the last file is %q", got)
	}
}
