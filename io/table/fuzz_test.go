package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// FuzzScan checks that records make up the text again, whatever the chunks.
func FuzzScan(f *testing.F) {
	for _, s := range []string{awkward, "a,\"b\"\"\n\",c\r\n\n\"x\" ,y", "\"\"\"", "a b\tc\n", ",,\n,", "\r\r\n\r", "#\"\n\"a\n#\"b\",\"#\"\n"} {
		f.Add(s, byte(','), "", 1)
		f.Add(s, byte(' '), "", 7)
		f.Add(s, byte(';'), "#", 3)
	}
	f.Fuzz(func(t *testing.T, text string, delim byte, comment string, buffer int) {
		if strings.ContainsAny(comment, "\r\n\"") || delim == '"' || delim == '\n' || delim == '\r' || delim == 0 {
			t.Skip("no delimiter")
		}
		trailing := buffer&1024 != 0
		buffer = 1 + buffer&1023
		got, line, err := table.ScanAll([]byte(text), delim, comment, trailing, buffer, 1<<20)
		want, wantLine, wantErr := table.ScanAll([]byte(text), delim, comment, trailing, 1<<16, 1<<20)
		if show(got) != show(want) || line != wantLine || !errors.Is(err, wantErr) {
			t.Fatalf("buffer %d: got %q line %d %v, want %q line %d %v", buffer, show(got), line, err, show(want), wantLine, wantErr)
		}
		var raw strings.Builder
		for _, r := range got {
			raw.WriteString(r.Raw + r.EOL)
		}
		if err == nil && raw.String() != text {
			t.Fatalf("records are %q in all, want %q", raw.String(), text)
		}
	})
}

// fuzzTable opens content as a table and uses it; errors must be about the data.
func fuzzTable(t *testing.T, name string, content []byte) {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	var bad *table.DataError
	if err := useAll(t, path); err != nil && !errors.As(err, &bad) && !errors.Is(err, table.ErrColumnExists) {
		t.Fatalf("got %v, want a DataError", err)
	}
}

// outcome is all that comes of a CSV file: its columns and notes, its output and
// its numbers, or the errors.
func outcome(t *testing.T, path string, opt table.ReadOptions) (text, out string) {
	tab, err := table.Open(t.Context(), path, opt)
	if err != nil {
		return err.Error(), ""
	}
	defer func() { _ = tab.Close() }()
	var b strings.Builder
	fmt.Fprintln(&b, tab.Rows(), columnNames(tab), notes(tab))
	for _, c := range tab.Columns() {
		f, err := tab.Floats(t.Context(), []string{c.Name})
		if fmt.Fprintln(&b, err); err == nil {
			fmt.Fprintln(&b, f.Data, f.Bad)
		}
	}
	labels := make([]int64, tab.Rows())
	for i := range labels {
		labels[i] = int64(i)
	}
	var csv bytes.Buffer
	err = tab.WriteWith(t.Context(), "-", nil, []table.Added{{Name: "its row", Values: labels}}, table.WriteOptions{Stdout: &csv})
	fmt.Fprintln(&b, err, csv.String())
	csv.Reset()
	if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Stdout: &csv}); err != nil {
		return b.String(), ""
	}
	return b.String(), csv.String()
}

// FuzzCSV checks that a table comes out the same whatever the chunks and whether
// its numbers are read at once, and that its output can be read again.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		awkward, "1,2\n3,4\n", "x\n1\n\n2\n\n", "\ufeffa;b\n1;2", "a\tb\n\"1\n2\"\t3\n", " 1  2\n3 4 \n", "a,a\n", "\x1f\x8b", "\x28\xb5\x2f\xfd",
		"\"a\",\"b\"\n,\n", "NA,1\n", "# c\n\n# x y\n1 2\n#\n3 4", "a|b\ndeg|\n---|-\n1|x\n2|\n#3\n", "a,b\n1,2\n\n# c\n\n3,4", "a,b\nint,float\n1,2.5\n",
		"x,y\n1,2 # c\n3,4#\"d\n  # e\n", "1 2 # c\n3 \"4 5\"\n", "\"x\" \"y\"\n\"1\" 2 3\n\"2\" 4 5\n", "sep=;\na;b\n1,5;2\n", "1,5;2,5\n", "0,1,2\n.5,1,2\n",
		"x,y\n1,inf\nb,\n9007199254740993,1e999\n", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00",
	} {
		f.Add([]byte(s), 7, false)
		f.Add([]byte(s), 1, true)
	}
	f.Fuzz(func(t *testing.T, content []byte, chunk int, pad bool) {
		path := writeFile(t, "in.csv", string(content))
		opt := table.ReadOptions{Threads: 1}
		if pad {
			opt.Ragged = "pad"
		}
		want, out := outcome(t, path, opt)
		opt.Threads = 3
		if got, _ := outcome(t, path, table.Chunked(opt, 1+chunk&63)); got != want {
			t.Fatalf("in chunks of %d: got %q, want %q", 1+chunk&63, got, want)
		}
		opt.Load = func(string) bool { return true }
		if got, _ := outcome(t, path, opt); got != want {
			t.Fatalf("loaded: got %q, want %q", got, want)
		}
		fuzzTable(t, "in.csv", content)
		if out == "" {
			return
		}
		tab := open(t, path, table.ReadOptions{Ragged: opt.Ragged})
		again, err := table.Open(t.Context(), writeFile(t, "out.csv", out), table.ReadOptions{Ragged: opt.Ragged})
		if err != nil {
			t.Fatalf("output %q is refused: %v", out, err)
		}
		t.Cleanup(func() { _ = again.Close() })
		if strings.Contains(notes(tab), "were filled up") {
			return // a word that was alone may look like units over numbers now
		}
		if again.Rows() != tab.Rows() || len(again.Columns()) != len(tab.Columns()) {
			t.Errorf("output %q has %d rows and %d columns, want %d and %d", out, again.Rows(), len(again.Columns()), tab.Rows(), len(tab.Columns()))
		}
	})
}
