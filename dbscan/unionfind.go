package dbscan

// unionFind is a forest over row numbers: u[i] is the parent of row i, u[i] = i
// for a root and −1 for a row that takes no part. A parent is never larger than
// its child, so a root is the smallest row of its set.
//
// Paths are halved on the way up and the larger root is hung below the smaller,
// which costs O(log n) a step, amortised, without a rank for each row: Tarjan
// and van Leeuwen 1984, https://doi.org/10.1145/62.2160.
type unionFind []int32

// newUnionFind makes a forest of single rows, those of member, in dst.
func newUnionFind(dst []int32, member []bool) unionFind {
	for i := range dst {
		if dst[i] = -1; member[i] {
			dst[i] = int32(i)
		}
	}
	return dst
}

// find returns the root of row i.
func (u unionFind) find(i int32) int32 {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// unite makes one set of the sets of rows i and j.
func (u unionFind) unite(i, j int32) {
	i, j = u.find(i), u.find(j)
	u[max(i, j)] = min(i, j)
}

// flatten makes u[i] the root of every row i. In ascending order a parent is
// flat before its children are looked at.
func (u unionFind) flatten() {
	for i, parent := range u {
		if parent >= 0 {
			u[i] = u[parent]
		}
	}
}
