// Package manual writes the man pages of a tree of commands: one of section 1 for each
// command, one of section 7 for each topic. The same tree and date give the same bytes.
package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// The sections that pages are in.
const (
	commands = "1"
	topics   = "7"
)

// Write writes the pages into a folder, and returns their names. The tree must be one
// that is not used any more: its texts are changed.
func Write(root *cobra.Command, folder, source string, date time.Time) ([]string, error) {
	date = date.UTC()
	var names []string
	described := map[*pflag.Flag]bool{} // commands share those of their parents
	for _, cmd := range visible(root) {
		section := commands
		if cmd.IsAdditionalHelpTopicCommand() {
			section = topics
		}
		prepare(cmd, described)
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		var page bytes.Buffer
		err := doc.GenMan(cmd, &doc.GenManHeader{
			Title: strings.ToUpper(name), Section: section, Date: &date, Source: source, Manual: root.Name() + " manual",
		}, &page)
		if err == nil {
			err = Lint(page.String())
		}
		if err != nil {
			return names, fmt.Errorf("man page of %s: %w", cmd.CommandPath(), err)
		}
		name += "." + section
		if err := os.WriteFile(filepath.Join(folder, name), page.Bytes(), 0o644); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// visible are a command and those below it that people see.
func visible(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			list = append(list, visible(sub)...)
		}
	}
	return list
}

// prepare makes the texts of a command what the library takes them for.
func prepare(cmd *cobra.Command, described map[*pflag.Flag]bool) {
	cmd.DisableAutoGenTag = true // it would name the library
	if cmd.HasParent() {         // or the library gives it a help command
		cmd.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	}
	cmd.Short, cmd.Long = escape(cmd.Short), paragraphs(cmd.Long)
	cmd.InitDefaultHelpFlag()
	cmd.InheritedFlags() // merges them
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !described[f] {
			described[f] = true
			describe(f)
		}
	})
}

// describe puts the word for a flag's value, and then its default, where the library
// writes the default alone.
func describe(f *pflag.Flag) {
	word, usage := pflag.UnquoteUsage(f)
	usage = escape(usage)
	if byDefault := f.DefValue; byDefault != "" && byDefault != "false" && byDefault != "0" && !strings.Contains(usage, "(default") {
		usage += " (default " + escape(byDefault) + ")"
	}
	if f.NoOptDefVal != "" {
		word = "true|false"
	}
	f.Usage, f.DefValue, f.Value = usage, escape(word), plain{f.Value}
}

// plain is a value whose default the library puts in no quotes.
type plain struct{ pflag.Value }

// Type is not "string".
func (plain) Type() string { return "" }

// escape makes Markdown, in which the library writes, take a text as it is.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "#", `\#`, "|", `\|`, "~", `\~`).Replace(text)
}

// paragraphs escapes a text, and keeps its lines that begin with blanks as they are.
func paragraphs(text string) string {
	var out strings.Builder
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != fenced && (indented || line != "") {
			fenced = indented
			out.WriteString("\n```\n")
		}
		if !fenced {
			line = escape(line)
		}
		out.WriteString(line + "\n")
	}
	if fenced {
		out.WriteString("```\n")
	}
	return out.String()
}
