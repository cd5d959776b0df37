package dbscan_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// drawing is ten rows; rows 0 to 3 stand close, 5 to 8 in a line.
//
//	3 │ 2   3
//	2 │ 0   1   4                       9
//	1 │
//	0 │                 5   6   7   8
//	  └──────────────────────────────────
//	    0   1   2   3   4   5   6   7   8
var drawing = []float64{0, 2, 1, 2, 0, 3, 1, 3, 2, 2, 4, 0, 5, 0, 6, 0, 7, 0, 8, 2}

func ExampleCluster() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: 1, MinSamples: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("labels", res.Labels)
	for row, core := range res.Core {
		if core {
			fmt.Print(row, " ")
		}
	}
	fmt.Println("are core")
	fmt.Println(res.Clusters, "clusters:", res.Cores, "core,", res.Borders, "border,", res.Noise, "noise")
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// labels [0 0 0 0 0 1 1 1 1 -1]
	// 0 1 2 3 6 7 are core
	// 2 clusters: 6 core, 3 border, 1 noise
}

// Weights count rows more than once, less, or not at all: here row 9 stands
// for three rows.
func ExampleCluster_weights() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	opt := dbscan.Options{Eps: 1, MinSamples: 3, Weights: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 3}}
	res, err := dbscan.Cluster(ctx, idx, opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Labels)
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [0 0 0 0 0 1 1 1 1 2]
}

// Several eps over one index. A cluster of a smaller eps lies inside one of each
// larger eps.
func ExampleClusterEach() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	eps := []float64{1, 2.5, 3}
	var last *dbscan.Result
	err = dbscan.ClusterEach(ctx, idx, dbscan.Options{MinSamples: 3}, eps, func(i int, res *dbscan.Result) error {
		fmt.Println("eps", eps[i], "labels", res.Labels)
		if last != nil {
			fmt.Println("  the clusters before are in", dbscan.Parents(last, res))
		}
		last = res
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// eps 1 labels [0 0 0 0 0 1 1 1 1 -1]
	// eps 2.5 labels [0 0 0 0 0 1 1 1 1 1]
	//   the clusters before are in [0 1]
	// eps 3 labels [0 0 0 0 0 0 0 0 0 0]
	//   the clusters before are in [0 0]
}

// Rows that come later get the clusters of the core rows near them; the clusters
// stay as they are.
func ExamplePredict() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx, engine, opt := context.Background(), cpu.New(cpu.Options{}), dbscan.Options{Eps: 1, MinSamples: 3}
	all, err := engine.Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	res, err := dbscan.Cluster(ctx, all, opt)
	if err != nil {
		log.Fatal(err)
	}
	rows, labels := res.CoreRows()
	cores, err := engine.Index(ctx, pts.Subset(rows))
	if err != nil {
		log.Fatal(err)
	}
	later, err := join.NewPoints([]float64{0, 4, 6.5, 0.5, 3, 2}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dbscan.Predict(ctx, cores, labels, later, opt))
	if err := errors.Join(all.Close(), cores.Close()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [0 1 -1] <nil>
}

// Clusters can be numbered by size, and small ones made noise. What is core stays so.
func ExampleResult_DropSmall() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: 1, MinSamples: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Labels, "sizes", res.Sizes())
	res.DropSmall(2)
	res.SortBySize()
	fmt.Println(res.Labels, "sizes", res.Sizes())
	fmt.Println(res.Dropped.Clusters, "cluster dropped; core:", res.Core[9])
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [0 0 0 0 0 1 1 1 1 2] sizes [5 4 1]
	// [0 0 0 0 0 1 1 1 1 -1] sizes [5 4]
	// 1 cluster dropped; core: true
}

// Verify finds a label that brute force does not confirm.
func ExampleVerify() {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	opt := dbscan.Options{Eps: 1, MinSamples: 3}
	res, err := dbscan.Cluster(ctx, idx, opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dbscan.Verify(ctx, pts, opt, res, []int{0, 4, 9}))
	res.Labels[4] = 1
	fmt.Println(dbscan.Verify(ctx, pts, opt, res, []int{0, 4, 9}))
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <nil>
	// dbscan: verification failed: row 4 is not core and has label 1, want 0 by its core neighbours
}
