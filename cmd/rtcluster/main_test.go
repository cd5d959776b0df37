package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/rogpeppe/go-internal/testscript"

	"rtcluster/gpu"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rtcluster": checkedMain})
}

// TestScripts runs the command as a shell does. Condition [cuda] holds in builds with
// that tag. Scripts have two commands more than testscript's own: `exits CODE rtcluster ...` wants that exit code, and
// `schema FILE COLUMN:REPETITION...` wants these columns of a Parquet file.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if raceEnabled {
		scripts = []string{"testdata/script/dbscan.txtar", "testdata/script/outliers.txtar", "testdata/script/join.txtar"}
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "schema": schema},
		Condition: func(name string) (bool, error) {
			if name != "cuda" {
				return false, fmt.Errorf("there is no condition %s", name)
			}
			_, err := gpu.Open(gpu.Options{})
			return !errors.Is(err, gpu.ErrNotBuilt), nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("TMPDIR", env.WorkDir+"/.tmp") // testscript makes it
			return nil
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func schema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: schema file [column:repetition...]")
	}
	content := strings.NewReader(ts.ReadFile(args[0]))
	f, err := parquet.OpenFile(content, content.Size())
	ts.Check(err)
	var got []string
	for _, e := range f.Metadata().Schema[1:] {
		got = append(got, e.Name+":"+strings.ToLower(e.RepetitionType.V.String()))
	}
	if want := args[1:]; !slices.Equal(got, want) {
		ts.Fatalf("%s has the columns %q, want %q", args[0], got, want)
	}
}
