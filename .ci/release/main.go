// Release makes the archives of a version, one for each target, with the program
// for the CPU engine, completions, man pages, README, documentation and licence, and
// their SHA256SUMS. The same commit, with the same Go, gives the same bytes.
//
//	go run ./.ci/release -o dist -targets linux/amd64,windows/amd64
//
// It runs in the root of a checkout, and needs Go, and Git for the version.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const defaultTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

func main() {
	out := flag.String("o", "dist", "`folder` for the archives")
	targets := flag.String("targets", defaultTargets, "what to build for, as `GOOS/GOARCH`, parted by commas; host is this machine")
	flag.Parse()
	if err := release(*out, strings.Split(*targets, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release makes the archives of targets in a folder.
func release(out string, targets []string) error {
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // the archives are elsewhere
	common, version, err := sharedFiles(work)
	if err != nil {
		return err
	}
	at, err := commitTime()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var names []string
	for _, target := range targets {
		if target == "host" {
			target = runtime.GOOS + "/" + runtime.GOARCH
		}
		name, err := releaseFor(target, version, out, work, at, common)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		names = append(names, name)
	}
	return writeSums(out, names)
}

// releaseFor makes the archive of one target, and returns its name.
func releaseFor(target, version, out, work string, at time.Time, common []file) (string, error) {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return "", errors.New("want GOOS/GOARCH")
	}
	program := "rtcluster"
	if system == "windows" {
		program += ".exe"
	}
	path := filepath.Join(work, program)
	if err := build(path, "GOOS="+system, "GOARCH="+processor); err != nil {
		return "", err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	folder := fmt.Sprintf("rtcluster_%s_%s_%s", version, system, processor)
	files := append([]file{{program, content, true}}, common...)
	name, pack := folder+".tar.gz", tarGzip
	if system == "windows" {
		name, pack = folder+".zip", zipped
	}
	text, err := pack(folder, files, at)
	if err != nil {
		return "", err
	}
	fmt.Println(name)
	return name, os.WriteFile(filepath.Join(out, name), text, 0o644)
}

// build compiles the program, with the version of the checkout, if it is one.
func build(path string, env ...string) error {
	stamp := "-buildvcs=true"
	if exec.Command("git", "rev-parse", "HEAD").Run() != nil {
		stamp = "-buildvcs=false"
	}
	cmd := exec.Command("go", "build", "-trimpath", stamp, "-ldflags=-s -w", "-o", path, "./cmd/rtcluster")
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// sharedFiles are the files that all archives have, and the version. A program for
// this machine tells the version, and writes completions and man pages.
func sharedFiles(work string) (files []file, version string, err error) {
	program := filepath.Join(work, "host")
	if err := build(program, "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH); err != nil {
		return nil, "", err
	}
	said, err := exec.Command(program, "version").Output()
	if err != nil {
		return nil, "", fmt.Errorf("rtcluster version: %w", err)
	}
	if version, err = versionOf(string(said)); err != nil {
		return nil, "", err
	}
	for shell, name := range map[string]string{"bash": "rtcluster.bash", "zsh": "_rtcluster", "fish": "rtcluster.fish", "powershell": "rtcluster.ps1"} {
		script, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return nil, "", fmt.Errorf("rtcluster completion %s: %w", shell, err)
		}
		files = append(files, file{"completions/" + name, script, false})
	}
	manual := filepath.Join(work, "pages")
	if problem, err := exec.Command(program, "man", manual).CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("rtcluster man: %s: %w", bytes.TrimSpace(problem), err)
	}
	for from, to := range map[string]string{manual: "man", "docs": "docs", "README.md": "README.md", "LICENSE": "LICENSE"} {
		more, err := filesBelow(from, to)
		if err != nil {
			return nil, "", err
		}
		files = append(files, more...)
	}
	return files, version, nil
}

// versionOf is the version in what rtcluster version says: "rtcluster v1.2.3 ...".
func versionOf(said string) (string, error) {
	fields := strings.Fields(said)
	if len(fields) < 2 || fields[0] != "rtcluster" {
		return "", fmt.Errorf("rtcluster version says %q, which names no version", said)
	}
	return fields[1], nil
}

// commitTime is when the commit was made, which files of an archive are dated by.
func commitTime() (time.Time, error) {
	text, err := exec.Command("git", "log", "-1", "--format=%cI").Output()
	if err != nil { // no checkout
		return time.Unix(0, 0), nil
	}
	return time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
}
