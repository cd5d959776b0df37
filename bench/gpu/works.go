package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"rtcluster/dbscan"
	"rtcluster/gpu"
	"rtcluster/join"
)

// The works that are measured, in this order.
const (
	countsWork = "counts"
	pairsWork  = "pairs"
	dbscanWork = "dbscan"
	wideWork   = "float64" // counts of values that are no float32 numbers
)

func works() []string { return []string{countsWork, pairsWork, dbscanWork, wideWork} }

func workNames() string { return strings.Join(works(), ", ") }

// timed is what the runs of a work on a set gave.
type timed struct {
	First    [2]float64 // seconds of the index and of the work in the run that warms up
	Index    []float64  // seconds of each other run
	Work     []float64
	Total    int64              // ordered pairs and rows; of DBSCAN, core rows
	Clusters int                `json:",omitempty"`
	Noise    int                `json:",omitempty"`
	Stages   map[string]float64 `json:",omitempty"` // seconds, each waited for
	Rounds   map[string]int     `json:",omitempty"` // how often a stage came
	Counts   map[string]int64   `json:",omitempty"` // what the engine counted
	Failed   string             `json:",omitempty"`
}

// trial is one set at work.
type trial struct {
	engine     join.Engine
	pts        *join.Points
	eps        float64
	minSamples int
	counts     []int32 // of the last work that counted
}

// once makes an index and does a work, and returns the seconds of both.
func (t *trial) once(ctx context.Context, name string, into *timed) (seconds [2]float64, err error) {
	runtime.GC() // what the last run left is not this one's work
	began := time.Now()
	idx, err := t.engine.Index(ctx, t.pts)
	if err != nil {
		return seconds, err
	}
	indexed := time.Now()
	switch name {
	case countsWork, wideWork:
		err = idx.Counts(ctx, nil, t.eps, 0, t.counts)
	case pairsWork:
		into.Total = 0
		err = idx.Pairs(ctx, nil, t.eps, func(p []join.Pair) error {
			into.Total += 2 * int64(len(p))
			return nil
		})
		into.Total += int64(t.pts.Rows())
	case dbscanWork:
		var res *dbscan.Result
		if res, err = dbscan.Cluster(ctx, idx, dbscan.Options{Eps: t.eps, MinSamples: t.minSamples}); err == nil {
			into.Total, into.Clusters, into.Noise = int64(res.Cores), res.Clusters, res.Noise
		}
	default:
		err = fmt.Errorf("there is no work %q", name)
	}
	done := time.Now()
	if closing := idx.Close(); err == nil {
		err = closing
	}
	if name == countsWork || name == wideWork {
		into.Total = 0
		for _, c := range t.counts {
			into.Total += int64(c)
		}
	}
	return [2]float64{indexed.Sub(began).Seconds(), done.Sub(indexed).Seconds()}, err
}

// measure does a work once to warm up, then some times, then once with its stages timed.
func (t *trial) measure(ctx context.Context, name string, runs int, budget float64) *timed {
	m, spent := &timed{}, 0.0
	for run := range runs + 1 {
		seconds, err := t.once(ctx, name, m)
		if err != nil {
			m.Failed = err.Error()
			return m
		}
		if run == 0 {
			m.First = seconds
		} else {
			m.Index, m.Work = append(m.Index, seconds[0]), append(m.Work, seconds[1])
		}
		if spent += seconds[0] + seconds[1]; run > 0 && spent > budget {
			break
		}
	}
	m.Stages, m.Rounds, m.Counts = map[string]float64{}, map[string]int{}, map[string]int64{}
	tell := gpu.WithTrace(ctx, func(stage string, took time.Duration) {
		m.Stages[stage] += took.Seconds()
		m.Rounds[stage]++
	}, func(what string, n int64) {
		if what == columnsCount { // of the operands, which every round has
			n -= m.Counts[what]
		}
		m.Counts[what] += n
	})
	total := m.Total
	if _, err := t.once(tell, name, m); err != nil {
		m.Failed = err.Error()
	} else if m.Total != total {
		m.Failed = fmt.Sprintf("the total was %d, then %d", total, m.Total)
	}
	return m
}

// endToEnd returns the seconds of index and work of each run.
func (m *timed) endToEnd() []float64 {
	sums := make([]float64, len(m.Work))
	for i := range sums {
		sums[i] = m.Index[i] + m.Work[i]
	}
	return sums
}
