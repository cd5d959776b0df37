package main

import (
	"context"
	"math"
	"runtime/debug"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

func TestParseSize(t *testing.T) {
	tests := []struct {
		text string
		want float64 // 0: refused
	}{
		{"4GiB", 4 << 30},
		{"1.5 MiB", 1.5 * (1 << 20)},
		{"512MB", 512e6},
		{"512mb", 512e6},
		{"2kB", 2000},
		{"1TiB", 1 << 40},
		{"2000000000", 2e9},
		{"100B", 100},
		{"", 0},
		{"GiB", 0},
		{"0", 0},
		{"-1GiB", 0},
		{"inf", 0},
		{"nan", 0},
		{"0x10MB", 0},
		{"4XB", 0},
		{"101%", 0},
		{"4 G i B", 0},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := parseSize(test.text)
			if got != test.want || (err != nil) != (test.want == 0) {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
	half, err := parseSize("50%")
	all, _ := parseSize("100%")
	if math.IsInf(totalMemory(), 1) {
		if err == nil {
			t.Error("50% of an unknown memory is no error")
		}
	} else if err != nil || half <= 0 || half*2 != all || all != totalMemory() {
		t.Errorf("got %v for 50%% and %v for 100%% of %v (%v)", half, all, totalMemory(), err)
	}
}

// softEngine notes the soft limit of the runtime while it is at work.
type softEngine struct {
	join.Engine
	limit int64
}

func (e *softEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	e.limit = debug.SetMemoryLimit(-1)
	return e.Engine.Index(ctx, pts)
}

// TestSoftLimit sees that the garbage collector keeps to --memory-limit, and to control
// groups, during the run, and not after it.
func TestSoftLimit(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	before := debug.SetMemoryLimit(-1)
	for _, test := range []struct {
		limit string
		group float64 // what control groups leave
		want  int64
	}{
		{"1000000000", math.Inf(1), 1_000_000_000 - outsideBytes},
		{"100TB", math.Inf(1), min(before, 100e12-outsideBytes)},
		{"100TB", 2e9, 2_000_000_000 - outsideBytes},
		{"1000000000", 2e9, 1_000_000_000 - outsideBytes},
	} {
		e := &softEngine{Engine: cpu.New(cpu.Options{Threads: 2})}
		a := newTestApp(e)
		a.limits = limitedTo(math.Inf(1), test.group)
		a.mustRun(t, exitOK, "dbscan", in, "-e", "1", "-m", "2", "--memory-limit", test.limit)
		if e.limit != test.want || debug.SetMemoryLimit(-1) != before {
			t.Errorf("%s of %g: got %d in the run and %d after it, want %d and %d", test.limit, test.group, e.limit, debug.SetMemoryLimit(-1), test.want, before)
		}
	}
}
