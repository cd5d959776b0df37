package join

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Whitening maps a row x to y = F⁻¹·(x − Center), where F is the lower
// triangle whose product with its transpose is a covariance. Then
//
//	|y − y'|² = (x − x')ᵀ · covariance⁻¹ · (x − x')
//
// so that the Euclidean distance of mapped rows is the Mahalanobis distance
// (Mahalanobis 1936) of the rows. The zero value maps rows of no coordinates.
type Whitening struct {
	Center []float64
	Factor []float64 // F, row-major, dim × dim, 0 above the diagonal
}

// singular is the part of a coordinate's variance that the coordinates before
// it must leave unexplained. What is less is mostly rounding.
const singular = 1e-12

// FitWhitening returns the whitening for data, row-major with dim coordinates a
// row, all finite, by their sample covariance: the sum over the rows, in
// order, of the products of deviations from the mean, divided by n − 1, as numpy, scipy
// and R have it. Without rows it maps rows to themselves. A covariance that
// has no inverse, or overflows, is a [CovarianceError].
func FitWhitening(data []float64, dim int) (Whitening, error) {
	center, covariance := Covariance(data, dim)
	if len(data) == 0 {
		for k := range dim {
			covariance[k*dim+k] = 1
		}
	}
	return NewWhitening(center, covariance)
}

// NewWhitening returns the whitening for a covariance, row-major, of which the
// lower triangle is read. Rows are moved by center, which changes no distance
// but for rounding. A covariance that has no inverse, or overflows, is a
// [CovarianceError].
func NewWhitening(center, covariance []float64) (Whitening, error) {
	dim := len(center)
	sym := mat.NewSymDense(dim, nil)
	for i := range dim {
		for j := range i + 1 {
			v := covariance[i*dim+j]
			if math.IsNaN(v) || math.IsInf(v, 0) || math.IsInf(center[i], 0) {
				return Whitening{}, &CovarianceError{Coordinate: i, Reason: TooLarge}
			}
			sym.SetSym(i, j, v)
		}
		if covariance[i*dim+i] <= 0 {
			return Whitening{}, &CovarianceError{Coordinate: i, Reason: Constant}
		}
	}
	w := Whitening{Center: center, Factor: make([]float64, dim*dim)}
	var lower mat.TriDense
	var chol mat.Cholesky
	if !chol.Factorize(sym) {
		return Whitening{}, &CovarianceError{Coordinate: firstDependent(sym), Reason: Dependent}
	}
	chol.LTo(&lower)
	for i := range dim {
		for j := range i + 1 {
			w.Factor[i*dim+j] = lower.At(i, j)
		}
		if pivot := lower.At(i, i); pivot*pivot <= singular*covariance[i*dim+i] {
			return Whitening{}, &CovarianceError{Coordinate: i, Reason: Dependent}
		}
	}
	return w, nil
}

// firstDependent returns the first coordinate up to which a matrix without a
// Cholesky factor has none.
func firstDependent(sym *mat.SymDense) int {
	at := 0
	for at < sym.SymmetricDim()-1 {
		var chol mat.Cholesky
		if !chol.Factorize(sym.SliceSym(0, at+1).(*mat.SymDense)) {
			break
		}
		at++
	}
	return at
}

// Covariance returns the mean and the sample covariance, dim × dim, of data,
// row-major with dim coordinates a row: divisor n − 1, sums in the order of the
// rows. Of fewer than two rows the covariance is 0.
func Covariance(data []float64, dim int) (mean, covariance []float64) {
	mean, covariance = make([]float64, dim), make([]float64, dim*dim)
	n := len(data) / dim
	if n == 0 {
		return mean, covariance
	}
	for k := range mean {
		mean[k] = columnMean(data[k:], dim)
	}
	diff := make([]float64, dim)
	for i := 0; i < len(data); i += dim {
		for k, v := range data[i : i+dim] {
			diff[k] = v - mean[k]
			sums := covariance[k*dim:]
			for j, d := range diff[:k+1] {
				sums[j] += float64(diff[k] * d)
			}
		}
	}
	for k := range dim {
		for j := range k + 1 {
			covariance[k*dim+j] /= float64(max(n-1, 1))
			covariance[j*dim+k] = covariance[k*dim+j]
		}
	}
	return mean, covariance
}

// columnMean returns the mean of each dim-th number; that of equal numbers is
// the number, which a rounded mean could differ from.
func columnMean(data []float64, dim int) float64 {
	var sum float64
	n, equal := 0, true
	for i := 0; i < len(data); i += dim {
		sum += data[i]
		equal = equal && data[i] == data[0]
		n++
	}
	if equal {
		return data[0]
	}
	return sum / float64(n)
}

// Apply maps the rows of data in place, each coordinate by the ones before it:
// y_i = (x_i − Center_i − Σ_{j<i} F_ij·y_j) / F_ii, the terms taken away in the
// order of j and each operation rounded once.
func (w Whitening) Apply(data []float64) {
	dim := len(w.Center)
	for from := 0; from < len(data); from += dim {
		row := data[from : from+dim]
		for i, x := range row {
			y := x - w.Center[i]
			factors := w.Factor[i*dim : i*dim+i+1]
			for j, f := range factors[:i] {
				y -= float64(f * row[j])
			}
			row[i] = y / factors[i]
		}
	}
}

// IsZero reports whether w is the zero value.
func (w Whitening) IsZero() bool { return len(w.Center) == 0 }

// CovarianceError is returned when a covariance has no inverse or overflows.
type CovarianceError struct {
	Coordinate int // from 0, the first that is at fault
	Reason     CovarianceFault
}

// CovarianceFault says what is wrong with a coordinate of a covariance.
type CovarianceFault string

// The faults of a coordinate.
const (
	Constant  CovarianceFault = "is constant"
	Dependent CovarianceFault = "follows from the ones before it"
	TooLarge  CovarianceFault = "is too large"
)

func (e *CovarianceError) Error() string {
	return fmt.Sprintf("join: the covariance is singular: coordinate %d %s", e.Coordinate, e.Reason)
}

// Weigh multiplies each coordinate of data, row-major, in place by its weight;
// each product is rounded once.
func Weigh(data, weights []float64) {
	for row := range slices.Chunk(data, len(weights)) {
		for k, w := range weights {
			row[k] *= w
		}
	}
}
