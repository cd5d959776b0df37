package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"time"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/outlier"
)

// job is the work of one process.
type job struct {
	File      string
	Rows, Dim int // of the set, or of the reference, which stands at its beginning
	Eps       float64
	Scores    []score
	Threads   int
	New       int // so many new rows stand behind the reference, and are scored against it
	Piece     int // rows of them that are read and scored at once
}

// score is what to score by.
type score struct {
	Method outlier.Method
	K      int
	Ties   outlier.Ties
}

// outcome is what a process that was measured says.
type outcome struct {
	Seconds float64  `json:"seconds"`        // without loading
	Mean    *float64 `json:"mean,omitempty"` // of the scores, of the first option if there are several
	PeakMiB float64  `json:"peak_mib"`
}

// runJob does the job that text describes and prints the outcome.
func runJob(ctx context.Context, text string, w io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return fmt.Errorf("-job: %w", err)
	}
	runtime.GOMAXPROCS(j.Threads)
	pts, err := readRows(j.File, j.Dim, 0, j.Rows)
	if err != nil {
		return err
	}
	runtime.GC()
	began := time.Now()
	mean, err := j.do(ctx, pts)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(outcome{Seconds: time.Since(began).Seconds(), Mean: mean, PeakMiB: measure.PeakMiB()})
}

// options returns the scores as package outlier wants them.
func (j *job) options(engine join.Engine) []outlier.Options {
	opts := make([]outlier.Options, len(j.Scores))
	for i, s := range j.Scores {
		opts[i] = outlier.Options{
			Method: s.Method, K: s.K, Ties: s.Ties, Eps: j.Eps,
			MinSamples: minSamples, Fraction: fraction, Lambda: lambda, Threads: j.Threads, Engine: engine,
		}
	}
	return opts
}

// do does the work once, index included, and returns the mean score.
func (j *job) do(ctx context.Context, pts *join.Points) (*float64, error) {
	engine := cpu.New(cpu.Options{Threads: j.Threads})
	idx, err := engine.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = idx.Close() }() // it holds nothing but memory
	if j.New == 0 {
		results, err := outlier.ScoreEach(ctx, idx, j.options(engine))
		if err != nil {
			return nil, err
		}
		return mean(results[0].Scores), nil
	}
	model, err := outlier.Fit(ctx, idx, j.options(engine))
	if err != nil {
		return nil, err
	}
	scores := make([]float64, 0, j.New)
	for from := 0; from < j.New; from += j.Piece {
		fresh, err := readRows(j.File, j.Dim, j.Rows+from, min(j.Piece, j.New-from))
		if err != nil {
			return nil, err
		}
		results, err := model.Score(ctx, fresh)
		if err != nil {
			return nil, err
		}
		scores = append(scores, results[0].Scores...)
	}
	return mean(scores), nil
}

func mean(x []float64) *float64 {
	m := sum(x) / float64(len(x))
	if m-m != 0 { // JSON has no infinity
		return nil
	}
	return &m
}
