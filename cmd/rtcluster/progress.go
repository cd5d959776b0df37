package main

import (
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"rtcluster/join"
)

// stopwatch adds up the time of each stage, as engines report them and as
// commands start and stop them. It is safe for use by several goroutines.
type stopwatch struct {
	now    func() time.Time
	mu     sync.Mutex
	order  []string
	spent  map[string]time.Duration
	begun  map[string]time.Time
	far    map[string]howFar // those that tell it
	ended  string            // the stage that ended last
	opened time.Time
}

// howFar is how much of a stage is done.
type howFar struct {
	stage       join.Stage
	done, total int64
}

func newStopwatch(now func() time.Time) *stopwatch {
	return &stopwatch{now: now, opened: now(), spent: map[string]time.Duration{}, begun: map[string]time.Time{}, far: map[string]howFar{}}
}

func (s *stopwatch) start(stage string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.spent[stage]; !known {
		s.order = append(s.order, stage)
		s.spent[stage] = 0
	}
	s.begun[stage] = s.now()
}

func (s *stopwatch) stop(stage string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if begun, running := s.begun[stage]; running {
		s.spent[stage] += s.now().Sub(begun)
		delete(s.begun, stage)
		s.ended = stage
	}
}

// report is a [join.Progress].
func (s *stopwatch) report(stage join.Stage, done, total int64) {
	if done == 0 {
		s.start(string(stage))
	}
	s.tell(stage, done, total)
	if done >= total {
		s.stop(string(stage))
	}
}

// tell takes note of how far a stage is, until all is done: what it does then is another
// thing. Reports may come out of order.
func (s *stopwatch) tell(stage join.Stage, done, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if done >= total {
		delete(s.far, string(stage))
	} else if before := s.far[string(stage)]; done == 0 || done > before.done {
		s.far[string(stage)] = howFar{stage, done, total}
	}
}

// stageTime is what one stage took.
type stageTime struct {
	name  string
	spent time.Duration
}

// stages returns the stages that have ended, in the order they first began.
func (s *stopwatch) stages() []stageTime {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]stageTime, len(s.order))
	for i, name := range s.order {
		list[i] = stageTime{name, s.spent[name]}
	}
	return list
}

// of returns the time of a stage, 0 if it has not been.
func (s *stopwatch) of(stage string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent[stage]
}

func (s *stopwatch) total() time.Duration { return s.now().Sub(s.opened) }

// display shows a person how far the run is. A stage that others come between, before it
// has ended, goes on.
type display interface {
	report(stage join.Stage, done, total int64) // a [join.Progress]
	count(stage join.Stage, done int64)         // of a stage whose end nobody knows before
	close()
}

// noDisplay is for a pipe.
type noDisplay struct{}

func (noDisplay) report(join.Stage, int64, int64) {}
func (noDisplay) count(join.Stage, int64)         {}
func (noDisplay) close()                          {}

// logEvery is the time between two lines of a logDisplay on one stage: often
// enough to see that a batch job lives, seldom enough for its log.
const logEvery = 5 * time.Second

// logDisplay writes a line when a stage ends, and now and then before. A stage
// that comes again soon, as blocks of one join do, is not told again.
type logDisplay struct {
	log   *slog.Logger
	now   func() time.Time
	mu    sync.Mutex
	stage join.Stage
	open  map[join.Stage]*logged // those that have not ended
	ended map[join.Stage]time.Time
}

// logged is when a stage has begun, and when it was told of.
type logged struct{ begun, last time.Time }

func newLogDisplay(log *slog.Logger, now func() time.Time) *logDisplay {
	return &logDisplay{log: log, now: now, open: map[join.Stage]*logged{}, ended: map[join.Stage]time.Time{}}
}

// enter takes note of the stage at work, which has done so much, and returns the time and
// what is known of it.
func (d *logDisplay) enter(stage join.Stage, done int64) (now time.Time, at *logged) {
	now = d.now()
	if at = d.open[stage]; at == nil || d.stage != stage && done == 0 {
		at = &logged{now, now}
		d.open[stage] = at
	}
	d.stage = stage
	return now, at
}

func (d *logDisplay) report(stage join.Stage, done, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, at := d.enter(stage, done)
	spent := now.Sub(at.begun)
	say := func(text string) {
		d.log.Info(string(stage)+": "+text, "stage", string(stage), "done", done, "total", total, "seconds", spent.Seconds())
	}
	switch {
	case done >= total:
		d.stage = ""
		delete(d.open, stage)
		if before, again := d.ended[stage]; !again || now.Sub(before) >= logEvery {
			d.ended[stage] = now
			say(fmt.Sprintf("done, %s %s in %s", grouped(total), unit(stage), seconds(spent)))
		}
	case done > 0 && now.Sub(at.last) >= logEvery:
		at.last = now
		left := time.Duration(float64(spent) * float64(total-done) / float64(done))
		say(fmt.Sprintf("%d %%, %s of %s %s, about %s left", 100*done/total, grouped(done), grouped(total), unit(stage), seconds(left)))
	}
}

