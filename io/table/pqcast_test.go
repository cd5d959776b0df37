package table_test

import (
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"

	"rtcluster/io/table"
)

// TestParquetCasts takes columns as numbers that are none by themselves. What is
// wanted of fractions is the float64 nearest to the decimal.
func TestParquetCasts(t *testing.T) {
	type times struct {
		Day    int32             `parquet:"day,date"`
		Milli  int64             `parquet:"milli,timestamp(millisecond)"`
		Micro  *int64            `parquet:"micro,optional,timestamp(microsecond:local)"`
		Nano   int64             `parquet:"nano,timestamp(nanosecond)"`
		Clock  int32             `parquet:"clock,time(millisecond)"`
		Clock6 int64             `parquet:"clock6,time(microsecond)"`
		Clock9 int64             `parquet:"clock9,time(nanosecond)"`
		Old    deprecated.Int96  `parquet:"old"`
		OldNil *deprecated.Int96 `parquet:"oldnil,optional"`
		Price  int64             `parquet:"price,decimal(2:18)"`
		Flag   bool              `parquet:"flag"`
		Big    int64             `parquet:"big"`
	}
	tab := open(t, writeRows(t, []times{
		{
			Day: -1, Milli: -1500, Nano: 1700000000123456789, Clock: 86399999, Clock6: 1, Clock9: 43200000000001,
			Old: deprecated.Int96{1, 0, 2440588}, OldNil: &deprecated.Int96{0, 0, 2440587}, Price: -1999, Flag: true, Big: 1<<53 + 1,
		},
		{Micro: ptr(int64(1700000000123456)), Old: deprecated.Int96{2_500_000_000, 0, 0}, Price: 5}, // 4713 BC
	}), table.ReadOptions{})
	const (
		zero  = 0
		first = -2440588 * 86400
	)
	nan := math.NaN()
	tests := []struct {
		column string
		want   [2]float64
	}{
		{"day:epoch", [2]float64{-86400, zero}},
		{"milli:epoch", [2]float64{-1.5, zero}},
		{"micro:epoch", [2]float64{nan, 1700000000.123456}},
		{"nano:epoch", [2]float64{1700000000.123456789, zero}},
		{"clock:epoch", [2]float64{86399.999, zero}},
		{"clock6:epoch", [2]float64{1e-6, zero}},
		{"clock9:epoch", [2]float64{43200.000000001, zero}},
		{"old:epoch", [2]float64{1e-9, first + 2.5}},
		{"oldnil:epoch", [2]float64{-86400, nan}},
		{"price:double", [2]float64{-19.99, .05}},
		{"flag:double", [2]float64{1, 0}},
		{"big:double", [2]float64{1 << 53, 0}},
	}
	for _, test := range tests {
		t.Run(test.column, func(t *testing.T) {
			f, err := tab.Floats(t.Context(), []string{test.column})
			if err != nil {
				t.Fatal(err)
			}
			if !sameFloats(f.Data, test.want[:]) {
				t.Errorf("got %v, want %v", f.Data, test.want)
			}
		})
	}
	for column, want := range map[string]string{
		"clock":       "is a time column, which is no coordinate; clock:epoch takes it as seconds since midnight",
		"old":         "is a timestamp (int96) column, which is no coordinate; old:epoch takes it as seconds since 1970",
		"price:epoch": "only dates, timestamps and times of Parquet can be cast to epoch",
		"old:double":  "is a timestamp (int96) column, which is no coordinate; old:epoch",
	} {
		_, err := tab.Floats(t.Context(), []string{column})
		wantDataError(t, err, want)
	}
}

// TestSharedInt96 reads timestamps of Spark, some beyond what nanoseconds in
// int64 reach, the last one overflown.
func TestSharedInt96(t *testing.T) {
	tab := open(t, sharedFile(t, "parquet/int96_from_spark.parquet"), table.ReadOptions{})
	f, err := tab.Floats(t.Context(), []string{"a:epoch"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1704141296.123456, 1704070800, 253402225200, 1735599600, math.NaN(), 9089380393200}
	if !sameFloats(f.Data, want) {
		t.Errorf("got %.6f, want %.6f", f.Data, want)
	}
	if got, want := writeText(t, tab, nil, nil), "\n290000-12-30T23:00:00\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}
