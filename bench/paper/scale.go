package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rtcluster/io/chart"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// This file has experiment scale: how response time grows with rows, coordinates, ε and
// threads, one of them at a time. It takes sets apart from those of the paper by making
// parts of them: the first columns, and evenly spaced rows.

// The axes of experiment scale.
const (
	alongRows    = "n"
	alongDim     = "d"
	alongEps     = "eps"
	alongThreads = "threads"
)

func alongParam() Param {
	return Param{
		Name: "along", Word: "n,d,eps,threads", Default: "n,d,eps,threads", Usage: "what grows, one after the other (scale)",
		Check: func(text string) error {
			for field := range strings.SplitSeq(text, ",") {
				if err := OneOf(alongRows, alongDim, alongEps, alongThreads)(field); err != nil {
					return fmt.Errorf("%q: %w", field, err)
				}
			}
			return nil
		},
	}
}

func scale() Experiment {
	return Experiment{
		Name: "scale", Purpose: "response time against rows, coordinates, eps and threads, one at a time",
		Params: []Param{alongParam(), Work()}, Sets: []string{"susy"},
		Examples: []string{
			"rtcluster bench scale --fraction 0.001 --selectivity 64",
			"rtcluster bench scale --along n,threads --set uniform3 --fraction 0.0005 --selectivity 16 --work counts",
		},
		Run: runScale,
	}
}

// scaling is a run of experiment scale.
type scaling struct {
	*Setting
	work  string
	table *Table
}

func runScale(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	r := &scaling{Setting: s, work: s.Value(Work()), table: &Table{
		Columns: []string{"set", "engine", "along", "rows", "coordinates", "eps", "neighbors", "threads", "seconds", "pairs"},
	}}
	r.table.Note("Neighbors is the mean number of other rows within eps, by the whole join. Along n, d and threads, eps is that of the smallest selectivity, searched anew for each n and d, so that neighbors stay. A run takes one card, so that nothing grows with their number.")
	err := s.EachSet(ctx, []string{"susy"}, func(set *Set) error {
		for field := range strings.SplitSeq(s.Value(alongParam()), ",") {
			if err := r.along(ctx, set, field); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	picture, err := r.picture()
	return r.table, picture, err
}

// along measures a set as one thing grows.
func (r *scaling) along(ctx context.Context, set *Set, axis string) error {
	switch axis {
	case alongThreads:
		return r.overThreads(ctx, set)
	case alongEps:
		cases, err := r.Cases(ctx, set)
		if err != nil {
			return err
		}
		for _, c := range cases {
			if err := r.engines(ctx, axis, c); err != nil {
				return err
			}
		}
		return nil
	}
	for _, part := range r.parts(set, axis) {
		c, err := r.smallest(ctx, part)
		if err == nil {
			err = r.engines(ctx, axis, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parts are the set's rows halved and halved again, or its coordinates.
func (r *scaling) parts(set *Set, axis string) []*Set {
	var list []*Set
	if axis == alongRows {
		for n := set.Rows(); n >= max(leastRows, set.Rows()/16); n /= 2 {
			list = append(list, &Set{Name: set.Name, Data: evenRows(set.Data, set.Dim, n), Dim: set.Dim})
		}
	} else {
		for d := set.Dim; d >= 2; d /= 2 {
			list = append(list, &Set{Name: set.Name, Data: firstColumns(set.Data, set.Dim, d), Dim: d})
		}
	}
	slices.Reverse(list)
	return list
}

// firstColumns returns the first d of dim columns.
func firstColumns(data []float64, dim, d int) []float64 {
	kept := make([]float64, 0, len(data)/dim*d)
	for row := range slices.Chunk(data, dim) {
		kept = append(kept, row[:d]...)
	}
	return kept
}

// smallest is the case of the smallest ε, or selectivity.
func (r *scaling) smallest(ctx context.Context, set *Set) (*Case, error) {
	s := *r.Setting
	switch {
	case s.Eps != nil:
		s.Eps = []float64{slices.Min(s.Eps)}
	case s.Selectivity != nil:
		s.Selectivity = []float64{slices.Min(s.Selectivity)}
	default:
		s.Selectivity = DefaultSelectivity()[:1]
	}
	cases, err := s.Cases(ctx, set)
	if err != nil {
		return nil, err
	}
	return cases[0], nil
}

// engines measures a case with all engines that there are.
func (r *scaling) engines(ctx context.Context, axis string, c *Case) error {
	for _, e := range r.There() {
		if err := r.measure(ctx, axis, e.Join, c, r.Threads); err != nil {
			return err
		}
	}
	return nil
}

// overThreads measures the CPU engine with 1, 2, 4 and more threads.
func (r *scaling) overThreads(ctx context.Context, set *Set) error {
	if r.Asked && !slices.ContainsFunc(r.There(), func(e Engine) bool { return e.Name == "cpu" }) {
		return nil
	}
	c, err := r.smallest(ctx, set)
	if err != nil {
		return err
	}
	for threads := 1; ; threads = min(2*threads, r.Threads) {
		if err := r.measure(ctx, alongThreads, cpu.New(cpu.Options{Threads: threads}), c, threads); err != nil {
			return err
		}
		if threads >= r.Threads {
			return nil
		}
	}
}

func (r *scaling) measure(ctx context.Context, axis string, e join.Engine, c *Case, threads int) error {
	o, err := r.Join(ctx, e, c, r.work)
	if err != nil {
		return err
	}
	r.say("scale along %s: %s, %s, engine %s: %s s", axis, c, plural(threads, "thread"), e.Name(), forPeople(o.Time))
	r.table.Add(c.Set.Name, e.Name(), axis, c.Rows(), c.Dim, c.Eps, c.neighbors(o.Pairs), threads, o.Time, known(o.Pairs))
	return nil
}

// picture draws the times over what grew, as a multiple of where that began.
func (r *scaling) picture() (*chart.Picture, error) {
	d := drawn{lines: chart.Lines{LogX: true, LogY: true}}
	column := map[string]int{alongRows: 3, alongDim: 4, alongEps: 5, alongThreads: 7}
	first := map[string]float64{}
	for _, row := range r.table.Rows {
		axis := row[2].(string)
		name := fmt.Sprintf("%s, %s, %s", row[0], axis, row[1])
		x, t := numberOf(row[column[axis]]), row[8].(Time)
		if _, known := first[name]; !known {
			first[name] = x
		}
		d.point(name, x/first[name], t.Seconds, t.Over)
	}
	return d.lines.Picture("scale: response time", "what grows, as a multiple of its least value", "seconds")
}

// numberOf is a cell of whole or other numbers.
func numberOf(cell any) float64 {
	switch x := cell.(type) {
	case int:
		return float64(x)
	case float64:
		return x
	}
	return math.NaN()
}
