package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rtcluster/bench/internal/measure"
)

// The contenders that are ours.
const (
	oursName      = "ours"
	oneThreadName = "ours, one thread"
)

// contender is a program that does a job in turns with others.
type contender struct {
	Name    string
	Command []string
	Turns   int
	Limit   time.Duration // of one turn
	Budget  float64       // seconds after which it gets no further turn; 0: none
}

// measureAll measures the rows that opt asks for and writes the report.
func measureAll(ctx context.Context, opt *options, log *log.Logger) error {
	peers, err := readPeers(opt.Peers)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(opt.Work, 0o755); err != nil {
		return err
	}
	all, err := openResults(opt)
	if err != nil {
		return err
	}
	all.Peers = mergePeers(all.Peers, peers)
	for _, r := range allRows() {
		if ok, err := measure.Matches(opt.Rows, r.name()); err != nil || !ok {
			continue // the patterns were checked
		}
		res, err := measureRow(ctx, opt, r, peers, all, log)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		if res == nil {
			continue
		}
		all.put(res)
		if err := all.write(opt); err != nil {
			return err
		}
	}
	if opt.Plots {
		if err := measureCurves(ctx, plotting{opt, all, log}); err != nil {
			return fmt.Errorf("plots: %w", err)
		}
	}
	return all.write(opt)
}

// measureRow lets ours and the peers do the work of one row in turns, those of them
// that -only names; the others keep what they have in all. It returns nil if the set
// has no ε for the row.
func measureRow(ctx context.Context, opt *options, r row, peers []peer, all *results, log *log.Logger) (*result, error) {
	rec, err := findRecipe(r.Set)
	if err != nil {
		return nil, err
	}
	s, err := openSet(ctx, opt.Work, rec.scaled(opt.Scale), log)
	if err != nil {
		return nil, err
	}
	if r.Neighbors > 0 && s.Eps[r.Neighbors] == 0 {
		log.Printf("%s left out: %s has no ε for so many neighbours", r.name(), s.File)
		return nil, nil
	}
	j := opt.job(s, r.Work, s.Eps[r.Neighbors])
	contenders, err := contend(opt, r, j, peers)
	if err != nil {
		return nil, err
	}
	res := &result{Row: r.name(), Job: j, By: map[string]*measured{}}
	if old := all.find(r.name()); old != nil && old.Job.sameAs(j) {
		maps.Copy(res.By, old.By)
	}
	for _, c := range contenders {
		res.By[c.Name] = &measured{Commit: all.Host.Commit}
	}
	spent := map[string]float64{}
	for turn := range opt.Turns {
		for _, c := range contenders {
			if turn >= c.Turns || res.by(c.Name).Failed != "" || c.Budget > 0 && spent[c.Name] > c.Budget {
				continue
			}
			began := time.Now()
			out, err := start(ctx, c.Command, c.Limit)
			spent[c.Name] += time.Since(began).Seconds()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil && c.Name == oursName {
				return nil, err
			}
			res.take(c.Name, out, err)
			log.Printf("%s turn %d %s: %s", r.name(), turn+1, c.Name, res.by(c.Name).brief())
		}
	}
	return res, nil
}

// job returns the job of a work on a set.
func (opt *options) job(s *set, work string, eps float64) job {
	return job{
		Work: work, File: filepath.Join(opt.Work, s.File), Rows: s.Rows, Dim: s.Dim,
		Eps: eps, MinSamples: s.MinSamples, K: nearest, Threads: opt.Threads, Runs: opt.Runs,
	}
}

// ownCommand returns the command that does the job with our engine: this
// program.
func (j job) ownCommand() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	return []string{self, "-job", string(text)}, err
}

// contend returns ours, ours on one thread, and the peers that can do the row.
func contend(opt *options, r row, j job, peers []peer) ([]contender, error) {
	var list []contender
	for _, name := range []string{oursName, oneThreadName} {
		j := j
		if name == oneThreadName {
			if j.Threads == 1 || r.Work != dbscanWork && r.Work != countWork {
				continue
			}
			j.Threads = 1
		}
		command, err := j.ownCommand()
		if err != nil {
			return nil, err
		}
		list = append(list, contender{Name: name, Command: command, Turns: opt.Turns, Limit: time.Hour})
	}
	for _, p := range peers {
		if !p.can(r, j.Dim) {
			continue
		}
		j := j
		c := contender{Name: p.Name, Turns: opt.Turns, Limit: 10 * time.Minute, Budget: opt.Budget}
		if p.Turns > 0 {
			c.Turns = min(p.Turns, opt.Turns)
		}
		if p.Runs > 0 {
			j.Runs = min(p.Runs, j.Runs)
		}
		if p.Timeout > 0 {
			c.Limit = time.Duration(p.Timeout * float64(time.Second))
		}
		c.Command = j.fill(p.Commands[r.Work])
		list = append(list, c)
	}
	return slices.DeleteFunc(list, func(c contender) bool {
		ok, _ := measure.Matches(opt.Only, c.Name) // the patterns were checked
		return !ok
	}), nil
}

// mergePeers returns the peers of before, and of now, which replace those of the
// same name.
func mergePeers(before, now []peer) []peer {
	merged := slices.Clone(now)
	for _, p := range before {
		if !slices.ContainsFunc(now, func(q peer) bool { return q.Name == p.Name }) {
			merged = append(merged, p)
		}
	}
	return merged
}
