package table

import (
	"fmt"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// class says how the values of a leaf are to be understood.
type class uint8

const (
	classBytes class = iota // bytes without further meaning
	classBool
	classInt
	classUint
	classFloat
	classDouble
	classHalf // float16 in two bytes
	classText
	classDecimal
	classDate
	classTime
	classTimestamp
	classInt96
	classInterval
	classUUID
	classNull // nothing but nulls
)

// leafType is the type of a leaf column, for reading its values.
type leafType struct {
	class class
	name  string        // for people
	scale int           // of decimals
	unit  time.Duration // of times and timestamps
	utc   bool          // the timestamp is an instant
}

// numeric reports whether every value of the type is a number.
func (t leafType) numeric() bool {
	switch t.class {
	case classInt, classUint, classFloat, classDouble, classHalf:
		return true
	}
	return false
}

// leafTypeOf understands a schema element: by its logical type, else by its
// converted type, else by its physical one.
func leafTypeOf(e *format.SchemaElement) leafType {
	if t, ok := logicalLeaf(e); ok {
		return t
	}
	if e.ConvertedType.Valid {
		if t, ok := convertedLeaf(e); ok {
			return t
		}
	}
	return physicalLeaf(e)
}

// int96Name is what people are told of the timestamps of Impala and old Spark.
const int96Name = "timestamp (int96)"

func physicalLeaf(e *format.SchemaElement) leafType {
	switch e.Type.V {
	case format.Boolean:
		return leafType{class: classBool, name: "boolean"}
	case format.Int32:
		return leafType{class: classInt, name: "int32"}
	case format.Int64:
		return leafType{class: classInt, name: "int64"}
	case format.Int96:
		return leafType{class: classInt96, name: int96Name}
	case format.Float:
		return leafType{class: classFloat, name: "float"}
	case format.Double:
		return leafType{class: classDouble, name: "double"}
	case format.FixedLenByteArray:
		return leafType{class: classBytes, name: fmt.Sprintf("fixed[%d]", e.TypeLength.V)}
	}
	return leafType{class: classBytes, name: "binary"}
}

func logicalLeaf(e *format.SchemaElement) (leafType, bool) {
	switch l := e.LogicalType.Value.(type) {
	case *format.StringType:
		return leafType{class: classText, name: "string"}, true
	case *format.EnumType:
		return leafType{class: classText, name: "enum"}, true
	case *format.JsonType:
		return leafType{class: classText, name: "json"}, true
	case *format.DecimalType:
		return decimalLeaf(l.Precision, l.Scale), true
	case *format.DateType:
		return leafType{class: classDate, name: "date"}, true
	case *format.TimeType:
		return leafType{class: classTime, name: "time", unit: unitOf(l.Unit), utc: l.IsAdjustedToUTC}, true
	case *format.TimestampType:
		return leafType{class: classTimestamp, name: "timestamp", unit: unitOf(l.Unit), utc: l.IsAdjustedToUTC}, true
	case *format.IntType:
		return intLeaf(int(l.BitWidth), l.IsSigned), true
	case *format.NullType:
		return leafType{class: classNull, name: "null"}, true
	case *format.UUIDType:
		return leafType{class: classUUID, name: "uuid"}, true
	case *format.Float16Type:
		return leafType{class: classHalf, name: "float16"}, e.TypeLength.V == 2
	case nil:
		return leafType{}, false
	default:
		return leafType{class: classBytes, name: "binary"}, true
	}
}

func convertedLeaf(e *format.SchemaElement) (leafType, bool) {
	switch e.ConvertedType.V {
	case deprecated.UTF8:
		return leafType{class: classText, name: "string"}, true
	case deprecated.Enum:
		return leafType{class: classText, name: "enum"}, true
	case deprecated.Json:
		return leafType{class: classText, name: "json"}, true
	case deprecated.Decimal:
		return decimalLeaf(e.Precision.V, e.Scale.V), true
	case deprecated.Date:
		return leafType{class: classDate, name: "date"}, true
	case deprecated.TimeMillis:
		return leafType{class: classTime, name: "time", unit: time.Millisecond, utc: true}, true
	case deprecated.TimeMicros:
		return leafType{class: classTime, name: "time", unit: time.Microsecond, utc: true}, true
	case deprecated.TimestampMillis:
		return leafType{class: classTimestamp, name: "timestamp", unit: time.Millisecond, utc: true}, true
	case deprecated.TimestampMicros:
		return leafType{class: classTimestamp, name: "timestamp", unit: time.Microsecond, utc: true}, true
	case deprecated.Interval:
		return leafType{class: classInterval, name: "interval"}, true
	}
	if e.ConvertedType.V == convertedNull {
		return leafType{class: classNull, name: "null"}, true
	}
	ints := [...]deprecated.ConvertedType{deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64}
	uints := [...]deprecated.ConvertedType{deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64}
	for i := range ints {
		switch e.ConvertedType.V {
		case ints[i]:
			return intLeaf(8<<i, true), true
		case uints[i]:
			return intLeaf(8<<i, false), true
		}
	}
	return leafType{}, false
}

func decimalLeaf(precision, scale int32) leafType {
	return leafType{class: classDecimal, name: fmt.Sprintf("decimal(%d,%d)", precision, scale), scale: int(scale)}
}

func intLeaf(width int, signed bool) leafType {
	if signed {
		return leafType{class: classInt, name: fmt.Sprintf("int%d", width)}
	}
	return leafType{class: classUint, name: fmt.Sprintf("uint%d", width)}
}

func unitOf(u format.TimeUnit) time.Duration {
	if u.Value == nil {
		return time.Millisecond
	}
	return u.Value.Duration()
}

// sourceType is the type of a source's column, for writing it again: what the
// library knows of it, with the annotations exactly as in the source. The
// library would lose those that it has no type for, such as FLOAT16.
type sourceType struct {
	parquet.Type
	logical   *format.LogicalType
	converted *deprecated.ConvertedType
}

// LogicalType returns the annotation of the source, or what the library makes of
// the older one.
func (t *sourceType) LogicalType() *format.LogicalType {
	if t.logical == nil && t.converted != nil {
		return t.Type.LogicalType()
	}
	return t.logical
}

// ConvertedType returns the older annotation, or what the library makes of the
// newer one.
func (t *sourceType) ConvertedType() *deprecated.ConvertedType {
	if t.converted == nil && t.logical != nil {
		return t.Type.ConvertedType()
	}
	return t.converted
}

// newSourceType wraps what the library made of a schema element.
func newSourceType(known parquet.Type, e *format.SchemaElement) parquet.Type {
	t := &sourceType{Type: known}
	if e.LogicalType.Value != nil {
		t.logical = &e.LogicalType
	}
	if e.ConvertedType.Valid {
		t.converted = &e.ConvertedType.V
	}
	if e.Type.Valid && leafTypeOf(e).class == classNull {
		// The library's null type would be written with a physical type that no
		// reader knows.
		t.Type = physicalType(e)
		t.logical, t.converted = &format.LogicalType{Value: new(format.NullType)}, nil
	}
	return t
}

// convertedNull is what old versions of parquet-cpp wrote for columns without
// values, outside of the format.
const convertedNull deprecated.ConvertedType = 24

// physicalType is the type of a schema element without its annotations.
func physicalType(e *format.SchemaElement) parquet.Type {
	switch e.Type.V {
	case format.Boolean:
		return parquet.BooleanType
	case format.Int64:
		return parquet.Int64Type
	case format.Int96:
		return parquet.Int96Type
	case format.Float:
		return parquet.FloatType
	case format.Double:
		return parquet.DoubleType
	case format.ByteArray:
		return parquet.ByteArrayType
	case format.FixedLenByteArray:
		return parquet.FixedLenByteArrayType(int(e.TypeLength.V))
	}
	return parquet.Int32Type
}

// unordered reports whether the library orders the values of a type otherwise
// than its logical type says, so that bounds must not be written.
func unordered(e *format.SchemaElement) bool {
	switch leafTypeOf(e).class {
	case classHalf, classInt96, classInterval, classNull:
		return true
	case classDecimal:
		return e.Type.V == format.ByteArray || e.Type.V == format.FixedLenByteArray
	}
	return false
}
