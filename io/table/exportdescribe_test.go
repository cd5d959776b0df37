package table

// CountDistinct counts n different numbers, each twice.
func CountDistinct(n int) (count int64, exact bool) {
	t := tally{numbers: true}
	for range 2 {
		for i := range n {
			t.value(nil, float64(i)/8, kindNumber)
		}
	}
	return t.distinct.count()
}
