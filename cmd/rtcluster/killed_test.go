//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// waitFor waits until there is a file that matches the pattern, and something in
// it, and returns it.
func waitFor(t *testing.T, pattern string, stderr *watched) string {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			continue
		}
		if info, err := os.Stat(files[0]); err == nil && info.Size() > 0 {
			return files[0]
		}
	}
	t.Fatalf("no %s after 30 s: %s", pattern, stderr)
	return ""
}

// TestKilled kills runs (kill -9) while they write: nothing stands under the
// final name, and the next run to it removes what is left and says so. A run
// that is still at work keeps its file.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for processes")
	}
	small := writeFile(t, "small.csv", "x,y\n0,0\n1,1\n")
	equal := filepath.Join(t.TempDir(), "equal.parquet")
	newTestApp().mustRun(t, exitOK, "generate", "equal", "-n", "100000", "-d", "2", "-o", equal)
	folder := t.TempDir()
	out := filepath.Join(folder, "out.csv")
	cmd, stderr := startProcess(t, folder, "join", equal, "-e", "0", "-o", out)
	temp := waitFor(t, filepath.Join(folder, ".out.csv.rtcluster-*.tmp"), stderr)

	a := newTestApp()
	a.mustRun(t, exitOK, "join", small, "-e", "0", "-o", out)
	want := "warning: " + temp + " is there, of another run that writes to the same output"
	if got := a.stderr.String(); !strings.Contains(got, want) {
		t.Errorf("beside a run at work: got %q, want %q", got, want)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run that was killed left an output (%v)", err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("locks are not sure to be known elsewhere")
	}
	a.mustRun(t, exitOK, "join", small, "-e", "0", "-o", out)
	want = "warning: removed " + temp + ", which a run that was killed left unfinished"
	if got := a.stderr.String(); !strings.Contains(got, want) {
		t.Errorf("after a run was killed: got %q, want %q", got, want)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("left are %v, want out.csv alone", left)
	}
	a.mustRun(t, exitOK, "join", small, "-e", "0", "-o", out, "--force")
	if got := a.stderr.String(); strings.Contains(got, "warning") {
		t.Errorf("once more: got %q, want no warning", got)
	}
}

// TestKilledFolder does so for one output file per input.
func TestKilledFolder(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("waits for processes, and needs locks")
	}
	small := writeFile(t, "small.csv", "x,y\n0,0\n1,1\n")
	data := t.TempDir()
	a := newTestApp()
	for i := range 3 {
		a.mustRun(t, exitOK, "generate", "uniform", "-n", "200000", "--seed", fmt.Sprint(i), "-o", filepath.Join(data, fmt.Sprintf("%d.csv", i)))
	}
	folder := t.TempDir()
	cmd, stderr := startProcess(t, folder, "dbscan", data, "-e", "0", "-m", "2", "-o", folder+"/")
	temp := waitFor(t, filepath.Join(folder, ".rtcluster-*.tmp", "0"), stderr)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if left, _ := filepath.Glob(filepath.Join(folder, "*.csv")); len(left) != 0 {
		t.Errorf("a run that was killed left %v", left)
	}
	a.mustRun(t, exitOK, "dbscan", small, "-e", "0", "-m", "2", "-o", folder+"/")
	want := "warning: removed " + filepath.Dir(temp) + ", which a run that was killed left unfinished"
	if got := a.stderr.String(); !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 || left[0].Name() != "small.csv" {
		t.Errorf("left are %v, want small.csv alone", left)
	}
}

// TestFolderFull fills a small file system with outputs of each kind: exit code
// 4, and nothing is left on it.
func TestFolderFull(t *testing.T) {
	folder := t.TempDir()
	if err := mountSmall(folder); err != nil {
		t.Skipf("cannot make a small file system to fill (this takes root on Linux): %v", err)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	data := t.TempDir()
	a := newTestApp()
	for i := range 3 {
		a.mustRun(t, exitOK, "generate", "uniform", "-n", "20000", "--seed", fmt.Sprint(i), "-o", filepath.Join(data, fmt.Sprintf("%d.csv", i)))
	}
	parquet := filepath.Join(t.TempDir(), "in.parquet")
	a.mustRun(t, exitOK, "generate", "uniform", "-n", "50000", "-o", parquet)
	tests := []struct {
		name string
		args []string
	}{
		{"csv", []string{"dbscan", data, "-e", "0", "-m", "2", "-o", "out.csv"}},
		{"parquet from csv", []string{"dbscan", data, "-e", "0", "-m", "2", "-o", "out.parquet"}},
		{"parquet", []string{"dbscan", parquet, "-e", "0", "-m", "2", "-o", "out.parquet"}},
		{"pairs", []string{"join", data, "-e", "0.1", "-o", "out.csv"}},
		{"one for each", []string{"dbscan", data, "-e", "0", "-m", "2", "-o", ""}},
		{"generate", []string{"generate", "uniform", "-n", "100000", "-o", "out.csv"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{}, test.args...)
			args[len(args)-1] = folder + "/" + args[len(args)-1]
			a.mustRun(t, exitResource, args...)
			if got := a.stderr.String(); !strings.Contains(got, "no space left on device") || !strings.Contains(got, "cannot write "+folder) {
				t.Errorf("got %q", got)
			}
			if left, _ := os.ReadDir(folder); len(left) != 0 {
				t.Errorf("it left %v", left)
			}
		})
	}
}

// mountSmall mounts a file system of 512 KiB in memory.
func mountSmall(folder string) error {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		return errors.ErrUnsupported
	}
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder).CombinedOutput()
	if err != nil {
		return fmt.Errorf("mount: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// TestClosedPipe closes the reading end of a run's output, or of its messages,
// while it writes: the run tidies up and ends, or goes on.
func TestClosedPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for processes")
	}
	data := t.TempDir()
	equal, many := filepath.Join(data, "equal.parquet"), filepath.Join(data, "many.parquet")
	a := newTestApp()
	a.mustRun(t, exitOK, "generate", "equal", "-n", "100000", "-d", "2", "-o", equal)
	a.mustRun(t, exitOK, "generate", "uniform", "-n", "20000", "-d", "2", "-o", many)
	tests := []struct {
		name string
		pipe func(cmd *exec.Cmd) (io.ReadCloser, error)
		args []string
		want int
		left int
	}{
		{"output", (*exec.Cmd).StdoutPipe, []string{"join", equal, "-e", "0", "-v"}, exitPipe, 0},
		{"messages", (*exec.Cmd).StderrPipe, []string{"dbscan", many, "-e", "0.1", "-m", "2", "-v", "-o", "out.csv"}, exitOK, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd := commandIn(t, t.TempDir(), test.args...)
			pipe, err := test.pipe(cmd)
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
			if _, err := pipe.Read(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			if err := pipe.Close(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = cmd.Wait() // its exit code is looked at below
			}()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Fatal("it went on for 20 s without a reader")
			}
			if got := cmd.ProcessState.ExitCode(); got != test.want {
				t.Errorf("got exit code %d, want %d", got, test.want)
			}
			if left, _ := os.ReadDir(cmd.Dir); len(left) != test.left {
				t.Errorf("it left %v, want %d files", left, test.left)
			}
		})
	}
}
