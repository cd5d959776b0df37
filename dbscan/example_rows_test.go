package dbscan_test

import (
	"context"
	"errors"
	"fmt"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// clusterRows returns the clustering of rows of numbers.
func clusterRows(ctx context.Context, rows [][]float64, eps float64, minSamples int) (*dbscan.Result, error) {
	points, err := join.NewPointsFromRows(rows)
	if err != nil {
		return nil, err // a row of another length, or a NaN
	}
	index, err := cpu.New(cpu.Options{}).Index(ctx, points)
	if err != nil {
		return nil, err
	}
	result, err := dbscan.Cluster(ctx, index, dbscan.Options{Eps: eps, MinSamples: minSamples})
	return result, errors.Join(err, index.Close())
}

// predictRows returns the clusters of later rows, by the core rows of a clustering.
func predictRows(ctx context.Context, rows [][]float64, result *dbscan.Result, eps float64, later [][]float64) ([]int32, error) {
	points, err := join.NewPointsFromRows(rows)
	if err != nil {
		return nil, err
	}
	queries, err := join.NewPointsFromRows(later)
	if err != nil {
		return nil, err
	}
	cores, labels := result.CoreRows()
	index, err := cpu.New(cpu.Options{}).Index(ctx, points.Subset(cores))
	if err != nil {
		return nil, err
	}
	found, err := dbscan.Predict(ctx, index, labels, queries, dbscan.Options{Eps: eps})
	return found, errors.Join(err, index.Close())
}

// From rows of numbers to clusters, and to those of rows that come later.
func Example() {
	ctx := context.Background()
	rows := [][]float64{{1, 1}, {1, 2}, {2, 1}, {8, 8}, {8, 9}, {9, 8}, {5, 5}}
	result, err := clusterRows(ctx, rows, 1.5, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Clusters, "clusters:", result.Labels)
	fmt.Println(predictRows(ctx, rows, result, 1.5, [][]float64{{1.5, 1.5}, {9, 9}, {4, 4}}))
	// Output:
	// 2 clusters: [0 0 0 1 1 1 -1]
	// [0 1 -1] <nil>
}
