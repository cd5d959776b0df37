package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// sampleRows is of how many rows the neighbours are counted to find ε.
const sampleRows = 1000

// searchEps returns, for each mean number of other neighbours, the ε that gives
// it, to four digits: by bisection, with the counts of evenly spaced rows. It
// leaves out numbers that the set has not rows enough for.
func searchEps(ctx context.Context, data []float64, dim int, neighbors []int) (map[int]float64, error) {
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		return nil, err
	}
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = idx.Close() }() // it holds nothing but memory
	rows := make([]int32, min(sampleRows, pts.Rows()))
	for i := range rows {
		rows[i] = int32(i * pts.Rows() / len(rows))
	}
	sample := pts.Subset(rows)
	counts := make([]int32, len(rows))
	mean := func(eps float64) (float64, error) {
		if err := idx.Counts(ctx, sample, eps, 0, counts); err != nil {
			return 0, err
		}
		sum := 0.0
		for _, c := range counts {
			sum += float64(c - 1) // the row itself
		}
		return sum / float64(len(counts)), nil
	}
	found := map[int]float64{}
	for _, k := range neighbors {
		if k >= pts.Rows() {
			continue
		}
		if found[k], err = bisect(mean, float64(k)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// bisect returns where the rising function f reaches the value want, to four
// digits. f must reach it somewhere.
func bisect(f func(float64) (float64, error), want float64) (float64, error) {
	low, high := 0.0, 1e-3
	for {
		y, err := f(high)
		if err != nil {
			return 0, err
		}
		if y >= want {
			break
		}
		low, high = high, high*2
		if math.IsInf(high, 1) {
			return 0, fmt.Errorf("no ε gives %v neighbours", want)
		}
	}
	for high-low > 1e-5*high {
		mid := low + (high-low)/2
		y, err := f(mid)
		if err != nil {
			return 0, err
		}
		if y < want {
			low = mid
		} else {
			high = mid
		}
	}
	return strconv.ParseFloat(strconv.FormatFloat(high, 'g', 4, 64), 64)
}
