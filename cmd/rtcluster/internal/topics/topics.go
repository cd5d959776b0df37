// Package topics holds the pages of `rtcluster help TOPIC`: what belongs to no single
// command. A page is a text file, whose first line says in a few words what it is
// about; its examples begin with two blanks and the name of the program.
package topics

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.txt
var pages embed.FS

// Topic is a page of help.
type Topic struct {
	Name  string // as in `rtcluster help NAME`
	Short string // what it is about, in a line without a full stop
	Text  string // without empty lines around it
}

// All returns the pages by name.
func All() []Topic {
	files, err := fs.Glob(pages, "*.txt") // in order
	if err != nil {
		panic("topics: " + err.Error()) // the pattern is right, and all is in memory
	}
	list := make([]Topic, len(files))
	for i, name := range files {
		text, err := pages.ReadFile(name)
		if err != nil {
			panic("topics: " + err.Error())
		}
		short, body, _ := strings.Cut(string(text), "\n")
		list[i] = Topic{Name: strings.TrimSuffix(name, ".txt"), Short: short, Text: strings.Trim(body, "\n")}
	}
	return list
}
