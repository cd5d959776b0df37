package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// describeOptions are what the command line of `rtcluster describe` says.
type describeOptions struct {
	Paths []string
	JSON  bool
	Input inputOptions
	Run   runOptions
}

func newDescribeCmd(a *app, run func(context.Context, *app, *describeOptions) error) *cobra.Command {
	opt := &describeOptions{}
	cmd := &cobra.Command{
		Use:   "describe INPUT... [--json]",
		Short: "Show the columns of a table, and which would be coordinates",
		Long: `Show what a table holds, column by column: its type, how many values are missing
(null), NaN or infinite, how many differ (~: an estimate, within 2 % or so), the least and
the greatest, mean and standard deviation (of all values, as --scale standard takes it)
of numbers; and unit and UCD where the file names some. Coordinates have a number in the
last column: their order by spread, widest first, in which the index looks at them; it
turns more than three to principal axes.

` + inputsHelp,
		Example: `  rtcluster describe stars.csv
  rtcluster describe 'night*/*.parquet' -c x,y,z --json`,
		Args: inputArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Paths = args
			for _, err := range []error{opt.Input.check(), opt.Run.check(cmd)} {
				if err != nil {
					return err
				}
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&opt.JSON, "json", false, "write one JSON object, with rows and columns, instead of text")
	})
	addFlags(cmd, "Input", func(fs *pflag.FlagSet) {
		opt.Input.defineColumns(fs, "--id")
	})
	opt.Input.defineFormat(cmd)
	opt.Run.defineGeneral(cmd, false)
	opt.Input.completeColumns(cmd)
	return cmd
}

// description is what describe tells of a table.
type description struct {
	Inputs      []reportInput   `json:"inputs"`
	Rows        int64           `json:"rows"`
	Columns     []describedItem `json:"columns"`
	Coordinates []string        `json:"coordinates"` // those that would be used, in order
	IndexOrder  []string        `json:"index_order"` // the same by variance, greatest first
	Made        *madeBy         `json:"made_by,omitempty"`

	labelled []string // numeric columns that are no coordinates by their names
}

// describedItem is what describe tells of a column. Min and max are numbers of
// columns of numbers, else text; what does not exist is null.
type describedItem struct {
	Name          string     `json:"name"`
	Type          string     `json:"type"`
	Values        int64      `json:"values"`
	Nulls         int64      `json:"nulls"`
	NaNs          int64      `json:"nans"`
	Infs          int64      `json:"infs"`
	Min           any        `json:"min"`
	Max           any        `json:"max"`
	Mean          *jsonFloat `json:"mean"`
	SD            *jsonFloat `json:"sd"`
	Distinct      int64      `json:"distinct"`
	DistinctExact bool       `json:"distinct_exact"`
	Unit          *string    `json:"unit"`
	UCD           *string    `json:"ucd"`
	Description   *string    `json:"description"`
	Coordinate    bool       `json:"coordinate"`
	Index         *int       `json:"index"` // place in the order of the index, from 1; null unless a coordinate
}

func runDescribe(ctx context.Context, a *app, opt *describeOptions) (err error) {
	a.log = newLogger(a.err, opt.Run.LogFormat, opt.Run.level())
	j := &job{app: a, runOpt: &opt.Run, outOpt: &outputOptions{}}
	t, err := openInputs(ctx, j, opt.Paths, &opt.Input)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	name := tableName(opt.Paths, t)
	coordinates, labelled, err := describedCoordinates(name, t.Columns(), &opt.Input)
	if err != nil {
		return err
	}
	if len(opt.Input.Columns) == 0 {
		for _, why := range columnFaults(t.Columns(), []string{opt.Input.ID}) {
			a.log.Warn("no coordinate by itself is " + why)
		}
	}
	columns, err := t.Describe(ctx)
	if err != nil {
		return readError(name, err)
	}
	j.addInput(name, t)
	d := describe(columns, coordinates)
	d.Inputs, d.Rows, d.Made, d.labelled = j.report.Inputs, t.Rows(), readMade(t), labelled
	if opt.JSON {
		err = writeJSON(a.out, d)
	} else {
		_, err = io.WriteString(a.out, d.text(j.lines[0].text))
	}
	return writeError("-", err)
}

// describedCoordinates are the columns that the other commands would use, none
// being no error here, and those that they would leave out by their names.
func describedCoordinates(name string, cols []table.Column, opt *inputOptions) (coordinates, labelled []string, err error) {
	if opt.ID != "" && !slices.Contains(columnNames(cols), opt.ID) {
		return nil, nil, unknownColumn(name, opt.ID, columnNames(cols))
	}
	if len(opt.Columns) > 0 {
		coordinates, err = selectColumns(name, cols, opt.Columns, []string{opt.ID})
		return coordinates, nil, err
	}
	if coordinates, labelled, err = defaultColumns(name, cols, []string{opt.ID}); err != nil {
		return []string{}, nil, nil // which the table shows
	}
	return coordinates, labelled, nil
}

