package table_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// refusedParquet holds the files of others that must be refused, whatever other
// readers do with them, and with what words.
var refusedParquet = map[string]string{
	"bad_ARROW-GH-45185.parquet":              `column "x": cannot be read: page 1 at byte 4: its repetition levels: the first one continues a row`,
	"bad_ARROW-RS-GH-6229-DICTHEADER.parquet": "is corrupt",
	"bad_PARQUET-1481.parquet":                "physical type",
	"bad_duckdb_internal_6129.parquet":        `column "j": cannot be read`,
	"bad_duckdb_invalid.parquet":              `column "X1": cannot be read: the string "TREL\xc3" is not UTF-8`,
	"datapage_v1-corrupt-checksum.parquet":    `column "a": cannot be read: page 1 at byte 4: its checksum is 0f4f6d0a, its header says bbce3b9d`,
	"hadoop_lz4_compressed.parquet":           "compression LZ4 is not supported",
	"uniform_encryption.parquet.encrypted":    "is encrypted",
}

// TestSharedExpect compares all files of others with the list of what another
// reader finds in them: rows, columns of numbers, how many values are there and
// what they add up to.
func TestSharedExpect(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(readFile(t, sharedFile(t, "parquet/EXPECT.tsv"))), "\n")
	if len(lines) != 44 {
		t.Fatalf("got %d lines, want a header and 43 files", len(lines))
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		file, rows, checks := f[0], f[2], f[8]
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(shared, "parquet", file)
			if want, bad := refusedParquet[file]; bad {
				wantDataError(t, useAll(t, path), want)
				return
			}
			if err := useAll(t, path); err != nil && !strings.Contains(err.Error(), "beyond 2^53") {
				t.Fatal(err)
			}
			tab := open(t, path, table.ReadOptions{})
			if got := strconv.FormatInt(tab.Rows(), 10); got != rows && (got != "0" || rows != "") {
				t.Errorf("got %s rows, want %s", got, rows)
			}
			for check := range strings.SplitSeq(checks, "; ") {
				if check != "" {
					expectColumn(t, tab, check)
				}
			}
		})
	}
}

// expectColumn compares a column with text such as "x: n=3 sum=4.5", where n is
// the number of values that are not null.
func expectColumn(t *testing.T, tab *table.Table, check string) {
	name, numbers, _ := strings.Cut(check, ": ")
	var count int64
	var sumText string
	if _, err := fmt.Sscanf(numbers, "n=%d sum=%s", &count, &sumText); err != nil {
		t.Fatalf("%q: %v", check, err)
	}
	if strings.Contains(columnNames(tab), name+":null") {
		return // nothing but nulls; the other reader makes integers of it
	}
	f, err := tab.Floats(t.Context(), []string{name + ":double"})
	if err != nil {
		t.Fatal(err)
	}
	sum, null := 0., f.Bad[0].Nulls
	for _, x := range f.Data {
		if null > 0 && math.IsNaN(x) && f.Bad[0].NaNs == 0 {
			continue
		}
		sum += x
	}
	if f.Bad[0].NaNs > 0 {
		sum = math.NaN()
	}
	if got := int64(f.Rows) - null; got != count {
		t.Errorf("%s: got %d values, want %d", name, got, count)
	}
	if sumText == "null" {
		return
	}
	want, err := strconv.ParseFloat(sumText, 64)
	if err != nil {
		t.Fatal(err)
	}
	if sum != want && !(math.IsNaN(sum) && math.IsNaN(want)) && !(math.Abs(sum-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s: got sum %v, want %v", name, sum, want)
	}
}

// TestSharedBooleans has runs of booleans that were written by another library.
func TestSharedBooleans(t *testing.T) {
	tab := open(t, sharedFile(t, "parquet/rle_boolean_encoding.parquet"), table.ReadOptions{})
	text := writeText(t, tab, nil, nil)
	if yes, no := strings.Count(text, "true\n"), strings.Count(text, "false\n"); yes != 36 || no != 26 {
		t.Errorf("got %d true and %d false", yes, no)
	}
}

// TestSharedFlipped changes a byte in files of others: there must be an error
// about the data, or none, soon and within bounds.
func TestSharedFlipped(t *testing.T) {
	sharedFile(t, "parquet") // skips without it
	paths, err := filepath.Glob(filepath.Join(shared, "parquet", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	flips := 30
	if testing.Short() {
		flips = 8
	}
	dir := t.TempDir()
	for _, from := range paths {
		t.Run(filepath.Base(from), func(t *testing.T) {
			whole := []byte(readFile(t, from))
			if len(whole) > 80_000 {
				t.Skip("large")
			}
			rnd := rand.New(rand.NewPCG(1, uint64(len(whole))))
			path := filepath.Join(dir, "in.parquet")
			for range flips {
				i, mask := 4+rnd.IntN(len(whole)-8), byte(1+rnd.IntN(255))
				whole[i] ^= mask
				if err := os.WriteFile(path, whole, 0o644); err != nil {
					t.Fatal(err)
				}
				whole[i] ^= mask
				bounded(t, len(whole), func() {
					var bad *table.DataError
					if err := useAll(t, path); err != nil && !errors.As(err, &bad) && !errors.Is(err, table.ErrColumnExists) {
						t.Errorf("byte %d ^ %#x: got %v, want a DataError", i, mask, err)
					}
				})
			}
		})
	}
}
