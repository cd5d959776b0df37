package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rtcluster/io/table"
	"rtcluster/join"
)

// source is an input table and what takes part of it in the computation.
type source struct {
	path    string
	table   *table.Table
	columns []string     // the coordinates, in order
	found   string       // how a position on the sky was found among the columns; "" if it was named
	first   int64        // table row from which rows are counted: not 0 for a piece
	rows    []int32      // row of each row used, from first on; nil: all are used
	bad     []table.Bad  // the columns for which the others are not
	data    []float64    // coordinates of the rows used, row-major
	sample  [][]float64  // by column, some of their values as they were read
	weights []float64    // of the rows used; nil: 1 each
	points  *join.Points // what the engine gets, by transform
}

// openSource opens a table and chooses its columns; like is nil, or the table
// whose columns are to be found here too.
func openSource(ctx context.Context, j *job, names []string, opt *inputOptions, like *source) (*source, error) {
	read := *opt
	read.load = opt.wanted(like)
	t, err := openInputs(ctx, j, names, &read)
	if err != nil {
		return nil, err
	}
	s := &source{path: tableName(names, t), table: t}
	if err := s.choose(j, opt, like); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if err := j.checkNotInput(t); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	j.addInput(s.path, t)
	return s, nil
}

func (s *source) close() error { return s.table.Close() }

// choose settles the columns, and says so where nobody chose them.
func (s *source) choose(j *job, opt *inputOptions, like *source) error {
	cols := s.table.Columns()
	var leaveOut []string
	if opt.Labels != "" {
		leaveOut = append(leaveOut, opt.Labels)
	}
	for _, name := range []string{opt.ID, opt.Weight} {
		if name == "" {
			continue
		}
		all := columnNames(cols)
		bare := bareName(all, name)
		if !slices.Contains(all, bare) && like == nil {
			return unknownColumn(s.path, name, all)
		}
		leaveOut = append(leaveOut, bare)
	}
	var err error
	switch {
	case like != nil:
		s.columns, err = selectColumns(s.path, cols, like.columns, nil)
	case len(opt.Columns) > 0:
		s.columns, err = selectColumns(s.path, cols, opt.Columns, leaveOut)
	default:
		if opt.sky {
			err = s.position(j, cols, leaveOut)
		}
		if err == nil && s.columns == nil {
			err = s.chooseNumeric(j, cols, leaveOut)
		}
	}
	if err == nil && opt.sky {
		err = checkDegrees(s.path, cols, s.columns)
	}
	if err == nil && s.table.Rows() > join.MaxRows {
		err = inputf(s.path, "%s rows, at most %s are supported", grouped(s.table.Rows()), grouped(join.MaxRows))
	}
	return err
}

// chooseNumeric takes all numeric columns but identifiers and labels, and says so.
func (s *source) chooseNumeric(j *job, cols []table.Column, leaveOut []string) error {
	names, labelled, err := defaultColumns(s.path, cols, leaveOut)
	if err != nil {
		return err
	}
	s.columns = names
	but := ""
	if len(labelled) > 0 {
		but = " but " + labelsText(labelled)
	}
	j.log.Info("coordinates are all numeric columns"+but+": "+listed(names)+" (choose with --columns)", "columns", names)
	for _, why := range columnFaults(cols, leaveOut) {
		j.log.Warn("left out " + why)
	}
	return nil
}

// needCoordinates refuses more coordinates than there is memory for.
func needCoordinates(path string, rows int64, columns int) error {
	const indexed = 2.5 // with the index over them
	return needMemory(shown(path)+": its coordinates", indexed, 8, float64(rows), float64(columns))
}

// load reads the coordinates and weights, and settles which rows are used.
func (s *source) load(ctx context.Context, opt *inputOptions) error {
	if err := needCoordinates(s.path, s.table.Rows(), len(s.columns)); err != nil {
		return err
	}
	read, weightAt := s.read(opt), -1
	if opt.Weight != "" {
		weightAt = slices.Index(read, opt.Weight)
	}
	values, err := s.table.Floats(ctx, read)
	if err != nil && opt.sky {
		err = s.sexagesimal(err)
	}
	if err != nil {
		return readError(s.path, err)
	}
	if bad := badColumns(values.Bad); len(bad) > 0 {
		if opt.NaN == "error" {
			return s.badData(bad)
		}
		s.rows, s.bad = finiteRows(values), bad
	}
	s.split(values, len(s.columns), weightAt)
	return nil
}

// read returns the columns to read: the coordinates, and the weight if it is none
// of them.
func (s *source) read(opt *inputOptions) []string {
	if opt.Weight == "" || slices.Contains(s.columns, opt.Weight) {
		return s.columns
	}
	return append(slices.Clone(s.columns), opt.Weight)
}

// finiteRows returns the rows that hold finite numbers only.
func finiteRows(values *table.Floats) []int32 {
	rows := make([]int32, 0, values.Rows)
	for i := range values.Rows {
		row := values.Data[i*values.Cols : (i+1)*values.Cols]
		if !slices.ContainsFunc(row, notFinite) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// split parts the weights from the coordinates and drops the rows that are not
// used, in place: rows only ever move down. With nothing to do it does nothing.
func (s *source) split(values *table.Floats, dim, weightAt int) {
	if s.rows == nil && weightAt < 0 {
		s.data = values.Data
		return
	}
	n := s.used(values.Rows)
	if weightAt >= 0 {
		s.weights = make([]float64, n)
	}
	for i := range n {
		from := i * values.Cols
		if s.rows != nil {
			from = int(s.rows[i]) * values.Cols
		}
		if weightAt >= 0 {
			s.weights[i] = values.Data[from+weightAt]
		}
		copy(values.Data[i*dim:(i+1)*dim], values.Data[from:from+dim])
	}
	s.data = values.Data[: n*dim : n*dim]
}

// used returns how many rows are used of total.
func (s *source) used(total int) int {
	if s.rows == nil {
		return total
	}
	return len(s.rows)
}

// tableRow returns the row of the table that is row i of those used.
func (s *source) tableRow(i int) int64 {
	if s.rows == nil {
		return s.first + int64(i)
	}
	return s.first + int64(s.rows[i])
}

func badColumns(columns []table.Bad) []table.Bad {
	return slices.DeleteFunc(slices.Clone(columns), func(b table.Bad) bool { return b.Nulls+b.NaNs+b.Infs == 0 })
}

// badText counts the values of a column that are no finite numbers, by kind.
func badText(b table.Bad) string {
	var what []string
	for _, kind := range []struct {
		count int64
		name  string
	}{{b.Nulls, "missing"}, {b.NaNs, "NaN"}, {b.Infs, "infinite"}} {
		if kind.count > 0 {
			what = append(what, grouped(kind.count)+" "+kind.name)
		}
	}
	return strings.Join(what, ", ")
}

// badData says what is missing or not finite, a line for each column.
func (s *source) badData(columns []table.Bad) error {
	var lines []string
	for _, b := range columns {
		where := s.place(b.FirstRow)
		if b.FirstLine > 0 {
			where += fmt.Sprintf(", line %d", b.FirstLine)
		}
		lines = append(lines, fmt.Sprintf("%s: column %s has %s of %s values, first in %s",
			shown(s.path), b.Column, badText(b), grouped(s.table.Rows()), where))
	}
	return inputError{errors.New(strings.Join(lines, "\n") + "; --nan drop leaves such rows out")}
}
