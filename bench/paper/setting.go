package paper

import (
	"context"
	"fmt"
	"time"

	"rtcluster/join"
)

// Engine is an engine to measure, or the reason why there is none of its name.
type Engine struct {
	Name    string
	Join    join.Engine
	Missing error // nil if it is there
}

// Setting is how an experiment runs, and what it is given.
type Setting struct {
	Engines  []Engine // those that were asked for, all there; else all that the program knows
	Asked    bool     // whether they were asked for
	Threads  int      // of the CPU engine, 1 or more
	Fraction float64  // of the rows of each set
	Sets     []string // nil: those of the experiment

	// Eps are the ε of all sets, and Selectivity is what ε is searched for otherwise.
	// With neither, sets that were read take the published ε, and others DefaultSelectivity.
	Eps         []float64
	Selectivity []float64

	Runs    int           // of which the median is taken
	Timeout time.Duration // of one run; 0: none
	Seed    uint64        // of synthetic sets, and of samples

	// Read returns the rows of a set as they are in its file, row by row; nil for
	// synthetic sets.
	Read func(ctx context.Context, name string) (data []float64, dim int, err error)

	Profiler string                        // path of ncu, "" where it is not there
	Again    func(args ...string) []string // the command line of this program for another experiment on the same rows

	Values map[string]string // of parameters that are not the defaults
	Host   Host
	Card   string // card and driver; "" where there is none
	Say    func(line string)
}

// DefaultSelectivity returns the mean numbers of other rows within ε that the paper has.
func DefaultSelectivity() []float64 { return []float64{1 << 8, 1 << 10, 1 << 12} }

// Value returns the value of a parameter.
func (s *Setting) Value(p Param) string {
	if text, given := s.Values[p.Name]; given {
		return text
	}
	return p.Default
}

// Wholes returns the value of a parameter that is a list of whole numbers.
func (s *Setting) Wholes(p Param) ([]int, error) {
	list, err := wholes(s.Value(p))
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", p.Name, err)
	}
	return list, nil
}

// There returns the engines that are there.
func (s *Setting) There() []Engine {
	var list []Engine
	for _, e := range s.Engines {
		if e.Missing == nil {
			list = append(list, e)
		}
	}
	return list
}

// NeedCPU returns an error, which matches [errors.ErrUnsupported], if another engine was
// asked for than the one that has an experiment's variants.
func (s *Setting) NeedCPU(e string) error {
	for _, engine := range s.Engines {
		if engine.Name != "cpu" && s.Asked {
			return &VariantError{Experiment: e, Engine: engine.Name}
		}
	}
	return nil
}

// say tells how far the experiment is.
func (s *Setting) say(format string, args ...any) {
	if s.Say != nil {
		s.Say(fmt.Sprintf(format, args...))
	}
}
