package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Command is a command, and the flags that may be set.
type Command struct {
	Name  string
	Flags *pflag.FlagSet
}

// Near says which name is near to a mistyped one, such as ` (did you mean "eps"?)`,
// "" if none is.
type Near func(word string, names []string) string

// CheckFile returns an error for the first key of the file that no command knows,
// or that is in the table of a command without such a flag.
func (s *Settings) CheckFile(commands []Command, near Near) error {
	all := s.names(commands)
	raw := s.file.Raw()
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		table, isTable := raw[key].(map[string]any)
		at := slices.IndexFunc(commands, func(c Command) bool { return c.Name == key })
		switch {
		case !isTable:
			if err := s.unknown(s.source.Path, key, commands, all, near); err != nil {
				return err
			}
		case at < 0:
			return fmt.Errorf("%s: no command [%s]%s; a table holds the settings of a command", s.source.Path, key, near(key, commandNames(commands)))
		default:
			own := commands[at : at+1]
			for _, inner := range slices.Sorted(maps.Keys(table)) {
				if err := s.unknown(s.source.Path+" ["+key+"]", inner, own, s.names(own), near); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unknown returns an error for a key that is no setting of commands.
func (s *Settings) unknown(where, key string, commands []Command, names []string, near Near) error {
	name := flagName(key)
	if why, skipped := s.source.Skip[name]; skipped {
		return fmt.Errorf("%s: %q is no setting: %s", where, key, why)
	}
	if slices.ContainsFunc(commands, func(c Command) bool { return c.Flags.Lookup(name) != nil }) {
		return nil
	}
	return fmt.Errorf("%s: no setting %q%s; settings are named like flags", where, key, near(name, names))
}

// UnknownVariables are lines about variables that begin as settings do and are
// none. They may be meant for another program, so they are no errors.
func (s *Settings) UnknownVariables(commands []Command, near Near) []string {
	var lines []string
	var variables []string
	for _, name := range s.names(commands) {
		variables = append(variables, Variable(name))
	}
	for _, key := range slices.Sorted(maps.Keys(s.env.Raw())) {
		if s.unknown("", key, commands, nil, noHint) == nil {
			continue
		}
		variable := Variable(key)
		if why, skipped := s.source.Skip[key]; skipped {
			lines = append(lines, fmt.Sprintf("%s has no effect: %s", variable, why))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s has no effect: there is no such setting%s", variable, near(variable, variables)))
	}
	return lines
}

// names are those of all settings of commands.
func (s *Settings) names(commands []Command) []string {
	known := map[string]bool{}
	for _, c := range commands {
		c.Flags.VisitAll(func(f *pflag.Flag) {
			if _, skipped := s.source.Skip[f.Name]; !skipped && !f.Hidden {
				known[f.Name] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(known))
}

func commandNames(commands []Command) []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}

// Everywhere is what the file and the environment set, whatever the command: by
// name, those of a table as COMMAND.NAME. What is no setting of commands is not
// among them, nor what a stronger place sets.
func (s *Settings) Everywhere(commands []Command) ([]Value, error) {
	layers := s.layers("")
	befores := make([]string, len(layers))
	for _, c := range commands {
		if own := s.layers(c.Name); len(own) > len(layers) {
			layers, befores = append(layers, own[1]), append(befores, c.Name+delim)
		}
	}
	found := map[string]Value{}
	for i, l := range layers {
		for key, value := range l.keys {
			name := flagName(key)
			if befores[i] == "" && s.unknown("", key, commands, nil, noHint) != nil {
				continue
			}
			text, err := textOf(value)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", l.from(key), key, err)
			}
			found[befores[i]+name] = Value{Flag: befores[i] + name, Text: text, From: l.from(key)}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Value) int { return strings.Compare(a.Flag, b.Flag) }), nil
}

func noHint(string, []string) string { return "" }
