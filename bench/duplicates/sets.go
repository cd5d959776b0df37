package main

import (
	"context"
	"math"
	"math/rand/v2"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/synth"
	"rtcluster/outlier"
)

const (
	seed       = 1
	places     = 1000
	fewest     = 10
	minSamples = 10
	neighbors  = 10
	latentFrom = 6 // coordinates from which rows have fewer directions than these
)

// set is a named set of rows.
type set struct {
	name string
	pts  *join.Points
}

// makeSets returns n distinct rows, and sets of n rows on some of their places.
func makeSets(n, dim int) ([]set, error) {
	shape := "uniform"
	if dim >= latentFrom {
		shape = "latent"
	}
	base, err := synth.Make(shape, n, dim, seed)
	if err != nil {
		return nil, err
	}
	distinct, err := join.NewPoints(base.Data, dim)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 2))
	rare := rand.NewZipf(r, 1.2, 1, uint64(max(1, n/10)-1))
	sets := []set{{"distinct rows", distinct}}
	for _, s := range []struct {
		name string
		pick func(row int) int // the distinct row that is put there
	}{
		{"1,000 places", func(int) int { return r.IntN(min(places, n)) }},
		{"10 places", func(int) int { return r.IntN(min(fewest, n)) }},
		{"100 rows a place", func(int) int { return r.IntN(max(1, n/100)) }},
		{"2 rows a place", func(int) int { return r.IntN(max(1, n/2)) }},
		{"ever rarer places (Zipf, 1.2)", func(int) int { return int(rare.Uint64()) }},
		{"half on one place", func(row int) int { return row * r.IntN(2) }},
	} {
		rows := make([]int32, n)
		for i := range rows {
			rows[i] = int32(s.pick(i))
		}
		sets = append(sets, set{s.name, distinct.Subset(rows)})
	}
	return sets, nil
}

// work is something to do with an index.
type work struct {
	name string
	do   func(ctx context.Context, idx join.Index) error
}

// works returns the works at the given distances.
func works(n int, reach [2]float64) []work {
	r := rand.New(rand.NewPCG(seed, 3))
	weights, signed := make([]float64, n), make([]float64, n)
	for i := range weights {
		weights[i], signed[i] = 2*r.Float64(), math.Round(4*r.Float64())-1
	}
	cluster := func(name string, opt dbscan.Options) work {
		opt.MinSamples = minSamples
		return work{name, func(ctx context.Context, idx join.Index) error {
			_, err := dbscan.Cluster(ctx, idx, opt)
			return err
		}}
	}
	near, wide := reach[0], reach[1]
	return []work{
		cluster("dbscan, ε 0", dbscan.Options{}),
		cluster("near", dbscan.Options{Eps: near}),
		cluster("wide", dbscan.Options{Eps: wide}),
		cluster("weights, ε 0", dbscan.Options{Weights: weights}),
		cluster("near", dbscan.Options{Eps: near, Weights: weights}),
		cluster("wide", dbscan.Options{Eps: wide, Weights: weights}),
		cluster("negative too, near", dbscan.Options{Eps: near, Weights: signed}),
		cluster("--counts, near", dbscan.Options{Eps: near, Counts: true}),
		cluster("wide", dbscan.Options{Eps: wide, Counts: true}),
		{"lof", func(ctx context.Context, idx join.Index) error {
			_, err := outlier.Score(ctx, idx, outlier.Options{Method: outlier.LOF, K: neighbors, Threads: 1})
			return err
		}},
	}
}
