package measure

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// Found is an ε, and how many other rows a row has within it.
type Found struct {
	Eps  float64
	Mean float64 // of the sampled rows
	Err  float64 // standard error of the mean
}

// SearchEps returns, for each mean number of other rows within ε, the ε that gives it, to
// four digits: by bisection, with the counts of the rows of a sample. The numbers must be
// below that of the rows.
func SearchEps(ctx context.Context, pts *join.Points, sample []int32, wanted []float64) (found []Found, err error) {
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = idx.Close() }() // it holds nothing but memory
	rows, counts := pts.Subset(sample), make([]int32, len(sample))
	look := func(eps float64) (f Found, err error) {
		err = idx.Counts(ctx, rows, eps, 0, counts)
		f.Eps = eps
		f.Mean, f.Err = meanOfOthers(counts)
		return f, err
	}
	for _, want := range wanted {
		if !(want < float64(pts.Rows())) {
			return nil, fmt.Errorf("no ε gives %v neighbours in %d rows", want, pts.Rows())
		}
		f, err := bisect(look, want)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// meanOfOthers returns the mean of counts without the row itself, and its standard error.
func meanOfOthers(counts []int32) (mean, err float64) {
	sum, sum2, n := 0.0, 0.0, float64(len(counts))
	for _, c := range counts {
		x := float64(c - 1)
		sum += x
		sum2 += x * x
	}
	mean = sum / n
	return mean, math.Sqrt(max(0, sum2/n-mean*mean) / n)
}

// bisect returns where the rising mean reaches a value, to four digits. It must reach it
// somewhere.
func bisect(look func(eps float64) (Found, error), want float64) (Found, error) {
	low, high := 0.0, 1e-3
	for {
		f, err := look(high)
		if err != nil {
			return f, err
		}
		if f.Mean >= want {
			break
		}
		low, high = high, high*2
		if math.IsInf(high, 1) {
			return f, fmt.Errorf("no ε gives %v neighbours", want)
		}
	}
	for high-low > 1e-5*high {
		mid := low + (high-low)/2
		f, err := look(mid)
		if err != nil {
			return f, err
		}
		if f.Mean < want {
			low = mid
		} else {
			high = mid
		}
	}
	eps, err := strconv.ParseFloat(strconv.FormatFloat(high, 'g', 4, 64), 64)
	if err != nil {
		return Found{}, err
	}
	return look(eps)
}
