package main

import (
	"context"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
)

// sampleRows is of how many rows the neighbours are counted to find ε.
const sampleRows = 1000

// searchEps returns, for each mean number of other neighbours, the ε that gives
// it, to four digits, with the counts of evenly spaced rows. It leaves out numbers
// that the set has not rows enough for.
func searchEps(ctx context.Context, data []float64, dim int, neighbors []int) (map[int]float64, error) {
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		return nil, err
	}
	rows := make([]int32, min(sampleRows, pts.Rows()))
	for i := range rows {
		rows[i] = int32(i * pts.Rows() / len(rows))
	}
	var wanted []float64
	for _, k := range neighbors {
		if k < pts.Rows() {
			wanted = append(wanted, float64(k))
		}
	}
	found, err := measure.SearchEps(ctx, pts, rows, wanted)
	if err != nil {
		return nil, err
	}
	eps := map[int]float64{}
	for i, k := range wanted {
		eps[int(k)] = found[i].Eps
	}
	return eps, nil
}
