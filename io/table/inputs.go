package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Input is one file of a table.
type Input struct {
	// Path is the file, or "-" for standard input.
	Path string

	// Name is what the file is called below the folder or the fixed part of the
	// pattern that it was found by, with the system's separators; of a file that
	// was named itself, its base name.
	Name string

	// Partitions are the folders k=v of the path, outermost first.
	Partitions []Partition
}

// Partition is a folder k=v, as Hive and Spark name them. Escapes such as %20 are
// undone.
type Partition struct {
	Name  string
	Value string
	Null  bool // the folder stands for null
}

// hiveNull is how Hive calls the folder of rows without a value.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

var (
	// ErrNoInput is returned when a folder or a pattern yields no file.
	ErrNoInput = errors.New("no table files found")

	// ErrPattern is returned for a pattern that is none.
	ErrPattern = errors.New("is no pattern: a [ lacks its ], or a \\ ends it")

	// ErrTwice is returned when the names lead to a file twice.
	ErrTwice = errors.New("would be read twice; name it once")
)

// Found is what names of inputs lead to.
type Found struct {
	Inputs []Input

	// Skipped are files in folders whose names end in no extension of a table.
	Skipped []string
}

// Find returns the files that names lead to, in the order of the names. A name is
//
//   - a file, or "-" for standard input; a table of a file that has several as
//     stars.fits#2 or stars.fits#NAME;
//   - a folder: all files in and below it, by name, that end in .csv, .tsv, .fits,
//     .vot, .ecsv (also with .gz or .zst), .parquet or .pq, or all files if a format is given;
//   - a pattern of files and folders with *, ? and [...], where ** stands for any
//     number of folders; by name;
//   - @FILE: a list of names as above but @, one a line; blank lines and those
//     that begin with # are skipped. @- reads it from stdin.
//
// In folders, and where a pattern does not say so itself, files and folders that
// begin with _ or . are passed over.
func Find(list []string, format string, stdin io.Reader) (*Found, error) {
	f := finder{all: format != "" && format != formatAuto, seen: map[string]bool{}}
	for _, name := range list {
		file, isList := strings.CutPrefix(name, "@")
		if !isList {
			if err := f.add(name); err != nil {
				return nil, err
			}
			continue
		}
		names, err := readList(file, stdin)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := f.add(name); err != nil {
				return nil, fmt.Errorf("in the list %s: %w", file, err)
			}
		}
	}
	return &f.found, nil
}

// readList reads the names in a list.
func readList(path string, stdin io.Reader) ([]string, error) {
	r := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // was only read
		r = f
	}
	if r == nil {
		return nil, errors.New("table: no standard input given to read a list from")
	}
	var names []string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if name := strings.TrimSpace(lines.Text()); name != "" && name[0] != '#' {
			names = append(names, name)
		}
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("read the list %s: %w", path, lines.Err())
	case len(names) == 0:
		return nil, fmt.Errorf("the list %s: %w", path, ErrNoInput)
	}
	return names, nil
}

// finder gathers inputs.
type finder struct {
	found Found
	seen  map[string]bool
	all   bool // files of any name

	matches map[string]bool // what the pattern being followed has led to
}

// add adds what a name leads to.
func (f *finder) add(name string) error {
	if name == "-" {
		return f.take("-", "-")
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		before := len(f.found.Inputs)
		if err := f.folder(name, name, []fs.FileInfo{info}); err != nil {
			return err
		}
		if len(f.found.Inputs) == before {
			return fmt.Errorf("folder %s: %w (looked for %s)", name, ErrNoInput, knownExtensions)
		}
		return nil
	case err == nil:
		return f.take(name, filepath.Base(name))
	case isPick(name):
		file, _ := splitPick(name)
		return f.take(name, filepath.Base(file))
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?["):
		return f.pattern(name)
	}
	return err
}

// take adds a file.
func (f *finder) take(path, name string) error {
	clean := filepath.Clean(path)
	if f.seen[clean] {
		return fmt.Errorf("%s: %w", path, ErrTwice)
	}
	f.seen[clean] = true
	f.found.Inputs = append(f.found.Inputs, Input{Path: path, Name: name, Partitions: partitions(path)})
	return nil
}

// folder adds the files in and below dir, by name; above are the folders that
// lead to it, itself included.
func (f *finder) folder(root, dir string, above []fs.FileInfo) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path) // links are followed
		if err != nil {
			return err
		}
		if info.IsDir() {
			for _, folder := range above {
				if os.SameFile(folder, info) {
					return fmt.Errorf("folder %s is a link to a folder above it: name the files otherwise", path)
				}
			}
			if err := f.folder(root, path, append(above[:len(above):len(above)], info)); err != nil {
				return err
			}
			continue
		}
		if format, _ := byExtension(path); format == "" && !f.all || !info.Mode().IsRegular() {
			f.found.Skipped = append(f.found.Skipped, path)
			continue
		}
		if err := f.take(path, below(root, path)); err != nil {
			return err
		}
	}
	return nil
}

// below is the path from a folder to a file in it.
func below(root, path string) string {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return filepath.Base(path)
	}
	return name
}

// hidden reports whether a name is one that tables are not looked for in: those
// of Spark's _SUCCESS and _metadata, and dotfiles.
func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// partitions returns the folders k=v of a path.
func partitions(path string) []Partition {
	var list []Partition
	folders := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	for _, folder := range folders {
		key, value, ok := strings.Cut(folder, "=")
		if !ok || key == "" {
			continue
		}
		p := Partition{Name: unescaped(key), Value: unescaped(value)}
		if value == hiveNull {
			p.Value, p.Null = "", true
		}
		list = append(list, p)
	}
	return list
}

// unescaped undoes escapes, where they are well formed.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
