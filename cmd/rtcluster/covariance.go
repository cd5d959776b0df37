package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// This file reads --cov: a square of numbers in CSV, as numpy.savetxt writes it
// with commas, or pandas with names in the first line, and then also in the
// first column if the line of names begins with an empty one.

// readCovariance returns the covariance of the columns in a file, row-major in
// their order.
func readCovariance(path string, columns []string) ([]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		var inPath *fs.PathError
		if errors.As(err, &inPath) {
			err = inPath.Err
		}
		return nil, inputError{fmt.Errorf("--cov: cannot read %s: %w", path, err)}
	}
	covariance, err := parseCovariance(text, columns)
	if err != nil {
		return nil, inputf(path, "%w", err)
	}
	return covariance, nil
}

func parseCovariance(text []byte, columns []string) ([]float64, error) {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	reader.TrimLeadingSpace, reader.FieldsPerRecord, reader.Comment = true, -1, '#'
	records, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("no CSV: %w", err)
	}
	records, order, err := namedOrder(records, columns)
	if err != nil {
		return nil, err
	}
	dim := len(columns)
	if len(records) != dim {
		return nil, fmt.Errorf("%s, want %d, one for each of %s", plural(len(records), "line of numbers", "lines of numbers"), dim, listed(columns))
	}
	covariance := make([]float64, dim*dim)
	for i, record := range records {
		if len(record) != dim {
			return nil, fmt.Errorf("%s in line %d of the matrix, want %d, one for each of %s", plural(len(record), "number", "numbers"), i+1, dim, listed(columns))
		}
		for j, field := range record {
			v, ok := parseNumber(field)
			if !ok {
				return nil, fmt.Errorf("line %d, place %d of the matrix is %q, want a finite number", i+1, j+1, field)
			}
			covariance[order[i]*dim+order[j]] = v
		}
	}
	return covariance, checkSymmetric(covariance, columns)
}

// namedOrder takes the names away, if there are any, and returns for each line
// the place of its column among the columns.
func namedOrder(records [][]string, columns []string) (rest [][]string, order []int, err error) {
	order = make([]int, len(columns))
	for k := range order {
		order[k] = k
	}
	if len(records) == 0 || !slices.ContainsFunc(records[0], func(field string) bool { _, ok := parseNumber(field); return !ok }) {
		return records, order, nil
	}
	names, rest := records[0], records[1:]
	if names[0] == "" {
		names = names[1:]
		for i, record := range rest {
			if i >= len(names) || record[0] != names[i] {
				return nil, nil, fmt.Errorf("line %d begins with %q: the lines are to be named as the columns are, in their order", i+2, record[0])
			}
			rest[i] = record[1:]
		}
	}
	if len(names) != len(columns) {
		return nil, nil, fmt.Errorf("the names are %s, want those of the coordinates, %s", listed(names), listed(columns))
	}
	for i, name := range names {
		if order[i] = slices.Index(columns, name); order[i] < 0 || slices.Contains(names[:i], name) {
			return nil, nil, fmt.Errorf("the names are %s, want those of the coordinates, %s", listed(names), listed(columns))
		}
	}
	return rest, order, nil
}

func parseNumber(field string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
	return v, err == nil && !notFinite(v)
}

// checkSymmetric allows the last digits to differ.
func checkSymmetric(covariance []float64, columns []string) error {
	dim := len(columns)
	for i := range dim {
		for j := range i {
			a, b := covariance[i*dim+j], covariance[j*dim+i]
			if math.Abs(a-b) > 1e-9*max(math.Abs(a), math.Abs(b)) {
				return fmt.Errorf("the covariance of %s and %s is once %s and once %s: want a symmetric matrix", columns[i], columns[j], exact(a), exact(b))
			}
		}
	}
	return nil
}
