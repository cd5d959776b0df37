package table_test

import (
	"bytes"
	"errors"
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
		buffer = 1 + buffer&1023
		got, line, err := table.ScanAll([]byte(text), delim, comment, buffer, 1<<20)
		want, wantLine, wantErr := table.ScanAll([]byte(text), delim, comment, 1<<16, 1<<20)
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

// FuzzCSV checks that a table that can be read is read again from its output.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		awkward, "1,2\n3,4\n", "x\n1\n\n2\n\n", "\ufeffa;b\n1;2", "a\tb\n\"1\n2\"\t3\n", " 1  2\n3 4 \n", "a,a\n", "\x1f\x8b", "\x28\xb5\x2f\xfd",
		"\"a\",\"b\"\n,\n", "NA,1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		fuzzTable(t, "in.csv", content)
		tab, err := table.Open(t.Context(), writeFile(t, "in.csv", string(content)), table.ReadOptions{})
		if err != nil {
			return
		}
		t.Cleanup(func() { _ = tab.Close() })
		var out bytes.Buffer
		if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Stdout: &out}); err != nil {
			return
		}
		again, err := table.Open(t.Context(), writeFile(t, "out.csv", out.String()), table.ReadOptions{Header: "yes"})
		if err != nil {
			t.Fatalf("output %q is refused: %v", out.String(), err)
		}
		t.Cleanup(func() { _ = again.Close() })
		if again.Rows() != tab.Rows() || len(again.Columns()) != len(tab.Columns()) {
			t.Errorf("output %q has %d rows, want %d", out.String(), again.Rows(), tab.Rows())
		}
	})
}