func (d *logDisplay) count(stage join.Stage, done int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, at := d.enter(stage, done)
	if now.Sub(at.last) < logEvery {
		return
	}
	at.last = now
	spent := now.Sub(at.begun)
	rate := int64(float64(done) / spent.Seconds())
	d.log.Info(fmt.Sprintf("%s: %s %s so far, %s a second", stage, grouped(done), unit(stage), grouped(rate)),
		"stage", string(stage), "done", done, "seconds", spent.Seconds())
}

func (d *logDisplay) close() {}

// unit is what a stage counts.
func unit(stage join.Stage) string {
	switch stage {
	case stageSort:
		return "pairs"
	case stageNullField:
		return "fields"
	}
	return "rows"
}

// barsWelcome reports whether the environment lets a bar be drawn: a dumb terminal
// can't, and the log of a build server keeps every step of it.
func (a *app) barsWelcome() bool {
	ci := a.getenv("CI")
	return a.getenv("TERM") != "dumb" && (ci == "" || ci == "false" || ci == "0")
}

// barDisplay draws a bar for the stage at work and wipes it out at the end.
type barDisplay struct {
	bars  *mpb.Progress
	mu    sync.Mutex
	stage join.Stage
	bar   *mpb.Bar
	done  int64                    // reports may come out of order; the bar never goes back
	begun map[join.Stage]time.Time // of stages that have not ended
}

func newBarDisplay(w io.Writer) *barDisplay {
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(40), mpb.WithAutoRefresh())
	return &barDisplay{bars: bars, begun: map[join.Stage]time.Time{}}
}

func (d *barDisplay) report(stage join.Stage, done, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(stage, done, func(begun time.Time) *mpb.Bar {
		return d.bars.AddBar(max(total, 1), mpb.BarRemoveOnComplete(), stageName(stage),
			mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(pace(begun, unit(stage)))))
	})
	d.reach(min(done, total))
	if done >= total {
		delete(d.begun, stage)
		d.drop()
	}
}

func (d *barDisplay) count(stage join.Stage, done int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(stage, done, func(begun time.Time) *mpb.Bar {
		return d.bars.New(0, mpb.SpinnerStyle(), mpb.BarRemoveOnComplete(), stageName(stage),
			mpb.AppendDecorators(decor.Any(count(begun, unit(stage)))))
	})
	d.reach(done)
}

// begin draws the bar of a stage, which has done so much, in the place of that of another.
func (d *barDisplay) begin(stage join.Stage, done int64, bar func(begun time.Time) *mpb.Bar) {
	if d.stage == stage {
		return
	}
	d.drop()
	if _, open := d.begun[stage]; !open || done == 0 {
		d.begun[stage] = time.Now()
	}
	d.stage, d.bar = stage, bar(d.begun[stage])
}

// reach moves the bar on.
func (d *barDisplay) reach(done int64) {
	if done > d.done {
		d.done = done
		d.bar.SetCurrent(done)
	}
}

// stageName is what stands before a bar.
func stageName(stage join.Stage) mpb.BarOption {
	return mpb.PrependDecorators(decor.Name(string(stage), decor.WC{W: 12, C: decor.DindentRight}))
}

// count tells how much there was so far, and the rate since begun.
func count(begun time.Time, unit string) func(decor.Statistics) string {
	return func(s decor.Statistics) string {
		rate := float64(s.Current) / max(time.Since(begun).Seconds(), 1e-3)
		return fmt.Sprintf("  %s %s  %s %s/s", grouped(s.Current), unit, grouped(int64(rate)), unit)
	}
}

// pace tells the rate since begun, and guesses from it what time is left.
func pace(begun time.Time, unit string) func(decor.Statistics) string {
	return func(s decor.Statistics) string { return paceText(time.Since(begun), s.Current, s.Total, unit) }
}

// paceText is "" until there is a rate.
func paceText(spent time.Duration, done, total int64, unit string) string {
	if done <= 0 || spent <= 0 {
		return ""
	}
	rate := float64(done) / spent.Seconds()
	left := time.Duration(float64(spent) / float64(done) * float64(total-done))
	return fmt.Sprintf("  %s %s/s  %s left", grouped(int64(rate)), unit, left.Round(time.Second))
}

func (d *barDisplay) drop() {
	if d.bar != nil {
		d.bar.Abort(true)
		d.bar.Wait()
	}
	d.bar, d.stage, d.done = nil, "", 0
}

func (d *barDisplay) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drop()
	d.bars.Wait()
}
