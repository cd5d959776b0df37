package table_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

func TestOutputExists(t *testing.T) {
	tab := openText(t, "x\n1\n")
	for _, name := range []string{"out.csv", "out.parquet"} {
		path := writeFile(t, name, "old")
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{})
		if !errors.Is(err, table.ErrExists) || readFile(t, path) != "old" {
			t.Errorf("%s: got error %v, want ErrExists and the old file", name, err)
		}
		if err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{Force: true}); err != nil || readFile(t, path) == "old" {
			t.Errorf("%s: with force: got error %v, want the new file", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: got mode %v %v, want that of the old file", name, info.Mode(), err)
		}
		onlyFile(t, filepath.Dir(path), name)
	}
}

func TestOutputIsInput(t *testing.T) {
	labels := []table.Added{{Name: "k", Values: []int64{7, 8}}}
	path := writeFile(t, "in.csv", "x\n1\n2\n")
	tab := open(t, path, table.ReadOptions{})
	if err := tab.WriteWith(t.Context(), path, nil, labels, table.WriteOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, path); got != "x,k\n1,7\n2,8\n" {
		t.Errorf("got %q", got)
	}
	type pair struct {
		X int64 `parquet:"x"`
		K int64 `parquet:"k"`
	}
	path = write(t, tab, "in.parquet", nil, nil)
	if err := open(t, path, table.ReadOptions{}).WriteWith(t.Context(), path, nil, labels, table.WriteOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	if got := readRows[pair](t, path); len(got) != 2 || got[1] != (pair{2, 8}) {
		t.Errorf("got %v", got)
	}
}

// TestOutputAppearsMeanwhile makes the output while it is being written.
func TestOutputAppearsMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	w, err := table.Create(path, []table.Field{{Name: "x", Type: table.Int64}}, table.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); !errors.Is(err, table.ErrExists) {
		t.Errorf("got error %v, want ErrExists", err)
	}
	if got := readFile(t, path); got != "other" {
		t.Errorf("got %q, want the other's file", got)
	}
	onlyFile(t, filepath.Dir(path), "out.csv")
}

// TestOutputFailsMidway breaks the input after it was opened, so that writing
// fails after a good part of the output.
func TestOutputFailsMidway(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1.25,abc\n", 200_000)
	for _, name := range []string{"out.csv", "out.csv.gz", "out.parquet"} {
		in := writeFile(t, "in.csv", text)
		info, err := os.Stat(in)
		if err != nil {
			t.Fatal(err)
		}
		tab := open(t, in, table.ReadOptions{})
		bent := []byte(text)
		bent[len(bent)-5] = 0
		if err := errors.Join(os.WriteFile(in, bent, 0o644), os.Chtimes(in, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), name)
		wantDataError(t, tab.WriteWith(t.Context(), out, nil, nil, table.WriteOptions{}), "line 200001: has a NUL byte")
		onlyFile(t, filepath.Dir(out))
	}
}

func TestOutputRefused(t *testing.T) {
	dir := t.TempDir()
	tab := openText(t, "x,y\n1,2\n")
	one := func(name string) []table.Added { return []table.Added{{Name: name, Values: []int64{1}}} }
	for _, c := range []struct {
		name, path string
		keep       []string
		added      []table.Added
		opt        table.WriteOptions
		want       error
		text       string
	}{
		{"extension", "out.txt", nil, nil, table.WriteOptions{}, table.ErrFormat, "known extensions are .csv, .tsv"},
		{"no extension", "out", nil, nil, table.WriteOptions{}, table.ErrFormat, "out: unknown format by its name"},
		{"format", "out.csv", nil, nil, table.WriteOptions{Format: "xls"}, table.ErrFormat, `"xls"`},
		{"compression", "out.parquet", nil, nil, table.WriteOptions{Compression: "lzo"}, table.ErrFormat, `"lzo"`},
		{"no such folder", "none/out.csv", nil, nil, table.WriteOptions{}, fs.ErrNotExist, "create output"},
		{"column exists", "out.csv", nil, one("y"), table.WriteOptions{}, table.ErrColumnExists, "--prefix"},
		{"added twice", "out.csv", nil, append(one("k"), one("k")...), table.WriteOptions{}, table.ErrColumnExists, `"k"`},
		{"nothing", "out.csv", []string{}, nil, table.WriteOptions{}, nil, "no columns to write"},
		{"unknown column kept", "out.csv", []string{"z"}, nil, table.WriteOptions{}, nil, "no such column"},
		{"too few values", "out.csv", nil, []table.Added{{Name: "k", Values: []int64{}}}, table.WriteOptions{}, nil, "has 0 values"},
		{"too many marks", "out.csv", nil, []table.Added{{Name: "k", Values: []int64{1}, Valid: make([]bool, 2)}}, table.WriteOptions{}, nil, "2 marks"},
		{"values of another type", "out.csv", nil, []table.Added{{Name: "k", Values: []int16{1}}}, table.WriteOptions{}, nil, "[]int16"},
		{"stdout not given", "-", nil, nil, table.WriteOptions{}, nil, "no standard output"},
		{"folder", ".", nil, nil, table.WriteOptions{Format: "csv", Force: true}, nil, "is a folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.path
			if path != "-" {
				path = filepath.Join(dir, c.path)
			}
			err := tab.WriteWith(t.Context(), path, c.keep, c.added, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.text) || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got error %v, want %v with %q", err, c.want, c.text)
			}
			onlyFile(t, dir)
		})
	}
	// A column that is not kept may be replaced by one of its name.
	if got := writeText(t, tab, []string{"x"}, one("y")); got != "x,y\n1,1\n" {
		t.Errorf("got %q", got)
	}
}

