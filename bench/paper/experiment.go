package paper

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rtcluster/io/chart"
)

// Experiment is one of the paper's experiments, or one of ours beside them.
type Experiment struct {
	Name     string   // on the command line
	Paper    string   // figures and tables of the paper; "" if it has none of that kind
	Purpose  string   // in a line
	Params   []Param  // that are its own
	Sets     []string // that it takes if none are named
	Examples []string // two command lines
	// Run measures. It returns the rows it has so far with an error, or none.
	Run func(ctx context.Context, s *Setting) (*Table, *chart.Picture, error)
}

// Experiments returns all experiments, in the order of the paper.
func Experiments() []Experiment {
	return []Experiment{
		height(),
		grouping(),
		refine(),
		result(),
		compare(),
		prune(),
		profile(),
		scale(),
	}
}

// Names returns the names of all experiments.
func Names() []string {
	var names []string
	for _, e := range Experiments() {
		names = append(names, e.Name)
	}
	return names
}

// Find returns the experiment of a name.
func Find(name string) (e Experiment, found bool) {
	all := Experiments()
	at := slices.IndexFunc(all, func(e Experiment) bool { return e.Name == name })
	if at < 0 {
		return Experiment{}, false
	}
	return all[at], true
}

// Param is a parameter of some experiments: a flag of the command.
type Param struct {
	Name    string
	Word    string // what help calls the value, such as N,N,.. or pairs|counts
	Default string
	Usage   string
	Check   func(text string) error
}

// fileWord is the word of a parameter that names a file.
const fileWord = "FILE"

// Params returns the parameters of all experiments, each once.
func Params() []Param {
	var all []Param
	for _, e := range Experiments() {
		for _, p := range e.Params {
			if !slices.ContainsFunc(all, func(q Param) bool { return q.Name == p.Name }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Takes reports whether a parameter is one of the experiment's.
func (e *Experiment) Takes(name string) bool {
	return slices.ContainsFunc(e.Params, func(p Param) bool { return p.Name == name })
}

// OneOf returns a check for a parameter that is one of some words.
func OneOf(words ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want one of %s", strings.Join(words, ", "))
		}
		return nil
	}
}

// checkWholes refuses a list that is no whole numbers from 1 on.
func checkWholes(text string) error {
	_, err := wholes(text)
	return err
}

// wholes reads whole numbers, 1 or more, with commas between.
func wholes(text string) ([]int, error) {
	var list []int
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("want whole numbers, 1 or more, separated by commas; %q is none", field)
		}
		list = append(list, int(n))
	}
	return list, nil
}
