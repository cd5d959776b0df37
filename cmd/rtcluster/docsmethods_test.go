package main

import (
	"slices"
	"strings"
	"testing"
)

// TestDocsMethods wants a page for each outlier method, with what such a page owes: an
// example that runs it, its rule for equal rows, and its paper; and a word on each command.
func TestDocsMethods(t *testing.T) {
	pages := map[string]docsPage{}
	all := ""
	for _, page := range docsPages(t) {
		pages[page.name] = page
		all += page.text
	}
	for _, method := range methodNames(anyMethod) {
		page, found := pages["docs/outliers/"+method+".md"]
		if !found {
			t.Errorf("method %s has no page", method)
			continue
		}
		if !slices.ContainsFunc(page.blocks, func(b docsBlock) bool { return b.runs("--method " + method) }) {
			t.Errorf("%s runs no --method %s", page.name, method)
		}
		for _, want := range []string{"**Equal rows", "**New rows", "**Paper", "https://doi.org/10."} {
			if !strings.Contains(page.text, want) {
				t.Errorf("%s says nothing of %q", page.name, want)
			}
		}
	}
	for _, cmd := range newTestApp().newRootCmd().Commands() {
		if name := cmd.Name(); cmd.IsAvailableCommand() && !strings.Contains(all, "rtcluster "+name) {
			t.Errorf("no page names the command %s", name)
		}
	}
}

// runs reports whether a block runs a command with these words.
func (b *docsBlock) runs(words string) bool {
	text := " " + strings.Join(strings.Fields(b.text), " ") + " "
	return b.lang == "sh" && !slices.Contains(b.notes, "norun") && strings.Contains(text, " "+words+" ")
}
