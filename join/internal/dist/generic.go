package dist

import (
	"math"
	"math/bits"
)

// exitEvery is the number of coordinates between looks whether any sum can
// still pass its limit.
const exitEvery = 8

// part is the number of lanes whose sums the plain loops keep in registers.
const part = 8

func shiftGeneric(dst, src, by []float32) {
	for k, v := range by {
		to, from := dst[k*Lanes:(k+1)*Lanes], src[k*Lanes:(k+1)*Lanes]
		for j, x := range from {
			to[j] = x + v
		}
	}
}

func minMaxGeneric(low, high, x []float32) {
	for k := range low {
		lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
		for _, v := range x[k*Lanes : (k+1)*Lanes] {
			if v < lo {
				lo = v
			}
			if v > hi {
				hi = v
			}
		}
		low[k], high[k] = lo, hi
	}
}

func nearGeneric(q, box []float32, limit float32) uint32 {
	var limits [Lanes]float32
	for j := range limits {
		limits[j] = limit
	}
	return nearEachGeneric(q, box, &limits)
}

// nearEachGeneric takes |q − clamp(q, low, high)| for max(0, low − q, q − high):
// the difference is the same, and rounded once.
func nearEachGeneric(q, box []float32, limits *[Lanes]float32) uint32 {
	dim := len(box) / 2
	var s [Lanes]float32
	for k := range dim {
		low, high := box[k], box[dim+k]
		for j, x := range q[k*Lanes : (k+1)*Lanes] {
			c := x
			if c < low {
				c = low
			}
			if c > high {
				c = high
			}
			s[j] += (x - c) * (x - c)
		}
		if k%exitEvery == exitEvery-1 && eachMaskOf(&s, limits) == 0 {
			return 0
		}
	}
	return eachMaskOf(&s, limits)
}

func eachMaskOf(s, limits *[Lanes]float32) uint32 {
	var mask uint32
	for j, v := range s {
		if v <= limits[j] {
			mask |= 1 << j
		}
	}
	return mask
}

// gapsGeneric compares so that a NaN, the difference of equal infinities, loses.
func gapsGeneric(dst, low, high, box []float32, limit float32) uint32 {
	dim := len(box) / 2
	var s [Lanes]float32
	for k := range dim {
		boxLow, boxHigh := box[k], box[dim+k]
		lows, highs := low[k*Lanes:(k+1)*Lanes], high[k*Lanes:(k+1)*Lanes]
		for j := range s {
			var gap float32
			if t := lows[j] - boxHigh; t > gap {
				gap = t
			}
			if t := boxLow - highs[j]; t > gap {
				gap = t
			}
			s[j] += gap * gap
		}
		if k%exitEvery == exitEvery-1 && maskOf(&s, limit) == 0 {
			return 0
		}
	}
	copy(dst, s[:])
	return maskOf(&s, limit)
}

func tileGeneric(hits, sure []uint32, q []float32, lanes []uint8, b []float32, sureLimit, hitLimit float32) {
	var s [Lanes]float32
	for i, lane := range lanes {
		row(&s, q, int(lane%Lanes), b, hitLimit)
		hits[i] = maskOf(&s, hitLimit)
		sure[i] = hits[i] & maskOf(&s, sureLimit)
	}
}

func productsGeneric(hits, sure *[Lanes]uint32, q, b []float32, qHalf, bHalf *[Lanes]float32, sureLimit, hitLimit float32) (some uint32) {
	var s [Lanes]float32
	for i := range hits {
		for j, half := range bHalf {
			s[j] = qHalf[i] + half
		}
		for at := 0; at < len(b); at += Lanes {
			x := q[at+i]
			for j, y := range b[at : at+Lanes] {
				s[j] -= x * y
			}
		}
		hits[i] = maskOf(&s, hitLimit)
		sure[i] = hits[i] & maskOf(&s, sureLimit)
		if hits[i] != 0 {
			some |= 1 << i
		}
	}
	return some
}

func shiftNormsGeneric(dst, src, by []float32, half *[Lanes]float32) {
	shiftGeneric(dst, src, by)
	clear(half[:])
	for at := 0; at < len(dst); at += Lanes {
		for j, y := range dst[at : at+Lanes] {
			half[j] += y * y
		}
	}
	for j := range half {
		half[j] /= 2
	}
}

func distancesGeneric(dst []float32, hits []uint32, q []float32, lanes []uint8, b, limits []float32) {
	for i, lane := range lanes {
		s := (*[Lanes]float32)(dst[i*Lanes:])
		row(s, q, int(lane%Lanes), b, limits[i])
		hits[i] = maskOf(s, limits[i])
	}
}

