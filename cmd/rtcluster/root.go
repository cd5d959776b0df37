package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/cmd/rtcluster/internal/settings"
)

// newRootCmd returns the whole command tree.
func (a *app) newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "rtcluster COMMAND",
		Short: "Exact DBSCAN clusters and outlier scores for tables of points",
		Long: `rtcluster clusters tables of points with DBSCAN and scores their outliers.
Tables come in as CSV, Parquet, FITS, VOTable or ECSV and go out with labels or scores
added. Results are exact, and the same for any number of threads and any engine.

Results go to standard output or the file named by -o, everything else to standard error.
Exit codes: 0 done, 1 internal fault or failed --verify, 2 usage, 3 bad input,
4 out of memory or disk, 5 engine or card not there or failed, 130 interrupted,
141 output pipe closed.`,
		Example: `  rtcluster generate gaia -n 15000 -o stars.csv
  rtcluster dbscan stars.csv -c x_pc,y_pc,z_pc --eps 2.5 --min-samples 10 -o clusters.parquet
  rtcluster outliers stars.csv -c x_pc,y_pc,z_pc --method knn -k 10 --top 20 -o scored.parquet`,
		Args:          cobra.ArbitraryArgs, // help refuses those that are no command
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          help,
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.configure(cmd); err != nil {
			return err
		}
		a.keepThreads(cmd)
		a.began = true
		return nil
	}
	a.defineConfig(root)
	root.SetVersionTemplate("{{.Version}}")
	root.Flags().Bool("version", false, "print the version of rtcluster") // cobra's would take -v
	root.SetHelpCommand(newHelpCmd())
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetUsageFunc(printUsage)
	root.SetFlagErrorFunc(a.flagError)
	root.AddCommand(a.workCommands()...)
	root.AddCommand(newConfigCmd(a), newManCmd(a), newVersionCmd(a))
	root.AddCommand(topicCommands()...)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	for _, cmd := range root.Commands() {
		completeFiles(cmd)
	}
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = help // which makes cobra refuse an unknown shell
		completionExamples(completion)
		a.completeBash(completion)
	}
	return root
}

// workCommands are the commands that have flags to set.
func (a *app) workCommands() []*cobra.Command {
	return []*cobra.Command{
		newDBSCANCmd(a, runDBSCAN),
		newOutliersCmd(a, runOutliers),
		newPredictCmd(a, runPredict),
		newJoinCmd(a, runJoin),
		newEpsCmd(a, runEps),
		newPlotCmd(a, runPlot),
		newDescribeCmd(a, runDescribe),
		newGenerateCmd(a, runGenerate),
		newBenchCmd(a, runBench),
		newDevicesCmd(a),
	}
}

func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Explain a command or a topic",
		Long:  "Explain a command, as its --help does, or a topic: `rtcluster help` lists both.",
		Example: `  rtcluster help dbscan
  rtcluster help exit-codes`,
		ValidArgsFunction: helpNames,
		RunE:              func(cmd *cobra.Command, args []string) error { return help(cmd.Root(), args) },
	}
}

// completionExamples gives the commands that cobra brings examples of their own.
func completionExamples(completion *cobra.Command) {
	completion.Example = `  rtcluster completion bash
  rtcluster completion zsh`
	for shell, example := range map[string]string{
		"bash":       "  rtcluster completion bash\n  rtcluster completion bash --no-descriptions",
		"zsh":        "  rtcluster completion zsh\n  rtcluster completion zsh --no-descriptions",
		"fish":       "  rtcluster completion fish\n  rtcluster completion fish --no-descriptions",
		"powershell": "  rtcluster completion powershell\n  rtcluster completion powershell --no-descriptions",
	} {
		if cmd, _, err := completion.Find([]string{shell}); err == nil {
			cmd.Example = example
		}
	}
}

// help prints the help of the command that args lead to.
func help(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err == nil && len(rest) == 0 {
		return cmd.Help()
	}
	names := []string{}
	for _, sub := range root.Commands() {
		names = append(names, sub.Name())
	}
	return usagef("unknown command %q%s; `rtcluster help` lists the commands", args[0], didYouMean(args[0], names))
}

// minPoints are names of --min-samples in other programs.
var minPoints = regexp.MustCompile(`(?i)^min[-_]?(pts|points|pnts)$`)

// flagError says what is wrong with a flag, and the near one for one that does
// not exist. Behind a command that does not exist, no flag does: then the command
// is what is wrong.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if !cmd.HasParent() && len(a.args) > 0 && !strings.HasPrefix(a.args[0], "-") {
		return help(cmd, a.args[:1])
	}
	var unknown *pflag.NotExistError
	hint := ""
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		names := []string{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if minPoints.MatchString(name) { // what others call it
			name = "min-samples"
		}
		if near, ok := nearest(name, names); ok {
			hint = " (did you mean --" + near + "?)"
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		before := strings.TrimSuffix(err.Error(), invalid.Unwrap().Error())
		err = fmt.Errorf("%s%w", before, settings.Plain(invalid.GetFlag(), invalid.Unwrap()))
	}
	return usageError{fmt.Errorf("%w%s; `%s --help` lists the flags", err, hint, cmd.CommandPath())}
}

// exactArgs wants one argument for each name.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing: %s", names[len(args)], cmd.UseLine())
		case len(args) > len(names):
			return usagef("unexpected argument %q: %s takes %d", args[len(names)], cmd.CommandPath(), len(names))
		}
		return nil
	}
}
