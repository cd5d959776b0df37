package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// checkPictures compares the pictures that a page shows with those of the same name that its
// commands have drawn: by what is written in them, since the last digits of places are those of
// the processor.
func checkPictures(t *testing.T, shell *docsShell, page *docsPage) {
	t.Helper()
	for _, match := range docsLink().FindAllStringSubmatch(page.prose(), -1) {
		if path.Ext(match[2]) != ".svg" {
			continue
		}
		shown, err := os.ReadFile(repository + path.Join(path.Dir(page.name), match[2]))
		if err != nil {
			t.Error(err)
			continue
		}
		drawn, err := os.ReadFile(filepath.Join(shell.dir, path.Base(match[2])))
		if err != nil {
			t.Errorf("%s: no command draws %s: %v", page.name, match[2], err)
			continue
		}
		if got, want := words(drawn), words(shown); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: the commands draw %s with the words %q, the page shows %q: copy it anew", page.name, path.Base(match[2]), got, want)
		}
	}
}

// words returns the texts of a picture.
func words(svg []byte) []string {
	var texts []string
	for _, match := range regexp.MustCompile(`(?s)<text[^>]*>(.*?)</text>`).FindAllSubmatch(svg, -1) {
		texts = append(texts, string(match[1]))
	}
	return texts
}
