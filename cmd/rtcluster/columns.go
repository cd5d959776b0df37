package main

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"rtcluster/io/table"
)

// isPattern reports whether a column is chosen by a pattern, not by its name.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// checkPattern returns an error for a pattern that is malformed.
func checkPattern(pattern string) error {
	_, err := path.Match(pattern, "")
	return err
}

// matchesPattern reports whether a column has a name of a pattern that is well formed.
// It goes by [path.Match], but that a / is a letter like others in the name of a column.
func matchesPattern(pattern, name string) bool {
	plain := strings.NewReplacer("/", "\x00")
	matched, err := path.Match(plain.Replace(pattern), plain.Replace(name))
	return err == nil && matched
}

// selectColumns returns the columns of a table that names and patterns choose:
// names, or #K for the K-th column, in their order, each pattern in table order,
// without those in leaveOut and those chosen already. A name that exists is never
// a pattern, nor a cast. A cast behind one, as in price:double, stays with the
// names chosen.
func selectColumns(path string, cols []table.Column, chosen, leaveOut []string) ([]string, error) {
	all := columnNames(cols)
	var names []string
	for _, want := range chosen {
		bare := bareName(all, want)
		found, err := matchColumns(path, all, bare, leaveOut)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			if name += want[len(bare):]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// bareName is the name of a column as it is asked for, without a cast.
func bareName(all []string, asked string) string {
	if slices.Contains(all, asked) {
		return asked
	}
	bare, _ := table.SplitCast(asked)
	return bare
}

// matchColumns returns the columns that a name or pattern chooses, one at least.
func matchColumns(file string, all []string, want string, leaveOut []string) ([]string, error) {
	if slices.Contains(all, want) {
		return []string{want}, nil
	}
	if k, err := strconv.Atoi(strings.TrimPrefix(want, "#")); err == nil && isPlace(want) && k >= 1 && k <= len(all) {
		return []string{all[k-1]}, nil
	}
	if !isPattern(want) {
		return nil, unknownColumn(file, want, all)
	}
	var names []string
	for _, name := range all {
		if matchesPattern(want, name) && !slices.Contains(leaveOut, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, inputf(file, "no column matches the pattern %q; columns are %s", want, listed(all))
	}
	return names, nil
}

// numericColumns returns the columns that hold numbers only, one at least.
func numericColumns(path string, cols []table.Column, leaveOut []string) ([]string, error) {
	var names []string
	for _, c := range cols {
		if c.Numeric && !slices.Contains(leaveOut, c.Name) {
			names = append(names, c.Name)
		}
	}
	if len(names) > 0 {
		return names, nil
	}
	if len(cols) == 0 {
		return nil, inputf(path, "it has no columns")
	}
	why := ""
	if faults := columnFaults(cols, leaveOut); len(faults) > 0 {
		why = "\n" + strings.Join(faults, "\n")
	} else if len(cols) == 1 {
		why = "; if that is several, --delimiter says what parts them"
	}
	return nil, inputf(path, "no column holds numbers only, so choose the coordinates by --columns; columns are %s%s", listed(columnNames(cols)), why)
}

// columnFaults says of the columns that are near to numeric why they are not.
func columnFaults(cols []table.Column, leaveOut []string) []string {
	const most = 5
	var lines []string
	for _, c := range cols {
		if c.Fault == nil || slices.Contains(leaveOut, c.Name) {
			continue
		}
		if len(lines) == most {
			return append(lines, "... and more such columns")
		}
		lines = append(lines, c.Fault.Error())
	}
	return lines
}

func columnNames(cols []table.Column) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.Name
	}
	return names
}

func unknownColumn(path, name string, all []string) error {
	if hint := didYouMean(name, all); hint != "" {
		return inputf(path, "no column %q%s", name, hint)
	}
	var like []string
	for _, other := range all {
		if strings.Contains(strings.ToLower(other), strings.ToLower(name)) {
			like = append(like, other)
		}
	}
	if len(like) > 0 && name != "" {
		return inputf(path, "no column %q; its name is part of %s", name, listed(like))
	}
	return inputf(path, "no column %q; columns are %s", name, listed(all))
}

// listed is a list of names for a message, of one line, the first few of them.
func listed(names []string) string {
	const most = 12
	list := plainText(strings.Join(names[:min(len(names), most)], ", "))
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return list
}
