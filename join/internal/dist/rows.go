package dist

// This file has what works on rows and boxes of float64.

// Rows copies rows of dim values from src, one for each of rows, to dst. Next may
// name rows that a later call will copy: they are asked for ahead.
func Rows(dst, src []float64, rows, next []int32, dim int) {
	if dim < 0 || len(dst) != len(rows)*dim {
		panic(badRows)
	}
	for _, list := range [][]int32{rows, next} {
		for _, row := range list {
			if row < 0 || (int(row)+1)*dim > len(src) {
				panic(badRows)
			}
		}
	}
	if len(dst) > 0 {
		copyRows(dst, src, rows, next, dim)
	}
}

// Bounds sets box to the least and the greatest value of each of dim coordinates
// of rows x, at least one, none of them NaN: dim lower, then dim upper bounds.
// Whether a bound of 0 is positive or negative is open.
func Bounds(box, x []float64, dim int) {
	if dim < 0 || len(box) != 2*dim || dim > 0 && (len(x) == 0 || len(x)%dim != 0) {
		panic(badBounds)
	}
	if dim > 0 {
		bounds(box, x, dim)
	}
}

// Offset sets dst to a − b, each difference rounded to float64 and then to float32,
// and returns the sum of the squares of the differences, in any order.
func Offset(dst []float32, a, b []float64) float64 {
	if len(a) != len(dst) || len(b) != len(dst) {
		panic(badOffset)
	}
	if len(dst) == 0 {
		return 0
	}
	return offset(dst, a, b)
}

// Squares sets dst to the squared distances of a row x from some rows of src, as the
// contract of package join has them: each difference, square and sum rounded to
// float64, sums in the order of the coordinates.
func Squares(dst, x, src []float64, rows []int32) {
	if len(dst) != len(rows) {
		panic(badSquares)
	}
	for _, row := range rows {
		if row < 0 || (int(row)+1)*len(x) > len(src) {
			panic(badSquares)
		}
	}
	switch {
	case len(x) == 0:
		clear(dst)
	case len(rows) > 0:
		squares(dst, x, src, rows)
	}
}

// Rotate projects rows on axes: x holds rows rows of d = len(center) values,
// axes d rows of m values, dst gets rows rows of m values,
//
//	dst[i*m+k] = Σ_j axes[j*m+k]·(x[i*d+j] − center[j])
//
// summed in the order of j. dst may not overlap the others.
func Rotate(dst, x, center, axes []float64, rows, m int) {
	d := len(center)
	if rows < 0 || m < 0 || len(dst) != rows*m || len(x) != rows*d || len(axes) != d*m {
		panic(badRotate)
	}
	if d == 0 {
		clear(dst)
	} else if rows > 0 && m > 0 {
		rotate(dst, x, center, axes, rows, m)
	}
}

// Gap2 returns the squared distance of two boxes, 0 if they touch:
//
//	Σ_k max(0, bLow_k − aHigh_k, aLow_k − bHigh_k)²
//
// a and b hold the lower, then the upper bounds; sums run in any order. A
// difference of two equal infinities counts as 0, so that the result is never
// NaN and never more than the true distance but for rounding.
func Gap2(a, b []float64) float64 {
	if len(a) != len(b) || len(a)%2 != 0 {
		panic(badBoxes)
	}
	if len(a) < 2*minBoxDim {
		return gap2Generic(a, b)
	}
	return gap2(a, b)
}

// Reach2 returns the squared distance of the farthest points of two boxes:
//
//	Σ_k max(bHigh_k − aLow_k, aHigh_k − bLow_k)²
//
// a and b are as for Gap2. A box with an infinite bound gives +Inf or NaN,
// neither of which is below a finite limit.
func Reach2(a, b []float64) float64 {
	if len(a) != len(b) || len(a)%2 != 0 {
		panic(badBoxes)
	}
	if len(a) < 2*minBoxDim {
		return reach2Generic(a, b)
	}
	return reach2(a, b)
}
