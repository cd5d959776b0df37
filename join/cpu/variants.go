package cpu

import "slices"

// Basis names the axes along which the tree is split, in their order.
type Basis string

// The bases. None changes a result.
const (
	BasisAuto     Basis = ""         // pca from 4 to 256 coordinates, else variance
	BasisVariance Basis = "variance" // the coordinates, those of greatest variance first
	BasisPCA      Basis = "pca"      // the principal axes of a sample
	BasisLowest   Basis = "lowest"   // the coordinates, those of least variance first
	BasisRandom   Basis = "random"   // the coordinates, in an order that Options.Seed gives
)

// Primitives says what the search finds: what has a box of its own.
type Primitives string

// The primitives. With points, no group of rows is decided by its box, each row that
// the search reaches is held against each query row along the index's axes, as a ray is
// against a sphere around one point, and those that are left are measured where they stand in
// the table: there is no tile of them.
const (
	PrimitiveLeaves Primitives = ""       // leaves of rows that are near each other
	PrimitivePoints Primitives = "points" // each row alone
)

// Refine says which rows of two leaves are tiles while these are compared. A tile is
// what a block of threads keeps in shared memory on a card: rows in float32 around a common center,
// transposed, so that one vector load takes a coordinate of all of them, and one load
// serves several rows of the other leaf.
type Refine string

// The ways to refine.
const (
	// RefineShared moves the leaf of queries next to the other one once, and compares
	// 4 rows with 32 at a time.
	RefineShared Refine = ""
	// RefinePrimitive has a tile of the leaf that was found. Query rows are moved next
	// to it and compared one by one.
	RefinePrimitive Refine = "primitive"
	// RefineQuery has a tile of the queries, with which the rows of the leaf that was
	// found are compared one by one.
	RefineQuery Refine = "query"
	// RefineNone has no tile: rows are read from the table as they were given, and
	// measured in float64.
	RefineNone Refine = "none"
)

// Result says what [join.Index.Pairs] writes comparisons of rows to, until it hands
// pairs over. All but the stream search twice, as RT-HiSS does: first for the number of
// comparisons of each leaf of queries, by which these are put into batches whose
// results have room, whatever comes out, and then to refine, a batch after the other.
type Result string

// The results.
const (
	ResultStream     Result = ""           // pairs, as they are found
	ResultCompressed Result = "compressed" // a bit a comparison; then the positions of those that are set
	ResultMask       Result = "mask"       // a bit a comparison
	ResultBytes      Result = "bytes"      // a byte a comparison
	ResultPairs      Result = "pairs"      // room for a pair a comparison
)

// defaultBatch is the memory of a batch's results: 64 MiB.
const defaultBatch = 64 << 20

// check panics if the options say what there is not.
func (o Options) check() {
	switch {
	case o.Threads < 0:
		panic("cpu: negative number of threads")
	case !slices.Contains([]Basis{BasisAuto, BasisVariance, BasisPCA, BasisLowest, BasisRandom}, o.Basis):
		panic("cpu: unknown basis")
	case o.LeafRows < 0:
		panic("cpu: negative number of rows in a leaf")
	case o.IndexDims < 0:
		panic("cpu: negative number of index dimensions")
	case o.Primitives != PrimitiveLeaves && o.Primitives != PrimitivePoints:
		panic("cpu: unknown primitives")
	case !slices.Contains([]Refine{RefineShared, RefinePrimitive, RefineQuery, RefineNone}, o.Refine):
		panic("cpu: unknown way to refine")
	case o.Primitives == PrimitivePoints && o.Refine != RefineShared:
		panic("cpu: points as primitives have no tiles to choose from")
	case !slices.Contains([]Result{ResultStream, ResultCompressed, ResultMask, ResultBytes, ResultPairs}, o.Result):
		panic("cpu: unknown result")
	case o.BatchBytes < 0:
		panic("cpu: negative size of batches")
	}
}

// leaf returns the number of rows that leaves have, and of leaves that are searched as one.
func (o Options) leaf() (held, group int) {
	if o.LeafRows == 0 {
		return leafRows, 1
	}
	return min(o.LeafRows, leafRows), (o.LeafRows + leafRows - 1) / leafRows
}

// varied reports whether leaves are compared in another way than the usual one.
func (o Options) varied() bool {
	return o.Primitives != PrimitiveLeaves || o.Refine != RefineShared
}

// indexAxes returns the number of axes that the index is to use of so many.
func (o Options) indexAxes(most int) int {
	if o.IndexDims > 0 {
		return min(o.IndexDims, most)
	}
	return most
}
