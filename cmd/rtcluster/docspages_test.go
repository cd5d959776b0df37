package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repository = "../../"

// docsPage is a page for people: README.md or one below docs.
type docsPage struct {
	name   string // from the root of the repository, with slashes
	text   string
	blocks []docsBlock
}

// docsBlock is a fenced block of a page.
type docsBlock struct {
	line  int    // of its text's first line, from 1
	lang  string // the first word behind the fence
	notes []string
	text  string
	shown string // of a block that runs: the output that the page shows below it
	shows bool   // whether it shows any
}

// note returns what stands behind name= among the words after the language.
func (b *docsBlock) note(name string) (string, bool) {
	for _, note := range b.notes {
		if value, found := strings.CutPrefix(note, name+"="); found {
			return value, true
		}
	}
	return "", false
}

func docsPages(t *testing.T) []docsPage {
	t.Helper()
	names := []string{"README.md"}
	err := filepath.WalkDir(repository+"docs", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(repository))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var pages []docsPage
	for _, name := range names {
		text, err := os.ReadFile(repository + name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, docsPage{name: name, text: string(text), blocks: docsBlocks(t, name, string(text))})
	}
	return pages
}

// docsBlocks returns the fenced blocks of a page. A block of language text that follows
// one of language sh, with nothing but prose between, is what that prints.
func docsBlocks(t *testing.T, name, text string) []docsBlock {
	t.Helper()
	var blocks []docsBlock
	var open *docsBlock
	for i, line := range strings.Split(text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case !fence && open != nil:
			open.text += line + "\n"
		case !fence:
		case open == nil:
			lang, notes, _ := strings.Cut(strings.TrimSpace(info), " ")
			open = &docsBlock{line: i + 2, lang: lang, notes: strings.Fields(notes)}
		default:
			last := len(blocks) - 1
			if open.lang == "text" && last >= 0 && blocks[last].lang == "sh" && !blocks[last].shows {
				blocks[last].shown, blocks[last].shows = open.text, true
			}
			blocks = append(blocks, *open)
			open = nil
		}
	}
	if open != nil {
		t.Fatalf("%s: the block in line %d does not end", name, open.line)
	}
	return blocks
}

// prose is the page without its blocks.
func (p *docsPage) prose() string {
	var lines []string
	inside := false
	for line := range strings.SplitSeq(p.text, "\n") {
		if strings.HasPrefix(line, "```") {
			inside = !inside
			line = ""
		}
		if inside {
			line = ""
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
