package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/join"
)

// This file has --dry-run: what a run would find and cost, from a sample.

// dryOptions say that a run only estimates.
type dryOptions struct{ Run, JSON bool }

func (o *dryOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "General", func(fs *pflag.FlagSet) {
		fs.BoolVar(&o.Run, "dry-run", false,
			"read and index the input, and print what the run would find and cost, estimated from a sample; write no file")
		fs.BoolVar(&o.JSON, "json", false, "print the estimate of --dry-run as one JSON object instead of text")
	})
}

func (o *dryOptions) check() error {
	if o.JSON && !o.Run {
		return usagef("--json is for --dry-run: --report FILE writes an account of the run as JSON")
	}
	return nil
}

// dryAccount is what --dry-run tells, as JSON and as text.
type dryAccount struct {
	Command string        `json:"command"`
	Inputs  []reportInput `json:"inputs"`
	Columns []string      `json:"columns"`
	Sampled int           `json:"rows_sampled"` // for pairs
	Seed    uint64        `json:"seed"`
	Pairs   []dryPairs    `json:"pairs"`   // for each eps; empty without an eps
	Seconds drySeconds    `json:"seconds"` // of the whole run
	Memory  dryMemory     `json:"memory"`
	Counts  rowCounts     `json:"rows"`
}

// dryPairs is what an eps gives, each number with its standard error: 0 where all
// rows were counted.
type dryPairs struct {
	Eps         float64  `json:"eps"`
	EpsUnit     string   `json:"eps_unit,omitempty"`
	Pairs       float64  `json:"pairs"` // unordered, of different rows; with two tables of a row of each
	PairsError  float64  `json:"pairs_standard_error"`
	Neighbors   float64  `json:"mean_neighbors"` // without the row itself
	CoreShare   *float64 `json:"core_share,omitempty"`
	CoreError   *float64 `json:"core_share_standard_error,omitempty"`
	radius      radius
	ofTwoTables bool
}

// drySeconds is the time of the run that was estimated: on this machine, as busy as
// it was meanwhile.
type drySeconds struct {
	Estimate float64    `json:"estimate"`
	Low      float64    `json:"low"`
	High     float64    `json:"high"`
	Stages   []dryStage `json:"stages"`
}

// dryStage is the time of a stage, and how it was got.
type dryStage struct {
	Stage    string  `json:"stage"`
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	How      string  `json:"how"`
}

// dryMemory is the estimate that --memory-limit goes by.
type dryMemory struct {
	Estimate int64        `json:"estimate_bytes"`
	Parts    []memoryPart `json:"parts"`
}

// newDry begins the account of a run whose input was read.
func (j *job) newDry(s *source) *dryAccount {
	return &dryAccount{
		Command: j.report.Command, Inputs: j.report.Inputs, Columns: s.columns, Counts: s.rowCounts(), Seed: j.runOpt.Seed,
		Pairs: []dryPairs{}, Memory: dryMemory{Estimate: int64(j.estimate.total()), Parts: j.estimate.sorted()},
	}
}

// stage adds a stage of the run. The spread is the factor that the estimate may be
// wrong by.
func (d *dryAccount) stage(name string, estimate, spread float64, how string) {
	s := dryStage{Stage: name, Estimate: estimate, Low: estimate / spread, High: estimate * spread, How: how}
	d.Seconds.Stages = append(d.Seconds.Stages, s)
	d.Seconds.Estimate += s.Estimate
	d.Seconds.Low += s.Low
	d.Seconds.High += s.High
}

// measuredStages adds what the dry run did as the run does it.
func (d *dryAccount) measuredStages(j *job) {
	for _, stage := range []string{"read", string(join.StageIndex)} {
		d.stage(stage, j.clock.of(stage).Seconds(), sameSpread, "measured")
	}
}

// print writes the account to standard output.
func (d *dryAccount) print(j *job, opt *dryOptions) error {
	var err error
	if opt.JSON {
		err = writeJSON(j.out, d)
	} else {
		_, err = io.WriteString(j.out, d.text(j))
	}
	for _, text := range j.report.Warnings {
		j.log.Warn(text)
	}
	return writeError("-", err)
}

