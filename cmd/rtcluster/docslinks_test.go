package main

import (
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// docsLink is a link or a picture of Markdown; its target is the second group.
func docsLink() *regexp.Regexp { return regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)`) }

// TestDocsLinks follows the links of the pages: to files and headings that exist, to DOIs
// that look like one, and from docs/README.md to every page.
func TestDocsLinks(t *testing.T) {
	pages := map[string]*docsPage{}
	linked := map[string][]string{}
	all := docsPages(t)
	for i := range all {
		pages[all[i].name] = &all[i]
	}
	for name, page := range pages {
		for _, match := range docsLink().FindAllStringSubmatch(page.prose(), -1) {
			if problem := checkLink(pages, name, match[2]); problem != "" {
				t.Errorf("%s: [%s](%s): %s", name, match[1], match[2], problem)
			}
			target, _, _ := strings.Cut(match[2], "#")
			linked[name] = append(linked[name], path.Join(path.Dir(name), target))
		}
	}
	reached := map[string]bool{}
	queue := []string{"docs/README.md"}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if pages[name] != nil && !reached[name] {
			reached[name] = true
			queue = append(queue, linked[name]...)
		}
	}
	for name := range pages {
		if !reached[name] {
			t.Errorf("no link leads from docs/README.md to %s", name)
		}
	}
}

func checkLink(pages map[string]*docsPage, from, target string) string {
	if at, err := url.Parse(target); err != nil || at.Scheme != "" {
		switch {
		case err != nil:
			return err.Error()
		case at.Scheme != "https":
			return "want https"
		case at.Host == "doi.org" && !regexp.MustCompile(`^/10\.\d{4,5}/\S+$`).MatchString(at.Path):
			return "no DOI"
		}
		return ""
	}
	file, heading, _ := strings.Cut(target, "#")
	name := from
	if file != "" {
		name = path.Join(path.Dir(from), file)
	}
	if _, err := os.Stat(repository + name); err != nil {
		return "there is no such file"
	}
	if heading == "" {
		return ""
	}
	page, isPage := pages[name]
	if !isPage {
		return "headings of this file are not checked, leave the part behind # out"
	}
	for _, line := range strings.Split(page.prose(), "\n") {
		if title := strings.TrimLeft(line, "#"); title != line && slug(title) == heading {
			return ""
		}
	}
	return "there is no such heading"
}

// slug is the name that a heading has in links, as GitHub and GitLab make it.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}
