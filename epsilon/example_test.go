package epsilon_test

import (
	"context"
	"fmt"
	"log"

	"rtcluster/dbscan"
	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// Example finds eps for ten rows and clusters them with it.
//
//	3 │ 2   3
//	2 │ 0   1   4                       9
//	1 │
//	0 │                 5   6   7   8
//	  └──────────────────────────────────
//	    0   1   2   3   4   5   6   7   8
func Example() {
	ctx := context.Background()
	pts, err := join.NewPoints([]float64{0, 2, 1, 2, 0, 3, 1, 3, 2, 2, 4, 0, 5, 0, 6, 0, 7, 0, 8, 2}, 2)
	if err != nil {
		log.Fatal(err)
	}
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := epsilon.Measure(ctx, idx, epsilon.Options{K: 1})
	if err != nil {
		log.Fatal(err)
	}
	knee, err := curve.Knee()
	if err != nil {
		log.Fatal(err)
	}
	res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: knee.Eps, MinSamples: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", curve.Distances)
	fmt.Printf("eps %v, labels %v\n", knee.Eps, res.Labels)
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [1.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000 2.2361]
	// eps 1, labels [0 0 0 0 0 1 1 1 1 -1]
}
