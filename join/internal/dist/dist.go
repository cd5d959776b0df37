package dist

import "math"

//go:generate go run -C _gen . -out ../dist_amd64.s -stubs ../dist_amd64.go -pkg dist

// Lanes is the number of rows in a block.
const Lanes = 32

// What panics say. A wrong shape is a mistake of the caller, never of the data.
const (
	badShift     = "dist: Shift: dst and src must hold Lanes values for each value of by"
	badMinMax    = "dist: MinMax: x must hold Lanes values for each of low and high"
	badNear      = "dist: Near: box must hold a lower and an upper bound for each coordinate of q"
	badNearEach  = "dist: NearEach: as for Near, and a limit for each row"
	badGaps      = "dist: Gaps: dst must hold Lanes sums, low and high a block each of the dimension of box"
	badBlocks    = "dist: q and b must be blocks of the same dimension"
	badTile      = "dist: Tile: hits and sure must hold a mask for each lane"
	badDistances = "dist: Distances: dst, hits and limits must hold Lanes sums, a mask and a limit for each lane"
	badRows      = "dist: Rows: dst must hold dim values for each of rows, and src all rows"
	badBounds    = "dist: Bounds: box must hold two values for each of dim, and x at least one row"
	badSquares   = "dist: Squares: dst needs a value for each of rows, and rows must name rows of src"
	badOffset    = "dist: Offset: dst, a and b must have the same length"
	badRotate    = "dist: Rotate: dst, x and axes must be rows×m, rows×len(center) and len(center)×m"
	badBoxes     = "dist: boxes must have the same dimension"
	badCounts    = "dist: AddBits: counts must hold Lanes values"
	badAppend    = "dist: Append: there must be Lanes sums and a mask for each lane, and room for Lanes more behind each"
	badKeep      = "dist: Keep: ids must be as many as x"
	badRanks     = "dist: Ranks: dst must be as long as x"
	badCut       = "dist: Cut: n must be from 1 to len(x), and at most most"
	badPartition = "dist: Partition: keys, ids and their scratch must have the same shape, and axis must name one of keys"
)

// Shift moves a block: it adds by[k] to coordinate k of all rows. It equals
//
//	for k := range by {
//		for j := range Lanes {
//			dst[k*Lanes+j] = src[k*Lanes+j] + by[k]
//		}
//	}
//
// dst and src may be the same block; they may not overlap otherwise.
func Shift(dst, src, by []float32) {
	if len(dst) != len(by)*Lanes || len(src) != len(by)*Lanes {
		panic(badShift)
	}
	if len(by) > 0 {
		shift(dst, src, by)
	}
}

// MinMax finds the least and the greatest value of each coordinate of a block:
//
//	low[k], high[k] = min_j x[k*Lanes+j], max_j x[k*Lanes+j]
//
// NaNs do not count; where there is nothing else, low is +Inf and high −Inf. It
// serves for any values in groups of Lanes. low and high may not overlap x.
func MinMax(low, high, x []float32) {
	if len(x) != len(low)*Lanes || len(high) != len(low) {
		panic(badMinMax)
	}
	if len(low) > 0 {
		minMax(low, high, x)
	}
}

// Near returns the mask of the rows of block q that lie within reach of a box:
// bit j is set iff s_j ≤ limit, where
//
//	s_j = Σ_k max(0, low_k − q_kj, q_kj − high_k)²
//
// box holds len(q)/Lanes lower bounds, then as many upper bounds, each lower
// bound at most its upper bound, or +Inf and −Inf for the empty box. A row with
// a NaN, or with an infinity that is also a bound, has no bit; a NaN bound
// bounds nothing.
func Near(q, box []float32, limit float32) uint32 {
	dim := len(q) / Lanes
	if len(q) != dim*Lanes || len(box) != 2*dim {
		panic(badNear)
	}
	if dim == 0 {
		return nearGeneric(q, box, limit)
	}
	return near(q, box, limit)
}

