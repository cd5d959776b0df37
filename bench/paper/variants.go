package paper

import (
	"context"
	"fmt"
	"strconv"

	"rtcluster/bench/internal/measure"
	"rtcluster/io/chart"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// This file has what experiments about variants of the CPU engine share: a list of
// settings that differ in one thing, each measured on the same cases.

// variant is a setting of the CPU engine, and what it is called.
type variant struct {
	name string
	opt  cpu.Options
}

// axesParam is how many axes the index has.
func axesParam(byDefault string) Param {
	return Param{
		Name: "axes", Word: "N|all", Default: byDefault,
		Usage: "axes along which boxes tell what is apart: 3 as on RT cores, all, or another number (grouping: 3 unless given; refine: all)",
		Check: func(text string) error { _, err := axesOf(text); return err },
	}
}

// axesOf reads the number of axes, 0 for all.
func axesOf(text string) (int, error) {
	if text == "all" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("want all, or a whole number, 1 or more; %q is neither", text)
	}
	return int(n), nil
}

// measureVariants times the variants of a case, and wants all to find the same number of
// pairs. Runs take turns, so that what else the machine does meets all variants alike; a
// variant that was cut off takes no more.
func (s *Setting) measureVariants(ctx context.Context, c *Case, variants []variant, work string) ([]*Outcome, error) {
	all, seconds := make([]*Outcome, len(variants)), make([][]float64, len(variants))
	once := *s
	once.Runs = 1
	var pairs int64
	for range max(1, s.Runs) {
		for i, v := range variants {
			if all[i] != nil && all[i].Over {
				continue
			}
			v.opt.Threads = s.Threads
			o, err := once.Join(ctx, cpu.New(v.opt), c, work)
			switch {
			case err != nil:
				return nil, err
			case o.Pairs != 0 && pairs != 0 && o.Pairs != pairs:
				return nil, fmt.Errorf("%s: %s finds %d pairs, others find %d", c, v.name, o.Pairs, pairs)
			case o.Pairs != 0:
				pairs = o.Pairs
			}
			s.say("%s, %s: %s s", c, v.name, forPeople(o.Time))
			all[i], seconds[i] = o, append(seconds[i], o.Seconds)
		}
	}
	for i, o := range all {
		if !o.Over {
			o.Seconds = measure.Median(seconds[i])
		}
	}
	return all, nil
}

// ablation is an experiment that times variants with a number of axes in common, of which
// the last has given up most.
type ablation struct {
	experiment string
	column     string // what they differ in
	axes       Param
	variants   []variant
	notes      []string
}

func (a *ablation) run(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	if err := s.NeedCPU(a.experiment); err != nil {
		return nil, nil, err
	}
	axes, err := axesOf(s.Value(a.axes))
	if err != nil {
		return nil, nil, err
	}
	for i := range a.variants {
		a.variants[i].opt.IndexDims = axes
	}
	t := &Table{Columns: []string{"set", "rows", "coordinates", "eps", "engine", a.column, "seconds", "speedup", "distances", "pairs"}}
	for _, note := range a.notes {
		t.Note("%s", note)
	}
	t.Note("Distances are pairs of rows that were measured in all coordinates, each pair of leaves once.")
	picture, err := s.eachVariant(ctx, a.experiment, a.variants, s.Value(Work()), func(c *Case, i int, all []*Outcome) {
		speedup := all[len(all)-1].Per(all[i].Time)
		t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, "cpu", a.variants[i].name, all[i].Time, speedup, distances(all[i]), known(all[i].Pairs))
	})
	return t, picture, err
}

// eachVariant measures all variants on the cases of each set, and draws their times. Add
// takes what came of the i-th of a case, beside the others.
func (s *Setting) eachVariant(ctx context.Context, experiment string, variants []variant, work string, add func(c *Case, i int, all []*Outcome)) (*chart.Picture, error) {
	drawn := newPerCase(true)
	err := s.eachCase(ctx, paperSets(), func(c *Case) error {
		all, err := s.measureVariants(ctx, c, variants, work)
		if err != nil {
			return err
		}
		drawn.begin(c)
		for i, v := range variants {
			add(c, i, all)
			drawn.add(v.name, all[i].Seconds, all[i].Over)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return drawn.lines.Picture(experiment+": response time", "set and selectivity", "seconds")
}

// eachCase measures the cases of each set.
func (s *Setting) eachCase(ctx context.Context, byDefault []string, do func(*Case) error) error {
	return s.EachSet(ctx, byDefault, func(set *Set) error {
		cases, err := s.Cases(ctx, set)
		for _, c := range cases {
			if err == nil {
				err = do(c)
			}
		}
		return err
	})
}

// drawn is a picture of lines that are told point by point.
type drawn struct {
	lines chart.Lines
	at    map[string]int // series by name
}

// point adds a point to a series; over says that it is a lower bound.
func (d *drawn) point(series string, x, y float64, over bool) {
	i, known := d.at[series]
	if !known {
		if d.at == nil {
			d.at = map[string]int{}
		}
		i = len(d.lines.Series)
		d.at[series] = i
		d.lines.Series = append(d.lines.Series, chart.Series{Name: series})
	}
	s := &d.lines.Series[i]
	s.X, s.Y = append(s.X, x), append(s.Y, y)
	if over {
		s.Bounds = append(s.Bounds, len(s.X)-1)
	}
}

// perCase draws values by case, a series for each variant.
type perCase struct{ drawn }

func newPerCase(log bool) *perCase {
	return &perCase{drawn{lines: chart.Lines{LogY: log}}}
}

// begin goes on to a case.
func (p *perCase) begin(c *Case) { p.lines.Names = append(p.lines.Names, c.Name()) }

// add adds a value of the case; over says that it is a lower bound.
func (p *perCase) add(series string, y float64, over bool) {
	p.point(series, float64(len(p.lines.Names)-1), y, over)
}

// distances is how many an outcome took, nil if it was cut off.
func distances(o *Outcome) any {
	if o.Effort == nil {
		return nil
	}
	return o.effort().Refined
}

// effort is that of all stages together.
func (o *Outcome) effort() join.Effort {
	var all join.Effort
	for _, e := range o.Effort {
		all.Add(e)
	}
	return all
}

// known returns a number, or nil for 0, which stands for one that is not known.
func known(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
