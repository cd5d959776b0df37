package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// This file runs every example of the help, each command's in a folder of its own that
// has the tables that examples speak of.

// commandsOf are a command and all below it that people see, topics too.
func commandsOf(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			list = append(list, commandsOf(sub)...)
		}
	}
	return list
}

// examplesOf are the command lines that the help of a command shows.
func examplesOf(cmd *cobra.Command) []string {
	text := cmd.Example
	if cmd.IsAdditionalHelpTopicCommand() {
		text = cmd.Long
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(line, "  ")
		if strings.HasPrefix(line, "rtcluster ") || strings.HasPrefix(line, "RTCLUSTER_") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestHelpTexts wants of every command a purpose in one line, two examples, and flags
// under headings.
func TestHelpTexts(t *testing.T) {
	for _, cmd := range commandsOf(newTestApp().newRootCmd()) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			if short := cmd.Short; cmd.HasParent() && (short == "" || len(short) > 80 || strings.ContainsAny(short, "\n") || strings.HasSuffix(short, ".")) {
				t.Errorf("purpose %q: want one line without a full stop", short)
			}
			want := 2
			if cmd.IsAdditionalHelpTopicCommand() {
				want = 1
			}
			if got := examplesOf(cmd); len(got) < want {
				t.Errorf("got %d examples, want %d", len(got), want)
			}
			cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if generated := cmd.HasParent() && cmd.Parent().Name() == "completion"; !generated && f.Name != "help" && f.Name != "version" && len(f.Annotations[headingKey]) == 0 {
					t.Errorf("flag --%s is in no group", f.Name)
				}
			})
			for line := range strings.SplitSeq(cmd.Long, "\n") {
				if len([]rune(line)) > 100 {
					t.Errorf("line of %d letters: %s", len([]rune(line)), line)
				}
			}
		})
	}
}

// TestMistypedFlags swaps two letters of each flag of each command, and wants the flag
// to be suggested.
func TestMistypedFlags(t *testing.T) {
	tried := 0
	for _, cmd := range newTestApp().workCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || len(f.Name) < 4 {
				return
			}
			middle := len(f.Name) / 2
			typed := f.Name[:middle-1] + f.Name[middle:middle+1] + f.Name[middle-1:middle] + f.Name[middle+1:]
			if typed == f.Name { // two equal letters
				return
			}
			tried++
			a := newTestApp()
			a.mustRun(t, exitUsage, cmd.Name(), "--"+typed)
			if want := "unknown flag: --" + typed + " (did you mean --" + f.Name + "?)"; !strings.Contains(a.stderr.String(), want) {
				t.Errorf("%s: got %q, want %q", cmd.Name(), a.stderr.String(), want)
			}
		})
	}
	if tried < 100 {
		t.Errorf("tried %d flags, want all of them", tried)
	}
}

// TestExamples runs the examples: all must succeed.
func TestExamples(t *testing.T) {
	if raceEnabled {
		t.Skip("the scripts that run under the race detector are few")
	}
	if testing.Short() {
		t.Skip("runs every example of the help")
	}
	folder, tables := t.TempDir(), exampleTables(t)
	var files []string
	for _, cmd := range commandsOf(newTestApp().newRootCmd()) {
		for i, line := range examplesOf(cmd) {
			name := filepath.Join(folder, fmt.Sprintf("%s-%d.txtar", strings.ReplaceAll(cmd.CommandPath(), " ", "-"), i+1))
			if err := os.WriteFile(name, []byte(scriptOf(line)), 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, name)
		}
	}
	testscript.Run(t, testscript.Params{
		Files: files, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error { return os.CopyFS(env.WorkDir, os.DirFS(tables)) },
	})
}

// scriptOf is a line of shell as a script has it: variables before the command are set
// before it, and of a pipe the first part runs, whose readers are not ours. Where a
// clustering is read, it is put in place; the output is not there yet.
func scriptOf(line string) string {
	line, _, _ = strings.Cut(line, " | ")
	script := ""
	for strings.HasPrefix(line, "RTCLUSTER_") {
		variable, rest, _ := strings.Cut(line, " ")
		script += "env " + variable + "\n"
		line = rest
	}
	if strings.HasPrefix(line, "rtcluster predict ") || strings.HasPrefix(line, "rtcluster plot ") {
		for _, name := range madeTables() {
			script += "cp made/" + name + " " + name + "\n"
		}
		script += "cp made/run.json run.json\n"
	}
	if _, output, ok := strings.Cut(line, " -o "); ok { // it may be a table of another example
		output, _, _ = strings.Cut(output, " ")
		script += "rm " + output + "\n"
	}
	return script + "exec " + line + "\n"
}

// exampleTables makes the tables that examples read, and returns their folder.
func exampleTables(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	catalog := filepath.Join(folder, "stars.csv")
	rows := exampleRows()
	for _, name := range []string{"stars.csv", "tonight.csv", "spectra.csv", "labelled.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"catalog.parquet", "events.parquet", "survey.parquet", "reference.parquet", "nights/two.parquet", "night1/a.parquet", "night2/b.parquet"} {
		asParquet(t, catalog, filepath.Join(folder, name))
	}
	made := filepath.Join(folder, "made")
	if err := os.Mkdir(made, 0o755); err != nil {
		t.Fatal(err)
	}
	a := newTestApp()
	for _, clustered := range madeTables() { // the report is that of the last
		a.mustRun(t, exitOK, "dbscan", catalog, "-c", "x_pc,y_pc,z_pc", "-e", "2", "-m", "8", "-q", "--force",
			"-o", filepath.Join(made, clustered), "--report", filepath.Join(made, "run.json"))
	}
	return folder
}

// madeTables are the clusterings that examples read.
func madeTables() []string { return []string{"clusters.parquet", "groups.parquet", "clusters.csv"} }

// exampleRows are positions in three groups and between them, with all columns that
// examples name. Seed 9.
func exampleRows() string {
	rng := rand.New(rand.NewPCG(9, 9))
	var text strings.Builder
	text.WriteString("id,ra,dec,x_pc,y_pc,z_pc,x,y,z,magnitude,colour,f1,f2,f3,outlier\n")
	for i := range 400 {
		group, spread := float64(i%4), 1.0
		if i%4 == 3 {
			spread = 20
		}
		x, y, z := 10*group+spread*rng.NormFloat64(), spread*rng.NormFloat64(), spread*rng.NormFloat64()
		fmt.Fprintf(&text, "%d,%.6f,%.6f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.3f,%.3f,%.3f,%.3f,%.3f,%d\n",
			i, 40+0.1*x, 10+0.1*y, x, y, z, x, y, z, 10+rng.Float64(), rng.Float64(), 1+rng.Float64(), 1+rng.Float64(), 1+rng.Float64(), i/396)
	}
	return text.String()
}

// asParquet copies a table.
func asParquet(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	source, err := table.Open(t.Context(), from, table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := source.WriteWith(t.Context(), to, nil, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
}
