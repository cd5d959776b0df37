package table

import (
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// This file sees that what a schema says of the meaning of a column's values fits
// to how they are stored. The library reads them by their meaning alone, and
// other readers refuse the whole file.

// checkAnnotation checks the schema element of a leaf.
func checkAnnotation(e *format.SchemaElement) error {
	if e.Type.V == format.FixedLenByteArray && e.TypeLength.V <= 0 {
		return fmt.Errorf("has fixed values of %d bytes", e.TypeLength.V)
	}
	fits := true
	switch l := e.LogicalType.Value.(type) {
	case nil:
		if e.ConvertedType.Valid && !fitsConverted(e) {
			return fmt.Errorf("is said to be of converted type %d, and is stored as %s", e.ConvertedType.V, e.Type.V)
		}
	case *format.DecimalType:
		fits = fitsDecimal(e, l.Precision, l.Scale)
	case *format.IntType:
		fits = slices.Contains([]int8{8, 16, 32}, l.BitWidth) && e.Type.V == format.Int32 || l.BitWidth == 64 && e.Type.V == format.Int64
	case *format.TimeType:
		fits = fitsTime(e, l.Unit)
	case *format.TimestampType:
		fits = l.Unit.Value != nil && e.Type.V == format.Int64
	case *format.DateType:
		fits = e.Type.V == format.Int32
	case *format.StringType, *format.EnumType, *format.JsonType, *format.BsonType:
		fits = e.Type.V == format.ByteArray
	case *format.UUIDType:
		fits = fixed(e, 16)
	case *format.Float16Type:
		fits = fixed(e, 2)
	}
	if !fits {
		return fmt.Errorf("is said to be %s, and is stored as %s", e.LogicalType.Value, e.Type.V)
	}
	return nil
}

// fixed reports whether a leaf has values of n bytes.
func fixed(e *format.SchemaElement, n int32) bool {
	return e.Type.V == format.FixedLenByteArray && e.TypeLength.V == n
}

// fitsTime reports whether a leaf may have times of day of a unit.
func fitsTime(e *format.SchemaElement, unit format.TimeUnit) bool {
	switch unit.Value.(type) {
	case nil:
		return false
	case *format.MilliSeconds:
		return e.Type.V == format.Int32
	}
	return e.Type.V == format.Int64
}

// fitsDecimal reports whether a leaf has room for decimals of so many digits.
func fitsDecimal(e *format.SchemaElement, precision, scale int32) bool {
	if precision < 1 || scale < 0 || scale > precision {
		return false
	}
	switch e.Type.V {
	case format.Int32:
		return precision <= 9
	case format.Int64:
		return precision <= 18
	case format.FixedLenByteArray:
		return float64(precision) <= float64(8*int64(e.TypeLength.V)-1)*math.Log10(2)
	}
	return e.Type.V == format.ByteArray
}

// fitsConverted is the same for the older annotations.
func fitsConverted(e *format.SchemaElement) bool {
	switch e.ConvertedType.V {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json, deprecated.Bson:
		return e.Type.V == format.ByteArray
	case deprecated.Decimal:
		return fitsDecimal(e, e.Precision.V, e.Scale.V)
	case deprecated.Date, deprecated.TimeMillis, deprecated.Int8, deprecated.Int16, deprecated.Int32,
		deprecated.Uint8, deprecated.Uint16, deprecated.Uint32:
		return e.Type.V == format.Int32
	case deprecated.TimeMicros, deprecated.TimestampMillis, deprecated.TimestampMicros, deprecated.Int64, deprecated.Uint64:
		return e.Type.V == format.Int64
	case deprecated.Interval:
		return fixed(e, 12)
	}
	return true
}
