package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file holds the flag values (pflag.Value) that check what they are given,
// so that a mistake is found while the command line is read.

// enumValue accepts one of a few words.
type enumValue struct {
	target  *string
	allowed []string
}

func newEnum(target *string, byDefault string, allowed ...string) *enumValue {
	*target = byDefault
	return &enumValue{target, allowed}
}

func (v *enumValue) String() string {
	if v.target == nil { // pflag asks a zero value for the zero text
		return ""
	}
	return *v.target
}

func (v *enumValue) Type() string { return strings.Join(v.allowed, "|") }

func (v *enumValue) Set(text string) error {
	if !slices.Contains(v.allowed, text) {
		return fmt.Errorf("want one of %s%s", strings.Join(v.allowed, ", "), didYouMean(text, v.allowed))
	}
	*v.target = text
	return nil
}

// wholeValue accepts a whole number from least to 2³¹−1, the largest row count.
type wholeValue struct {
	target *int
	least  int
	set    bool
}

func newWhole(target *int, byDefault, least int) *wholeValue {
	*target = byDefault
	return &wholeValue{target: target, least: least}
}

func (v *wholeValue) String() string {
	if v.target == nil || !v.set && *v.target < v.least { // no default
		return ""
	}
	return strconv.Itoa(*v.target)
}

func (v *wholeValue) Type() string { return "N" }

func (v *wholeValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return fmt.Errorf("want a whole number of at most %d", math.MaxInt32)
	case err != nil || n < int64(v.least):
		return fmt.Errorf("want a whole number, %d or more", v.least)
	}
	*v.target, v.set = int(n), true
	return nil
}

// runeValue accepts one character that can part fields.
type runeValue struct{ target *rune }

func (v runeValue) String() string {
	if v.target == nil || *v.target == 0 {
		return ""
	}
	return string(*v.target)
}

func (v runeValue) Type() string { return "CHAR" }

func (v runeValue) Set(text string) error {
	if text == `\t` || text == "tab" {
		text = "\t"
	}
	if len(text) != 1 || text[0] >= utf8.RuneSelf || strings.ContainsAny(text, "\"\r\n\x00") {
		return errors.New(`want one ASCII character, such as ';' or '\t'; a blank stands for any number of blanks`)
	}
	*v.target = rune(text[0])
	return nil
}

// columnsValue accepts column names and patterns separated by commas; a name that
// holds a comma stands in double quotes. Given again, it adds.
type columnsValue struct {
	target *[]string
	given  *bool  // set when the flag was given; may be nil
	words  string // what help calls the value; "" is COLUMNS
	set    bool
}

func (v *columnsValue) String() string {
	if v.target == nil {
		return ""
	}
	return strings.Join(*v.target, ",")
}

func (v *columnsValue) Type() string {
	if v.words != "" {
		return v.words
	}
	return "COLUMNS"
}

func (v *columnsValue) Set(text string) error {
	if !v.set {
		*v.target, v.set = nil, true
	}
	if v.given != nil {
		*v.given = true
	}
	if text == "" {
		return nil
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	names, err := reader.Read()
	if err != nil {
		return errors.New(`want names separated by commas, one that holds a comma as "a,b"`)
	}
	*v.target = append(*v.target, names...)
	return nil
}

// numbersValue accepts finite numbers separated by commas.
type numbersValue struct{ target *[]float64 }

func (v *numbersValue) String() string {
	if v.target == nil {
		return ""
	}
	texts := make([]string, len(*v.target))
	for i, x := range *v.target {
		texts[i] = exact(x)
	}
	return strings.Join(texts, ",")
}

func (v *numbersValue) Type() string { return "NUMBERS" }

func (v *numbersValue) Set(text string) error {
	*v.target = nil
	for _, field := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || notFinite(x) || strings.ContainsAny(field, "xX_") { // Go's own spellings
			return fmt.Errorf("want finite numbers separated by commas, %q is none", field)
		}
		*v.target = append(*v.target, x)
	}
	return nil
}

// onceValue accepts a text, but no second one, for which the first would be lost
// without a word; several says how to have both.
type onceValue struct {
	target  *string
	several string
}

func (v *onceValue) String() string {
	if v.target == nil {
		return ""
	}
	return *v.target
}

func (v *onceValue) Type() string { return "string" }

func (v *onceValue) Set(text string) error {
	if *v.target != "" {
		return fmt.Errorf("it is given twice, first as %q: %s", *v.target, v.several)
	}
	*v.target = text
	return nil
}
