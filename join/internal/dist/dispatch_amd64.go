//go:build !purego

package dist

import "unsafe"

// rotateRows is the number of rows that a kernel rotates at once: few enough
// that they stay in cache while the columns go by, and that a goroutine in
// assembly, which cannot be stopped, does not keep the collector waiting.
const rotateRows = 32

// squaresAtOnce is the number of rows of which a kernel computes multiples.
const squaresAtOnce = 8

func shift(dst, src, by []float32) {
	switch active {
	case levelAVX512:
		shiftAVX512(&dst[0], &src[0], &by[0], len(by))
	case levelAVX2:
		shiftAVX2(&dst[0], &src[0], &by[0], len(by))
	default:
		shiftGeneric(dst, src, by)
	}
}

func minMax(low, high, x []float32) {
	switch active {
	case levelAVX512:
		minMaxAVX512(&low[0], &high[0], &x[0], len(low))
	case levelAVX2:
		minMaxAVX2(&low[0], &high[0], &x[0], len(low))
	default:
		minMaxGeneric(low, high, x)
	}
}

func near(q, box []float32, limit float32) uint32 {
	switch active {
	case levelAVX512:
		return nearAVX512(&q[0], &box[0], len(box)/2, limit)
	case levelAVX2:
		return nearAVX2(&q[0], &box[0], len(box)/2, limit)
	default:
		return nearGeneric(q, box, limit)
	}
}

func nearEach(q, box []float32, limits *[Lanes]float32) uint32 {
	switch active {
	case levelAVX512:
		return nearEachAVX512(&q[0], &box[0], len(box)/2, &limits[0])
	case levelAVX2:
		return nearEachAVX2(&q[0], &box[0], len(box)/2, &limits[0])
	default:
		return nearEachGeneric(q, box, limits)
	}
}

func gaps(dst, low, high, box []float32, limit float32) uint32 {
	switch active {
	case levelAVX512:
		return gapsAVX512(&dst[0], &low[0], &high[0], &box[0], len(box)/2, limit)
	case levelAVX2:
		return gapsAVX2(&dst[0], &low[0], &high[0], &box[0], len(box)/2, limit)
	default:
		return gapsGeneric(dst, low, high, box, limit)
	}
}

func tile(hits, sure []uint32, q []float32, lanes []uint8, b []float32, sureLimit, hitLimit float32) {
	if active == levelGeneric {
		tileGeneric(hits, sure, q, lanes, b, sureLimit, hitLimit)
		return
	}
	sureLimit = min(sureLimit, hitLimit) // NaN if either is; the kernels rely on it.
	n, dim := len(lanes), len(b)/Lanes
	if active == levelAVX512 {
		tileAVX512(&hits[0], &sure[0], &q[0], &lanes[0], n, &b[0], dim, sureLimit, hitLimit)
	} else {
		tileAVX2(&hits[0], &sure[0], &q[0], &lanes[0], n, &b[0], dim, sureLimit, hitLimit)
	}
}

func products(hits, sure *[Lanes]uint32, q, b []float32, qHalf, bHalf *[Lanes]float32, sureLimit, hitLimit float32) uint32 {
	if active == levelGeneric {
		return productsGeneric(hits, sure, q, b, qHalf, bHalf, sureLimit, hitLimit)
	}
	sureLimit = min(sureLimit, hitLimit) // NaN if either is; the kernels rely on it.
	dim := len(b) / Lanes
	if active == levelAVX512 {
		return productsAVX512(&hits[0], &sure[0], &q[0], &b[0], dim, &qHalf[0], &bHalf[0], sureLimit, hitLimit)
	}
	return productsAVX2(&hits[0], &sure[0], &q[0], &b[0], dim, &qHalf[0], &bHalf[0], sureLimit, hitLimit)
}

func shiftNorms(dst, src, by []float32, half *[Lanes]float32) {
	switch active {
	case levelAVX512:
		shiftNormsAVX512(&dst[0], &src[0], &by[0], len(by), &half[0])
	case levelAVX2:
		shiftNormsAVX2(&dst[0], &src[0], &by[0], len(by), &half[0])
	default:
		shiftNormsGeneric(dst, src, by, half)
	}
}

func distances(dst []float32, hits []uint32, q []float32, lanes []uint8, b, limits []float32) {
	n, dim := len(lanes), len(b)/Lanes
	switch active {
	case levelAVX512:
		distancesAVX512(&dst[0], &hits[0], &q[0], &lanes[0], n, &b[0], dim, &limits[0])
	case levelAVX2:
		distancesAVX2(&dst[0], &hits[0], &q[0], &lanes[0], n, &b[0], dim, &limits[0])
	default:
		distancesGeneric(dst, hits, q, lanes, b, limits)
	}
}

func copyRows(dst, src []float64, rows, next []int32, dim int) {
	ahead := unsafe.SliceData(next)
	switch active {
	case levelAVX512:
		rowsAVX512(&dst[0], &src[0], &rows[0], len(rows), ahead, len(next), dim)
	case levelAVX2:
		rowsAVX2(&dst[0], &src[0], &rows[0], len(rows), ahead, len(next), dim)
	default:
		rowsGeneric(dst, src, rows, dim)
	}
}

