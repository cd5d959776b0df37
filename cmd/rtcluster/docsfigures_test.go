package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/cmd/rtcluster/internal/topics"
)

// TestDocsFigures compares the measured figures that pages show with bench/*.md: each row of
// a table that begins like a row there must have its cells from one such row. Who measures
// anew brings the pages up to date.
func TestDocsFigures(t *testing.T) {
	measured := map[string][][]string{}
	names, err := filepath.Glob(repository + "bench/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range tableRows(string(text)) {
			measured[row[0]] = append(measured[row[0]], row)
		}
	}
	shown := 0
	for _, page := range docsPages(t) {
		wrong, compared := figureProblems(measured, tableRows(page.prose()))
		for _, row := range wrong {
			t.Errorf("%s: no table of bench has a row with the cells %q", page.name, row)
		}
		shown += compared
	}
	if shown < 20 {
		t.Errorf("%d rows are compared, want 20 or more", shown)
	}
}

// figureProblems returns the rows whose cells no measured row has all of, and how many
// were compared: those with a figure that begin as a measured row does.
func figureProblems(measured map[string][][]string, rows [][]string) (wrong [][]string, compared int) {
	for _, row := range rows {
		candidates := measured[row[0]]
		if len(candidates) == 0 || !slices.ContainsFunc(row[1:], isFigure) {
			continue
		}
		compared++
		if !slices.ContainsFunc(candidates, func(have []string) bool { return containsAll(have, row) }) {
			wrong = append(wrong, row)
		}
	}
	return wrong, compared
}

// TestFigureProblems sees that figures that differ are found.
func TestFigureProblems(t *testing.T) {
	measured := map[string][][]string{"A2": {{"A2", "15", "**68**", "163"}, {"A2", "0.1", "5.80"}}}
	tests := []struct {
		name            string
		row             []string
		wrong, compared int
	}{
		{"equal", []string{"A2", "15", "163"}, 0, 1},
		{"of the other table", []string{"A2", "0.1"}, 0, 1},
		{"other figure", []string{"A2", "15", "164"}, 1, 1},
		{"of two tables", []string{"A2", "15", "5.80"}, 1, 1},
		{"no figure", []string{"A2", "a set"}, 0, 0},
		{"not measured", []string{"A3", "15"}, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wrong, compared := figureProblems(measured, [][]string{test.row})
			if len(wrong) != test.wrong || compared != test.compared {
				t.Errorf("got %q of %d compared, want %d of %d", wrong, compared, test.wrong, test.compared)
			}
		})
	}
}

// TestDocsMemory compares what pages say that dbscan takes for a row with the estimate
// by which --memory-limit goes.
func TestDocsMemory(t *testing.T) {
	const own = 9 // of package dbscan: label, count, core or not
	atWork, forEach := clusterBytes(1, 0)-own, clusterBytes(1, 1)-clusterBytes(1, 0)
	plain, counts := (&dbscanOptions{}).levelBytes(), (&dbscanOptions{Counts: true}).levelBytes()
	text := ""
	for _, page := range docsPages(t) {
		text += page.text
	}
	for _, topic := range topics.All() {
		text += strings.Join(strings.Fields(topic.Text), " ")
	}
	for _, want := range []string{
		fmt.Sprintf("| up to %v, and %v for each coordinate |", atWork, forEach),
		fmt.Sprintf("| %v for each further one, %v with `--counts` |", plain, counts),
		fmt.Sprintf("dbscan %v bytes a row, and at work up to %v, and %v for each coordinate; for each further eps %v, %v with --counts",
			own, atWork, forEach, plain, counts),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no page says %q", want)
		}
	}
}

// tableRows returns the cells of the rows of Markdown's tables that have a first cell, the
// lines of dashes left out.
func tableRows(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] != "" {
			rows = append(rows, cells)
		}
	}
	return rows
}

// isFigure reports whether a cell is a number, be it printed bold.
func isFigure(cell string) bool {
	_, err := strconv.ParseFloat(strings.Trim(cell, "*"), 64)
	return err == nil
}

func containsAll(have, want []string) bool {
	for _, cell := range want {
		if !slices.Contains(have, cell) {
			return false
		}
	}
	return true
}
