package table

import (
	"errors"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go"
)

// This file says what number a value of a Parquet column is.

// numberReader returns a value as a number. Null is NaN.
type numberReader func(v *parquet.Value) (x float64, k kind, err error)

// readerOf returns how the values of a column are taken as numbers, with the cast
// that was asked for, if any.
func readerOf(n *node, cast string) (numberReader, error) {
	if !n.Leaf() || n.Repeated() {
		return nil, fmt.Errorf("is nested (%s); only columns at the top level can be coordinates", n.typeName())
	}
	t := n.leaf
	switch t.class {
	case classNull:
		return nil, errors.New("is a null column: there are no numbers in it")
	case classBytes, classUUID:
		return nil, fmt.Errorf("is a %s column, not one of numbers", t.name)
	}
	switch {
	case cast == castEpoch && !epochClass(t.class):
		return nil, fmt.Errorf("is a %s column; only dates, timestamps and times can be cast to %s", t.name, cast)
	case cast == castEpoch:
		return epochReader(t), nil
	case floatingPoint(t.class):
		return floatingReader(t.class), nil
	case t.class == classText && cast == castDouble:
		return textReader(castText), nil
	case t.class == classText:
		return textReader(parseNumber), nil
	case t.class == classInt:
		return intReader(cast != castDouble), nil
	case t.class == classUint:
		return uintReader(cast != castDouble), nil
	case t.class == classDecimal || t.class == classBool:
		if cast == castDouble {
			return castReader(t), nil
		}
		return nil, fmt.Errorf("is a %s column, which is no coordinate unless you ask for it: %s%s", t.name, clip([]byte(n.name)), castMark+castDouble)
	case epochClass(t.class):
		return nil, fmt.Errorf("is a %s column, which is no coordinate; %s%s takes it as %s", t.name, clip([]byte(n.name)), castMark+castEpoch, epochSense(t.class))
	}
	return nil, fmt.Errorf("is a %s column, which cannot be taken as numbers", t.name)
}

// floatingPoint reports whether a class is of floating-point numbers.
func floatingPoint(c class) bool { return c == classFloat || c == classDouble || c == classHalf }

// floatingReader takes floating-point numbers of any width.
func floatingReader(c class) numberReader {
	switch c {
	case classFloat:
		return floatNumber
	case classHalf:
		return halfNumber
	}
	return doubleNumber
}

// floating sorts a number that is there.
func floating(x float64) (float64, kind, error) {
	switch {
	case x-x == 0:
		return x, kindNumber, nil
	case x != x:
		return x, kindNaN, nil
	}
	return x, kindInf, nil
}

func floatNumber(v *parquet.Value) (float64, kind, error) {
	if v.IsNull() {
		return math.NaN(), kindNull, nil
	}
	return floating(float64(v.Float()))
}

func doubleNumber(v *parquet.Value) (float64, kind, error) {
	if v.IsNull() {
		return math.NaN(), kindNull, nil
	}
	return floating(v.Double())
}

func halfNumber(v *parquet.Value) (float64, kind, error) {
	if v.IsNull() {
		return math.NaN(), kindNull, nil
	}
	return floating(half(*v))
}

// textReader takes strings as numbers as fields of CSV are, since that is how
// number columns come out of CSV whose digits would not be printed again as they
// were.
func textReader(parse func(b []byte) (float64, kind, error)) numberReader {
	return func(v *parquet.Value) (float64, kind, error) {
		if v.IsNull() {
			return math.NaN(), kindNull, nil
		}
		x, k, err := parse(v.ByteArray())
		if err == nil && k == kindText {
			err = fmt.Errorf("%q is not a number", clip(v.ByteArray()))
		}
		return x, k, err
	}
}

// intReader takes signed integers; those that float64 does not hold are errors
// if exact is set, else they are rounded.
func intReader(exact bool) numberReader {
	return func(v *parquet.Value) (float64, kind, error) {
		if v.IsNull() {
			return math.NaN(), kindNull, nil
		}
		i := signed(*v)
		if exact && !exactUint(magnitude(i)) {
			return 0, kindNumber, errInexact(integerText(*v, classInt))
		}
		return float64(i), kindNumber, nil
	}
}

// uintReader is intReader for unsigned integers.
func uintReader(exact bool) numberReader {
	return func(v *parquet.Value) (float64, kind, error) {
		if v.IsNull() {
			return math.NaN(), kindNull, nil
		}
		u := unsigned(*v)
		if exact && !exactUint(u) {
			return 0, kindNumber, errInexact(integerText(*v, classUint))
		}
		return float64(u), kindNumber, nil
	}
}
