package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// docsShell runs commands in a folder of its own, in which there are the tables of testdata.
type docsShell struct {
	dir    string
	output bytes.Buffer
	runner *interp.Runner
}

func newDocsShell(t *testing.T) *docsShell {
	t.Helper()
	s := &docsShell{dir: t.TempDir()}
	if err := os.CopyFS(filepath.Join(s.dir, "testdata"), os.DirFS(shipped)); err != nil {
		t.Fatal(err)
	}
	env := expand.ListEnviron("PATH="+os.Getenv("PATH"), "HOME="+s.dir, "TMPDIR="+t.TempDir(), "LC_ALL=C", "TZ=UTC")
	var err error
	s.runner, err = interp.New(interp.Dir(s.dir), interp.Env(env), interp.StdIO(nil, &s.output, &s.output),
		interp.Params("-e"), interp.ExecHandlers(fromSource))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *docsShell) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// fromSource runs the program that is tested in the place of one that Go would build, and
// takes it that the tests pass, of which this is one.
func fromSource(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		if len(args) > 2 && slices.Equal(args[:3], []string{"go", "run", "./cmd/rtcluster"}) {
			args = append([]string{"rtcluster"}, args[3:]...)
		}
		if slices.Equal(args, []string{"make", "test"}) {
			return nil
		}
		if len(args) > 1 && args[0] == "bash" {
			return runDocsFile(ctx, args[1], args[2:])
		}
		return next(ctx, args)
	}
}

// runDocsFile runs a file of commands, as bash FILE ARGUMENTS does.
func runDocsFile(ctx context.Context, name string, args []string) error {
	at := interp.HandlerCtx(ctx)
	text, err := os.ReadFile(filepath.Join(at.Dir, name))
	if err != nil {
		return err
	}
	file, err := syntax.NewParser().Parse(bytes.NewReader(text), name)
	if err != nil {
		return err
	}
	runner, err := interp.New(interp.Dir(at.Dir), interp.Env(at.Env), interp.StdIO(at.Stdin, at.Stdout, at.Stderr),
		interp.Params(append([]string{"--"}, args...)...), interp.ExecHandlers(fromSource))
	if err != nil {
		return err
	}
	return runner.Run(ctx, file)
}

// check runs a block and compares its exit code and what it prints.
func (s *docsShell) check(t *testing.T, where string, block *docsBlock) {
	t.Helper()
	s.output.Reset()
	file, err := syntax.NewParser().Parse(strings.NewReader(block.text), where)
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	if err := s.runner.Run(t.Context(), file); err != nil {
		var status interp.ExitStatus
		if !errors.As(err, &status) {
			t.Fatalf("%s: %v", where, err)
		}
		code = int(status)
	}
	s.runner.Reset()
	want := 0
	if text, found := block.note("exit"); found {
		if want, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}
	if code != want {
		t.Errorf("%s: exit code %d, want %d:\n%s", where, code, want, s.output.String())
	}
	if block.shows && !docsPattern(block.shown).MatchString(s.output.String()) {
		t.Errorf("%s: got the output\n%s\nthe page shows\n%s", where, s.output.String(), block.shown)
	}
}
