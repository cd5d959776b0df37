package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file gives the flags of a command headings in its help.

const headingKey = "heading"

// addFlags defines flags of a command under a heading, in the order defined,
// and lets the shell complete those that take one of a few words.
func addFlags(cmd *cobra.Command, heading string, define func(fs *pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	define(fs)
	cmd.Flags().SortFlags = false
	fs.VisitAll(func(f *pflag.Flag) {
		f.Annotations = map[string][]string{headingKey: {heading}}
		cmd.Flags().AddFlag(f)
		var complete cobra.CompletionFunc
		switch value := f.Value.(type) {
		case *enumValue:
			complete = cobra.FixedCompletions(value.allowed, cobra.ShellCompDirectiveNoFileComp)
		case *wordsValue:
			complete = value.complete
		case ruleValue:
			complete = cobra.FixedCompletions(ruleNames(), cobra.ShellCompDirectiveNoFileComp)
		default:
			return
		}
		// The flag exists and is registered once, so no error is possible.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete)
	})
}

// flagUsage is the flags of a command under their headings, those without one
// last.
func flagUsage(cmd *cobra.Command) string {
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		heading := "Help"
		if given := f.Annotations[headingKey]; len(given) > 0 {
			heading = given[0]
		}
		if sets[heading] == nil {
			headings = append(headings, heading)
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
		}
		sets[heading].AddFlag(f)
	})
	if i := slices.Index(headings, "Help"); i >= 0 {
		headings = append(slices.Delete(headings, i, i+1), "Help")
	}
	var text strings.Builder
	for _, heading := range headings {
		fmt.Fprintf(&text, "\n%s:\n%s", heading, flagLines(sets[heading]))
	}
	return text.String()
}

// topicList is the topics of a command, none for most.
func topicList(cmd *cobra.Command) string {
	var text strings.Builder
	for _, sub := range cmd.Commands() {
		if sub.IsAdditionalHelpTopicCommand() {
			if text.Len() == 0 {
				text.WriteString("\nTopics of rtcluster help:\n")
			}
			fmt.Fprintf(&text, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
		}
	}
	return text.String()
}

// printUsage is the part of the help below a command's description.
func printUsage(cmd *cobra.Command) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		text.WriteString("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&text, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	text.WriteString(topicList(cmd))
	text.WriteString(flagUsage(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "\n`%s COMMAND --help` explains a command and its flags.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), text.String())
	return err
}
