package paper

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// Table is what an experiment found.
type Table struct {
	Columns []string
	Rows    [][]any  // of string, int, int64, float64, Time, *Ratio, or nil for what is not known
	Notes   []string // below the table
}

// Add adds a row, with a cell for each column.
func (t *Table) Add(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic("paper: a row of a table has not its columns")
	}
	t.Rows = append(t.Rows, cells)
}

// texts returns the different texts of a column, in order.
func (t *Table) texts(column string) []string {
	k, list := slices.Index(t.Columns, column), []string(nil)
	for _, row := range t.Rows {
		if text := row[k].(string); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Note adds a line below the table, once.
func (t *Table) Note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !slices.Contains(t.Notes, line) {
		t.Notes = append(t.Notes, line)
	}
}

// notKnown is an empty cell for people.
const notKnown = "–"

// forPeople writes a cell for people: times and ratios to four digits, whole numbers with
// commas between thousands.
func forPeople(cell any) string {
	switch x := cell.(type) {
	case int:
		return humanize.Comma(int64(x))
	case int64:
		return humanize.Comma(x)
	case float64:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case Time:
		if x.Over {
			return "> " + seconds(x.Seconds)
		}
		return seconds(x.Seconds)
	case *Ratio:
		if x == nil {
			return notKnown
		}
		return strings.TrimLeft(x.Bound+" "+fourDigits(x.Value), " ")
	case string:
		return x
	}
	return notKnown
}

// exact writes a cell for programs, empty if it is not known.
func exact(cell any) string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch x := cell.(type) {
	case float64:
		return short(x)
	case Time:
		if x.Over {
			return ">" + short(x.Seconds)
		}
		return short(x.Seconds)
	case *Ratio:
		if x == nil {
			return ""
		}
		return x.Bound + short(x.Value)
	case nil:
		return ""
	}
	return fmt.Sprint(cell)
}

// seconds writes a time to milliseconds or four digits.
func seconds(x float64) string {
	if x < 1 {
		return strconv.FormatFloat(x, 'f', 4, 64)
	}
	return fourDigits(x)
}

// fourDigits writes a number to four digits, or to ones.
func fourDigits(x float64) string {
	if x >= 1000 {
		return humanize.Comma(int64(x + 0.5))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// WriteText writes a header, the table and its notes for people. Columns of numbers stand
// to the right.
func (t *Table) WriteText(w io.Writer, h Header) error {
	var text strings.Builder
	wide := 0
	for _, item := range h {
		wide = max(wide, utf8.RuneCountInString(item.Key))
	}
	for _, item := range h {
		fmt.Fprintf(&text, "%-*s  %s\n", wide, item.Key, item.Value)
	}
	text.WriteString("\n")
	cells := [][]string{t.Columns}
	for _, row := range t.Rows {
		var line []string
		for _, cell := range row {
			line = append(line, forPeople(cell))
		}
		cells = append(cells, line)
	}
	t.align(&text, cells)
	for i, note := range t.Notes {
		if i == 0 {
			text.WriteString("\n")
		}
		text.WriteString(note + "\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// align writes lines of cells, those of a column below each other.
func (t *Table) align(text *strings.Builder, lines [][]string) {
	for _, line := range lines {
		row := ""
		for k, cell := range line {
			pad := strings.Repeat(" ", t.width(lines, k)-utf8.RuneCountInString(cell))
			if t.isText(k) {
				cell += pad
			} else {
				cell = pad + cell
			}
			if k > 0 {
				row += "  "
			}
			row += cell
		}
		text.WriteString(strings.TrimRight(row, " ") + "\n")
	}
}

// width is that of the widest cell of a column.
func (t *Table) width(lines [][]string, k int) int {
	most := 0
	for _, line := range lines {
		most = max(most, utf8.RuneCountInString(line[k]))
	}
	return most
}

// isText reports whether a column has texts, and nothing else.
func (t *Table) isText(k int) bool {
	texts := false
	for _, row := range t.Rows {
		if row[k] == nil {
			continue
		}
		if _, texts = row[k].(string); !texts {
			return false
		}
	}
	return texts
}

// WriteCSV writes the header and the notes as comments, and the table with all digits. A
// time that was cut off, and a bound, begin with > or <.
func (t *Table) WriteCSV(w io.Writer, h Header) error {
	var text strings.Builder
	comment := func(line string) {
		text.WriteString("# " + strings.Join(strings.Fields(line), " ") + "\n")
	}
	for _, item := range h {
		comment(item.Key + ": " + item.Value)
	}
	for _, note := range t.Notes {
		comment(note)
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return err
	}
	lines := csv.NewWriter(w)
	if err := lines.Write(t.Columns); err != nil {
		return err
	}
	for _, row := range t.Rows {
		var line []string
		for _, cell := range row {
			line = append(line, exact(cell))
		}
		if err := lines.Write(line); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}
