package cpu

// This file says what the engine takes in memory, in bytes, garbage included that is
// not collected in between: for estimates before the work, at least as much as it
// will be. Rows and coordinates are numbers of either.

// IndexBytes is what an index takes over rows of dim coordinates, beside them. Per
// row: keys and rows while it is built, which are garbage then; its row number, its
// float32 coordinates, and its share of the boxes of leaves and nodes, of which there
// are 1 and 2 for 32 rows. Under another metric than the Euclidean it has boxes, and the
// coordinates again in its order.
func IndexBytes(rows, dim float64, euclidean bool) float64 {
	axes := min(dim, keyAxes)
	built := 4 + 4*axes
	if !euclidean {
		return rows * (built + 4*axes + 4 + dim + 1 + 8*dim)
	}
	boxes := dim + dim/4 + dim/4 + dim/2 // of nodes, of leaves in float32, centers, fans
	if dim > 3 {
		boxes += dim // turned to principal axes
	}
	return rows * (built + 4 + 4*max(axes, dim) + boxes + 7)
}

// NearestBytes is what an index takes for nearest rows: few coordinates once more, in
// its order.
func NearestBytes(rows, dim float64) float64 {
	if dim > orderedDims {
		return 0
	}
	return 8 * rows * dim
}

// AttachBytes is what Attach takes, with many coordinates, to put those rows together
// that boxes tell little about. Labels by position, 4 bytes a row, come on top.
func AttachBytes(rows, dim float64) float64 {
	if dim < flatDims {
		return 0
	}
	some := min(rows, leftBytes/(8*dim))
	return 8*some*dim + IndexBytes(some, dim, true)
}
