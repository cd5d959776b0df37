package paper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"rtcluster/io/chart"
)

// This file has experiment compare: our engines, brute force and other programs, over sets
// and ε.

func programsParam() Param {
	return Param{
		Name: "programs", Word: fileWord, Usage: "TOML file of other programs: how to call them, and to read their time and count (compare)",
		Check: func(text string) error {
			if text == "" {
				return errors.New("want the name of a file, such as peers.toml")
			}
			return nil
		},
	}
}

func bruteParam() Param {
	return Param{
		Name: "brute", Word: "yes|no", Default: "yes", Usage: "whether brute force is measured, too: each pair of rows, by all threads (compare)",
		Check: OneOf("yes", "no"),
	}
}

func compare() Experiment {
	return Experiment{
		Name: "compare", Paper: "Tables IV, V", Purpose: "our engines, brute force and other programs, over sets and eps",
		Params: []Param{programsParam(), bruteParam(), Work()}, Sets: SetNames(),
		Examples: []string{
			"rtcluster bench compare --set wec,uniform3 --fraction 0.0005 --selectivity 16,64",
			"rtcluster bench compare --engine cpu --set susy --fraction 0.0002 --eps 0.1,0.2 --timeout 1m -o compare",
		},
		Run: runCompare,
	}
}

// notMeasured stands for the time of an engine that is not there.
const notMeasured = "not measured"

// contender is one of those that are compared.
type contender struct {
	name string
	ours bool
	time func(ctx context.Context, c *Case) (*Outcome, error) // nil: it is not there
}

// contenders are our engines, brute force and other programs, in that order.
func (s *Setting) contenders(t *Table) ([]contender, error) {
	var list []contender
	work := s.Value(Work())
	for _, e := range s.Engines {
		c := contender{name: e.Name, ours: true}
		if e.Missing == nil {
			c.time = func(ctx context.Context, c *Case) (*Outcome, error) { return s.Join(ctx, e.Join, c, work) }
		} else {
			t.Note("Engine %s is not measured: %v.", e.Name, e.Missing)
		}
		list = append(list, c)
	}
	if s.Value(bruteParam()) == "yes" {
		list = append(list, contender{name: "brute force", time: func(ctx context.Context, c *Case) (*Outcome, error) {
			return s.Join(ctx, brute{s.Threads}, c, work)
		}})
	}
	file := s.Value(programsParam())
	if file == "" {
		return list, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &SettingError{"--programs: " + err.Error()}
	}
	programs, err := ParsePrograms(text)
	if err != nil {
		return nil, &SettingError{fmt.Sprintf("--programs %s: %v", file, err)}
	}
	for _, p := range programs {
		list = append(list, contender{name: p.Name, time: func(ctx context.Context, c *Case) (*Outcome, error) { return s.run(ctx, p, c) }})
		if p.seconds == nil {
			t.Note("Of %s, the whole process is timed, reading the rows and all.", p.Name)
		}
	}
	return list, nil
}

func compareColumns() []string {
	return []string{"set", "rows", "coordinates", "eps", "neighbors", "program", "seconds", "of ours", "pairs", "equal"}
}

func runCompare(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	t := &Table{Columns: compareColumns()}
	list, err := s.contenders(t)
	if err != nil {
		return nil, nil, err
	}
	t.Note("Of ours is the time as a multiple of that of the fastest of our engines. Equal compares pairs with the published number, where there is one for a whole real set, else with those of the first of our engines.")
	drawn := newPerCase(true)
	err = s.eachCase(ctx, SetNames(), func(c *Case) error {
		drawn.begin(c)
		return s.contest(ctx, t, drawn, c, list)
	})
	if err != nil {
		return nil, nil, err
	}
	picture, err := drawn.lines.Picture("compare: response time", "set and selectivity, or eps", "seconds")
	return t, picture, err
}

// contest measures all contenders on a case.
func (s *Setting) contest(ctx context.Context, t *Table, drawn *perCase, c *Case, list []contender) error {
	first := len(t.Rows)
	ours := Time{Seconds: math.Inf(1)}
	want := c.Pairs // |R|, 0 while it is not known
	for _, one := range list {
		if one.time == nil {
			t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, nil, one.name, notMeasured, nil, nil, nil)
			continue
		}
		o, err := one.time(ctx, c)
		if err != nil {
			return err
		}
		if one.ours && o.Seconds < ours.Seconds {
			ours = o.Time
		}
		s.say("compare: %s, %s: %s s", c, one.name, forPeople(o.Time))
		verdict := compared(o.Pairs, want)
		if want == 0 && one.ours {
			want = o.Pairs
		}
		if verdict == unequal {
			s.say("compare: %s, %s: %s pairs, want %s", c, one.name, forPeople(o.Pairs), forPeople(want))
		}
		t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, c.neighbors(o.Pairs), one.name, o.Time, nil, known(o.Pairs), verdict)
		drawn.add(one.name, o.Seconds, o.Over)
	}
	for _, row := range t.Rows[first:] {
		if spent, ok := row[6].(Time); ok {
			row[7] = spent.Per(ours)
		}
	}
	return nil
}

// neighbors is the mean number of other rows within ε, nil if |R| is not known.
func (c *Case) neighbors(pairs int64) any {
	if pairs == 0 {
		return nil
	}
	n := int64(c.Rows())
	return float64(pairs-n) / float64(n)
}

// The verdicts on numbers of pairs.
const (
	equal   = "equal"
	unequal = "unequal"
)

// compared says whether a number of pairs is the wanted one, nil if one of them is not
// known, which 0 stands for.
func compared(pairs, want int64) any {
	switch {
	case pairs == 0 || want == 0:
		return nil
	case pairs == want:
		return equal
	}
	return unequal
}
