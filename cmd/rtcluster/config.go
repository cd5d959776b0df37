package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"rtcluster/cmd/rtcluster/internal/settings"
)

// configOptions are what the command line of `rtcluster config` says.
type configOptions struct{ JSON bool }

func newConfigCmd(a *app) *cobra.Command {
	opt := &configOptions{}
	cmd := &cobra.Command{
		Use:   "config [COMMAND [FLAG...]]",
		Short: "Show the settings, and where each is from",
		Long: `Show what is set by the environment and by the file of --config, and by what else the
environment has a say. With a COMMAND, show all settings of it as they would be for this
command line, each with where it is from.

A setting has the name of a flag. In order, the first that has one decides: the flag; a
variable, such as RTCLUSTER_MEMORY_LIMIT for --memory-limit; a file, which --config or
RTCLUSTER_CONFIG names; what Slurm or a control group leaves; the default. The file is TOML:

  threads = 8                      # of every command that has --threads
  memory-limit = "16GiB"
  [dbscan]                         # of one command, before those above
  min-samples = 10
  columns = ["x", "y", "z"]

A key of the file that is no setting is an error; a variable that is none, a warning.`,
		Example: `  rtcluster config
  rtcluster config --json
  RTCLUSTER_THREADS=4 rtcluster config dbscan --eps 0.5`,
		Args: cobra.ArbitraryArgs, // a command is a subcommand
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchSettings(cmd, args[0])
			}
			return a.showConfig(opt, cmd)
		},
	}
	cmd.PersistentFlags().BoolVar(&opt.JSON, "json", false, "print one JSON object instead of text")
	cmd.PersistentFlags().Lookup("json").Annotations = map[string][]string{headingKey: {"General"}}
	for _, sub := range a.workCommands() {
		a.showsSettings(sub, opt)
		cmd.AddCommand(sub)
		cmd.ValidArgs = append(cmd.ValidArgs, sub.Name())
	}
	return cmd
}

// showsSettings makes a command show its settings, and do nothing else.
func (a *app) showsSettings(cmd *cobra.Command, opt *configOptions) {
	cmd.Use = cmd.Name() + " [FLAG...]"
	cmd.Short = "Show the settings of rtcluster " + cmd.Name()
	cmd.Long = cmd.Short + ", as they would be for this command line."
	cmd.Example, cmd.Hidden, cmd.Args = "", true, cobra.ArbitraryArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		own := cmd.Flags().Lookup("json") // in the place of that of config
		return a.showSettings(&configOptions{JSON: opt.JSON || own != nil && own.Value.String() == "true"}, cmd)
	}
}

func noSuchSettings(cmd *cobra.Command, name string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return usagef("no command %q has settings%s; `rtcluster help` lists the commands", name, didYouMean(name, names))
}

// around is a part of the environment, what it says, and what that does here.
type around struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Effect string `json:"effect"`
}

// environment is what has a say beside settings.
func (a *app) environment() []around {
	none := func(text string) string {
		if text == "" {
			return "-"
		}
		return text
	}
	return []around{
		{"processors", fmt.Sprint(runtime.NumCPU()), fmt.Sprintf("%d threads at most: what affinity, GOMAXPROCS and the CPU quotas of control groups leave", runtime.GOMAXPROCS(0))},
		{envSlurm, none(a.getenv(envSlurm)), "no more threads than these, unless threads is set"},
		{"memory", bytesOrUnknown(totalMemory()), "of the machine, or of the tightest control group: what a memory-limit in % is of"},
		{"TMPDIR", none(a.getenv("TMPDIR")), "temporary files are in " + os.TempDir()},
		{"CUDA_VISIBLE_DEVICES", none(a.getenv("CUDA_VISIBLE_DEVICES")), "the cards that the driver shows, counted from 0; - is all"},
		{"TERM", none(a.getenv("TERM")), "dumb: --progress auto draws no bar"},
		{"CI", none(a.getenv("CI")), "set, and not to false or 0: --progress auto draws no bar"},
		{"NO_COLOR", none(a.getenv("NO_COLOR")), "nothing is ever coloured"},
	}
}

func bytesOrUnknown(n float64) string {
	if notFinite(n) {
		return "unknown"
	}
	return bytesText(n)
}

// showConfig prints what the environment and the file set.
func (a *app) showConfig(opt *configOptions, cmd *cobra.Command) error {
	s, commands, err := a.loadSettings(cmd.Root())
	if err != nil {
		return err
	}
	values, err := s.Everywhere(commands)
	if err != nil {
		return usageError{err}
	}
	for _, line := range s.UnknownVariables(commands, didYouMean) {
		a.log.Warn(line)
	}
	if opt.JSON {
		return writeError("-", writeJSON(a.out, struct {
			File        string           `json:"file,omitempty"`
			Settings    []settings.Value `json:"settings"`
			Environment []around         `json:"environment"`
		}{a.configPath(), append([]settings.Value{}, values...), a.environment()}))
	}
	_, err = a.out.Write([]byte(a.configText(values)))
	return writeError("-", err)
}

// configText is what is set, and what surrounds it, for people.
func (a *app) configText(values []settings.Value) string {
	var text strings.Builder
	if path := a.configPath(); path != "" {
		text.WriteString("File: " + path + "\n\n")
	} else {
		text.WriteString("File: none, --config or " + envConfig + " names one\n\n")
	}
	if len(values) == 0 {
		text.WriteString("Nothing is set.\n")
	} else {
		writeValues(&text, values)
	}
	lines := [][]string{{"SURROUNDINGS", "VALUE", "EFFECT"}}
	for _, e := range a.environment() {
		lines = append(lines, []string{e.Name, e.Value, e.Effect})
	}
	text.WriteString("\n")
	writeCells(&text, lines, 3)
	text.WriteString("\n`rtcluster config COMMAND` shows all settings of a command.\n")
	return text.String()
}

// showSettings prints all settings of a command.
func (a *app) showSettings(opt *configOptions, cmd *cobra.Command) error {
	if opt.JSON {
		return writeError("-", writeJSON(a.out, struct {
			Command  string           `json:"command"`
			File     string           `json:"file,omitempty"`
			Settings []settings.Value `json:"settings"`
		}{cmd.Name(), a.configPath(), a.settings}))
	}
	var text strings.Builder
	writeValues(&text, a.settings)
	_, err := a.out.Write([]byte(text.String()))
	return writeError("-", err)
}

// writeValues writes settings as a table, - for an empty value.
func writeValues(text *strings.Builder, values []settings.Value) {
	lines := [][]string{{"SETTING", "VALUE", "FROM"}}
	for _, v := range values {
		shown := v.Text
		if shown == "" {
			shown = "-"
		}
		lines = append(lines, []string{v.Flag, shown, v.From})
	}
	writeCells(text, lines, 3)
}
