package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"rtcluster/bench/internal/measure"
)

// results is all that was measured; results.json holds it.
type results struct {
	Host   measure.Host
	Scale  float64
	Turns  int
	Runs   int
	Peers  []peer
	Rows   []*result
	Curves []*curve
}

// result is one row.
type result struct {
	Row string
	Job job
	By  map[string]*measured // by name of the contender
}

// measured is what the turns of one contender gave.
type measured struct {
	First   []float64 // seconds of the first run of each process
	Warm    []float64 // of the other runs; of the first where there was no other
	Last    *outcome
	PeakMiB float64
	Failed  string
	Commit  string // of ours, at the time
}

func (r *result) by(name string) *measured {
	if r.By[name] == nil {
		r.By[name] = &measured{}
	}
	return r.By[name]
}

// take adds the outcome of a turn, or the error it ended with.
func (r *result) take(name string, out *outcome, err error) {
	m := r.by(name)
	if err != nil {
		m.Failed = err.Error()
		return
	}
	m.First = append(m.First, out.Seconds[0])
	m.Warm = append(m.Warm, out.Seconds[min(1, len(out.Seconds)-1):]...)
	m.PeakMiB = max(m.PeakMiB, out.PeakMiB)
	m.Last = out
}

// has tells whether there is a time of the contender.
func (r *result) has(name string) bool { return r.By[name] != nil && len(r.By[name].Warm) > 0 }

func (m *measured) brief() string {
	if m.Failed != "" {
		return m.Failed
	}
	return fmt.Sprintf("%.4g s, first %.4g s, %.0f MiB", measure.Median(m.Warm), m.First[len(m.First)-1], m.PeakMiB)
}

// openResults begins new results, or goes on with those of earlier calls.
func openResults(opt *options) (*results, error) {
	fresh := &results{Host: measure.ThisHost(), Scale: opt.Scale, Turns: opt.Turns, Runs: opt.Runs}
	if !opt.Add {
		return fresh, nil
	}
	path := filepath.Join(opt.Work, "results.json")
	old := &results{}
	if err := measure.ReadJSON(path, old); errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	} else if err != nil {
		return nil, err
	}
	if old.Scale != opt.Scale {
		return nil, fmt.Errorf("%s is of -scale %v, not %v: measure without -add", path, old.Scale, opt.Scale)
	}
	old.Host, old.Turns, old.Runs = fresh.Host, fresh.Turns, fresh.Runs
	return old, nil
}

// mixed tells whether peers were measured beside another commit of ours.
func (r *result) mixed() bool {
	for _, m := range r.By {
		if len(m.Warm) > 0 && m.Commit != r.by(oursName).Commit {
			return true
		}
	}
	return false
}

func rowOf(r *result) string { return r.Row }

// put adds a result or replaces that of the same row.
func (all *results) put(r *result) { all.Rows = measure.Put(all.Rows, r, rowOf) }

// find returns the result of a row, nil if there is none.
func (all *results) find(row string) *result { return measure.Find(all.Rows, row, rowOf) }

// write writes results.json and the report.
func (all *results) write(opt *options) error {
	if err := measure.WriteJSON(filepath.Join(opt.Work, "results.json"), all); err != nil {
		return err
	}
	return os.WriteFile(opt.Out, []byte(all.report()), 0o644)
}
