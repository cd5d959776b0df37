package main

import "fmt"

// This file says what an interrupted run was at, and what it left.

// halt takes note of what the run is at when a signal comes: it is gone once the run
// has stopped.
func (a *app) halt() {
	if j := a.job.Load(); j != nil {
		at := j.clock.at()
		a.halted.Store(&at)
	}
}

// interrupted is the last message of a run that was interrupted. A run that was slow to
// stop is ended before it has tidied up.
func (a *app) interrupted(tidy bool) string {
	j := a.job.Load()
	if j == nil { // there was nothing to leave
		return "interrupted"
	}
	text := "interrupted"
	if at := a.halted.Load(); at != nil {
		text += *at
	}
	if left := j.left(); left != "" {
		text += "; " + left
	}
	if !tidy {
		text += "; it was slow to stop, and a temporary file may be left: the next run to the same output removes it"
	}
	return text
}

// left says what became of the output, "" if there was to be none.
func (j *job) left() string {
	path := j.outOpt.Path
	pipe := path == "" || path == "-"
	switch {
	case j.silent():
		return ""
	case pipe && j.written.Load():
		return "standard output is complete"
	case pipe:
		return "standard output is not complete"
	case j.written.Load():
		return path + " is complete"
	}
	return path + " was not written"
}

// at says in which stage a run is, and how far: " in counts, at 12 % of 5,000 rows".
// Between two stages it says which has ended: " after index".
func (s *stopwatch) at() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := "" // a stage within another began later
	for _, name := range s.order {
		if begun, running := s.begun[name]; running && (last == "" || !begun.Before(s.begun[last])) {
			last = name
		}
	}
	switch {
	case last != "":
	case s.ended != "":
		return " after " + s.ended
	default:
		return ""
	}
	far, ok := s.far[last]
	if !ok || far.total <= 0 {
		return " in " + last
	}
	return fmt.Sprintf(" in %s, at %d %% of %s %s", last, 100*far.done/far.total, grouped(far.total), unit(far.stage))
}
