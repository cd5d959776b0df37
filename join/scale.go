package join

import (
	"fmt"
	"math"
	"slices"
)

// Scaling maps coordinate k to (x − Center[k]) / Width[k], two operations each
// rounded once to float64.
type Scaling struct {
	Center, Width []float64
}

// FitScaling returns the scaling of the named kind for data, row-major with dim
// coordinates a row, all finite:
//
//	none      x
//	standard  (x − mean) / standard deviation with divisor n
//	minmax    (x − min) / (max − min)
//	robust    (x − median) / interquartile range, quartiles by linear
//	          interpolation between order statistics
//
// Sums run over the rows in order. Where a width is 0, which means a constant
// column (for robust: constant in its middle half), 1 is used instead, so that
// a constant column becomes 0. An overflow on the way is an error that names
// the column by its number, a [ScaleError].
func FitScaling(kind string, data []float64, dim int) (Scaling, error) {
	s := Scaling{Center: make([]float64, dim), Width: make([]float64, dim)}
	if kind == "none" {
		for k := range dim {
			s.Width[k] = 1
		}
		return s, nil
	}
	column := make([]float64, len(data)/dim)
	for k := range dim {
		for i := range column {
			column[i] = data[i*dim+k]
		}
		switch kind {
		case "standard":
			s.Center[k], s.Width[k] = meanDeviation(column)
		case "minmax":
			s.Center[k], s.Width[k] = minRange(column)
		case "robust":
			s.Center[k], s.Width[k] = medianRange(column)
		default:
			return Scaling{}, fmt.Errorf("join: unknown scaling %q", kind)
		}
		if math.IsInf(s.Center[k], 0) || math.IsNaN(s.Width[k]) || math.IsInf(s.Width[k], 0) {
			return Scaling{}, &ScaleError{Coordinate: k}
		}
		if s.Width[k] == 0 {
			s.Width[k] = 1
		}
	}
	return s, nil
}

// ScaleError is returned by [FitScaling] when the statistics of a coordinate
// overflow.
type ScaleError struct{ Coordinate int } // from 0

func (e *ScaleError) Error() string {
	return fmt.Sprintf("join: coordinate %d is too large to scale", e.Coordinate)
}

// Apply scales data in place.
func (s Scaling) Apply(data []float64) {
	dim := len(s.Center)
	for i := range data {
		k := i % dim
		data[i] = (data[i] - s.Center[k]) / s.Width[k]
	}
}

func meanDeviation(x []float64) (mean, deviation float64) {
	if len(x) == 0 {
		return 0, 0
	}
	if slices.Min(x) == slices.Max(x) { // the rounded mean could differ from x
		return x[0], 0
	}
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	// A power of two keeps the squares from over- and underflow.
	_, exponent := math.Frexp(max(slices.Max(x)-mean, mean-slices.Min(x)))
	var sum float64
	for _, v := range x {
		diff := math.Ldexp(v-mean, -exponent)
		sum += float64(diff * diff)
	}
	return mean, math.Ldexp(math.Sqrt(sum/float64(len(x))), exponent)
}

func minRange(x []float64) (low, width float64) {
	if len(x) == 0 {
		return 0, 0
	}
	low = slices.Min(x)
	return low, slices.Max(x) - low
}

func medianRange(x []float64) (median, width float64) {
	if len(x) == 0 {
		return 0, 0
	}
	slices.Sort(x)
	quantile := func(p float64) float64 {
		at := p * float64(len(x)-1)
		i := int(at)
		if i+1 == len(x) {
			return x[i]
		}
		return x[i] + float64((x[i+1]-x[i])*(at-float64(i)))
	}
	return quantile(0.5), quantile(0.75) - quantile(0.25)
}
