package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"rtcluster/bench/internal/measure"
	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/outlier"
)

// job is one process's work.
type job struct {
	Work       string
	File       string
	Rows, Dim  int
	Eps        float64
	MinSamples int
	K          int
	Threads    int
	Runs       int
}

// sameAs tells whether two jobs are the same but for the number of times.
func (j job) sameAs(k job) bool {
	j.Runs = k.Runs
	return j == k
}

// runJob does the job that text describes with our engine, in this process, and
// prints the outcome.
func runJob(ctx context.Context, text string, w io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return fmt.Errorf("-job: %w", err)
	}
	runtime.GOMAXPROCS(j.Threads)
	data, err := readValues(j.File, j.Rows*j.Dim)
	if err != nil {
		return err
	}
	pts, err := join.NewPoints(data, j.Dim)
	if err != nil {
		return err
	}
	out := &outcome{}
	for run := range max(1, j.Runs) {
		runtime.GC() // what the last run left is not this one's work
		began := time.Now()
		err := j.do(ctx, pts, out)
		out.Seconds = append(out.Seconds, time.Since(began).Seconds())
		if err != nil {
			return err
		}
		if run == 0 {
			out.PeakMiB = measure.PeakMiB()
		}
	}
	return json.NewEncoder(w).Encode(out)
}

// do does the work once, index included.
func (j job) do(ctx context.Context, pts *join.Points, out *outcome) error {
	idx, err := cpu.New(cpu.Options{Threads: j.Threads}).Index(ctx, pts)
	if err != nil {
		return err
	}
	defer func() { _ = idx.Close() }() // it holds nothing but memory
	switch j.Work {
	case dbscanWork:
		res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: j.Eps, MinSamples: j.MinSamples})
		if err != nil {
			return err
		}
		out.Clusters, out.Noise, out.Cores = whole(res.Clusters), whole(res.Noise), whole(res.Cores)
	case countWork:
		counts := make([]int32, pts.Rows())
		if err := idx.Counts(ctx, nil, j.Eps, 0, counts); err != nil {
			return err
		}
		out.Pairs = whole(countPairs(counts))
	case knnWork:
		out.KDist, err = nearestRows(ctx, idx, j.K)
	case lofWork:
		var res *outlier.Result
		if res, err = outlier.Score(ctx, idx, outlier.Options{Method: outlier.LOF, K: j.K}); err == nil {
			out.LOF = mean(res.Scores)
		}
	default:
		err = fmt.Errorf("there is no work %q", j.Work)
	}
	return err
}

// nearestRows keeps the k nearest of all rows, as a peer does, and returns the
// mean distance to the k-th.
func nearestRows(ctx context.Context, idx join.Index, k int) (*float64, error) {
	rows := idx.Points().Rows()
	ids := make([]int32, rows*k)
	d2 := make([]float64, rows*k)
	err := join.Lists(ctx, idx, nil, k, ids, d2)
	last := make([]float64, rows)
	for i := range last {
		last[i] = math.Sqrt(d2[i*k+k-1])
	}
	runtime.KeepAlive(ids)
	return mean(last), err
}

// countPairs returns the number of unordered pairs of different rows.
func countPairs(counts []int32) int {
	sum := 0
	for _, c := range counts {
		sum += int(c) - 1
	}
	return sum / 2
}

func whole(x int) *float64 {
	y := float64(x)
	return &y
}

func mean(x []float64) *float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	sum /= float64(len(x))
	return &sum
}
