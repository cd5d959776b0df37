package cpu

// exitEvery is the number of coordinates between looks whether all partial sums
// have passed the limit already.
const exitEvery = 8

// tile sets d2[j] to the squared distance of lane i of block a from lane j of
// block b, the sum of the contract, for all lanes of b; a value may be any
// partial sum above limit, and is NaN for lanes that hold no row. It equals
//
//	for j := range leafRows {
//		d2[j] = 0
//		for k := range dim {
//			diff := a[k*leafRows+i] − b[k*leafRows+j]
//			d2[j] += float64(diff * diff)
//		}
//	}
//
// Four lanes share a pass over the coordinates, so that their sums stay in
// registers.
func tile(d2 *[leafRows]float64, a []float64, i int, b []float64, limit float64) {
	for j := 0; j < leafRows; j += 4 {
		var s0, s1, s2, s3 float64
		at := 0
		for at < len(b) {
			end := min(len(b), at+exitEvery*leafRows)
			for ; at < end; at += leafRows {
				x := a[at+i]
				y := b[at+j : at+j+4 : at+j+4]
				e0, e1, e2, e3 := x-y[0], x-y[1], x-y[2], x-y[3]
				s0 += float64(e0 * e0)
				s1 += float64(e1 * e1)
				s2 += float64(e2 * e2)
				s3 += float64(e3 * e3)
			}
			if s0 > limit && s1 > limit && s2 > limit && s3 > limit {
				break
			}
		}
		d2[j], d2[j+1], d2[j+2], d2[j+3] = s0, s1, s2, s3
	}
}
