package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// This file writes numbers, texts of the data and tables for people.

// grouped writes a whole number with commas between thousands.
func grouped[T int | int32 | int64](n T) string { return humanize.Comma(int64(n)) }

// plural writes a number of things.
func plural[T int | int32 | int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// ordinal writes the place of number n: 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	end := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return grouped(n) + end
}

// percent writes a share to four digits.
func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }

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

// plainText is text of the data for a terminal, on which a control character would do
// more than be read: that is a ?, and so is a byte that is no UTF-8.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// printable is plainText in short, for a cell of a table.
func printable(text string) string {
	const most = 32
	runes := []rune(plainText(text))
	if len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return string(runes)
}

// writeCells writes lines of cells in columns, the first ones to the left and the
// others to the right.
func writeCells(text *strings.Builder, lines [][]string, left int) {
	width := make([]int, len(lines[0]))
	for _, cells := range lines {
		for k, cell := range cells {
			width[k] = max(width[k], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range lines {
		var line strings.Builder
		for k, cell := range cells {
			pad := strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell))
			if k < left {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
