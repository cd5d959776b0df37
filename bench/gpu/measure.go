package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
	"rtcluster/join/synth"
)

// bench is what is measured.
type bench struct {
	engine join.Engine
	card   string // in words
}

// firstUse is what it takes to come to the first results.
type firstUse struct {
	Index   float64 // seconds of the first index, with taking the card
	Works   float64 // seconds of the first works, with compiling their kernels
	Indexes float64 // seconds of an index of the same few rows afterwards
}

// measureAll measures the sets that opt names and writes the results.
func measureAll(ctx context.Context, opt *options, open func() (*bench, error), log *log.Logger) error {
	all, err := openResults(opt)
	if err != nil {
		return err
	}
	if len(opt.Sets) == 0 {
		return all.write(opt)
	}
	b, err := open()
	if err != nil {
		return err
	}
	host := measure.ThisHost()
	if opt.Commit != "" {
		host.Commit = opt.Commit
	}
	all.Host, all.Card, all.Driver, all.Runs = host, b.card, driverVersion(ctx), opt.Runs
	if all.FirstUse, err = b.firstUse(ctx); err != nil {
		return err
	}
	log.Printf("%s: first index %.3f s, first works %.3f s", b.card, all.FirstUse.Index, all.FirstUse.Works)
	for _, src := range opt.Sets {
		if err := b.measureSet(ctx, opt, src, all, log); err != nil {
			return fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	return nil
}

// firstUse does each work once on a few rows, before anything else.
func (b *bench) firstUse(ctx context.Context) (firstUse, error) {
	set, err := synth.Make("latent", 5000, 16, 1)
	if err != nil {
		return firstUse{}, err
	}
	pts, err := join.NewPoints(set.Data, set.Dim)
	if err != nil {
		return firstUse{}, err
	}
	t := &trial{engine: b.engine, pts: pts, eps: 0.1, minSamples: 10, counts: make([]int32, pts.Rows())}
	var use firstUse
	for i, name := range []string{countsWork, pairsWork, dbscanWork} {
		seconds, err := t.once(ctx, name, &timed{})
		switch {
		case errors.Is(err, errors.ErrUnsupported): // said again by each set
		case err != nil:
			return use, err
		case i == 0:
			use.Index = seconds[0]
		}
		use.Works += seconds[1]
	}
	began := time.Now()
	idx, err := b.engine.Index(ctx, pts)
	use.Indexes = time.Since(began).Seconds()
	if err == nil {
		err = idx.Close()
	}
	return use, err
}

// measureSet does all works on a set, and writes the results after each.
func (b *bench) measureSet(ctx context.Context, opt *options, src source, all *results, log *log.Logger) error {
	began := time.Now()
	pts, data, err := src.points()
	if err != nil {
		return err
	}
	log.Printf("%s: %d × %d, ε %v, ready after %.1f s", src.Name, pts.Rows(), pts.Dim(), src.Eps, time.Since(began).Seconds())
	s := &set{
		source: src, MinSamples: 2 * src.Dim, Want: src.Total, Works: map[string]*timed{},
		Commit: all.Host.Commit, Date: all.Host.Date,
	}
	t := &trial{engine: b.engine, pts: pts, eps: src.Eps, minSamples: s.MinSamples, counts: make([]int32, pts.Rows())}
	for _, name := range works() {
		if ok, err := measure.Matches(opt.Works, name); err != nil || !ok {
			continue // the patterns were checked
		}
		if name == wideWork {
			disturb(data) // no index holds the rows now
			if t.pts, err = join.NewPoints(data, src.Dim); err != nil {
				return err
			}
		}
		m := t.measure(ctx, name, opt.Runs, opt.Budget)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.Works[name] = m
		log.Printf("%s: %s", src.Name, m.brief(name))
		if name == countsWork && m.Failed == "" {
			s.judge(t, opt.Samples)
			log.Printf("%s: %s", src.Name, s.verdict())
		}
		all.put(s)
		if err := all.write(opt); err != nil {
			return err
		}
	}
	return nil
}

// judge takes what the counts say: how many rows are core, and, where the total is not
// known, what it is, once brute force has confirmed some rows.
func (s *set) judge(t *trial, samples int) {
	for _, c := range t.counts {
		if int(c) >= s.MinSamples {
			s.Cores++
		}
	}
	if s.Total == 0 {
		s.Checked = check(t.pts, s.Eps, t.counts, samples)
		s.Want = s.Works[countsWork].Total
	}
}
