package table

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// pattern adds what matches a pattern, by name. Folders that match are gone
// through like those that are named.
func (f *finder) pattern(pattern string) error {
	steps := strings.Split(strings.TrimRight(filepath.ToSlash(pattern), "/"), "/")
	fixed := 0 // steps without wildcards at the beginning
	for fixed < len(steps) && !strings.ContainsAny(steps[fixed], "*?[") {
		fixed++
	}
	root := strings.Join(steps[:fixed], "/")
	if fixed > 0 && root == "" {
		root = "/"
	}
	for _, step := range steps[fixed:] {
		if _, err := filepath.Match(step, ""); err != nil {
			return fmt.Errorf("%s: %w", pattern, ErrPattern)
		}
	}
	before := len(f.found.Inputs)
	f.matches = map[string]bool{}
	if err := f.match(root, root, steps[fixed:], false); err != nil {
		return err
	}
	if len(f.found.Inputs) == before {
		return fmt.Errorf("pattern %s: %w", pattern, ErrNoInput)
	}
	return nil
}

// match adds what the steps of a pattern lead to from dir on; deep says that the
// step before was **.
func (f *finder) match(root, dir string, steps []string, deep bool) error {
	step := steps[0]
	if step == "**" && len(steps) > 1 {
		return f.match(root, dir, steps[1:], true)
	}
	here := dir
	if here == "" {
		here = "."
	}
	entries, err := os.ReadDir(here)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		matched, _ := filepath.Match(step, e.Name()) // well formed, as was seen
		if hidden(e.Name()) && !strings.HasPrefix(step, e.Name()[:1]) {
			matched = false
		}
		if matched {
			if err := f.matched(root, path, info, steps); err != nil {
				return err
			}
		}
		// Links to folders are not followed here, since they may lead upwards.
		if deep && e.IsDir() && !hidden(e.Name()) && (!matched || len(steps) > 1) {
			if err := f.match(root, path, steps, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// matched goes on from what matches the first of steps. What several ** lead to
// in two ways counts once.
func (f *finder) matched(root, path string, info fs.FileInfo, steps []string) error {
	switch {
	case len(steps) > 1 && info.IsDir():
		return f.match(root, path, steps[1:], false)
	case len(steps) > 1 || f.matches[path]:
		return nil
	}
	f.matches[path] = true
	if info.IsDir() {
		return f.folder(root, path, []fs.FileInfo{info})
	}
	return f.take(path, below(root, path))
}
