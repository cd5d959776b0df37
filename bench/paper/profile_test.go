package paper_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"rtcluster/bench/paper"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// card is the CPU engine under the name of one that runs on a card.
type card struct{ join.Engine }

func (card) Name() string { return "cuda" }

// profiler stands in for ncu: it prints what that does, as far as we know, for a program
// that launches two kernels, one of them twice.
func profiler(args []string) {
	fmt.Println("==PROF== Connected to process 7 (/bin/program)")
	fmt.Println(`of "the program": ` + strings.Join(args[slices.Index(args, "program"):], " "))
	fmt.Println("==PROF== Disconnected from process 7")
	fmt.Println(`"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"`)
	metrics := strings.Split(args[slices.Index(args, "--metrics")+1], ",")
	for id, launch := range []struct {
		kernel string
		values [3]string
	}{
		{"search(const long long *, long long)", [3]string{"12.5", "1,000", "3"}},
		{"refine(const float *)", [3]string{"70.25", "500", "0"}},
		{"search(const long long *, long long)", [3]string{"10", "24", "4"}},
	} {
		for k, value := range launch.values {
			fmt.Printf(`"%d","7","program","127.0.0.1","%s","1","7","(128, 1, 1)","(8, 1, 1)","0","9.0","Command line profiler metrics","%s","%%","%s"`+"\n", id, launch.kernel, metrics[k], value)
		}
	}
}

// TestProfile wants the stages of an engine, with shares that add up to all, and the
// profiler's numbers by kernel, summed over its launches.
func TestProfile(t *testing.T) {
	var asked []string
	table := measureBy(t, "profile", &paper.Setting{
		Fraction: 0.0005, Sets: []string{"uniform3"}, Selectivity: []float64{8},
		Engines: []paper.Engine{
			{Name: "cpu", Join: cpu.New(cpu.Options{})}, {Name: "cuda", Join: card{cpu.New(cpu.Options{})}}, {Name: "optix", Missing: os.ErrNotExist},
		},
		Profiler: os.Args[0], Again: func(args ...string) []string { asked = args; return append([]string{"program"}, args...) },
	})
	stages := []string{"index", "pairs", "rest", "total"}
	want := slices.Concat(stages, stages, []string{"kernel search", "kernel refine", "total"})
	if got := table.Cells("stage"); !slices.Equal(got, want) {
		t.Fatalf("stages are %q, want %q", got, want)
	}
	sum := 0.0
	for _, share := range table.Column("share")[:3] {
		sum += share.(float64)
	}
	if math.Abs(sum-100) > 1e-9 {
		t.Errorf("the shares add up to %v %%", sum)
	}
	if rate := table.Column("distances/s")[3].(float64); !(rate > 0) {
		t.Errorf("%v distances a second", rate)
	}
	for column, want := range map[string][]string{
		"throughput %": {"12.5", "70.25"}, "global loads": {"1024", "500"}, "bank conflicts": {"7", "0"},
	} {
		if got := table.Cells(column)[8:10]; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", column, got, want)
		}
	}
	if got := table.Cells("seconds")[10]; got != "not measured" {
		t.Errorf("an engine that is not there took %q", got)
	}
	if len(asked) == 0 || asked[0] != "compare" || !slices.Contains(asked, "uniform3") {
		t.Errorf("the profiler was to run %q", asked)
	}
}

// TestNoProfiler wants the columns of a card to say that there is none, and a profiler that
// prints no table to be an error.
func TestNoProfiler(t *testing.T) {
	s := &paper.Setting{
		Fraction: 0.0001, Sets: []string{"uniform3"}, Selectivity: []float64{8},
		Engines: []paper.Engine{{Name: "cuda", Join: card{cpu.New(cpu.Options{})}}},
	}
	table := measureBy(t, "profile", s)
	if got := table.Cells("global loads"); !slices.Equal(slices.Compact(got), []string{"no ncu"}) {
		t.Errorf("global loads are %q", got)
	}
	e, _ := paper.Find("profile")
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip(err)
	}
	s.Profiler, s.Again = echo, func(...string) []string { return []string{"program"} }
	if _, _, err := e.Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "no table in its output") {
		t.Errorf("got error %v, want that there is no table", err)
	}
}
