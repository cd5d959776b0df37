package table

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// appendValue appends a value that is not null as text, as doc.go says.
func appendValue(dst []byte, v parquet.Value, t leafType) []byte {
	switch t.class {
	case classBool:
		return strconv.AppendBool(dst, v.Boolean())
	case classInt:
		return strconv.AppendInt(dst, signed(v), 10)
	case classUint:
		return strconv.AppendUint(dst, unsigned(v), 10)
	case classFloat:
		return appendFloat(dst, float64(v.Float()), 32)
	case classDouble:
		return appendFloat(dst, v.Double(), 64)
	case classHalf:
		return appendHalf(dst, half(v))
	case classDecimal:
		return appendDecimal(dst, v, t.scale)
	case classDate:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().AppendFormat(dst, time.DateOnly)
	case classTime:
		return appendTime(dst, v, t)
	case classTimestamp:
		return appendTimestamp(dst, v.Int64(), t)
	case classInt96:
		return appendInt96(dst, v)
	case classInterval:
		return appendInterval(dst, v.ByteArray())
	case classUUID:
		return appendUUID(dst, v.ByteArray())
	case classText, classBytes:
		return appendBytes(dst, v.ByteArray())
	}
	return dst
}

// appendBytes appends UTF-8 as it is and other bytes in base64.
func appendBytes(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}

// appendHalf appends the shortest text that reads back as the same float16. Its
// digits are those of some decimal of at most five significant digits.
func appendHalf(dst []byte, x float64) []byte {
	for digits := 1; digits < 5; digits++ {
		s := strconv.AppendFloat(nil, x, 'g', digits, 64)
		y, err := strconv.ParseFloat(string(s), 64)
		if err == nil && roundHalf(y) == x {
			return appendFloat(dst, y, 64)
		}
	}
	return appendFloat(dst, x, 64)
}

// appendDecimal appends unscaled · 10^-scale in full.
func appendDecimal(dst []byte, v parquet.Value, scale int) []byte {
	var i *big.Int
	switch v.Kind() {
	case parquet.Int32:
		i = big.NewInt(int64(v.Int32()))
	case parquet.Int64:
		i = big.NewInt(v.Int64())
	default:
		i = bigEndian(v.ByteArray())
	}
	if i.Sign() < 0 {
		dst = append(dst, '-')
		i.Neg(i)
	}
	digits := i.Append(nil, 10)
	if scale <= 0 {
		dst = append(dst, digits...)
		for range min(-scale, 1000) {
			dst = append(dst, '0')
		}
		return dst
	}
	for len(digits) <= min(scale, 1000) {
		digits = append([]byte{'0'}, digits...)
	}
	point := max(len(digits)-scale, 0)
	dst = append(dst, digits[:point]...)
	dst = append(dst, '.')
	return append(dst, digits[point:]...)
}

// bigEndian reads a two's complement integer.
func bigEndian(b []byte) *big.Int {
	i := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 128 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return i
}

// appendTime appends a time of day.
func appendTime(dst []byte, v parquet.Value, t leafType) []byte {
	n := signed(v)
	at := time.Unix(0, 0).UTC().Add(time.Duration(n) * t.unit)
	dst = at.AppendFormat(dst, "15:04:05.999999999")
	if t.utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// appendTimestamp appends a point in time, n units from 1970 on.
func appendTimestamp(dst []byte, n int64, t leafType) []byte {
	perSecond := int64(time.Second / t.unit)
	sec := n / perSecond
	rest := n % perSecond * int64(t.unit)
	return appendInstant(dst, sec, rest, t.utc)
}

func appendInstant(dst []byte, sec, nanos int64, utc bool) []byte {
	dst = time.Unix(sec, nanos).UTC().AppendFormat(dst, "2006-01-02T15:04:05.999999999")
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// appendInt96 appends a timestamp of eight bytes of nanoseconds and four of
// Julian day.
func appendInt96(dst []byte, v parquet.Value) []byte {
	sec, nanos := int96Parts(v)
	return appendInstant(dst, sec, nanos, false)
}

// int96Parts returns the seconds since 1970-01-01 and the nanoseconds of the
// second. Spark counts microseconds since the first Julian day in int64, and lets
// them overflow: a time that int64 does not hold in microseconds since 1970 is one
// of those, and overflows back to what it was.
func int96Parts(v parquet.Value) (sec, nanos int64) {
	const (
		julianEpoch = 2440588                 // 1970-01-01
		most        = math.MaxInt64 / 1000000 // seconds
		wrapSec     = 18446744073709          // of 2^64 microseconds
		wrapNanos   = 551616000
	)
	x := v.Int96()
	nanos = int64(uint64(x[1])<<32 | uint64(x[0]))
	sec = (int64(int32(x[2]))-julianEpoch)*86400 + nanos/1e9
	nanos %= 1e9
	switch {
	case sec > most:
		sec, nanos = sec-wrapSec, nanos-wrapNanos
	case sec < -most:
		sec, nanos = sec+wrapSec, nanos+wrapNanos
	}
	if nanos < 0 {
		sec, nanos = sec-1, nanos+1e9
	}
	return sec + nanos/1e9, nanos % 1e9
}

// appendInterval appends months, days and milliseconds as ISO 8601.
func appendInterval(dst, b []byte) []byte {
	if len(b) != 12 {
		return appendBytes(dst, b)
	}
	part := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(b[i:])) }
	dst = append(dst, 'P')
	dst = strconv.AppendUint(dst, part(0), 10)
	dst = append(dst, 'M')
	dst = strconv.AppendUint(dst, part(4), 10)
	dst = append(dst, "DT"...)
	dst = strconv.AppendFloat(dst, float64(part(8))/1000, 'f', -1, 64)
	return append(dst, 'S')
}

// appendUUID appends sixteen bytes with the usual dashes.
func appendUUID(dst, b []byte) []byte {
	if len(b) != 16 {
		return appendBytes(dst, b)
	}
	for i, end := range []int{4, 6, 8, 10, 16} {
		start := []int{0, 4, 6, 8, 10}[i]
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, b[start:end])
	}
	return dst
}
