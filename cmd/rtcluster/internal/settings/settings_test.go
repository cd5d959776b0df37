package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"rtcluster/cmd/rtcluster/internal/settings"
)

// positive is a flag that refuses what is not above 0.
type positive struct{ text string }

func (v *positive) String() string { return v.text }
func (v *positive) Type() string   { return "N" }

func (v *positive) Set(text string) error {
	if text == "0" || strings.HasPrefix(text, "-") {
		return errors.New("want a number above 0")
	}
	v.text = text
	return nil
}

func newFlags(args ...string) *pflag.FlagSet {
	fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Var(&positive{text: "1"}, "threads", "")
	fs.String("eps", "", "")
	fs.Bool("dry-run", false, "")
	fs.StringSlice("columns", nil, "")
	fs.Bool("json", false, "")
	if err := fs.Parse(args); err != nil {
		panic(err)
	}
	return fs
}

func load(t *testing.T, file string, source settings.Source) (*settings.Settings, error) {
	t.Helper()
	if file != "" {
		source.Path = filepath.Join(t.TempDir(), "f.toml")
		if err := os.WriteFile(source.Path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source.Skip = map[string]string{"json": "not here"}
	return settings.Load(source)
}

func TestApply(t *testing.T) {
	slurm := map[string]settings.Given{"threads": {Text: "6", From: "SLURM"}}
	for _, test := range []struct {
		name    string
		file    string
		environ []string
		ambient map[string]settings.Given
		args    []string
		flag    string
		want    string // value and where it is from; FILE is the file
		changed bool
	}{
		{name: "default", flag: "threads", want: "1 default"},
		{name: "ambient", ambient: slurm, flag: "threads", want: "6 SLURM"},
		{name: "file over ambient", file: "threads = 2", ambient: slurm, flag: "threads", want: "2 FILE", changed: true},
		{name: "table over file", file: "threads = 2\n[run]\nthreads = 3", flag: "threads", want: "3 FILE [run]", changed: true},
		{name: "table of another", file: "threads = 2\n[other]\nthreads = 3", flag: "threads", want: "2 FILE", changed: true},
		{name: "variable over table", file: "[run]\nthreads = 3", environ: []string{"RTCLUSTER_THREADS=4"}, flag: "threads", want: "4 RTCLUSTER_THREADS", changed: true},
		{name: "flag over variable", environ: []string{"RTCLUSTER_THREADS=4"}, args: []string{"--threads", "5"}, flag: "threads", want: "5 flag", changed: true},
		{name: "flag over a bad variable", environ: []string{"RTCLUSTER_THREADS=-4"}, args: []string{"--threads=5"}, flag: "threads", want: "5 flag", changed: true},
		{name: "empty variable", file: "threads = 2", environ: []string{"RTCLUSTER_THREADS="}, flag: "threads", want: "2 FILE", changed: true},
		{name: "other variable", environ: []string{"OTHER_THREADS=7"}, flag: "threads", want: "1 default"},
		{name: "dashes", environ: []string{"RTCLUSTER_DRY_RUN=true"}, flag: "dry-run", want: "true RTCLUSTER_DRY_RUN", changed: true},
		{name: "underscores", file: "dry_run = true", flag: "dry-run", want: "true FILE", changed: true},
		{name: "float", file: "eps = 0.1", flag: "eps", want: "0.1 FILE", changed: true},
		{name: "whole", file: "eps = 3", flag: "eps", want: "3 FILE", changed: true},
		{name: "list of numbers", file: "eps = [0.1, 2, 1e-9]", flag: "eps", want: "0.1,2,1e-09 FILE", changed: true},
		{name: "list with a comma", file: `eps = ["a", "b,c"]`, flag: "eps", want: `a,"b,c" FILE`, changed: true},
		{name: "list of one", file: `columns = ["x"]`, flag: "columns", want: "[x] FILE", changed: true},
		{name: "value with =", environ: []string{"RTCLUSTER_EPS=a=b"}, flag: "eps", want: "a=b RTCLUSTER_EPS", changed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := settings.Source{Environ: test.environ, Ambient: test.ambient}
			s, err := load(t, test.file, source)
			if err != nil {
				t.Fatal(err)
			}
			flags := newFlags(test.args...)
			values, err := s.Apply("run", flags)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(values, func(v settings.Value) bool { return v.Flag == test.flag })
			got, from := values[at].Text, values[at].From
			if i := strings.Index(from, "f.toml"); i >= 0 {
				from = "FILE" + from[i+len("f.toml"):]
			}
			if got+" "+from != test.want {
				t.Errorf("got %s from %s, want %s", got, from, test.want)
			}
			if f := flags.Lookup(test.flag); f.Value.String() != got || f.Changed != test.changed {
				t.Errorf("the flag is %s, changed: %v, want %s, %v", f.Value, f.Changed, got, test.changed)
			}
			if slices.ContainsFunc(values, func(v settings.Value) bool { return v.Flag == "json" }) {
				t.Error("json is among the settings")
			}
		})
	}
}

// TestText reads a file with a byte order mark, and none that goes on and on.
func TestText(t *testing.T) {
	if _, err := load(t, "\ufeffeps = 1\n", settings.Source{}); err != nil {
		t.Errorf("with a byte order mark: %v", err)
	}
	for _, text := range []string{strings.Repeat("# much\n", 1<<18), "\x00\x01\n"} {
		if _, err := load(t, text, settings.Source{}); err == nil {
			t.Errorf("%d bytes are taken for settings", len(text))
		}
	}
}

func TestRefuses(t *testing.T) {
	near := func(word string, names []string) string {
		if slices.Contains(names, "eps") && word == "esp" {
			return " (eps?)"
		}
		return ""
	}
	for _, test := range []struct {
		name, file, variable, want string
	}{
		{"no TOML", "eps = \n", "", "f.toml, line 1, column 7: "},
		{"key", "esp = 1", "", `f.toml: no setting "esp" (eps?)`},
		{"key of a table", "[run]\nesp = 1", "", `f.toml [run]: no setting "esp" (eps?)`},
		{"table", "[rnu]\neps = 1", "", "f.toml: no command [rnu]"},
		{"table in a table", "[run.eps]\nx = 1", "", "f.toml [run]: eps: want a text"},
		{"skipped", "json = true", "", `f.toml: "json" is no setting: not here`},
		{"date", "eps = 2026-01-01", "", "f.toml: eps: want a text"},
		{"nested list", "eps = [[1], [2]]", "", "f.toml: eps: want a list of texts or numbers"},
		{"two spellings", "dry-run = true\ndry_run = true", "", "dry-run and dry_run are both --dry-run"},
		{"value", "threads = 0", "", `f.toml: "0" is no value of --threads: want a number above 0`},
		{"value of a variable", "", "RTCLUSTER_THREADS=0", `RTCLUSTER_THREADS: "0" is no value of --threads: want`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := load(t, test.file, settings.Source{Environ: []string{test.variable}})
			if err == nil {
				err = s.CheckFile([]settings.Command{{Name: "run", Flags: newFlags()}}, near)
			}
			if err == nil {
				_, err = s.Apply("run", newFlags())
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestUnknownVariables(t *testing.T) {
	s, err := load(t, "", settings.Source{
		Environ: []string{"RTCLUSTER_ESP=1", "RTCLUSTER_EPS=1", "RTCLUSTER_JSON=1", "RTCLUSTER_DEBUG=1", "RTCLUSTER_EMPTY="},
		Other:   []string{"RTCLUSTER_DEBUG"},
	})
	if err != nil {
		t.Fatal(err)
	}
	commands := []settings.Command{{Name: "run", Flags: newFlags()}}
	got := s.UnknownVariables(commands, func(word string, names []string) string {
		if !slices.Contains(names, "RTCLUSTER_DRY_RUN") {
			t.Errorf("%s is compared with %q", word, names)
		}
		return "!"
	})
	want := []string{"RTCLUSTER_ESP has no effect: there is no such setting!", "RTCLUSTER_JSON has no effect: not here"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	everywhere, err := s.Everywhere(commands)
	if want := []settings.Value{{Flag: "eps", Text: "1", From: "RTCLUSTER_EPS"}}; err != nil || !slices.Equal(everywhere, want) {
		t.Errorf("got %v, %v, want %v", everywhere, err, want)
	}
}