// NearEach is Near with the limit limits[j] for row j; a NaN there lets none pass.
func NearEach(q, box []float32, limits *[Lanes]float32) uint32 {
	dim := len(q) / Lanes
	if len(q) != dim*Lanes || len(box) != 2*dim {
		panic(badNearEach)
	}
	if dim == 0 {
		return nearEachGeneric(q, box, limits)
	}
	return nearEach(q, box, limits)
}

// Gaps returns the mask of the boxes of a block that lie within reach of a box:
// bit j is set iff s_j ≤ limit, where
//
//	s_j = Σ_k max(0, low[k*Lanes+j] − boxHigh_k, boxLow_k − high[k*Lanes+j])²
//
// and then dst[j] is s_j; where the bit is 0, the value in dst is unspecified.
// box holds dim lower, then dim upper bounds; dst holds Lanes sums. A difference
// of two equal infinities counts as 0.
func Gaps(dst, low, high, box []float32, limit float32) uint32 {
	dim := len(box) / 2
	if len(dst) != Lanes || len(low) != dim*Lanes || len(high) != dim*Lanes || len(box) != 2*dim {
		panic(badGaps)
	}
	if dim == 0 {
		return gapsGeneric(dst, low, high, box, limit)
	}
	return gaps(dst, low, high, box, limit)
}

// Tile compares rows of block q with all rows of block b. With
//
//	s_ij = Σ_k (q[k*Lanes+lanes[i]] − b[k*Lanes+j])²
//
// bit j of hits[i] is set iff s_ij ≤ hitLimit, and bit j of sure[i] iff also
// s_ij ≤ sureLimit. Only the low five bits of lanes[i] count. hits and sure
// must hold at least len(lanes) masks; those behind are left alone.
func Tile(hits, sure []uint32, q []float32, lanes []uint8, b []float32, sureLimit, hitLimit float32) {
	if len(q) != len(b) || len(b)%Lanes != 0 {
		panic(badBlocks)
	}
	if len(hits) < len(lanes) || len(sure) < len(lanes) {
		panic(badTile)
	}
	switch {
	case len(lanes) == 0:
	case len(b) == 0:
		tileGeneric(hits, sure, q, lanes, b, sureLimit, hitLimit)
	default:
		tile(hits, sure, q, lanes, b, sureLimit, hitLimit)
	}
}

// Products is Tile for all rows of two blocks and for other sums: given halves of the
// squared norms of the rows,
//
//	s_ij = qHalf[i] + bHalf[j] − Σ_k q[k*Lanes+i]·b[k*Lanes+j]
//
// is half of the squared distance. It does half of Tile's work for a coordinate, but
// all of it: no row is given up early. The rows with a hit are returned.
func Products(hits, sure *[Lanes]uint32, q, b []float32, qHalf, bHalf *[Lanes]float32, sureLimit, hitLimit float32) uint32 {
	if len(q) != len(b) || len(b)%Lanes != 0 {
		panic(badBlocks)
	}
	if len(b) == 0 {
		return productsGeneric(hits, sure, q, b, qHalf, bHalf, sureLimit, hitLimit)
	}
	return products(hits, sure, q, b, qHalf, bHalf, sureLimit, hitLimit)
}

// ShiftNorms is Shift that also sets half[j] to half of the squared norm of row j of
// dst.
func ShiftNorms(dst, src, by []float32, half *[Lanes]float32) {
	if len(dst) != len(by)*Lanes || len(src) != len(dst) {
		panic(badShift)
	}
	if len(by) == 0 {
		clear(half[:])
		return
	}
	shiftNorms(dst, src, by, half)
}

// Distances is Tile with a limit for each row and with the sums: bit j of
// hits[i] is set iff s_ij ≤ limits[i], and then dst[i*Lanes+j] is s_ij; where
// the bit is 0, the value in dst is unspecified. A limit may be +Inf.
func Distances(dst []float32, hits []uint32, q []float32, lanes []uint8, b, limits []float32) {
	if len(q) != len(b) || len(b)%Lanes != 0 {
		panic(badBlocks)
	}
	n := len(lanes)
	if len(dst) < n*Lanes || len(hits) < n || len(limits) < n {
		panic(badDistances)
	}
	switch {
	case n == 0:
	case len(b) == 0:
		distancesGeneric(dst, hits, q, lanes, b, limits)
	default:
		distances(dst, hits, q, lanes, b, limits)
	}
}

