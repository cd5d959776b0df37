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

// TestSharedCSV reads real files of others: how many rows, which columns, or
// what is wrong.
func TestSharedCSV(t *testing.T) {
	for file, want := range map[string]string{
		"catalog/hipparcos_100pc.csv": "22204 rows hip:int64* ra_deg:double* dec_deg:double*",
		"catalog/hyades_hip_ids.csv":  "50 rows",
		"clustering/iris.csv":         "150 rows x1:double* x2:double* x3:double* x4:double* label:int64*",
		"clustering/birch2.csv.gz":    "100000 rows x1:int64* x2:int64* label:int64*",
		"outlier/smtp.csv.gz":         "95156 rows",
	} {
		t.Run(file, func(t *testing.T) {
			path := sharedFile(t, file)
			tab, err := table.Open(t.Context(), path, table.ReadOptions{})
			if err != nil {
				wantDataError(t, err, want)
				return
			}
			t.Cleanup(func() { _ = tab.Close() })
			if got := fmt.Sprintf("%d rows %s", tab.Rows(), columnNames(tab)); !strings.HasPrefix(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
			if filepath.Ext(path) != ".csv" {
				return
			}
			if got, want := writeText(t, tab, nil, nil), readFile(t, path); trimEnd(got) != trimEnd(want) {
				t.Error("came out otherwise than it went in")
			}
		})
	}
}

// trimEnd cuts blank lines off the end.
func trimEnd(s string) string { return strings.TrimRight(s, "\r\n") }

func TestSharedBlanks(t *testing.T) {
	f, err := open(t, sharedFile(t, "catalog/hipparcos_100pc.csv"), table.ReadOptions{}).Floats(t.Context(), []string{"bv", "plx_err_mas", "x_pc"})
	if err != nil {
		t.Fatal(err)
	}
	if f.Bad[0].Nulls != 312 || f.Bad[1].Nulls != 24 || f.Bad[2].Nulls != 0 {
		t.Errorf("got %+v, want 312, 24 and 0 blanks", f.Bad)
	}
}

// parquetColumns holds files with what a column adds up to, and how many of its
// values are null, NaN and infinite.
var parquetColumns = []struct {
	file, column      string
	rows              int
	sum               float64
	nulls, nans, infs int64
}{
	{"codec_v1_GZIP", "plain_random", 30, 466, 0, 0, 0},
	{"codec_v1_NONE", "plain_random", 30, 466, 0, 0, 0},
	{"codec_v1_ZSTD", "plain_random", 30, 466, 0, 0, 0},
	{"codec_v2_BROTLI", "plain_random", 30, 466, 0, 0, 0},
	{"codec_v2_LZ4", "plain_random", 30, 466, 0, 0, 0},
	{"codec_v2_SNAPPY", "plain_random", 30, 466, 0, 0, 0},
	{"int32_with_null_pages", "int32_field", 1000, 0, 275, 0, 0},
	{"single_nan", "mycol", 1, 0, 1, 0, 0},
	{"nan_in_stats", "x", 2, 1, 0, 1, 0},
	{"duckdb_empty", "", 0, 0, 0, 0, 0},
	{"duckdb_manyrowgroups", "42", 1001, 541542, 0, 0, 0},
	{"float16_nonzeros_and_nans", "x", 8, 0, 1, 1, 0},
}

func TestSharedParquet(t *testing.T) {
	for _, c := range parquetColumns {
		t.Run(c.file, func(t *testing.T) {
			tab := open(t, sharedFile(t, "parquet/"+c.file+".parquet"), table.ReadOptions{})
			if int(tab.Rows()) != c.rows {
				t.Fatalf("got %d rows, want %d", tab.Rows(), c.rows)
			}
			if c.column == "" {
				return
			}
			f, err := tab.Floats(t.Context(), []string{c.column})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.
			for _, x := range f.Data {
				if x == x {
					sum += x
				}
			}
			b := f.Bad[0]
			if b.Nulls != c.nulls || b.NaNs != c.nans || b.Infs != c.infs || c.sum != 0 && sum != c.sum {
				t.Errorf("got sum %v and %+v, want %v %d %d %d", sum, b, c.sum, c.nulls, c.nans, c.infs)
			}
		})
	}
}

func TestSharedDeltaColumns(t *testing.T) {
	tab := open(t, sharedFile(t, "parquet/delta_binary_packed.parquet"), table.ReadOptions{})
	want := readFile(t, sharedFile(t, "parquet/delta_binary_packed_expect.csv"))
	if got := writeText(t, tab, nil, nil); got != want {
		t.Error("the 66 columns are not as expected")
	}
}

// TestSharedParquetUntouched copies every file that can be read and compares the
// copy as text with the original.
func TestSharedParquetUntouched(t *testing.T) {
	refused := map[string]string{
		"bad_ARROW-GH-45185":              `column "x": cannot be read`,
		"bad_ARROW-RS-GH-6229-DICTHEADER": "is corrupt",
		"bad_PARQUET-1481":                "physical type",
		"bad_duckdb_internal_6129":        `column "j": cannot be read`,
		"bad_duckdb_invalid":              "is not UTF-8",
		"datapage_v1-corrupt-checksum":    `column "a": cannot be read: page 1 at byte 4: its checksum is 0f4f6d0a, its header says bbce3b9d`,
		"hadoop_lz4_compressed":           "compression LZ4 is not supported",
	}
	sharedFile(t, "parquet") // skips without it
	paths, err := filepath.Glob(filepath.Join(shared, "parquet", "*.parquet"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("got %d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".parquet")
		t.Run(name, func(t *testing.T) {
			if want := refused[name]; want != "" {
				wantDataError(t, useAll(t, path), want)
				return
			}
			tab := open(t, path, table.ReadOptions{})
			var out bytes.Buffer
			opt := table.WriteOptions{Format: "parquet", Stdout: &out}
			if err := tab.WriteWith(t.Context(), "-", nil, nil, opt); err != nil {
				t.Fatal(err)
			}
			again := open(t, writeFile(t, "copy.parquet", out.String()), table.ReadOptions{})
			if columnNames(again) != columnNames(tab) {
				t.Errorf("got columns %s, want %s", columnNames(again), columnNames(tab))
			}
			if writeText(t, again, nil, nil) != writeText(t, tab, nil, nil) {
				t.Error("rows came out otherwise than they went in")
			}
		})
	}
	_, err = table.Open(t.Context(), filepath.Join(shared, "parquet/uniform_encryption.parquet.encrypted"), table.ReadOptions{})
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no encrypted file here")
	}
	wantDataError(t, err, "is encrypted")
}
