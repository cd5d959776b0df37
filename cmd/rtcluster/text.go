package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// This file writes numbers for people.

// grouped writes a whole number with commas between thousands.
func grouped[T int | int32 | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var text strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			text.WriteByte(',')
		}
		text.WriteRune(d)
	}
	return sign + text.String()
}

// seconds writes a time to three digits or milliseconds, whichever is coarser.
func seconds(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 1:
		return fmt.Sprintf("%.3f s", s)
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// exact writes a number so that it reads back to the same float64.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
