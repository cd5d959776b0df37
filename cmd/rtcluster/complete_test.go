package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestCompleteLarge reads the beginning of a large table alone: here what comes behind
// it is no table at all.
func TestCompleteLarge(t *testing.T) {
	rows := "alpha,beta\n" + strings.Repeat("1.5,text\n", 2*completeBytes/9)
	broken := rows + "\"no end"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(rows)); err != nil || w.Close() != nil {
		t.Fatal("cannot compress")
	}
	for name, content := range map[string]string{
		"large.csv": broken, "large.tsv": strings.ReplaceAll(broken, ",", "\t"), "packed.csv.gz": packed.String(),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			a := newTestApp()
			a.mustRun(t, exitOK, "__complete", "dbscan", path, "--columns", "")
			if got := strings.Fields(a.stdout.String()); !slices.Contains(got, "alpha") || slices.Contains(got, "beta") {
				t.Errorf("got %q, want alpha and not beta", got)
			}
			a.mustRun(t, exitOK, "__complete", "dbscan", path, "--id", "")
			if !strings.Contains(a.stdout.String(), "\nbeta") {
				t.Errorf("got %q, want beta too", a.stdout.String())
			}
		})
	}
}

// TestCompleteFiles wants an ending for each flag that takes a file.
// TestCompleteSafe offers no name that a shell would run.
func TestCompleteSafe(t *testing.T) {
	path := writeFile(t, "evil.csv", "$(touch a)x,`touch b`x,x;y,x|y,\"x\"\"y\",x'y,x<(y),x&y,x y,RA (J2000),x\n1,2,3,4,5,6,7,8,9,10,11\n")
	a := newTestApp()
	a.mustRun(t, exitOK, "__complete", "dbscan", path, "-c", "")
	var names []string
	for line := range strings.Lines(a.stdout.String()) {
		if name, _, described := strings.Cut(line, "\t"); described {
			names = append(names, name)
		}
	}
	if want := []string{"x y", "RA (J2000)", "x"}; !slices.Equal(names, want) {
		t.Errorf("it offers %q, want %q", names, want)
	}
}

// TestCompletePipe does not wait for a pipe that nobody writes to.
func TestCompletePipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.csv")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("no named pipe can be made: %v", err)
	}
	a := newTestApp()
	a.mustRun(t, exitOK, "__complete", "dbscan", pipe, "-c", "")
	if got := a.stdout.String(); !strings.HasPrefix(got, ":") {
		t.Errorf("it offers %q, want nothing", got)
	}
}

func TestCompleteFiles(t *testing.T) {
	tried := 0
	for _, cmd := range newTestApp().newRootCmd().Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			what, _ := pflag.UnquoteUsage(f)
			if what != "FILE" {
				return
			}
			tried++
			if len(f.Annotations[cobra.BashCompFilenameExt]) == 0 {
				t.Errorf("%s: the shell is told no ending for --%s", cmd.Name(), f.Name)
			}
		})
	}
	if tried < 20 {
		t.Errorf("tried %d flags, want all of them", tried)
	}
}

// TestCompleteFormats offers the columns of tables of other formats that are large.
func TestCompleteFormats(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"large.parquet", "large.fits", "large.fits.gz"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			a := newTestApp()
			a.mustRun(t, exitOK, "generate", "uniform", "-n", "20000", "-d", "2", "-o", path)
			for _, path := range []string{path, path + "#1"} {
				if strings.HasSuffix(path, ".parquet#1") {
					continue
				}
				a.mustRun(t, exitOK, "__complete", "dbscan", path, "--columns", "")
				if got := strings.Fields(a.stdout.String()); !slices.Contains(got, "x1") || !slices.Contains(got, "x2") {
					t.Errorf("%s: got %q, want x1 and x2", path, got)
				}
			}
		})
	}
}
