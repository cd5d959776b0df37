package manual

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// requests are what the library writes: of roff, and of its macros for man pages.
func requests() []string {
	return []string{".nh", ".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".RS", ".RE", ".EX", ".EE", ".nf", ".fi", ".br", ".sp"}
}

// Lint returns an error for what makes a page no man page: another title than one at
// the top, sections that are missing or not in order, requests that are none, and
// blocks and fonts that are not closed. A text that the library takes for its markup
// ends so.
func Lint(page string) error {
	count := map[string]int{}
	var sections []string
	for i, line := range strings.Split(page, "\n") {
		request, rest, _ := strings.Cut(line, " ")
		if err := lintLine(line, request); err != nil {
			return fmt.Errorf("line %d: %w: %s", i+1, err, line)
		}
		count[request]++
		switch {
		case request == ".TH" && i > 1:
			return fmt.Errorf("line %d: the title is not at the top", i+1)
		case request == ".SH":
			sections = append(sections, rest)
		case count[".RE"] > count[".RS"] || count[".EE"] > count[".EX"] || count[".fi"] > count[".nf"]:
			return fmt.Errorf("line %d: a block is closed that is not open", i+1)
		}
	}
	switch {
	case count[".TH"] != 1:
		return errors.New("there is no title")
	case count[".RE"] != count[".RS"] || count[".EE"] != count[".EX"] || count[".fi"] != count[".nf"]:
		return errors.New("a block is not closed")
	case len(sections) < 3 || !slices.Equal(sections[:3], []string{"NAME", "SYNOPSIS", "DESCRIPTION"}):
		return fmt.Errorf("the sections are %s", strings.Join(sections, ", "))
	}
	return nil
}

// lintLine returns an error for a line that is wrong by itself.
func lintLine(line, request string) error {
	opened := strings.Count(line, `\fB`) + strings.Count(line, `\fI`)
	closed := strings.Count(line, `\fP`) + strings.Count(line, `\fR`)
	switch {
	case strings.HasPrefix(line, "'"):
		return errors.New("roff takes it for a request")
	case strings.HasPrefix(line, ".") && !slices.Contains(requests(), request):
		return errors.New("an unknown request")
	case opened > closed:
		return errors.New("a font is not closed")
	}
	return nil
}