func bounds(box, x []float64, dim int) {
	switch active {
	case levelAVX512:
		boundsAVX512(&box[0], &x[0], len(x)/dim, dim)
	case levelAVX2:
		boundsAVX2(&box[0], &x[0], len(x)/dim, dim)
	default:
		boundsGeneric(box, x, dim)
	}
}

func offset(dst []float32, a, b []float64) float64 {
	switch active {
	case levelAVX512:
		return offsetAVX512(&dst[0], &a[0], &b[0], len(dst))
	case levelAVX2:
		return offsetAVX2(&dst[0], &a[0], &b[0], len(dst))
	default:
		return offsetGeneric(dst, a, b)
	}
}

func squares(dst, x, src []float64, rows []int32) {
	if active == levelGeneric {
		squaresGeneric(dst, x, src, rows)
		return
	}
	whole := len(rows) &^ (squaresAtOnce - 1)
	if whole > 0 {
		squaresAVX2(&dst[0], &x[0], &src[0], &rows[0], whole, len(x))
	}
	if rest := rows[whole:]; len(rest) > 0 {
		var at [squaresAtOnce]int32
		var sums [squaresAtOnce]float64
		for i := copy(at[:], rest); i < len(at); i++ {
			at[i] = rest[0]
		}
		squaresAVX2(&sums[0], &x[0], &src[0], &at[0], len(at), len(x))
		copy(dst[whole:], sums[:])
	}
}

func rotate(dst, x, center, axes []float64, rows, m int) {
	if active == levelGeneric {
		rotateGeneric(dst, x, center, axes, rows, m)
		return
	}
	d := len(center)
	for i := 0; i < rows; i += rotateRows {
		n := min(rotateRows, rows-i)
		if active == levelAVX512 {
			rotateAVX512(&dst[i*m], &x[i*d], &center[0], &axes[0], n, d, m)
		} else {
			rotateAVX2(&dst[i*m], &x[i*d], &center[0], &axes[0], n, d, m)
		}
	}
}

func gap2(a, b []float64) float64 {
	switch active {
	case levelAVX512:
		return gap2AVX512(&a[0], &b[0], len(a)/2)
	case levelAVX2:
		return gap2AVX2(&a[0], &b[0], len(a)/2)
	default:
		return gap2Generic(a, b)
	}
}

func reach2(a, b []float64) float64 {
	switch active {
	case levelAVX512:
		return reach2AVX512(&a[0], &b[0], len(a)/2)
	case levelAVX2:
		return reach2AVX2(&a[0], &b[0], len(a)/2)
	default:
		return reach2Generic(a, b)
	}
}

func addBits(counts []int32, mask uint32) {
	switch active {
	case levelAVX512:
		addBitsAVX512(&counts[0], mask)
	case levelAVX2:
		addBitsAVX2(&counts[0], mask)
	default:
		addBitsGeneric(counts, mask)
	}
}

func partition(keys [][]float32, ids []int32, scratchKeys [][]float32, scratchIDs []int32, axis int, pivot float32) int {
	at, left := 0, 0
	if n := len(ids); n > 0 {
		switch active {
		case levelAVX512:
			at = n
			left = partitionAVX512(&keys[0], &scratchKeys[0], len(keys), &ids[0], &scratchIDs[0], n, &keys[axis][0], pivot)
		case levelAVX2:
			at = n &^ 7
			left = partitionAVX2(&keys[0], &scratchKeys[0], len(keys), &ids[0], &scratchIDs[0], at, &keys[axis][0], pivot)
		}
	}
	return partitionGeneric(keys, ids, scratchKeys, scratchIDs, axis, pivot, at, left)
}

func cut(x []float32, n, most int) float32 {
	switch active {
	case levelAVX512:
		return cutAVX512(&x[0], len(x), n, most)
	case levelAVX2:
		return cutAVX2(&x[0], len(x), n, most)
	default:
		return cutGeneric(x, n, most)
	}
}

func appendHits(x []float32, ids, counts []int32, room int, lanes []uint8, src []float32, hits []uint32, first int32) {
	switch active {
	case levelAVX512:
		appendAVX512(&x[0], &ids[0], &counts[0], room, &lanes[0], len(lanes), &src[0], &hits[0], first)
	case levelAVX2:
		appendAVX2(&x[0], &ids[0], &counts[0], room, &lanes[0], len(lanes), &src[0], &hits[0], first)
	default:
		appendGeneric(x, ids, counts, room, lanes, src, hits, first)
	}
}

func keep(x []float32, ids []int32, limit float32) int {
	if len(x) == 0 {
		return 0
	}
	switch active {
	case levelAVX512:
		return keepAVX512(&x[0], &ids[0], len(x), limit)
	case levelAVX2:
		whole := len(x) &^ 7
		return keepGeneric(x, ids, limit, whole, keepAVX2(&x[0], &ids[0], whole, limit))
	default:
		return keepGeneric(x, ids, limit, 0, 0)
	}
}

func ranks(dst []int32, x []float64) {
	switch active {
	case levelAVX512:
		ranksAVX512(&dst[0], &x[0], len(x))
	case levelAVX2:
		ranksAVX2(&dst[0], &x[0], len(x))
	default:
		ranksGeneric(dst, x)
	}
}
