// Package cpu is the join engine for the processor: exact, in bounded memory,
// on any number of threads.
//
// # Method
//
// Rows are grouped in the leaves of a balanced kd-tree, as RT-HiSS groups them
// for the GPU, and copied in leaf order. The tree is split along the
// coordinates of greatest variance, or along the leading principal axes, where
// latent structure shows; every node keeps its box in all coordinates
// (tree.go, basis.go).
//
// A join takes each leaf of queries down the tree (walk.go). Two boxes have
// one of three verdicts: apart, no pair is within ε and the node is skipped;
// within, all pairs are and the node is accepted without a distance; mixed,
// the search goes on in the children, and at a leaf the distances are computed
// (tile.go). Verdicts fall on inner nodes too, so that a large ε or heavy
// duplication costs no more than a small one.
//
// # Exactness
//
// Distances are the sum of the contract: float64, coordinates in column order,
// each operation rounded once. Box bounds are exact by monotone rounding; the
// bound on rotated boxes carries a margin. The proofs stand in bounds.go and
// basis.go, next to the code.
//
// # Limits
//
// Memory is about 2.5·n·d·8 bytes beside the points themselves while an index
// is built, and O(threads·batch) while it is used. An index holds no memory
// outside the Go heap.
package cpu