// describe puts together what is told of a table, but for its name and rows.
func describe(columns []table.Summary, coordinates []string) *description {
	d := &description{Coordinates: coordinates, IndexOrder: slices.Clone(coordinates), Columns: []describedItem{}}
	spread := map[string]float64{}
	for _, c := range columns {
		spread[c.Name] = c.SD
		if math.IsNaN(c.SD) { // there are no numbers
			spread[c.Name] = -1
		}
	}
	bare := func(coordinate string) string { // as bareName, of very many columns as well
		if _, ok := spread[coordinate]; !ok {
			coordinate, _ = table.SplitCast(coordinate)
		}
		return coordinate
	}
	slices.SortStableFunc(d.IndexOrder, func(a, b string) int { return -cmp.Compare(spread[bare(a)], spread[bare(b)]) })
	place := map[string]int{} // in that order, from 1
	for i, name := range d.IndexOrder {
		if column := bare(name); place[column] == 0 {
			place[column] = i + 1
		}
	}
	for _, c := range columns {
		item := describedItem{
			Name: c.Name, Type: c.Type, Values: c.Values, Nulls: c.Nulls, NaNs: c.NaNs, Infs: c.Infs,
			Distinct: c.Distinct, DistinctExact: c.Exact, Unit: said(c.Unit), UCD: said(c.UCD), Description: said(c.Description),
		}
		if c.Numbers && c.Min != "" {
			mean, sd := jsonFloat(c.Mean), jsonFloat(c.SD)
			item.Min, item.Max, item.Mean, item.SD = json.Number(c.Min), json.Number(c.Max), &mean, &sd
		} else if !c.Numbers && c.Max != "" {
			item.Min, item.Max = c.Min, c.Max
		}
		if i := place[c.Name]; i > 0 {
			item.Coordinate, item.Index = true, &i
		}
		d.Columns = append(d.Columns, item)
	}
	return d
}

// text is the description for people: a line for each column, numbers to the
// right.
func (d *description) text(title string) string {
	lines := [][]string{{"column", "type", "nulls", "NaN", "inf", "distinct", "min", "max", "mean", "sd", "index"}}
	for i := range d.Columns {
		lines = append(lines, d.Columns[i].cells())
	}
	left := 2
	for _, said := range []struct {
		head string
		of   func(*describedItem) *string
	}{
		{"unit", func(c *describedItem) *string { return c.Unit }},
		{"UCD", func(c *describedItem) *string { return c.UCD }},
	} {
		if d.insertSaid(lines, left, said.head, said.of) {
			left++
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s\n\n", title, plural(len(d.Columns), "column", "columns"))
	writeCells(&text, lines, left)
	if len(d.Coordinates) == 0 {
		text.WriteString("\ncoordinates: none, since no column holds numbers only\n")
	} else {
		fmt.Fprintf(&text, "\ncoordinates: %s; by spread: %s\n", listed(d.Coordinates), listed(d.IndexOrder))
	}
	if len(d.labelled) > 0 {
		text.WriteString("left out: " + labelsText(d.labelled) + "\n")
	}
	if d.Made != nil {
		text.WriteString(d.Made.text())
	}
	return text.String()
}

// insertSaid inserts into the lines what the file says of the columns, if it says it of
// any.
func (d *description) insertSaid(lines [][]string, at int, head string, of func(*describedItem) *string) bool {
	if !slices.ContainsFunc(d.Columns, func(c describedItem) bool { return of(&c) != nil }) {
		return false
	}
	lines[0] = slices.Insert(lines[0], at, head)
	for i := range d.Columns {
		text := ""
		if s := of(&d.Columns[i]); s != nil {
			text = printable(*s)
		}
		lines[i+1] = slices.Insert(lines[i+1], at, text)
	}
	return true
}

// said is a text for JSON: null if there is none.
func said(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// cells are what a line of the text shows of a column.
func (c *describedItem) cells() []string {
	cells := []string{printable(c.Name), c.Type, grouped(c.Nulls), grouped(c.NaNs), grouped(c.Infs), grouped(c.Distinct)}
	if !c.DistinctExact {
		cells[5] = "~" + cells[5]
	}
	for _, end := range []any{c.Min, c.Max} {
		switch end := end.(type) {
		case json.Number:
			cells = append(cells, end.String())
		case string:
			cells = append(cells, printable(end))
		default:
			cells = append(cells, "")
		}
	}
	for _, x := range []*jsonFloat{c.Mean, c.SD} {
		if x == nil {
			cells = append(cells, "")
		} else {
			cells = append(cells, fmt.Sprintf("%.6g", float64(*x)))
		}
	}
	index := ""
	if c.Index != nil {
		index = fmt.Sprint(*c.Index)
	}
	return append(cells, index)
}
