package dist

func rowsGeneric(dst, src []float64, rows []int32, dim int) {
	for i, row := range rows {
		to, from := dst[i*dim:(i+1)*dim], src[int(row)*dim:]
		for k := range to { // mostly few: a call of copy would cost more
			to[k] = from[k]
		}
	}
}

func boundsGeneric(box, x []float64, dim int) {
	low, high := box[:dim], box[dim:]
	copy(low, x)
	copy(high, x)
	for i := dim; i < len(x); i += dim {
		for k, v := range x[i : i+dim] {
			if v < low[k] { // cheaper than min, which minds NaN and zeros
				low[k] = v
			}
			if v > high[k] {
				high[k] = v
			}
		}
	}
}

func offsetGeneric(dst []float32, a, b []float64) float64 {
	var norm2 float64
	for k, x := range a {
		diff := x - b[k]
		dst[k] = float32(diff)
		norm2 += diff * diff
	}
	return norm2
}

func squaresGeneric(dst, x, src []float64, rows []int32) {
	dim := len(x)
	at := func(i int) []float64 { return src[int(rows[i])*dim:][:dim] }
	i := 0
	// Four sums at a time do not wait for each other.
	for ; i+4 <= len(rows); i += 4 {
		z0, z1, z2, z3 := at(i), at(i+1), at(i+2), at(i+3)
		z0, z1, z2, z3 = z0[:len(x)], z1[:len(x)], z2[:len(x)], z3[:len(x)]
		var s0, s1, s2, s3 float64
		for k, v := range x {
			d0, d1, d2, d3 := v-z0[k], v-z1[k], v-z2[k], v-z3[k]
			s0 += float64(d0 * d0)
			s1 += float64(d1 * d1)
			s2 += float64(d2 * d2)
			s3 += float64(d3 * d3)
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = s0, s1, s2, s3
	}
	for ; i < len(rows); i++ {
		z := at(i)
		var s float64
		for k, v := range x {
			d := v - z[k]
			s += float64(d * d)
		}
		dst[i] = s
	}
}

func rotateGeneric(dst, x, center, axes []float64, rows, m int) {
	d := len(center)
	for i := range rows {
		from, to := x[i*d:(i+1)*d], dst[i*m:(i+1)*m]
		clear(to)
		for j, c := range center {
			t := from[j] - c
			for k, a := range axes[j*m : (j+1)*m] {
				to[k] += a * t
			}
		}
	}
}

// gap2Generic compares so that a NaN, the difference of equal infinities, loses.
func gap2Generic(a, b []float64) float64 {
	dim := len(a) / 2
	aLow, aHigh, bLow, bHigh := a[:dim], a[dim:], b[:dim], b[dim:]
	var s float64
	for k := range dim {
		var gap float64
		if t := bLow[k] - aHigh[k]; t > gap {
			gap = t
		}
		if t := aLow[k] - bHigh[k]; t > gap {
			gap = t
		}
		s += gap * gap
	}
	return s
}

func reach2Generic(a, b []float64) float64 {
	dim := len(a) / 2
	aLow, aHigh, bLow, bHigh := a[:dim], a[dim:], b[:dim], b[dim:]
	var s float64
	for k := range dim {
		reach := aHigh[k] - bLow[k]
		if t := bHigh[k] - aLow[k]; t > reach {
			reach = t
		}
		s += reach * reach
	}
	return s
}
