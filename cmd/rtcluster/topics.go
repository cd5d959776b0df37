package main

import (
	"github.com/spf13/cobra"

	"rtcluster/cmd/rtcluster/internal/topics"
)

// topicCommands are the pages of help that belong to no single command; cobra has
// such as commands that cannot be run.
func topicCommands() []*cobra.Command {
	var list []*cobra.Command
	for _, t := range topics.All() {
		list = append(list, &cobra.Command{Use: t.Name, Short: t.Short, Long: t.Text, DisableFlagsInUseLine: true})
	}
	return list
}

// helpNames are what help explains, for the shell.
func helpNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, sub := range cmd.Root().Commands() {
		if !sub.Hidden {
			names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
