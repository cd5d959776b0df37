package main

import (
	"testing"
	"time"

	"rtcluster/join"
)

// TestInterruptedText says what a run was at, and what it left.
func TestInterruptedText(t *testing.T) {
	for _, test := range []struct {
		name     string
		output   string
		terminal bool // as standard output
		slow     bool
		work     func(*stopwatch)
		want     string
	}{
		{"before the work", "out.csv", false, false, func(*stopwatch) {}, "interrupted; out.csv was not written"},
		{"reading", "", false, false, func(s *stopwatch) { s.start("read") }, "interrupted in read; standard output is not complete"},
		{"reading for a terminal", "", true, false, func(s *stopwatch) { s.start("read") }, "interrupted in read"},
		{"counting", "out.csv", false, false, func(s *stopwatch) {
			s.start("read")
			s.stop("read")
			s.report(join.StageCounts, 0, 2000)
			s.report(join.StageCounts, 500, 2000)
			s.report(join.StageCounts, 300, 2000) // out of order
		}, "interrupted in counts, at 25 % of 2,000 rows; out.csv was not written"},
		{"a second time", "out.csv", false, false, func(s *stopwatch) {
			s.report(join.StageCounts, 0, 2000)
			s.report(join.StageCounts, 2000, 2000)
			s.report(join.StageCounts, 0, 4000)
		}, "interrupted in counts, at 0 % of 4,000 rows; out.csv was not written"},
		{"pairs within verify", "", false, false, func(s *stopwatch) {
			s.start("verify")
			s.report(join.StagePairs, 0, 10)
		}, "interrupted in pairs, at 0 % of 10 rows; standard output is not complete"},
		{"sorting", "out.csv", false, false, func(s *stopwatch) {
			s.report(stageSort, 0, 10)
			s.report(stageSort, 9, 10)
		}, "interrupted in sort, at 90 % of 10 pairs; out.csv was not written"},
		{"writing", "-", false, false, func(s *stopwatch) { s.start("write") }, "interrupted in write; standard output is not complete"},
		{"far in writing", "out.csv", false, false, func(s *stopwatch) {
			s.start("write")
			s.tell(stageWrite, 0, 2_000_000)
			s.tell(stageWrite, 800_000, 2_000_000)
		}, "interrupted in write, at 40 % of 2,000,000 rows; out.csv was not written"},
		{"reading another table", "out.csv", false, false, func(s *stopwatch) {
			s.start("read")
			s.tell(stageRead, 0, 10)
			s.tell(stageRead, 10, 10)
		}, "interrupted in read; out.csv was not written"},
		{"written", "out.csv", false, false, func(s *stopwatch) {
			s.start("write")
			s.stop("write")
		}, "interrupted after write; out.csv is complete"},
		{"between stages", "out.csv", false, false, func(s *stopwatch) {
			s.start("read")
			s.stop("read")
			s.report(join.StageIndex, 0, 10)
			s.report(join.StageIndex, 10, 10)
		}, "interrupted after index; out.csv was not written"},
		{
			"slow to stop", "out.csv", false, true, func(s *stopwatch) { s.start("write") },
			"interrupted in write; out.csv was not written; it was slow to stop, and a temporary file may be left: the next run to the same output removes it",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp()
			a.isTerminal = func(any) bool { return test.terminal }
			clock := newClock()
			j := &job{app: a.app, outOpt: &outputOptions{Path: test.output}, clock: newStopwatch(func() time.Time {
				clock.move(time.Second)
				return clock.now()
			})}
			a.job.Store(j)
			test.work(j.clock)
			j.written.Store(test.name == "written")
			a.halt()
			j.clock.stop("read") // as the run does when it stops
			j.clock.stop("write")
			if got := a.interrupted(!test.slow); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if got := newTestApp().interrupted(true); got != "interrupted" {
		t.Errorf("without a job: got %q", got)
	}
}

// TestPatience keeps the promise that an interrupted run has ended within a second.
func TestPatience(t *testing.T) {
	if patience >= time.Second {
		t.Errorf("got %v, want less than a second", patience)
	}
}
