package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// csvOptions say how CSV is written. The zero value finds out what can be found
// out.
type csvOptions struct {
	Comment   string // "" and auto: found out; none
	Trailing  string // "" and auto: found out; yes, no
	Encoding  string
	Skip      int
	UnitRows  string
	Null      []string
	Decimal   string // "" and .: a point
	Thousands string // "" and none: nothing
	Ragged    string // "" and error, pad
}

func (o *csvOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "CSV", func(fs *pflag.FlagSet) {
		fs.Var(commentValue{&o.Comment}, "comment", "what lines of comments begin with, or none (default: # if the file looks so)")
		fs.Var(newEnum(&o.Trailing, "", "auto", "yes", "no"), "trailing-comments", "whether comments stand behind the fields of a line too (default: found out)")
		fs.Var(newWhole(&o.Skip, 0, 0), "skip", "leave out `N` lines before the table")
		fs.Var(unitRowsValue{&o.UnitRows}, "unit-rows", "how many lines under the header hold units, types or a ruler (default: found out)")
		fs.Var(&columnsValue{target: &o.Null, words: "WORDS"}, "null", "more words for missing values, beside NA, NULL, none, - and the like, such as -999,missing")
		fs.Var(newEnum(&o.Decimal, "", ".", ","), "decimal", "decimal separator (default .)")
		fs.Var(newEnum(&o.Thousands, "", "none", ",", ".", "'", "_", "blank"), "thousands", "separator of groups of three digits (default none)")
		fs.Var(newEnum(&o.Ragged, "", "error", "pad"), "ragged",
			"a record that is too short is an error, or is filled up with missing values (default error)")
		fs.Var(newEnum(&o.Encoding, "", "auto", "utf-8", "utf-16", "utf-16le", "utf-16be", "latin1", "latin9", "windows-1252"), "encoding",
			"encoding `NAME` of the text: auto, utf-8, utf-16, utf-16le, utf-16be, latin1, latin9 or windows-1252 (default: UTF-8, or by its byte order mark)")
	})
}

// given reports whether something was asked for.
func (o *csvOptions) given() bool {
	return o.Comment != "" || o.Trailing != "" || o.Encoding != "" || o.Skip > 0 || o.UnitRows != "" || len(o.Null) > 0 || o.Decimal != "" || o.Thousands != "" || o.Ragged != ""
}

func (o *csvOptions) check(format string) error {
	switch {
	case !mayBeCSV(format) && o.given():
		return usagef("--comment, --trailing-comments, --skip, --unit-rows, --null, --decimal, --thousands, --ragged and --encoding are for CSV: leave them out with --format %s", format)
	case o.Trailing == "yes" && o.Comment == "none":
		return usagef("--trailing-comments yes needs to know what comments begin with: leave out --comment none")
	case o.Thousands != "" && o.Thousands == o.point():
		return usagef("%q cannot be both the --decimal and the --thousands separator", o.Thousands)
	}
	return nil
}

// point is the decimal separator.
func (o *csvOptions) point() string {
	if o.Decimal == "" {
		return "."
	}
	return o.Decimal
}

// apply adds the options to those of package table.
func (o *csvOptions) apply(to *table.ReadOptions) {
	to.Trailing = o.Trailing
	to.Comment, to.Encoding, to.Skip, to.UnitRows, to.Null, to.Ragged = o.Comment, o.Encoding, o.Skip, o.UnitRows, o.Null, o.Ragged
	to.Decimal = rune(o.point()[0])
	switch o.Thousands {
	case "", "none":
	case "blank":
		to.Thousands = ' '
	default:
		to.Thousands = rune(o.Thousands[0])
	}
}

// commentValue accepts what a comment can begin with.
type commentValue struct{ target *string }

func (v commentValue) String() string {
	if v.target == nil {
		return ""
	}
	return *v.target
}

func (v commentValue) Type() string { return "TEXT|auto|none" }

func (v commentValue) Set(text string) error {
	if text == "" || strings.ContainsAny(text, "\r\n\"\x00") {
		return errors.New("want what lines of comments begin with, such as '#', or auto or none")
	}
	*v.target = text
	return nil
}

// unitRowsValue accepts a small number, or auto.
type unitRowsValue struct{ target *string }

func (v unitRowsValue) String() string {
	if v.target == nil {
		return ""
	}
	return *v.target
}

func (v unitRowsValue) Type() string { return "auto|N" }

func (v unitRowsValue) Set(text string) error {
	if n, err := strconv.Atoi(text); text != "auto" && (err != nil || n < 0 || n > 20) {
		return errors.New("want auto, or how many lines: 0, 1, 2, ... 20")
	}
	*v.target = text
	return nil
}

// wanted returns which columns will be read as numbers, as far as their names
// tell. It is given to the reader of CSV, which need not look at others.
func (o *inputOptions) wanted(like *source) func(column string) bool {
	chosen := o.Columns
	if like != nil {
		chosen = like.columns
	}
	weight, _ := table.SplitCast(o.Weight)
	return func(column string) bool {
		switch {
		case column == o.Weight, column == weight:
			return true
		case len(chosen) == 0:
			return column != o.ID && column != o.Labels
		}
		return slices.ContainsFunc(chosen, func(want string) bool {
			bare, _ := table.SplitCast(want)
			return want == column || bare == column || isPattern(bare) && matchesPattern(bare, column) || isPlace(want)
		})
	}
}

// isPlace reports whether a column is chosen by its place, as #2.
func isPlace(name string) bool { return strings.HasPrefix(name, "#") }