// text is the account for people.
func (d *dryAccount) text(j *job) string {
	var text strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&text, "%-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	for _, l := range j.lines {
		line(l.label, "%s", l.text)
	}
	for _, p := range d.Pairs {
		line("pairs", "%s", p.text())
	}
	switch {
	case d.Sampled == 0:
	case int64(d.Sampled) < d.Counts.Used:
		line("sample", "%s random rows against all, seed %d", grouped(d.Sampled), d.Seed)
	default:
		line("sample", "all %s rows", grouped(d.Sampled))
	}
	s := &d.Seconds
	line("time", "about %s (%s to %s)", secondsText(s.Estimate), secondsText(s.Low), secondsText(s.High))
	for _, stage := range s.Stages {
		line("", "%s %s, %s", stage.Stage, secondsText(stage.Estimate), stage.How)
	}
	line("memory", "at most about %s", bytesText(float64(d.Memory.Estimate)))
	for _, p := range d.Memory.Parts {
		if p.Bytes >= 1<<20 {
			line("", "%s %s", p.Part, bytesText(float64(p.Bytes)))
		}
	}
	line("output", "none: this was a dry run, and no file is written")
	return text.String()
}

func (p *dryPairs) text() string {
	about := func(value, se float64) string {
		if se == 0 {
			return grouped(int64(math.Round(value)))
		}
		return fmt.Sprintf("%.3g ± %.2g", value, se)
	}
	text := fmt.Sprintf("%s within eps %s, %.4g other rows a row", about(p.Pairs, p.PairsError), p.radius, p.Neighbors)
	if p.ofTwoTables {
		text = fmt.Sprintf("%s within eps %s, %.4g rows of B a row of A", about(p.Pairs, p.PairsError), p.radius, p.Neighbors)
	}
	if p.CoreShare != nil {
		text += fmt.Sprintf("; %.3g ± %.2g %% of the rows are core", 100**p.CoreShare, 100**p.CoreError)
	}
	return text
}

func secondsText(s float64) string { return seconds(time.Duration(s * float64(time.Second))) }

// pairsOf estimates the pairs within an eps from the counts of sampled rows.
func (d *dryAccount) pairsOf(ctx context.Context, idx join.Index, queries *join.Points, r radius, minSamples int) error {
	self := queries == nil
	all := queries
	if self {
		all = idx.Points()
	}
	n := all.Rows()
	if n == 0 {
		return nil
	}
	const sampled = 1000
	rows := sampleRows(n, sampled, d.Seed)
	d.Sampled = len(rows)
	picked := make([]int32, len(rows))
	for i, row := range rows {
		picked[i] = int32(row)
	}
	counts := make([]int32, len(rows))
	if err := idx.Counts(ctx, all.Subset(picked), r.join(), 0, counts); err != nil {
		return err
	}
	d.Pairs = append(d.Pairs, newDryPairs(counts, n, self, r, minSamples))
	return nil
}

// newDryPairs makes an estimate for n rows of the counts of some of them, drawn
// without being put back: the variance of a mean is that of the counts over their
// number, times the share of the rows that were not drawn.
func newDryPairs(counts []int32, n int, self bool, r radius, minSamples int) dryPairs {
	k := float64(len(counts))
	var sum, squares, core float64
	for _, c := range counts {
		x := float64(c)
		if self {
			x--
		}
		sum += x
		squares += x * x
		if int(c) >= minSamples {
			core++
		}
	}
	mean, unseen := sum/k, 1-k/float64(n)
	share := 1.0 // of the pairs of each row
	if self {
		share = 0.5 // since each has two rows
	}
	spread := math.Sqrt(max(0, squares-sum*mean) / max(1, k-1) / k * unseen)
	p := dryPairs{
		Eps: r.Value, EpsUnit: r.Unit, radius: r, ofTwoTables: !self, Neighbors: mean,
		Pairs: share * mean * float64(n), PairsError: share * spread * float64(n),
	}
	if minSamples > 0 {
		part := core / k
		se := math.Sqrt(part * (1 - part) / max(1, k-1) * unseen)
		p.CoreShare, p.CoreError = &part, &se
	}
	return p
}
