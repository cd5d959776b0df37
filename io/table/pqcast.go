package table

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Columns of some types are coordinates only where that is asked for, by a cast
// behind the name: price:double, seen:epoch.
const (
	castMark   = ":"
	castDouble = "double" // decimals, booleans and the words true and false as 0 and 1, integers of any size: the nearest float64
	castEpoch  = "epoch"  // dates and timestamps: seconds since 1970; times of day: since midnight
)

// epochType reports whether a column of a type, as Column has it, can be cast to
// epoch.
func epochType(name string) bool {
	switch name {
	case "date", "timestamp", int96Name, "time":
		return true
	}
	return false
}

// epochClass is epochType for classes.
func epochClass(c class) bool {
	return c == classDate || c == classTimestamp || c == classInt96 || c == classTime
}

// epochSense says what the cast to epoch yields.
func epochSense(c class) string {
	if c == classTime {
		return "seconds since midnight"
	}
	return "seconds since 1970"
}

// SplitCast returns the name and the cast of a column as it is asked for in
// Floats: "price:double" is the column price cast to double. Without one of the
// known casts, double and epoch, the whole is the name.
func SplitCast(asked string) (name, cast string) {
	if i := strings.LastIndex(asked, castMark); i > 0 {
		switch cast := asked[i+len(castMark):]; cast {
		case castDouble, castEpoch:
			return asked[:i], cast
		}
	}
	return asked, ""
}

// uncast returns the names of the columns asked for. A column whose own name looks
// like a cast comes first.
func (t *Table) uncast(asked []string) ([]string, error) {
	all := t.Columns()
	list := make([]string, len(asked))
	for i, name := range asked {
		list[i] = name
		if slices.ContainsFunc(all, func(c Column) bool { return c.Name == name }) {
			continue
		}
		bare, cast := SplitCast(name)
		k := slices.IndexFunc(all, func(c Column) bool { return c.Name == bare })
		if cast == "" || k < 0 {
			continue
		}
		if c := all[k]; cast == castEpoch && !epochType(c.Type) {
			return nil, badColumn(t.path, bare, "is a %s column; only dates, timestamps and times of Parquet can be cast to %s", c.Type, cast)
		}
		list[i] = bare
	}
	return list, nil
}

// castText takes text as a number where that was asked for: also the words for
// truth, as Parquet's booleans become in CSV, and integers of any size.
func castText(b []byte) (float64, kind, error) {
	x, k, err := parseNumber(b)
	if k == kindText {
		switch string(trimBlanks(b)) {
		case "true", "True", "TRUE":
			return 1, kindNumber, nil
		case "false", "False", "FALSE":
			return 0, kindNumber, nil
		}
	}
	if err != nil {
		if near, beyond := strconv.ParseFloat(string(trimBlanks(b)), 64); beyond == nil {
			return near, k, nil
		}
	}
	return x, k, err
}

// castReader takes decimals and booleans as the nearest float64.
func castReader(t leafType) numberReader {
	if t.class == classBool {
		return func(v *parquet.Value) (float64, kind, error) {
			switch {
			case v.IsNull():
				return math.NaN(), kindNull, nil
			case v.Boolean():
				return 1, kindNumber, nil
			}
			return 0, kindNumber, nil
		}
	}
	return func(v *parquet.Value) (float64, kind, error) {
		if v.IsNull() {
			return math.NaN(), kindNull, nil
		}
		if k := v.Kind(); k == parquet.Int32 || k == parquet.Int64 {
			if x, ok := scaled(signed(*v), t.scale); ok {
				return x, kindNumber, nil
			}
		}
		x, err := strconv.ParseFloat(string(appendDecimal(nil, *v, t.scale)), 64)
		if err != nil {
			return 0, kindNumber, err
		}
		return x, kindNumber, nil
	}
}

// scaled returns the float64 nearest to i · 10^-scale, where one division gives
// it: of two numbers that float64 holds, the quotient is rounded once.
func scaled(i int64, scale int) (float64, bool) {
	if scale < 0 || scale > 22 || magnitude(i) > 1<<53 {
		return 0, false
	}
	power := 1.
	for range scale {
		power *= 10 // exact up to 10^22
	}
	return float64(i) / power, true
}

// epochReader takes dates and timestamps as the float64 nearest to the seconds
// since 1970-01-01, and times of day as that to the seconds since midnight.
func epochReader(t leafType) numberReader {
	if t.class == classInt96 {
		return int96Epoch
	}
	return func(v *parquet.Value) (float64, kind, error) {
		switch {
		case v.IsNull():
			return math.NaN(), kindNull, nil
		case t.class == classDate:
			return float64(v.Int32()) * 86400, kindNumber, nil
		}
		digits := len(strconv.Itoa(int(time.Second/t.unit))) - 1
		if x, ok := scaled(signed(*v), digits); ok {
			return x, kindNumber, nil
		}
		x, err := strconv.ParseFloat(string(appendDecimal(nil, *v, digits)), 64)
		if err != nil {
			return 0, kindNumber, err
		}
		return x, kindNumber, nil
	}
}

// int96Epoch takes a timestamp of days and nanoseconds as the float64 nearest to
// the seconds since 1970-01-01.
func int96Epoch(v *parquet.Value) (float64, kind, error) {
	if v.IsNull() {
		return math.NaN(), kindNull, nil
	}
	sec, nanos := int96Parts(*v)
	if nanos == 0 {
		return float64(sec), kindNumber, nil // below 2^53
	}
	sum := new(big.Int).Mul(big.NewInt(sec), big.NewInt(1e9))
	x, _ := new(big.Rat).SetFrac(sum.Add(sum, big.NewInt(nanos)), big.NewInt(1e9)).Float64()
	return x, kindNumber, nil
}
