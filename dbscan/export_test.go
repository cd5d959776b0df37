package dbscan

// Chunked is chunked for tests.
var Chunked = chunked

// ChunkBytes is chunkBytes for tests.
const ChunkBytes = chunkBytes

// Roots unites pairs of rows out of member and returns the root of each.
func Roots(member []bool, pairs [][2]int32) []int32 {
	u := newUnionFind(make([]int32, len(member)), member)
	for _, p := range pairs {
		u.unite(p[0], p[1])
	}
	u.flatten()
	return u
}
