package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// This file reads the list that --eps of dbscan may be.

// epsList returns the eps of a list separated by commas, or the one there is, in the
// order given.
func epsList(cmd *cobra.Command, text string, metric *metricOptions) ([]radius, error) {
	items := strings.Split(text, ",")
	if len(items) > 1 {
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		if err := checkList(text, items, metric.sky()); err != nil {
			return nil, usageError{err}
		}
	}
	list := make([]radius, 0, len(items))
	for _, item := range items {
		r, err := eps(cmd, item, metric)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(list, func(o radius) bool { return o.join() == r.join() }); i >= 0 {
			return nil, usagef("--eps %s: %s and %s are the same distance: leave one out", text, items[i], item)
		}
		list = append(list, r)
	}
	return list, nil
}

// checkList finds what is wrong with a list as such.
func checkList(text string, items []string, angle bool) error {
	for _, item := range items {
		switch {
		case item == "":
			return fmt.Errorf("--eps %q has an empty place: give numbers separated by commas, such as 0.1,0.2", text)
		case item == epsAuto:
			return fmt.Errorf("--eps %s: auto finds one eps and stands alone; `rtcluster eps` shows what several rules find", text)
		case angle && isDigits(strings.ReplaceAll(item, ".", "")):
			return fmt.Errorf("--eps %s: %s has no unit: give each its own, such as 10arcmin,0.5deg", text, item)
		}
	}
	if decimalComma(items) {
		return fmt.Errorf("--eps %s may be one number with a comma in it: write that as %s; in a list, write 0 as 0.0, and no zeros before other digits",
			text, strings.Join(items, "."))
	}
	return nil
}

// decimalComma reports whether a list is likely one number, such as 0,5 or 1,000.
func decimalComma(items []string) bool {
	return len(items) == 2 && isDigits(items[0]) && isDigits(items[1]) &&
		(items[0] == "0" || len(items[1]) > 1 && items[1][0] == '0')
}

// isDigits reports whether text is digits alone.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
