package dbscan

// Chunked, ExactSums and AtLeast are chunked, exactSums and atLeast for tests.
var (
	Chunked   = chunked
	ExactSums = exactSums
	AtLeast   = atLeast
)

// ChunkBytes is chunkBytes for tests.
const ChunkBytes = chunkBytes

// SumAtLeast reports whether the exact sum of weights is at least m.
func SumAtLeast(weights []float64, m int) bool {
	var a accumulator
	for _, w := range weights {
		a.add(w)
	}
	return a.atLeast(m)
}

// Decide adds weights in order as weighCores does for one row, and reports
// what that decides and whether it is certain.
func Decide(weights []float64, m int) (core, certain bool) {
	s := newWeightSums(weights)
	for j := 1; j < len(weights); j++ {
		s.add(0, int32(j))
	}
	return s.decide(0, m)
}

// Roots unites pairs of rows out of member and returns the root of each.
func Roots(member []bool, pairs [][2]int32) []int32 {
	u := newUnionFind(make([]int32, len(member)), member)
	for _, p := range pairs {
		u.unite(p[0], p[1])
	}
	u.flatten()
	return u
}
