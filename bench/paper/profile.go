package paper

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"rtcluster/gpu"
	"rtcluster/io/chart"
	"rtcluster/join"
)

// This file has experiment profile: where the time of a join goes, stage by stage, how many
// distances that makes a second, and what NVIDIA's profiler says of a card's kernels.

func profile() Experiment {
	return Experiment{
		Name: "profile", Paper: "Table VII, Fig. 10", Purpose: "time by stage; throughput, loads and bank conflicts by a card's profiler",
		Params: []Param{Work()}, Sets: paperSets(),
		Examples: []string{
			"rtcluster bench profile --set wec,susy --fraction 0.001 --selectivity 16",
			"rtcluster bench profile --set msd --fraction 0.002 --selectivity 64 --work counts -o profile",
		},
		Run: runProfile,
	}
}

// The last stages, which engines do not tell of.
const (
	stageRest  = "rest"  // such as to hand pairs over, and what the card's driver does
	stageTotal = "total" // of a run without a trace
)

func runProfile(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	t := &Table{Columns: []string{
		"set", "rows", "coordinates", "eps", "engine", "stage", "seconds", "share", "distances/s", "throughput %", "global loads", "bank conflicts",
	}}
	t.Note("Share is that of all stages. Distances/s are the pairs of rows that were measured, a second of the total. The stages of a card are from a run that waits for each of them to end, so that their sum is more than the total.")
	for _, e := range s.Engines {
		if e.Missing != nil {
			t.Note("Engine %s is not measured: %v.", e.Name, e.Missing)
		}
	}
	if s.Profiler == "" {
		t.Note("The last three columns are by Nsight Compute (ncu), which is not there.")
	} else {
		t.Note("The last three columns are by Nsight Compute: the greatest throughput of the processors, in percent of its peak, and sums over all launches of a kernel.")
	}
	drawn := newPerCase(false)
	err := s.eachCase(ctx, paperSets(), func(c *Case) error {
		drawn.begin(c)
		for _, e := range s.Engines {
			if err := s.profileEngine(ctx, t, drawn, e, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	picture, err := drawn.lines.Picture("profile: shares of stages", "set and selectivity", "percent")
	return t, picture, err
}

// profileEngine measures a case with an engine.
func (s *Setting) profileEngine(ctx context.Context, t *Table, drawn *perCase, e Engine, c *Case) error {
	row := func(stage string, seconds, share, rate any, k *kernel) {
		throughput, loads, conflicts := s.kernelCells(e, k)
		t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, e.Name, stage, seconds, share, rate, throughput, loads, conflicts)
	}
	if e.Missing != nil {
		row(stageTotal, notMeasured, nil, nil, nil)
		return nil
	}
	whole, err := s.Join(ctx, e.Join, c, s.Value(Work()))
	if err != nil {
		return err
	}
	s.say("profile: %s, engine %s: %s s", c, e.Name, forPeople(whole.Time))
	if whole.Over {
		row(stageTotal, whole.Time, nil, nil, nil)
		return nil
	}
	stages, err := s.stages(ctx, e, c)
	if err != nil {
		return err
	}
	sum := 0.0
	for _, stage := range stages {
		sum += stage.seconds
	}
	for _, stage := range stages {
		share := 100 * stage.seconds / sum
		row(stage.name, Time{Seconds: stage.seconds}, share, nil, nil)
		drawn.add(e.Name+" "+stage.name, share, false)
	}
	row(stageTotal, whole.Time, nil, rate(whole), nil)
	kernels, err := s.kernels(ctx, e, c)
	for _, k := range kernels {
		row("kernel "+k.name, nil, nil, nil, k)
	}
	return err
}

// rate is how many distances an outcome measured a second, nil if its engine doesn't tell.
func rate(o *Outcome) any {
	if n, ok := distances(o).(int64); ok && len(o.Effort) > 0 {
		return float64(n) / o.Seconds
	}
	return nil
}

// stageTime is what a stage took.
type stageTime struct {
	name    string
	seconds float64
}

// stages times the stages of a run: those of the card where there are such, else those of
// progress reports. What is left of the run's time is the rest.
func (s *Setting) stages(ctx context.Context, e Engine, c *Case) ([]stageTime, error) {
	traced := map[string]float64{}
	w := newWatch()
	ctx = gpu.WithTrace(w.watch(ctx), func(stage string, took time.Duration) { traced[stage] += took.Seconds() }, nil)
	spent, over, err := s.once(ctx, func(ctx context.Context) error {
		_, err := joinOnce(ctx, e.Join, c, s.Value(Work()))
		return err
	})
	if err != nil || over {
		return nil, err
	}
	seconds := traced
	if len(traced) == 0 {
		for stage, took := range w.stages {
			seconds[string(stage)] = took
		}
	}
	var list []stageTime
	rest := spent.Seconds()
	for _, name := range inOrder(seconds) {
		list = append(list, stageTime{name, seconds[name]})
		rest -= seconds[name]
	}
	return append(list, stageTime{stageRest, max(0, rest)}), nil
}

// inOrder returns the names of stages in the order in which they are: that of an index
// first, then those of a join, and what is not known by name.
func inOrder(seconds map[string]float64) []string {
	order := []string{
		string(join.StageIndex), "copy in", "axes", "turn", "order", "pack", "operands", "search", "refine", "recheck", "copy out",
		string(join.StageCounts), string(join.StagePairs),
	}
	names := slices.Sorted(maps.Keys(seconds))
	slices.SortStableFunc(names, func(a, b string) int { return place(order, a) - place(order, b) })
	return names
}

func place(order []string, name string) int {
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}

// kernelCells are what the profiler says of a kernel; in the rows of a card that has none,
// that there is none.
func (s *Setting) kernelCells(e Engine, k *kernel) (throughput, loads, conflicts any) {
	switch {
	case k != nil:
		return k.throughput, k.loads, k.conflicts
	case e.Name != "cpu" && s.Profiler == "":
		return noProfiler, noProfiler, noProfiler
	}
	return nil, nil, nil
}

// noProfiler stands in the profiler's columns where it is not there.
const noProfiler = "no ncu"

// kernels asks the profiler for the kernels of a join: it runs this program once more, which
// joins the case on the card alone.
func (s *Setting) kernels(ctx context.Context, e Engine, c *Case) ([]*kernel, error) {
	if e.Name == "cpu" || s.Profiler == "" || s.Again == nil {
		return nil, nil
	}
	args := append([]string{s.Profiler, "--csv", "--print-units", "base", "--metrics", metricList()}, s.Again(
		"compare", "--engine", e.Name, "--brute", "no", "--work", s.Value(Work()), "--set", c.Set.Name,
		"--eps", strconv.FormatFloat(c.Eps, 'g', -1, 64), "--timeout", "0", "--quiet")...)
	var printed []byte
	_, over, err := s.once(ctx, func(ctx context.Context) (err error) {
		printed, err = output(ctx, args, "")
		return err
	})
	switch {
	case over:
		s.say("profile: %s, engine %s: the profiler took longer than --timeout", c, e.Name)
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("profiler ncu: %w", err)
	}
	kernels, err := readKernels(printed)
	if err == nil && len(kernels) == 0 {
		err = errors.New("it lists no kernel")
	}
	if err != nil {
		return nil, fmt.Errorf("profiler ncu: %w", err)
	}
	return kernels, nil
}