// minBoxDim is the dimension from which vectors beat plain code for two boxes.
const minBoxDim = 4

// AddBits adds bit j of mask to counts[j] for each of Lanes counts.
func AddBits(counts []int32, mask uint32) {
	if len(counts) != Lanes {
		panic(badCounts)
	}
	addBits(counts, mask)
}

// Partition reorders rows, each a value in every array of keys and in ids: the
// rows whose key in keys[axis] is below pivot (with orEqual: at most pivot)
// come first, and their number is returned; within the two parts the order
// stays. A NaN key goes to the second part.
//
// All arrays of keys have the length of ids; the scratch arrays are as many
// and at least as long, and overlap nothing; their contents are lost.
func Partition(keys [][]float32, ids []int32, scratchKeys [][]float32, scratchIDs []int32, axis int, pivot float32, orEqual bool) int {
	n := len(ids)
	if axis < 0 || axis >= len(keys) || len(scratchKeys) != len(keys) || len(scratchIDs) < n {
		panic(badPartition)
	}
	for k := range keys {
		if len(keys[k]) != n || len(scratchKeys[k]) < n {
			panic(badPartition)
		}
	}
	if !orEqual {
		pivot = below(pivot)
	}
	left := partition(keys, ids, scratchKeys, scratchIDs, axis, pivot)
	for k := range keys {
		copy(keys[k][left:], scratchKeys[k])
	}
	copy(ids[left:], scratchIDs)
	return left
}

// Cut returns a pivot p that cuts x after n to most values: so many values of x
// are ≤ p, and Partition with orEqual puts these first. Where equal values stand
// in the way, p is their value, with fewer than n values < p and more than most
// ≤ p. NaNs do not count as values; if there are fewer than n others, p is the
// greatest of them, or +Inf. 1 ≤ n ≤ most, n ≤ len(x).
//
// It reads x about 15 times if most is n, so that it is for up to a few thousand
// values, such as a sample of more; less often with more play.
func Cut(x []float32, n, most int) float32 {
	if n < 1 || n > len(x) || most < n {
		panic(badCut)
	}
	return cut(x, n, most)
}

// Append adds sums to lists, one for each of some lanes: that of lane l has
// counts[l] values at x[l*room] and as many ids at ids[l*room]. For each bit j of
// hits[i], in order, src[i*Lanes+j] and first+j go to the list of lanes[i]. Each
// of these lists needs room for Lanes more, and what stands there is lost, however
// many come. All else is left alone. No lane may stand twice.
func Append(x []float32, ids, counts []int32, room int, lanes []uint8, src []float32, hits []uint32, first int32) {
	n := len(lanes)
	if len(src) < n*Lanes || len(hits) < n || len(x) < len(counts)*room || len(ids) < len(counts)*room {
		panic(badAppend)
	}
	for _, lane := range lanes {
		if int(lane) >= len(counts) || counts[lane] < 0 || int(counts[lane]) > room-Lanes {
			panic(badAppend)
		}
	}
	if n > 0 {
		appendHits(x, ids, counts, room, lanes, src, hits, first)
	}
}

// Keep moves the values of x that are ≤ limit to the front, in order, with their
// ids, and returns their number. What stands behind them, up to the ends of x and
// ids, is lost. A NaN is not kept.
func Keep(x []float32, ids []int32, limit float32) int {
	if len(ids) != len(x) {
		panic(badKeep)
	}
	return keep(x, ids, limit)
}

// Ranks sets dst[i] to the number of values of x that are less than x[i]: equal
// values have the same, and a NaN, which is not less and has none less, has 0. It
// is for a few values: each is compared with all.
func Ranks(dst []int32, x []float64) {
	if len(dst) != len(x) {
		panic(badRanks)
	}
	if len(x) > 0 {
		ranks(dst, x)
	}
}

// below returns the number p for which v ≤ p means v < pivot, for all v.
func below(pivot float32) float32 {
	if math.IsInf(float64(pivot), -1) {
		return float32(math.NaN())
	}
	return math.Nextafter32(pivot, float32(math.Inf(-1)))
}
