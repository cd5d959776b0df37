package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// describeOne describes a table of one column.
func describeOne(t *testing.T, tab *table.Table) table.Summary {
	t.Helper()
	list, err := tab.Describe(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("got %v, %v, want one column", list, err)
	}
	return list[0]
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"integers", "x\n3\n1\n-2\n2\n", "int64 4 0 0 0 [-2 3] 1 1.871 4"},
		{"one value many times", "x\n0.1\n0.1\n0.1\n", "double 3 0 0 0 [0.1 0.1] 0.1 0 1"},
		{"kinds", "x\n1\n\nNaN\n-Inf\nNA\n3\n", "double 3 2 1 1 [1 3] 2 1 3"},
		{"nothing", "x\nNA\n\nNA\n", "empty 0 3 0 0 [ ] NaN NaN 0"},
		{"no rows", "x\n", "empty 0 0 0 0 [ ] NaN NaN 0"},
		{"equal numbers", "x\n1\n1.0\n1e0\n-0\n0\n", "double 5 0 0 0 [0 1] 0.6 0.4899 2"},
		{"beyond 2^53", "x\n9007199254740993\n9007199254740992\n9007199254740994\n", "int64 3 0 0 0 [9007199254740992 9007199254740994] 9.007e+15 0.9428 3"},
		{"offset", "x\n1000000001\n1000000002\n1000000003\n", "int64 3 0 0 0 [1000000001 1000000003] 1e+09 0.8165 3"},
		{"a mean of integers that cancels", "x\n-9223372036854775807\n18446744073709551615\n-9223372036854775804\n-2\n", "int64 4 0 0 0 [-9223372036854775807 18446744073709551615] 0.5 1.13e+19 4"},
		{"a mean that cancels", "x\n1e16\n1\n-1e16\n", "double 3 0 0 0 [-10000000000000000 10000000000000000] 0.3333 8.165e+15 3"},
		{"a sum beyond float64", "x\n1.5e308\n1.5e308\n1.5e308\n1.4e308\n", "double 4 0 0 0 [1.4e+308 1.5e+308] 1.475e+308 +Inf 2"},
		{"words", "x\nb\nNA\na\n\"a\"\n", "string 3 1 0 0 [a b] NaN NaN 2"},
		{"long words", "x\n" + strings.Repeat("ü", 40) + "\nz\n", "string 2 0 0 0 [z " + strings.Repeat("ü", 32) + "] NaN NaN 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := describeOne(t, openText(t, test.text))
			got := fmt.Sprintf("%s %d %d %d %d [%s %s] %.4g %.4g %d", s.Type, s.Values, s.Nulls, s.NaNs, s.Infs, s.Min, s.Max, s.Mean, s.SD, s.Distinct)
			if got != test.want || !s.Exact {
				t.Errorf("got %s, exact %v, want %s", got, s.Exact, test.want)
			}
		})
	}
	_, err := openText(t, "x\n1\n1e999\n").Describe(t.Context())
	wantDataError(t, err, `line 3 (row 1): "1e999" is beyond the range of float64`)
}

// TestDescribeTypes takes all types of Parquet, and wants the same of many row
// groups and threads.
func TestDescribeTypes(t *testing.T) {
	path := writeRows(t, makeRows(3000), parquet.MaxRowsPerRowGroup(700))
	want := map[string]string{
		"z": "string 3000 0 z0 z4 5", "y": "string 1500 1500 z0 z4 5", "i8": "int8 3000 0 -128 127 256",
		"u64": "uint64 3000 0 18446744073709548616 18446744073709551615 3000", "ob": "boolean 1500 1500 false true 2",
		"dec": "decimal(18,2) 3000 0 -0.05 29.94 3000", "day": "date 3000 0 1970-01-01 1978-03-19 3000",
		"l": "list 3000 0   4", "os": "struct 1500 1500   1", "m64": "map 3000 0   1501",
	}
	list, err := open(t, path, table.ReadOptions{}).Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		got := fmt.Sprintf("%s %d %d %s %s %d", s.Type, s.Values, s.Nulls, s.Min, s.Max, s.Distinct)
		if w, ok := want[s.Name]; ok && got != w {
			t.Errorf("%s: got %s, want %s", s.Name, got, w)
		}
		if s.Name == "d" && (s.Mean < 214.2142 || s.Mean > 214.2143) {
			t.Errorf("got the mean %v", s.Mean)
		}
	}
	if len(list) < len(want) {
		t.Errorf("got %d columns", len(list))
	}
}

// TestDistinct counts up to a million values with an error of a few times the
// standard error of 0.8 %, and few of them exactly.
func TestDistinct(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 4097, 5000, 20000, 100000, 1000000} {
		got, exact := table.CountDistinct(n)
		if off := math.Abs(float64(got)-float64(n)) / math.Max(1, float64(n)); off > 0.025 || exact != (n <= 4096) || exact && got != int64(n) {
			t.Errorf("got %d, exact %v, for %d", got, exact, n)
		}
	}
}
