package settings

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Value is a setting of a command.
type Value struct {
	Flag string `json:"name"`
	Text string `json:"value"` // as the flag writes it
	From string `json:"from"`  // FromFlag, FromDefault, a variable, or a file and its table
}

// Where values are from, beside variables and files.
const (
	FromFlag    = "flag"
	FromDefault = "default"
)

// Apply gives flags of a command that were not given their values, and returns
// all that can be set, in the order of the flags. An error says which place holds
// what the flag refuses.
func (s *Settings) Apply(command string, flags *pflag.FlagSet) ([]Value, error) {
	given := map[*pflag.Flag]Given{}
	for _, l := range s.layers(command) {
		if err := s.gather(given, l, flags); err != nil {
			return nil, err
		}
	}
	var values []Value
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		if _, skipped := s.source.Skip[f.Name]; skipped || f.Hidden || failed != nil {
			return
		}
		from, err := s.set(flags, f, given)
		failed = err
		values = append(values, Value{Flag: f.Name, Text: f.Value.String(), From: from})
	})
	return values, failed
}

// gather takes note of what a layer gives to flags.
func (s *Settings) gather(given map[*pflag.Flag]Given, l layer, flags *pflag.FlagSet) error {
	keyFor := map[*pflag.Flag]string{}
	for _, key := range slices.Sorted(maps.Keys(l.keys)) {
		f := flags.Lookup(flagName(key))
		if f == nil { // of another command
			continue
		}
		if first, twice := keyFor[f]; twice {
			return fmt.Errorf("%s: %s and %s are both --%s: leave one of them out", l.from(key), first, key, f.Name)
		}
		keyFor[f] = key
		text, err := textOf(l.keys[key])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", l.from(key), key, err)
		}
		given[f] = Given{text, l.from(key)}
	}
	return nil
}

// set gives a flag its value, and returns where it is from.
func (s *Settings) set(flags *pflag.FlagSet, f *pflag.Flag, given map[*pflag.Flag]Given) (from string, err error) {
	if f.Changed {
		return FromFlag, nil
	}
	if here, ok := given[f]; ok {
		return here.From, refused(f, here, flags.Set(f.Name, here.Text))
	}
	if here, ok := s.source.Ambient[f.Name]; ok {
		return here.From, refused(f, here, f.Value.Set(here.Text)) // and the flag counts as not given
	}
	return FromDefault, nil
}

// refused says what a flag doesn't like, and where it is from.
func refused(f *pflag.Flag, here Given, err error) error {
	if err == nil {
		return nil
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) { // it speaks of an argument, and there is none
		err = invalid.Unwrap()
	}
	return fmt.Errorf("%s: %q is no value of --%s: %w", here.From, here.Text, f.Name, Plain(f, err))
}

// Plain says what a flag wants instead of a text that is no number, true or false,
// where err is the standard library's for that; it is err otherwise.
func Plain(f *pflag.Flag, err error) error {
	var number *strconv.NumError
	switch kind := f.Value.Type(); {
	case !errors.As(err, &number):
		return err
	case kind == "bool":
		return errors.New("want true or false")
	case errors.Is(err, strconv.ErrRange):
		return errors.New("it is too large or too small")
	case strings.HasPrefix(kind, "float"):
		return errors.New("want a number")
	case strings.HasPrefix(kind, "uint"):
		return errors.New("want a whole number of 0 or more")
	case strings.HasPrefix(kind, "int"):
		return errors.New("want a whole number")
	}
	return err
}

// textOf is a value of the file as it would be typed; a list is separated by commas,
// and what holds a comma stands in quotes.
func textOf(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case bool:
		return strconv.FormatBool(value), nil
	case int64:
		return strconv.FormatInt(value, 10), nil
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64), nil
	case []any:
		return listText(value)
	}
	return "", errors.New("want a text, a number, true or false, or a list of these")
}

func listText(list []any) (string, error) {
	fields := make([]string, len(list))
	for i, value := range list {
		if _, nested := value.([]any); nested {
			return "", errors.New("want a list of texts or numbers, and it holds a list")
		}
		var err error
		if fields[i], err = textOf(value); err != nil {
			return "", err
		}
	}
	if len(fields) < 2 { // which CSV would write as "" if it is empty
		return strings.Join(fields, ""), nil
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	if err := w.Write(fields); err != nil {
		return "", err
	}
	w.Flush()
	return strings.TrimSuffix(text.String(), "\n"), w.Error()
}
