package page

import (
	"bytes"
	_ "embed" // for the parts of the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
)

// Page is what a page shows.
type Page struct {
	Title    string
	Command  string // to run it again, as a shell takes it
	Report   []byte // the run report, a JSON object
	Pictures []Picture
	Tables   []Table // beside those of the report
}

// Picture is a drawing with what it shows, in words for those who do not see it.
type Picture struct {
	SVG          []byte
	Caption, Alt string
}

// Table is a table that can be sorted by each column.
type Table struct {
	Caption string
	Header  []string
	Rows    [][]Cell
	Instead string // the key of what it stands in the place of in the report; "" for nothing
}

// Cell is a value of a table. One with a Value is a number, by which it is sorted.
type Cell struct {
	Text  string
	Value string
}

// Number is the cell of a whole number.
func Number(n int64) Cell { return numberCell(strconv.FormatInt(n, 10)) }

// The parts of the page.
var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// section is a part of the page.
type section struct {
	Heading string
	told
}

// Render returns the page as HTML. An error says what is wrong with the report.
func (p *Page) Render() ([]byte, error) {
	report, err := parse(p.Report)
	if err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if err := json.Indent(&raw, p.Report, "", "  "); err != nil {
		return nil, fmt.Errorf("page: the report: %w", err)
	}
	functions := template.FuncMap{"picture": func(svg []byte) template.URL {
		// The picture is ours, and an image runs no script.
		return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)) //nolint:gosec // base64 needs no escape.
	}}
	t, err := template.New("page").Funcs(functions).Parse(layout)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	warnings, _ := report.get("warnings").([]any)
	var html bytes.Buffer
	err = t.Execute(&html, map[string]any{
		"Page": p, "Style": template.CSS(style), "Script": template.JS(script), //nolint:gosec // they are constants.
		"Warnings": warnings, "Results": p.results(report), "Sections": sections(report), "Raw": raw.String(),
	})
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return html.Bytes(), nil
}

// results are what came out: the counts, and the tables that the page was given.
func (p *Page) results(report object) told {
	counts, _ := report.get("counts").(object)
	skip := []string{"core_crc32c", "core_mean"} // which tell people nothing
	for _, t := range p.Tables {
		skip = append(skip, t.Instead)
	}
	var all told
	all.tell(counts, "", skip...)
	all.Tables = append(append([]Table{}, p.Tables...), all.Tables...)
	return all
}

// sections are the other parts of a report.
func sections(report object) []section {
	var inputs, parameters, run, times section
	inputs.Heading, parameters.Heading, run.Heading, times.Heading = "Input", "Parameters", "Run", "Time"
	for _, m := range report {
		switch m.key {
		case "schema_version", "args", "columns", "parameters_crc32c", "counts", "warnings", "effort":
		case "inputs", "reference":
			inputs.tell(object{m}, "")
		case "parameters":
			o, _ := m.value.(object)
			parameters.tell(o, "", "command")
		case "seconds":
			o, _ := m.value.(object)
			times.Tables = append(times.Tables, stages(o))
		default:
			run.tell(object{m}, "")
		}
	}
	return []section{inputs, parameters, run, times}
}

// stages is the table of stages with their seconds.
func stages(seconds object) Table {
	t := Table{Caption: "seconds by stage", Header: []string{"stage", "seconds"}}
	for _, m := range seconds {
		t.Rows = append(t.Rows, []Cell{{Text: m.key}, cellOf(m.value)})
	}
	return t
}

// Long reports whether a cell is a text that takes some width to be read.
func (c Cell) Long() bool { return c.Value == "" && len(c.Text) > 40 }

// Numeric tells of each column whether its first value is a number.
func (t Table) Numeric() []bool {
	all := make([]bool, len(t.Header))
	for i := range all {
		all[i] = len(t.Rows) > 0 && t.Rows[0][i].Value != ""
	}
	return all
}
