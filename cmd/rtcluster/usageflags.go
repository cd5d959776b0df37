package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

const (
	helpWidth  = 96 // of lines, in runes
	helpIndent = 36 // at most, of the texts of flags
)

// flagLines is flags beside their texts. A flag that is too long for that, such as one with
// many words to choose from, has its text below.
func flagLines(flags *pflag.FlagSet) string {
	indent := 0
	var names, texts []string
	flags.VisitAll(func(f *pflag.Flag) {
		name, text := flagAndText(f)
		names, texts = append(names, name), append(texts, text)
		if width := utf8.RuneCountInString(name) + 3; width <= helpIndent {
			indent = max(indent, width)
		}
	})
	if indent == 0 {
		indent = helpIndent
	}
	var lines strings.Builder
	for i, name := range names {
		if utf8.RuneCountInString(name)+3 > indent {
			lines.WriteString(name + "\n")
			name = ""
		}
		for _, line := range wrapWords(texts[i], helpWidth-indent) {
			lines.WriteString(strings.TrimRight(fmt.Sprintf("%-*s%s", indent, name, line), " ") + "\n")
			name = ""
		}
	}
	return lines.String()
}

// flagAndText is a flag with what it takes, such as "  -k, --neighbors N", and its text with
// its default, as pflag writes them.
func flagAndText(f *pflag.Flag) (name, text string) {
	alone := pflag.NewFlagSet(f.Name, pflag.ContinueOnError)
	alone.AddFlag(f)
	usage := strings.TrimRight(alone.FlagUsages(), "\n")
	begin := len(usage) - len(strings.TrimLeft(usage, " "))
	name, text, _ = strings.Cut(usage[begin:], "   ")
	return usage[:begin] + name, text
}

// wrapWords breaks a text at blanks into lines that are no wider than that, if words allow.
func wrapWords(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
