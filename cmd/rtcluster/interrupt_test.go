//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startProcess starts the command line in a folder, as a process that signals
// can reach. Its temporary files go to a folder that must end empty.
func startProcess(t *testing.T, folder string, args ...string) (*exec.Cmd, *watched) {
	t.Helper()
	cmd := commandIn(t, folder, args...)
	stderr := &watched{}
	cmd.Stderr = stderr
	if _, err := cmd.StdinPipe(); err != nil { // open, and never written
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
	return cmd, stderr
}

// commandIn is the command line, to be started in a folder as a process.
func commandIn(t *testing.T, folder string, args ...string) *exec.Cmd {
	t.Helper()
	link := filepath.Join(t.TempDir(), "rtcluster") // by this name the test binary is the command
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	return cmd
}

// TestInterrupt signals runs in each of their phases: they tidy up before their patience
// ends, say at what they were, leave no file, and exit with code 130.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for processes")
	}
	data := t.TempDir()
	rows := "200000"
	if raceEnabled {
		rows = "50000"
	}
	a := newTestApp()
	many, equal := filepath.Join(data, "many.parquet"), filepath.Join(data, "equal.parquet")
	a.mustRun(t, exitOK, "generate", "uniform", "-n", rows, "-d", "8", "-o", many)
	a.mustRun(t, exitOK, "generate", "equal", "-n", rows, "-d", "2", "-o", equal)
	several := t.TempDir()
	for _, name := range []string{"1.parquet", "2.parquet", "3.parquet", "4.parquet"} {
		if err := os.Symlink(many, filepath.Join(several, name)); err != nil {
			t.Fatal(err)
		}
	}
	reading := func(stderr, _ string) bool { return strings.Contains(stderr, "engine cpu") }
	computing := func(stderr, _ string) bool { return strings.Contains(stderr, "index: done") }
	writing := func(stderr, folder string) bool {
		files, _ := os.ReadDir(folder)
		return computing(stderr, "") && len(files) > 0
	}
	tests := []struct {
		name   string
		signal syscall.Signal
		ready  func(stderr, folder string) bool
		args   []string
	}{
		{"reading", syscall.SIGINT, reading, []string{"dbscan", "-", "-e", "1", "-m", "2"}},
		{"computing", syscall.SIGINT, computing, []string{"outliers", many, "--method", "lof", "-k", "100"}},
		{"terminated", syscall.SIGTERM, computing, []string{"outliers", many, "--method", "lof", "-k", "100"}},
		{"verifying", syscall.SIGINT, computing, []string{"dbscan", many, "-e", "0", "-m", "2", "--verify", rows}},
		{"verifying counts", syscall.SIGINT, computing, []string{"join", many, "-e", "0", "--counts", "--verify", rows}},
		{"writing pairs", syscall.SIGINT, writing, []string{"join", equal, "-c", "x1,x2", "-e", "0"}},
		{"writing a table", syscall.SIGTERM, writing, []string{"dbscan", several, "-e", "0", "-m", "2"}},
		{"sorting pairs", syscall.SIGINT, computing, []string{"join", equal, "-c", "x1,x2", "-e", "0", "--sort"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			args := slices.Concat(test.args, []string{"-v", "--progress", "log", "--report", "run.json", "-o", "out.csv"})
			cmd, stderr := startProcess(t, folder, args...)
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("not at work after 30 s: %s", stderr)
				}
				if test.ready(stderr.String(), folder) {
					break
				}
			}
			time.Sleep(50 * time.Millisecond) // into the phase
			if err := cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
				t.Fatalf("got %v, want exit code %d: %s", err, exitInterrupted, stderr)
			}
			messages := lines(bytes.NewBufferString(stderr.String()))
			last := messages[len(messages)-1]
			said := strings.HasPrefix(last, "rtcluster: interrupted in ") || strings.HasPrefix(last, "rtcluster: interrupted after ")
			if !said || !strings.HasSuffix(last, "; out.csv was not written") {
				t.Errorf("got the last message %q, want it to say at what it was interrupted, and what is left", last)
			}
			for _, place := range []string{folder, tempFolder(cmd)} {
				if left, _ := os.ReadDir(place); len(left) != 0 {
					t.Errorf("it left %v", left)
				}
			}
		})
	}
}

// tempFolder is where a process puts its temporary files.
func tempFolder(cmd *exec.Cmd) string {
	return strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMPDIR=")
}

// TestDiskFull writes to a device that is always full.
func TestDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer func() { _ = full.Close() }() // nothing can be written to it
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	for _, args := range [][]string{
		{"dbscan", in, "-c", "x", "-e", "1", "-m", "2", "-q"},
		{"join", in, "-c", "x", "-e", "1", "-q"},
		{"generate", "uniform"},
	} {
		t.Run(args[0], func(t *testing.T) {
			a := newTestApp()
			a.out = full
			a.mustRun(t, exitResource, args...)
			if got := a.stderr.String(); !strings.HasPrefix(got, "rtcluster: cannot write to standard output: ") {
				t.Errorf("got the message %q", got)
			}
		})
	}
}
