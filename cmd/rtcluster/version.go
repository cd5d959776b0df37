package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"rtcluster/join/cpu"
)

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of rtcluster",
		Example: `  rtcluster version
  rtcluster version | cut -d' ' -f2`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.out, versionLine())
			return err
		},
	}
}

// versionLine is what rtcluster version and rtcluster --version print.
func versionLine() string {
	return fmt.Sprintf("rtcluster %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the module's version as the build recorded it, with the commit
// for a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	text, settings := info.Main.Version, map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if text == "" || text == "(devel)" {
		text = "devel"
		if commit := settings["vcs.revision"]; len(commit) >= 12 {
			text += "-" + commit[:12]
		}
		if settings["vcs.modified"] == "true" {
			text += "-modified"
		}
	}
	return text
}

// instructionSet is what the processor engine runs on.
func instructionSet() string { return runtime.GOARCH + ", " + cpu.Instructions() }
