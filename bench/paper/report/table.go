package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// table is a result as it was written for programs.
type table struct {
	header map[string]string
	lines  [][]string // the first has the names of the columns
}

func readTable(path string) (*table, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &table{header: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			if key, value, ok := strings.Cut(strings.TrimSpace(comment), ": "); ok {
				t.header[key] = value
			}
		}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	if t.lines, err = r.ReadAll(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(t.lines) < 2 || t.header["host"] == "" {
		return nil, fmt.Errorf("%s: there is no row, or no host", path)
	}
	return t, nil
}

// machine says in a line where and of what a result is.
func (t *table) machine() string {
	text := t.header["host"]
	if card := t.header["card"]; card != "none" {
		text += "; card " + card
	}
	return fmt.Sprintf("%s; %s; %s; eps %s; %s", text, t.header["program"], t.header["sets"], t.header["eps"], t.header["runs"])
}

// summary says which values of a table are put together: those of a column, by the texts
// of others.
type summary struct {
	by    []string
	value string
	kind  string // what the numbers are: ratios, whose mean is geometric, or percents
	// called says what a text of a column is called, nil for as it is.
	called func(column, text string) string
}

const (
	ratios   = "ratios"
	percents = "percents"
)

// values are those of one line of a summary.
type values struct {
	name  string
	list  []float64
	bound bool // some are bounds
}

// summary writes mean, least and greatest of values, a line for each text.
func (t *table) summary(s summary) (string, error) {
	columns := t.lines[0]
	at := slices.Index(columns, s.value)
	var by []int
	for _, name := range s.by {
		by = append(by, slices.Index(columns, name))
	}
	if at < 0 || slices.Contains(by, -1) {
		return "", fmt.Errorf("it has not the columns %s and %s", strings.Join(s.by, ", "), s.value)
	}
	var all []*values
	for _, line := range t.lines[1:] {
		var names []string
		for _, k := range by {
			text := line[k]
			if s.called != nil {
				text = s.called(columns[k], text)
			}
			names = append(names, text)
		}
		name := strings.Join(names, ", ")
		if name == "" || line[at] == "" {
			continue
		}
		i := slices.IndexFunc(all, func(v *values) bool { return v.name == name })
		if i < 0 {
			i = len(all)
			all = append(all, &values{name: name})
		}
		x, err := strconv.ParseFloat(strings.TrimLeft(line[at], "<>"), 64)
		if err != nil {
			return "", err
		}
		all[i].list = append(all[i].list, x)
		all[i].bound = all[i].bound || strings.ContainsAny(line[at], "<>")
	}
	if len(all) == 0 {
		return "", errors.New("it has nothing to be put together")
	}
	var text strings.Builder
	fmt.Fprintf(&text, "| %s | %s: mean | least | greatest |\n|---|---|---|---|\n", strings.Join(s.by, ", "), s.value)
	for _, v := range all {
		mean := stat.Mean(v.list, nil)
		if s.kind == ratios {
			mean = stat.GeometricMean(v.list, nil)
		}
		sign := ""
		if v.bound {
			sign = " (with bounds)"
		}
		fmt.Fprintf(&text, "| %s | %s%s | %s | %s |\n", v.name, digits(mean), sign, digits(slices.Min(v.list)), digits(slices.Max(v.list)))
	}
	return text.String(), nil
}

// digits writes a number to three digits.
func digits(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
