package table_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// TestParquetAnnotations says of columns that they are what they cannot be.
func TestParquetAnnotations(t *testing.T) {
	logical := func(v format.LogicalTypeValue) func(*format.SchemaElement) {
		return func(e *format.SchemaElement) { e.LogicalType.Value = v }
	}
	converted := func(c deprecated.ConvertedType) func(*format.SchemaElement) {
		return func(e *format.SchemaElement) {
			e.ConvertedType = thrift.Null[deprecated.ConvertedType]{Valid: true, V: c}
		}
	}
	length := func(n int32) func(*format.SchemaElement) {
		return func(e *format.SchemaElement) { e.TypeLength = thrift.Null[int32]{Valid: true, V: n} }
	}
	micros := format.TimeUnit{Value: new(format.MicroSeconds)}
	millis := format.TimeUnit{Value: new(format.MilliSeconds)}
	for _, c := range []struct {
		name   string
		typ    format.Type
		change []func(*format.SchemaElement)
		good   bool
	}{
		{"int8", format.Int32, []func(*format.SchemaElement){logical(&format.IntType{BitWidth: 8})}, true},
		{"int12", format.Int32, []func(*format.SchemaElement){logical(&format.IntType{BitWidth: 12})}, false},
		{"int64 in 32 bits", format.Int32, []func(*format.SchemaElement){logical(&format.IntType{BitWidth: 64})}, false},
		{"int64", format.Int64, []func(*format.SchemaElement){logical(&format.IntType{BitWidth: 64})}, true},
		{"a string of numbers", format.Int64, []func(*format.SchemaElement){logical(new(format.StringType))}, false},
		{"a date of 64 bits", format.Int64, []func(*format.SchemaElement){logical(new(format.DateType))}, false},
		{"a timestamp of 32 bits", format.Int32, []func(*format.SchemaElement){logical(&format.TimestampType{Unit: micros})}, false},
		{"a timestamp without a unit", format.Int64, []func(*format.SchemaElement){logical(new(format.TimestampType))}, false},
		{"milliseconds of the day", format.Int32, []func(*format.SchemaElement){logical(&format.TimeType{Unit: millis})}, true},
		{"microseconds of the day in 32 bits", format.Int32, []func(*format.SchemaElement){logical(&format.TimeType{Unit: micros})}, false},
		{"a decimal", format.Int32, []func(*format.SchemaElement){logical(&format.DecimalType{Precision: 9, Scale: 9})}, true},
		{"too many digits", format.Int32, []func(*format.SchemaElement){logical(&format.DecimalType{Precision: 10})}, false},
		{"too few digits", format.Int32, []func(*format.SchemaElement){logical(&format.DecimalType{Precision: 2, Scale: 3})}, false},
		{"a decimal of 5 bytes", format.FixedLenByteArray, []func(*format.SchemaElement){length(5), logical(&format.DecimalType{Precision: 11})}, true},
		{"a decimal beyond 5 bytes", format.FixedLenByteArray, []func(*format.SchemaElement){length(5), logical(&format.DecimalType{Precision: 12})}, false},
		{"a decimal of floating point", format.Double, []func(*format.SchemaElement){logical(&format.DecimalType{Precision: 5})}, false},
		{"a short UUID", format.FixedLenByteArray, []func(*format.SchemaElement){length(15), logical(new(format.UUIDType))}, false},
		{"a long float16", format.FixedLenByteArray, []func(*format.SchemaElement){length(4), logical(new(format.Float16Type))}, false},
		{"bytes of no length", format.FixedLenByteArray, nil, false},
		{"bytes of negative length", format.FixedLenByteArray, []func(*format.SchemaElement){length(-1)}, false},
		{"an old date", format.Int32, []func(*format.SchemaElement){converted(deprecated.Date)}, true},
		{"an old string of numbers", format.Int32, []func(*format.SchemaElement){converted(deprecated.UTF8)}, false},
		{"an old timestamp of 32 bits", format.Int32, []func(*format.SchemaElement){converted(deprecated.TimestampMicros)}, false},
		{"an old decimal without digits", format.Int32, []func(*format.SchemaElement){converted(deprecated.Decimal)}, false},
		{"an old interval of 11 bytes", format.FixedLenByteArray, []func(*format.SchemaElement){length(11), converted(deprecated.Interval)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := element("c", c.typ)
			for _, change := range c.change {
				change(&e)
			}
			path := rawFile(t, e, []rawPage{{values: 1, body: int64s(1)}}, nil)
			tab, err := table.Open(t.Context(), path, table.ReadOptions{})
			if c.good && err != nil {
				t.Error(err)
			}
			if !c.good {
				wantDataError(t, err, `raw.parquet: is corrupt: column "c" `)
			}
			if err == nil {
				_ = tab.Close() // reads only
			}
		})
	}
}

// TestParquetHistograms has counts of levels that there are not: they are not
// passed on.
func TestParquetHistograms(t *testing.T) {
	for _, c := range []struct{ rep, def, want []int64 }{
		{nil, []int64{0, 3}, []int64{0, 3}},
		{[]int64{3}, []int64{0, 3}, []int64{0, 3}},
		{[]int64{3, 0}, []int64{0, 3}, nil},
		{nil, []int64{0, 3, 0}, nil},
	} {
		body := append(prefixed(3<<1, 1), int64s(3)...)
		path := rawFile(t, optional(element("x", format.Int64)), []rawPage{{values: 3, body: body}}, func(m *format.FileMetaData) {
			s := &m.RowGroups[0].Columns[0].MetaData.SizeStatistics
			s.RepetitionLevelHistogram, s.DefinitionLevelHistogram = c.rep, c.def
		})
		out := write(t, open(t, path, table.ReadOptions{}), "out.parquet", nil, nil)
		got := open(t, out, table.ReadOptions{}).Metadata().RowGroups[0].Columns[0].MetaData.SizeStatistics.DefinitionLevelHistogram
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", fmt.Sprint(c.rep, c.def), got, c.want)
		}
	}
}
