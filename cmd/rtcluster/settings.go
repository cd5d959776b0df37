package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/cmd/rtcluster/internal/settings"
)

// This file gives commands the settings of the environment and of --config.

// Variables that are no settings of a flag.
const (
	envConfig      = "RTCLUSTER_CONFIG"           // the file, if --config names none
	envSynchronous = "RTCLUSTER_CUDA_SYNCHRONOUS" // to debug kernels
	envSlurm       = "SLURM_CPUS_PER_TASK"        // processors that Slurm gives a task
)

// noSettings are flags of commands that nothing but the command line gives.
func noSettings() map[string]string {
	return map[string]string{
		"help":   "it asks for one answer, and is given on the command line",
		"json":   "it asks for one answer, and is given on the command line",
		"config": envConfig + " or the command line names the file",
	}
}

// defineConfig binds --config, which every command has.
func (a *app) defineConfig(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "",
		"`FILE` of settings, as TOML, named like flags: memory-limit = \"4GiB\", or under [dbscan] for one command; a flag, and a variable such as RTCLUSTER_MEMORY_LIMIT, come first (see rtcluster config)")
	flags.Lookup("config").Annotations = map[string][]string{headingKey: {"General"}, cobra.BashCompFilenameExt: {"toml"}}
}

// configPath is the file of settings, "" for none.
func (a *app) configPath() string {
	if a.config != "" {
		return a.config
	}
	return a.getenv(envConfig)
}

// loadSettings reads the environment and the file, in which all must be settings of the
// commands that are returned.
func (a *app) loadSettings(root *cobra.Command) (s *settings.Settings, commands []settings.Command, err error) {
	if root.PersistentFlags().Changed("config") && a.config == "" {
		return nil, nil, usagef("--config is empty: name a file, or leave it out")
	}
	s, err = settings.Load(settings.Source{
		Path: a.configPath(), Environ: a.environ(), Other: []string{envConfig, envSynchronous},
		Ambient: a.surroundings(), Skip: noSettings(),
	})
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return nil, nil, usagef("cannot read the settings in %s: %w", inPath.Path, inPath.Err)
	}
	commands = a.configurable(root)
	if err == nil {
		err = s.CheckFile(commands, didYouMean)
	}
	if err != nil {
		return nil, nil, usageError{err}
	}
	return s, commands, nil
}

// surroundings are what a batch system or a container leaves, where it is less than
// the system has.
func (a *app) surroundings() map[string]settings.Given {
	given := map[string]settings.Given{}
	least := runtime.GOMAXPROCS(0)
	if n := max(2, math.Ceil(a.limits().CPUs)); a.getenv("GOMAXPROCS") == "" && n < float64(least) {
		// The runtime looks at the group of the process alone. It takes two at least, too.
		least = int(n)
		given["threads"] = settings.Given{Text: strconv.Itoa(least), From: "control group"}
	}
	if n, err := strconv.Atoi(a.getenv(envSlurm)); err == nil && n >= 1 && n < least {
		given["threads"] = settings.Given{Text: strconv.Itoa(n), From: envSlurm}
	}
	return given
}

// keepThreads has the whole process keep to the threads of a command: what reads and
// writes tables and libraries do not ask for --threads, nor does the garbage collector.
// Commands without that flag keep to what surrounds them.
func (a *app) keepThreads(cmd *cobra.Command) {
	text := a.surroundings()["threads"].Text
	if f := cmd.Flags().Lookup("threads"); f != nil {
		text = f.Value.String()
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		runtime.GOMAXPROCS(n)
	}
}

// configure gives a command what the environment and the file set, where the
// command line does not.
func (a *app) configure(cmd *cobra.Command) error {
	if !hasSettings(cmd) {
		return nil
	}
	s, commands, err := a.loadSettings(cmd.Root())
	if err != nil {
		return err
	}
	a.settings, err = s.Apply(cmd.Name(), cmd.Flags())
	if err != nil {
		return usageError{err}
	}
	if f := cmd.Flags().Lookup("quiet"); f != nil && f.Value.String() == "true" {
		return nil
	}
	for _, line := range s.UnknownVariables(commands, didYouMean) {
		a.log.Warn(line)
	}
	return nil
}

// configurable are the commands that have settings.
func (a *app) configurable(root *cobra.Command) []settings.Command {
	var list []settings.Command
	for _, cmd := range root.Commands() {
		if hasSettings(cmd) {
			list = append(list, settings.Command{Name: cmd.Name(), Flags: cmd.Flags()})
		}
	}
	return list
}

// hasSettings reports whether a command has flags that may be set from outside.
func hasSettings(cmd *cobra.Command) bool {
	found, skip := false, noSettings()
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		_, skipped := skip[f.Name]
		found = found || !skipped && len(f.Annotations[headingKey]) > 0
	})
	return found
}

// given are the settings that are in force and not on the command line.
func (a *app) given() []settings.Value {
	var list []settings.Value
	for _, v := range a.settings {
		if v.From != settings.FromFlag && v.From != settings.FromDefault {
			list = append(list, v)
		}
	}
	return list
}

// sourced adds to what is wrong with flags where those are from that nobody typed.
func (a *app) sourced(cmd *cobra.Command, err error) error {
	var usage usageError
	if cmd == nil || !errors.As(err, &usage) || !a.began {
		return err
	}
	var from []string
	for _, v := range a.given() {
		f := cmd.Flags().Lookup(v.Flag)
		shown := "--" + v.Flag
		if mentions(err.Error(), shown) || f.Shorthand != "" && mentions(err.Error(), "-"+f.Shorthand) {
			from = append(from, shown+" is from "+v.From)
		}
	}
	if len(from) == 0 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(from, ", "))
}

// mentions reports whether a flag is among the words of a text.
func mentions(text, flag string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;:/()\"", r) }),
		func(word string) bool { return word == flag })
}