func TestOutputNamesForParquet(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a,a\n1,2\n", `column "a": several columns have this name`},
		{"a,b\xff\n1,2\n", "is not UTF-8"},
	} {
		out := filepath.Join(t.TempDir(), "out.parquet")
		wantDataError(t, openText(t, c.text).WriteWith(t.Context(), out, nil, nil, table.WriteOptions{}), c.want)
		onlyFile(t, filepath.Dir(out))
	}
}

func TestOutputToStdout(t *testing.T) {
	tab := openText(t, "x\n1\n")
	var out bytes.Buffer
	if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	if got := writeText(t, open(t, writeFile(t, "a", out.String()), table.ReadOptions{}), nil, nil); got != "x\n1\n" {
		t.Errorf("got %q", got)
	}
	out.Reset()
	if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "tsv", Stdout: &out}); err != nil || out.String() != "x\n1\n" {
		t.Errorf("got %q %v", out.String(), err)
	}
}

// brokenPipe fails as a closed pipe does.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, fs.ErrClosed }

func TestOutputToClosedPipe(t *testing.T) {
	tab := openText(t, "x\n1\n")
	for _, format := range []string{"csv", "parquet"} {
		err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: format, Stdout: brokenPipe{}})
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: got error %v", format, err)
		}
	}
}

func TestOutputThroughLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.csv"), filepath.Join(dir, "link.csv")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o644), os.Symlink(target, link)); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := openText(t, "x\n1\n").WriteWith(t.Context(), link, nil, nil, table.WriteOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || readFile(t, target) != "x\n1\n" {
		t.Errorf("got %v %v and %q, want the link to stay and its target to change", info.Mode(), err, readFile(t, target))
	}
}

// TestOutputThroughLooseLink writes by way of links whose file is not there yet.
func TestOutputThroughLooseLink(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "far", "real.csv")
	first, second, round := filepath.Join(dir, "first.csv"), filepath.Join(dir, "second.csv"), filepath.Join(dir, "round.csv")
	err := errors.Join(os.Mkdir(filepath.Dir(real), 0o755), os.Symlink("second.csv", first), os.Symlink("far/../far/real.csv", second), os.Symlink(round, round))
	if err != nil {
		t.Skipf("no links here: %v", err)
	}
	if got := table.FollowLinks(first); filepath.Clean(got) != real {
		t.Errorf("links lead to %s, want %s", got, real)
	}
	tab := openText(t, "x\n1\n")
	if err := tab.WriteWith(t.Context(), first, nil, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := tab.WriteWith(t.Context(), first, nil, nil, table.WriteOptions{}); !errors.Is(err, table.ErrExists) {
		t.Errorf("once the file is there: got error %v, want ErrExists", err)
	}
	if got := readFile(t, real); got != "x\n1\n" {
		t.Errorf("got %q", got)
	}
	onlyFile(t, dir, "far", "first.csv", "round.csv", "second.csv")
	onlyFile(t, filepath.Dir(real), "real.csv")
	if err := tab.WriteWith(t.Context(), round, nil, nil, table.WriteOptions{Force: true}); err == nil {
		t.Error("a link to itself: got no error")
	}
}

// TestOutputLongName writes files whose names leave no room for more.
func TestOutputLongName(t *testing.T) {
	for _, base := range []string{strings.Repeat("n", 251), strings.Repeat("é", 125) + "n"} {
		name := base + ".csv"
		path := writeFile(t, name, "old")
		tab := openText(t, "x\n1\n")
		if err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, path); got != "x\n1\n" {
			t.Errorf("got %q", got)
		}
		if err := table.ReplaceFile(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		onlyFile(t, filepath.Dir(path), name)
	}
}

func TestReplaceFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	for _, content := range []string{"first", "second"} {
		if err := table.ReplaceFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, path); got != content {
			t.Errorf("got %q, want %q", got, content)
		}
	}
	if err := table.ReplaceFile(filepath.Join(path, "below"), nil); err == nil {
		t.Error("no error below a file")
	}
	onlyFile(t, filepath.Dir(path), "run.json")
}

func TestOutputToDevice(t *testing.T) {
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Skipf("no null device here: %v", err)
	}
	if err := openText(t, "x\n1\n").WriteWith(t.Context(), os.DevNull, nil, nil, table.WriteOptions{Format: "csv"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Error("the null device was replaced by a file")
	}
}
