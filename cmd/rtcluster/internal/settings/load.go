package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
	decoder "github.com/pelletier/go-toml/v2"
)

// Prefix begins the names of the variables that are settings.
const Prefix = "RTCLUSTER_"

// delim parts a table of the file from a key in it. It is in no name of a flag.
const delim = "."

// Source says where to look for settings.
type Source struct {
	Path    string            // of the file, "" for none
	Environ []string          // NAME=value, as of [os.Environ]
	Other   []string          // variables that begin with Prefix and are no settings
	Ambient map[string]Given  // by flag: what holds if nobody sets it
	Skip    map[string]string // flags that are no settings, and why
}

// Given is a value, and where it is from.
type Given struct {
	Text string
	From string
}

// Settings are those of a file and of the environment.
type Settings struct {
	source Source
	file   *koanf.Koanf
	env    *koanf.Koanf
}

// Load reads the file and the environment of a source. It fails where the file
// cannot be read, or is no TOML; the error names the file, and the place in it.
func Load(source Source) (*Settings, error) {
	s := &Settings{source: source, file: koanf.New(delim), env: koanf.New(delim)}
	if source.Path != "" {
		text, err := readText(source.Path)
		if err != nil {
			return nil, err // it names the file
		}
		if err := s.file.Load(rawbytes.Provider(text), toml.Parser()); err != nil {
			return nil, fileError(source.Path, err)
		}
	}
	return s, s.env.Load(env.Provider(delim, env.Opt{
		Prefix:      Prefix,
		EnvironFunc: func() []string { return source.Environ },
		TransformFunc: func(name, value string) (string, any) {
			if value == "" || slices.Contains(source.Other, name) {
				return "", nil
			}
			return keyOf(name), value
		},
	}), nil)
}

// mostBytes is more than a file of settings has, and little enough to be read from
// whatever is named by mistake, such as a table, or a device without end.
const mostBytes = 1 << 20

// readText reads the text of a file of settings, without a byte order mark.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("%s: is longer than 1 MiB, and so no file of settings", path)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), err
}

// fileError says where a file is no TOML.
func fileError(path string, err error) error {
	var at *decoder.DecodeError
	if errors.As(err, &at) {
		row, column := at.Position()
		return fmt.Errorf("%s, line %d, column %d: %w", path, row, column, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Variable is the name of the variable of a flag.
func Variable(flag string) string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// keyOf is the flag of a variable.
func keyOf(variable string) string {
	return flagName(strings.ToLower(strings.TrimPrefix(variable, Prefix)))
}

// flagName is the flag of a key of the file, where _ is as good as -.
func flagName(key string) string { return strings.ReplaceAll(key, "_", "-") }

// layer is a place that has settings: keys, and what each holds.
type layer struct {
	keys map[string]any
	from func(key string) string
}

// layers are those that a command looks at, the strongest last.
func (s *Settings) layers(command string) []layer {
	path := s.source.Path
	list := []layer{{topLevel(s.file.Raw()), func(string) string { return path }}}
	if own, ok := s.file.Raw()[command].(map[string]any); ok {
		list = append(list, layer{own, func(string) string { return path + " [" + command + "]" }})
	}
	return append(list, layer{s.env.Raw(), Variable})
}

// topLevel are the keys outside the tables.
func topLevel(all map[string]any) map[string]any {
	keys := maps.Clone(all)
	maps.DeleteFunc(keys, func(_ string, value any) bool {
		_, table := value.(map[string]any)
		return table
	})
	return keys
}
