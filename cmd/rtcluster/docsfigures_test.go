package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
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
		if page.name != "docs/memory-and-speed.md" {
			continue
		}
		for _, row := range tableRows(page.prose()) {
			candidates := measured[row[0]]
			if len(candidates) == 0 || !slices.ContainsFunc(row[1:], isFigure) {
				continue
			}
			shown++
			if !slices.ContainsFunc(candidates, func(have []string) bool { return containsAll(have, row) }) {
				t.Errorf("%s: no table of bench has a row with the cells %q", page.name, row)
			}
		}
	}
	if shown < 20 {
		t.Errorf("%d rows are compared, want 20 or more", shown)
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
