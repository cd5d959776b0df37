package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"rtcluster/cmd/rtcluster/internal/manual"
)

func newManCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages into a folder",
		Long: `Write the man pages into a folder, which is made if it is not there: one of section 1 for
each command, one of section 7 for each topic. Their date is that of SOURCE_DATE_EPOCH, or
else of the commit that this rtcluster was built from, so that the same build writes the
same bytes.`,
		Example: `  rtcluster man man
  rtcluster man share/man`,
		Args:              exactArgs("DIR"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE:              func(_ *cobra.Command, args []string) error { return a.writeManual(args[0]) },
	}
}

func (a *app) writeManual(folder string) error {
	date, err := a.manualDate()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return manualError(folder, err)
	}
	names, err := manual.Write(a.newRootCmd(), folder, "rtcluster", date)
	if err != nil {
		return manualError(folder, err)
	}
	a.log.Info(fmt.Sprintf("%s in %s; man -M or man -l shows them", plural(len(names), "page", "pages"), folder))
	return nil
}

// manualError says why there are no pages.
func manualError(folder string, err error) error {
	var inPath *fs.PathError
	if errors.As(err, &inPath) && !isResource(err) {
		return usagef("cannot write the man pages to %s: %w", folder, err)
	}
	return fmt.Errorf("man pages in %s: %w", folder, err)
}

// manualDate is what pages are dated, the beginning of 1970 if nothing says.
func (a *app) manualDate() (time.Time, error) {
	if text := a.getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return time.Time{}, usagef("SOURCE_DATE_EPOCH is %q: want seconds since 1970", text)
		}
		return time.Unix(seconds, 0), nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return at, nil
			}
		}
	}
	return time.Unix(0, 0), nil
}
