package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newDevicesCmd(a *app) *cobra.Command {
	threads := 0
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the engines, and why one is missing",
		Long: `List what can compute on this machine. Every engine gives the same results; --engine of
the other commands picks one.`,
		Example: `  rtcluster devices
  rtcluster devices --threads 4`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return a.listDevices(threads) },
	}
	addFlags(cmd, "Engine", func(fs *pflag.FlagSet) {
		fs.Var(newWhole(&threads, 0, 0), "threads", "processor threads to use, 0 for all")
	})
	return cmd
}

func (a *app) listDevices(threads int) error {
	text := "ENGINE\tSTATE\tDETAILS\n"
	for _, e := range a.engines(threads) {
		if e.join != nil {
			text += fmt.Sprintf("%s\tready\t%s\n", e.name, e.detail)
		} else {
			text += fmt.Sprintf("%s\tmissing\t%s\n", e.name, e.missing)
		}
	}
	aligned := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	_, err := aligned.Write([]byte(text))
	return errors.Join(err, aligned.Flush())
}
