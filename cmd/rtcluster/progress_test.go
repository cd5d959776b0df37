package main

import (
	"bytes"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rtcluster/join"
)

// fakeClock stands still until it is moved.
type fakeClock struct{ at time.Time }

func newClock() *fakeClock {
	return &fakeClock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) now() time.Time       { return c.at }
func (c *fakeClock) move(d time.Duration) { c.at = c.at.Add(d) }

// ticker is a clock that is a step further whenever it is looked at, by one goroutine
// after the other.
type ticker struct {
	mu    sync.Mutex
	clock *fakeClock
	step  time.Duration
}

func newTicker(step time.Duration) *ticker { return &ticker{clock: newClock(), step: step} }

func (t *ticker) now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock.move(t.step)
	return t.clock.now()
}

func lines(b *bytes.Buffer) []string {
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestStopwatch(t *testing.T) {
	clock := newClock()
	s := newStopwatch(clock.now)
	s.start("read")
	clock.move(2 * time.Second)
	s.stop("read")
	s.report(join.StageCounts, 0, 10)
	clock.move(time.Second)
	s.report(join.StageCounts, 5, 10)
	clock.move(time.Second)
	s.report(join.StageCounts, 10, 10)
	clock.move(time.Second) // in no stage
	for range 2 {           // the same stage again
		s.report(join.StagePairs, 0, 4)
		clock.move(time.Second)
		s.report(join.StagePairs, 4, 4)
	}
	s.report(join.StageKNN, 0, 0) // nothing to do
	s.stop("never started")
	want := []stageTime{{"read", 2 * time.Second}, {"counts", 2 * time.Second}, {"pairs", 2 * time.Second}, {"knn", 0}}
	if got := s.stages(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.total(); got != 7*time.Second {
		t.Errorf("got %v in all, want 7s", got)
	}
}

func TestLogDisplay(t *testing.T) {
	clock, out := newClock(), &bytes.Buffer{}
	d := newLogDisplay(newLogger(out, "text", slog.LevelInfo), clock.now)
	d.report(join.StageCounts, 0, 20000)
	clock.move(time.Second)
	d.report(join.StageCounts, 2000, 20000) // too soon
	clock.move(4 * time.Second)
	d.report(join.StageCounts, 5000, 20000)
	d.report(join.StageCounts, 4000, 20000) // out of order, and too soon
	clock.move(15 * time.Second)
	d.report(join.StageCounts, 20000, 20000)
	for range 3 { // blocks of one join: told once
		d.report(join.StagePairs, 0, 7)
		clock.move(time.Second)
		d.report(join.StagePairs, 7, 7)
	}
	d.close()
	want := []string{
		"rtcluster: counts: 25 %, 5,000 of 20,000 rows, about 15.0 s left",
		"rtcluster: counts: done, 20,000 rows in 20.0 s",
		"rtcluster: pairs: done, 7 rows in 1.00 s",
	}
	if got := lines(out); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestBarDisplay reports as engines do: from several goroutines, out of order,
// a stage twice, a stage of nothing, and one that never ends.
func TestBarDisplay(t *testing.T) {
	out := &bytes.Buffer{}
	d := newBarDisplay(out)
	for _, stage := range []join.Stage{join.StageIndex, join.StageCounts, join.StageCounts} {
		d.report(stage, 0, 1000)
		var all sync.WaitGroup
		for i := range int64(8) {
			all.Go(func() { d.report(stage, i*100, 1000) })
		}
		all.Wait()
		d.report(stage, 1000, 1000)
	}
	d.report(join.StagePairs, 0, 0)
	d.report(join.StageKNN, 0, 5)
	d.report(join.StageKNN, 3, 5)
	d.close()
	d.close()
	if d.bar != nil {
		t.Error("a bar is left")
	}
}

// TestBarDrawn looks at what is beside the bar, which no width is known for here: stage,
// share, rate and time left, and no colour.
func TestBarDrawn(t *testing.T) {
	out := &watched{}
	d := newBarDisplay(out)
	defer d.close()
	d.report(join.StageCounts, 0, 1000)
	d.report(join.StageCounts, 250, 1000)
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(out.String(), " left"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no bar after 30 s: %q", out)
		}
	}
	if got := out.String(); !regexp.MustCompile(`counts +25 %  [0-9,]+ rows/s  [0-9hms]+ left`).MatchString(got) || regexp.MustCompile("\x1b\\[[0-9;]*m").MatchString(got) {
		t.Errorf("got the bar %q", got)
	}
}

// TestCountDrawn looks at the line of a stage whose end is not known.
func TestCountDrawn(t *testing.T) {
	out := &watched{}
	d := newBarDisplay(out)
	defer d.close()
	d.count(stageRead, 1000)
	d.count(stageRead, 12000)
	d.count(stageRead, 11000) // out of order
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(out.String(), "rows/s"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no line after 30 s: %q", out)
		}
	}
	if got := out.String(); !regexp.MustCompile(`read +.* 12,000 rows  [0-9,]+ rows/s`).MatchString(got) {
		t.Errorf("got the line %q", got)
	}
}

func TestLogCount(t *testing.T) {
	clock, out := newClock(), &bytes.Buffer{}
	d := newLogDisplay(newLogger(out, "text", slog.LevelInfo), clock.now)
	for _, rows := range []int64{1000, 5000, 12000, 13000, 50000} {
		d.count(stageRead, rows)
		clock.move(3 * time.Second)
	}
	want := []string{"rtcluster: read: 12,000 rows so far, 2,000 a second", "rtcluster: read: 50,000 rows so far, 4,166 a second"}
	if got := lines(out); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		name        string
		spent       time.Duration
		done, total int64
		want        string
	}{
		{"nothing yet", time.Second, 0, 100, ""},
		{"no time yet", 0, 5, 100, ""},
		{"a quarter", 4 * time.Second, 25, 100, "  6 rows/s  12s left"},
		{"many", 2 * time.Second, 3_000_000, 450_000_000, "  1,500,000 rows/s  4m58s left"},
		{"all", time.Second, 100, 100, "  100 rows/s  0s left"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := paceText(test.spent, test.done, test.total, "rows"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
