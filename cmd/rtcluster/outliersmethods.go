package main

import (
	"slices"
	"strings"

	"rtcluster/outlier"
)

// This file has the methods of `rtcluster outliers` as the command line knows them.

// scoreMethod is a method: what it keeps, and what it is.
type scoreMethod struct {
	name  outlier.Method
	lists bool   // keeps the nearest rows of all rows
	heaps string // what rows have that a rule for duplicates decides, and what it gives
	help  string
}

// What heaps of equal rows do to scores.
const (
	heapDensities = "have k or more equal rows, or lie beside such: their density or score is infinite (equal rows score 1, rows beside them +Inf)"
	heapSpreads   = "have k or more equal rows, or lie beside such: they have no spread (equal rows score 0, rows beside them 1)"
	heapDistances = "have nearest rows that are all equal, with no distance between them: they score +Inf, and 1 where they are in the same place"
)

// scoreMethods are all methods of package outlier, in the order of the help.
func scoreMethods() []scoreMethod {
	return []scoreMethod{
		{name: outlier.KNN, help: "distance to the k-th nearest other row, or the mean, median or sum of the k distances; in degrees on the sky"},
		{name: outlier.LOF, lists: true, heaps: heapDensities, help: "local outlier factor: how much sparser a row's surroundings are than those of its k nearest; near 1 for ordinary rows"},
		{name: outlier.SimplifiedLOF, lists: true, heaps: heapDensities, help: "the same without reachability: by the distances to the k nearest alone"},
		{name: outlier.LoOP, lists: true, heaps: heapSpreads, help: "local outlier probability, 0 to 1: how far beyond its surroundings' spread a row lies"},
		{name: outlier.LDOF, lists: true, heaps: heapDistances, help: "mean distance to the k nearest rows, in units of the mean distance between these"},
		{name: outlier.ODIN, help: "minus the number of rows that have the row among their k nearest"},
		{name: outlier.Count, help: "minus the number of other rows within eps"},
		{name: outlier.DB, help: "share of all rows that is farther than eps; --fraction flags rows by it"},
		{name: outlier.DBSCAN, help: "1 for noise, 0.5 for border rows, 0 for core rows, which have --min-samples rows within eps"},
	}
}

// Choices of methods.
func anyMethod(scoreMethod) bool    { return true }
func takesK(m scoreMethod) bool     { return m.name.Nearest() }
func takesEps(m scoreMethod) bool   { return !m.name.Nearest() }
func keepsLists(m scoreMethod) bool { return m.lists }

func named(name outlier.Method) func(scoreMethod) bool {
	return func(m scoreMethod) bool { return m.name == name }
}

// methodNames are the names of the methods of a choice.
func methodNames(choice func(scoreMethod) bool) []string {
	var names []string
	for _, m := range scoreMethods() {
		if choice(m) {
			names = append(names, string(m.name))
		}
	}
	return names
}

func methodList(choice func(scoreMethod) bool) string {
	return strings.Join(methodNames(choice), ", ")
}

// methodsHelp says what each method is.
func methodsHelp() string {
	const width = 86
	methods, indent := scoreMethods(), 0
	for _, m := range methods {
		indent = max(indent, len(m.name)+4)
	}
	var text strings.Builder
	for _, m := range methods {
		line := "  " + string(m.name) + strings.Repeat(" ", indent-2-len(m.name))
		at := len(line)
		for i, word := range strings.Fields(m.help) {
			if i > 0 && at+1+len(word) > width {
				line += "\n" + strings.Repeat(" ", indent)
				at = indent
			} else if i > 0 {
				line += " "
				at++
			}
			line += word
			at += len(word)
		}
		text.WriteString(line + "\n")
	}
	return text.String()
}

// has reports whether a method of a choice was asked for.
func (o *outliersOptions) has(choice func(scoreMethod) bool) bool {
	return slices.ContainsFunc(methodNames(choice), func(name string) bool { return slices.Contains(o.Methods, name) })
}

// mostK is the greatest k, 0 for none.
func (o *outliersOptions) mostK() int { return slices.Max(append([]int{0}, o.K...)) }

// checkMethods finds what methods lack, and what none of them takes.
func (o *outliersOptions) checkMethods(given func(flag string) bool) error {
	if len(o.Methods) == 0 {
		return usagef("--method is missing: want one or more of %s", methodList(anyMethod))
	}
	asked := strings.Join(o.Methods, ",")
	for _, flag := range []struct {
		name, shown string
		takers      func(scoreMethod) bool
	}{
		{"neighbors", "-k", takesK},
		{"ties", "--ties", takesK},
		{"eps", "--eps", takesEps},
		{"fraction", "--fraction", takesFraction},
		{"min-samples", "--min-samples", takesMinSamples},
		{"aggregate", "--aggregate", named(outlier.KNN)},
		{"lambda", "--lambda", named(outlier.LoOP)},
		{"all-plof", "--all-plof", named(outlier.LoOP)},
	} {
		if given(flag.name) && !o.has(flag.takers) {
			return usagef("%s is for --method %s: leave it out with --method %s", flag.shown, methodList(flag.takers), asked)
		}
	}
	switch {
	case o.has(takesK) && len(o.K) == 0:
		return usagef("-k is missing: how many nearest rows --method %s looks at, such as -k 10", asked)
	case o.has(named(outlier.LDOF)) && slices.Contains(o.K, 1):
		return usagef("-k 1 is too few for --method ldof, which needs distances among the k nearest rows: 2 or more")
	case notFinite(o.Lambda) || o.Lambda <= 0:
		return usagef("--lambda %s: want a finite number above 0", exact(o.Lambda))
	}
	return o.checkWithin()
}
