//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestBashScript finds nothing left in the script of what it mends: another cobra may
// write another one.
func TestBashScript(t *testing.T) {
	for _, described := range [][]string{nil, {"--no-descriptions"}} {
		a := newTestApp()
		a.mustRun(t, exitOK, append([]string{"completion", "bash"}, described...)...)
		script := strings.ReplaceAll(a.stdout.String(), bashHelpers, "")
		for text, want := range map[string]int{
			`printf "%q`: 0, `printf -v comp "%q"`: 1, " _filedir": 0, `"_filedir`: 0,
			"__rtcluster_quote ": 6, "__rtcluster_bare_commas comp\n": 1, "__rtcluster_filedir": 5, "        __rtcluster_words\n": 1,
		} {
			if got := strings.Count(script, text); got != want {
				t.Errorf("%v: %q is there %d times, want %d", described, text, got, want)
			}
		}
	}
}

// TestBash presses Tab in a real bash, with the package bash-completion and without.
func TestBash(t *testing.T) {
	if testing.Short() {
		t.Skip("starts shells")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	const library = "/usr/share/bash-completion/bash_completion"
	for name, load := range map[string]string{"bash-completion": library, "alone": os.DevNull} {
		for _, described := range []string{"", "--no-descriptions"} {
			t.Run(name+described, func(t *testing.T) {
				if _, err := os.Stat(load); err != nil {
					t.Skipf("there is no bash-completion: %v", err)
				}
				pressTabs(t, bash, load, described)
			})
		}
	}
}

// pressTabs types lines into bash, and wants what Tab makes of them.
func pressTabs(t *testing.T, bash, load, described string) {
	folder := t.TempDir()
	for name, content := range map[string]string{
		"table.csv": "RA,DEC,depth,class\n1,2,3,4\n",
		"rc":        "PS1='ready> '\n. " + load + "\n. <(rtcluster completion bash " + described + ")\nbind 'set enable-bracketed-paste off'\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := commandIn(t, folder) // whose own folder is put on the path
	shell := exec.CommandContext(t.Context(), bash, "--noprofile", "--rcfile", "rc", "-i")
	shell.Dir = folder
	shell.Env = slices.Concat(program.Env, []string{"PATH=" + filepath.Dir(program.Path) + ":" + os.Getenv("PATH"), "TERM=dumb", "INPUTRC=" + os.DevNull, "HISTFILE="})
	screen, err := pty.StartWithSize(shell, &pty.Winsize{Rows: 24, Cols: 120})
	if err != nil {
		t.Skipf("this system has no terminals: %v", err)
	}
	defer func() { _, _, _ = shell.Process.Kill(), shell.Wait(), screen.Close() }() // it would wait for lines
	shown := &watched{}
	go func() { _, _ = io.Copy(shown, screen) }() // until it is closed
	shown.await(t, "ready> ")
	for _, line := range []struct{ typed, want string }{
		{"rtcluster dbscan table.csv -c RA,D\t", "table.csv -c RA,DEC "},
		{"rtcluster dbscan table.csv -c RA,\t\t", "\nRA,DEC"},
		{"rtcluster dbscan table.csv --columns=RA,de\t", "--columns=RA,depth "},
		{"rtcluster outliers table.csv --method knn,ld\t", "--method knn,ldof "},
		{"rtcluster dbscan table.csv --eps=1 --bord\t", "--eps=1 --border "},
		{"rtcluster dbscan table.csv --eps 1 --border ne\t", "--border nearest "},
		{"rtcluster dbscan tab\t", "rtcluster dbscan table.csv "},
	} {
		shown.reset()
		if _, err := screen.WriteString(line.typed); err != nil {
			t.Fatal(err)
		}
		shown.await(t, line.want)
		if got := shown.String(); strings.Contains(got, "not found") || strings.Contains(got, `\,`) {
			t.Errorf("%q: bash shows %q", line.typed, got)
		}
		shown.reset()
		if _, err := screen.WriteString("\x15\r"); err != nil { // the line is wiped out
			t.Fatal(err)
		}
		shown.await(t, "ready> ")
	}
}
