//go:build !amd64 || purego

package dist

// Instructions names the instructions that the kernels use: none beyond what
// the compiler emits.
func Instructions() string { return "plain Go" }

func shift(dst, src, by []float32) { shiftGeneric(dst, src, by) }

func minMax(low, high, x []float32) { minMaxGeneric(low, high, x) }

func near(q, box []float32, limit float32) uint32 { return nearGeneric(q, box, limit) }

func nearEach(q, box []float32, limits *[Lanes]float32) uint32 {
	return nearEachGeneric(q, box, limits)
}

func gaps(dst, low, high, box []float32, limit float32) uint32 {
	return gapsGeneric(dst, low, high, box, limit)
}

func tile(hits, sure []uint32, q []float32, lanes []uint8, b []float32, sureLimit, hitLimit float32) {
	tileGeneric(hits, sure, q, lanes, b, sureLimit, hitLimit)
}

func products(hits, sure *[Lanes]uint32, q, b []float32, qHalf, bHalf *[Lanes]float32, sureLimit, hitLimit float32) uint32 {
	return productsGeneric(hits, sure, q, b, qHalf, bHalf, sureLimit, hitLimit)
}

func shiftNorms(dst, src, by []float32, half *[Lanes]float32) { shiftNormsGeneric(dst, src, by, half) }

func distances(dst []float32, hits []uint32, q []float32, lanes []uint8, b, limits []float32) {
	distancesGeneric(dst, hits, q, lanes, b, limits)
}

func copyRows(dst, src []float64, rows, _ []int32, dim int) { rowsGeneric(dst, src, rows, dim) }

func bounds(box, x []float64, dim int) { boundsGeneric(box, x, dim) }

func offset(dst []float32, a, b []float64) float64 { return offsetGeneric(dst, a, b) }

func squares(dst, x, src []float64, rows []int32) { squaresGeneric(dst, x, src, rows) }

func rotate(dst, x, center, axes []float64, rows, m int) {
	rotateGeneric(dst, x, center, axes, rows, m)
}

func gap2(a, b []float64) float64 { return gap2Generic(a, b) }

func reach2(a, b []float64) float64 { return reach2Generic(a, b) }

func addBits(counts []int32, mask uint32) { addBitsGeneric(counts, mask) }

func partition(keys [][]float32, ids []int32, scratchKeys [][]float32, scratchIDs []int32, axis int, pivot float32) int {
	return partitionGeneric(keys, ids, scratchKeys, scratchIDs, axis, pivot, 0, 0)
}

func cut(x []float32, n, most int) float32 { return cutGeneric(x, n, most) }

func appendHits(x []float32, ids, counts []int32, room int, lanes []uint8, src []float32, hits []uint32, first int32) {
	appendGeneric(x, ids, counts, room, lanes, src, hits, first)
}

func keep(x []float32, ids []int32, limit float32) int { return keepGeneric(x, ids, limit, 0, 0) }

func ranks(dst []int32, x []float64) { ranksGeneric(dst, x) }
