package paper

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"rtcluster/io/chart"
	"rtcluster/join/cpu"
)

// This file has experiment height: response time over the number of leaves that rows are
// grouped in, with the paper's choice and ours.

// The range of leaves of the paper: trees of 10 to 18 levels.
const leastLevel, mostLevel = 9, 17

func heightLeaves() Param {
	text := ""
	for k := leastLevel; k <= mostLevel; k++ {
		text += fmt.Sprintf(",%d", 1<<k)
	}
	return Param{Name: "leaves", Word: "N,N,..", Default: text[1:], Usage: "numbers of leaves (height)", Check: checkWholes}
}

func height() Experiment {
	return Experiment{
		Name: "height", Paper: "Fig. 6", Purpose: "response time over the number of leaves, and the automatic choice",
		Params: []Param{heightLeaves(), Work()}, Sets: paperSets(),
		Examples: []string{
			"rtcluster bench height --set wec --fraction 0.01 --selectivity 64",
			"rtcluster bench height --set wec,msd --fraction 0.005 --selectivity 16 --leaves 32,128,512 -o height",
		},
		Run: runHeight,
	}
}

// leafCount is a number of leaves to measure.
type leafCount struct {
	leaves int
	rows   int    // of a leaf, for cpu.Options
	choice string // whose it is: "", "paper" or "automatic"
}

// leafCounts are the numbers of leaves that a set of n rows is measured with, the paper's
// choice and the automatic one among them. Leaves have two rows at least: with one, all
// would be points.
func leafCounts(n int, leaves []int) []leafCount {
	var list []leafCount
	paper := paperLeaves(n)
	for _, k := range append([]int{paper}, leaves...) {
		g := leafCount{leaves: k, rows: (n + k - 1) / k}
		if k == paper {
			g.choice = "paper"
		}
		if g.rows >= 2 && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	list = append(list, leafCount{leaves: (n + automaticRows - 1) / automaticRows, choice: "automatic"})
	slices.SortStableFunc(list, func(a, b leafCount) int { return a.leaves - b.leaves })
	return list
}

// automaticRows is how many rows a leaf of the CPU engine has if nobody chooses.
const automaticRows = 32

// paperLeaves is the number of leaves of a tree of ⌊ln n⌋ levels, 2^(⌊ln n⌋−1).
func paperLeaves(n int) int {
	return 1 << max(0, int(math.Floor(math.Log(float64(n))))-1)
}

func runHeight(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	if err := s.NeedCPU("height"); err != nil {
		return nil, nil, err
	}
	leaves, err := s.Wholes(heightLeaves())
	if err != nil {
		return nil, nil, err
	}
	t := &Table{Columns: []string{"set", "rows", "eps", "leaves", "rows a leaf", "choice", "seconds", "of the best", "compared", "pairs"}}
	t.Note("Of the best is the time as a multiple of the least of the same set and eps. Compared is the share of all pairs of rows whose distance was computed. The paper's choice is 2^(h-1) leaves for h = floor(ln n); the automatic one is that of the engine.")
	t.Note("Leaves of more than %d rows are searched as one, and compared %d rows at a time.", automaticRows, automaticRows)
	err = s.eachCase(ctx, paperSets(), func(c *Case) error { return s.overLeaves(ctx, t, c, leaves) })
	if err != nil {
		return nil, nil, err
	}
	picture, err := heightPicture(t)
	return t, picture, err
}

// overLeaves measures a case with all numbers of leaves.
func (s *Setting) overLeaves(ctx context.Context, t *Table, c *Case, leaves []int) error {
	first := len(t.Rows)
	best := math.Inf(1)
	n := float64(c.Rows())
	for _, g := range leafCounts(c.Rows(), leaves) {
		o, err := s.Join(ctx, cpu.New(cpu.Options{Threads: s.Threads, LeafRows: g.rows}), c, s.Value(Work()))
		if err != nil {
			return err
		}
		s.say("height: %s, %s leaves: %s s", c, forPeople(g.leaves), forPeople(o.Time))
		rows := g.rows
		if rows == 0 {
			rows = automaticRows
		}
		var compared any
		if !o.Over {
			best = min(best, o.Seconds)
			compared = float64(distances(o).(int64)) / (n * (n - 1) / 2)
		}
		t.Add(c.Set.Name, c.Rows(), c.Eps, g.leaves, rows, g.choice, o.Time, nil, compared, known(o.Pairs))
	}
	for _, row := range t.Rows[first:] {
		row[7] = row[6].(Time).Per(Time{Seconds: best})
	}
	return nil
}

// heightPicture draws, for each set, the multiples of the best time, averaged over ε, as
// the paper has it, with the choices in rings.
func heightPicture(t *Table) (*chart.Picture, error) {
	l := &chart.Lines{LogX: true, LogY: true}
	for _, set := range t.texts("set") {
		series := chart.Series{Name: set}
		times := map[int][]float64{}
		chosen, over := map[int]bool{}, map[int]bool{}
		for _, row := range t.Rows {
			if ratio := row[7].(*Ratio); row[0] == set && ratio != nil {
				leaves := row[3].(int)
				times[leaves] = append(times[leaves], ratio.Value)
				chosen[leaves] = chosen[leaves] || row[5] != ""
				over[leaves] = over[leaves] || ratio.Bound != ""
			}
		}
		for i, leaves := range slices.Sorted(maps.Keys(times)) {
			series.X, series.Y = append(series.X, float64(leaves)), append(series.Y, stat.Mean(times[leaves], nil))
			if chosen[leaves] {
				series.Marked = append(series.Marked, i)
			}
			if over[leaves] {
				series.Bounds = append(series.Bounds, i)
			}
		}
		l.Series = append(l.Series, series)
	}
	return l.Picture("height: time over the number of leaves, choices ringed", "leaves", "multiple of the best time")
}
