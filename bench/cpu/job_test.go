package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
)

// A line of 30 rows at distance 1, and a row far away.
func lineSet(t *testing.T) (*join.Points, job) {
	t.Helper()
	data := make([]float64, 31)
	for i := range data {
		data[i] = float64(i)
	}
	data[30] = 1000
	path := filepath.Join(t.TempDir(), "line.f64")
	if err := measure.WriteNumbers(path, data); err != nil {
		t.Fatal(err)
	}
	pts, err := join.NewPoints(data, 1)
	if err != nil {
		t.Fatal(err)
	}
	return pts, job{File: path, Rows: 31, Dim: 1, Eps: 1, MinSamples: 3, K: 2, Threads: 1, Runs: 2}
}

func TestJobs(t *testing.T) {
	pts, j := lineSet(t)
	second := 0.0 // the mean distance to the second other row
	for i := range pts.Rows() {
		var near []float64
		join.Scan(pts, pts.Row(i), math.Inf(1), func(_ int, d2 float64) { near = append(near, math.Sqrt(d2)) })
		slices.Sort(near)
		second += near[2] / float64(pts.Rows())
	}
	for _, tc := range []struct {
		work string
		want func(*outcome) bool
	}{
		{dbscanWork, func(o *outcome) bool { return *o.Clusters == 1 && *o.Noise == 1 && *o.Cores == 28 }},
		{countWork, func(o *outcome) bool { return *o.Pairs == 29 }},
		{knnWork, func(o *outcome) bool { return math.Abs(*o.KDist-second) < 1e-12 }},
		{lofWork, func(o *outcome) bool { return *o.LOF > 1 && *o.LOF < 100 }},
	} {
		t.Run(tc.work, func(t *testing.T) {
			j := j
			j.Work = tc.work
			text, err := json.Marshal(j)
			if err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			if err := runJob(t.Context(), string(text), &said); err != nil {
				t.Fatal(err)
			}
			out, err := parseOutcome(said.String())
			if err != nil || len(out.Seconds) != 2 || !tc.want(out) {
				t.Errorf("printed %s: %v", said.String(), err)
			}
		})
	}
}

func TestJobRefuses(t *testing.T) {
	_, j := lineSet(t)
	j.Work = "sort"
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"", "{}", string(text)} {
		if err := runJob(t.Context(), job, io.Discard); err == nil {
			t.Errorf("no error for job %q", job)
		}
	}
}