// row sets s[j] to the squared distance of one row of q and row j of b, or to
// a partial sum, if that is not ≤ limit.
func row(s *[Lanes]float32, q []float32, lane int, b []float32, limit float32) {
	for j := 0; j < Lanes; j += part {
		to := (*[part]float32)(s[j:])
		clear(to[:])
		for at := 0; at < len(b); {
			end := min(len(b), at+exitEvery*Lanes)
			rowPart(to, q[at+lane:], b[at+j:end])
			at = end
			if !anyWithin(to, limit) {
				break
			}
		}
	}
}

// rowPart adds the squares of q[0] − b[0], …, q[0] − b[part-1] to s, then those
// Lanes further on, to the end of b.
func rowPart(s *[part]float32, q, b []float32) {
	s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	for at := 0; at < len(b); at += Lanes {
		x, y := q[at], (*[part]float32)(b[at:])
		s0 += (x - y[0]) * (x - y[0])
		s1 += (x - y[1]) * (x - y[1])
		s2 += (x - y[2]) * (x - y[2])
		s3 += (x - y[3]) * (x - y[3])
		s4 += (x - y[4]) * (x - y[4])
		s5 += (x - y[5]) * (x - y[5])
		s6 += (x - y[6]) * (x - y[6])
		s7 += (x - y[7]) * (x - y[7])
	}
	*s = [part]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

func anyWithin(s *[part]float32, limit float32) bool {
	for _, v := range s {
		if v <= limit {
			return true
		}
	}
	return false
}

// maskOf returns the mask of the sums that are ≤ limit.
func maskOf(s *[Lanes]float32, limit float32) uint32 {
	var mask uint32
	for j, v := range s {
		if v <= limit {
			mask |= 1 << j
		}
	}
	return mask
}

func addBitsGeneric(counts []int32, mask uint32) {
	for j := range counts {
		counts[j] += int32(mask >> j & 1)
	}
}

// partitionGeneric moves rows from at on; left of those before it are in place,
// the rest in scratch. It returns the new left.
func partitionGeneric(keys [][]float32, ids []int32, scratchKeys [][]float32, scratchIDs []int32, axis int, pivot float32, at, left int) int {
	right := at - left
	for i := at; i < len(ids); i++ {
		if keys[axis][i] <= pivot {
			for _, key := range keys {
				key[left] = key[i]
			}
			ids[left] = ids[i]
			left++
			continue
		}
		for k, key := range keys {
			scratchKeys[k][right] = key[i]
		}
		scratchIDs[right] = ids[i]
		right++
	}
	return left
}

func appendGeneric(x []float32, ids, counts []int32, room int, lanes []uint8, src []float32, hits []uint32, first int32) {
	for i, lane := range lanes {
		at := int(lane)*room + int(counts[lane])
		counts[lane] += int32(bits.OnesCount32(hits[i]))
		for rest := hits[i]; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest)
			x[at], ids[at] = src[i*Lanes+j], first+int32(j)
			at++
		}
	}
}

// keepGeneric goes on at a value, when so many are kept of those before.
func keepGeneric(x []float32, ids []int32, limit float32, at, kept int) int {
	for ; at < len(x); at++ {
		if x[at] <= limit {
			x[kept], ids[kept] = x[at], ids[at]
			kept++
		}
	}
	return kept
}

func ranksGeneric(dst []int32, x []float64) {
	for i, v := range x {
		dst[i] = 0
		for _, other := range x {
			if other < v {
				dst[i]++
			}
		}
	}
}

// cutGeneric bisects the integers that stand for the values in their order.
func cutGeneric(x []float32, n, most int) float32 {
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, v := range x {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	low, high := int64(flip(int32(math.Float32bits(lo)))), int64(flip(int32(math.Float32bits(hi))))
	for low < high {
		at := (low + high) >> 1
		pivot, seen := math.Float32frombits(uint32(flip(int32(at)))), 0
		for _, v := range x {
			if v <= pivot {
				seen++
			}
		}
		switch {
		case seen < n:
			low = at + 1
		case seen > most:
			high = at
		default:
			return pivot
		}
	}
	return math.Float32frombits(uint32(flip(int32(low))))
}

// flip turns the bits of a float32 into an integer of the same order, and back:
// it flips those behind the sign if that is set.
func flip(bits int32) int32 { return bits ^ bits>>31&math.MaxInt32 }
