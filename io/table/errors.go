package table

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrExists is returned when the output file is there already and
	// WriteOptions.Force is not set.
	ErrExists = errors.New("file exists already; use --force to overwrite it")

	// ErrColumnExists is returned when an added column has the name of a column
	// that is kept, or of another added one.
	ErrColumnExists = errors.New("column exists already; use --prefix to give the new columns other names")

	// ErrFormat is returned when the options or the name of a file do not tell a
	// format or a compression that this package knows.
	ErrFormat = errors.New("unknown format")

	// ErrScratch is returned when a temporary file cannot be made, which some inputs
	// and outputs go by way of.
	ErrScratch = errors.New("no temporary file can be made; set TMPDIR to a folder that has room and may be written to")

	// ErrChanged is returned, inside a DataError, when the input file was
	// changed between two reads of it.
	ErrChanged = errors.New("the file changed while it was in use; run again on a file at rest")
)

// A DataError says what is wrong with the data of a table, and where.
type DataError struct {
	Path   string
	Column string // name of the column, or empty
	Row    int64  // row from 0, or -1 if unknown
	Line   int64  // line of the CSV file from 1, or 0 if unknown
	Err    error
}

// Error returns the place, as far as it is known, and the fault.
func (e *DataError) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	b.WriteString(": ")
	if e.Column != "" {
		fmt.Fprintf(&b, "column %q: ", e.Column)
	}
	switch {
	case e.Line > 0 && e.Row >= 0:
		fmt.Fprintf(&b, "line %d (row %d): ", e.Line, e.Row)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	case e.Row >= 0:
		fmt.Fprintf(&b, "row %d: ", e.Row)
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the fault without its place.
func (e *DataError) Unwrap() error { return e.Err }

// badFile is a DataError about the file as a whole.
func badFile(path, format string, args ...any) error {
	return &DataError{Path: path, Row: -1, Err: fmt.Errorf(format, args...)}
}

// badColumn is a DataError about a column as a whole.
func badColumn(path, column, format string, args ...any) error {
	return &DataError{Path: path, Column: column, Row: -1, Err: fmt.Errorf(format, args...)}
}

// badLine is a DataError about a line of a CSV file.
func badLine(path string, line int64, format string, args ...any) error {
	return &DataError{Path: path, Row: -1, Line: line, Err: fmt.Errorf(format, args...)}
}

// clip shortens text for a message.
func clip(text []byte) string {
	const most = 40
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + "..."
}
