// Package cpu is the join engine for the processor: exact, in bounded memory,
// on any number of threads.
//
// # Method
//
// Rows are grouped in the leaves of a balanced kd-tree, as RT-HiSS groups them
// for the GPU, and copied in leaf order, turned to the principal axes where
// there are more than three coordinates, since latent structure shows there
// (basis.go, build.go, tree.go). Every node keeps its box.
//
// A join takes each leaf of queries down the tree, near nodes first (walk.go),
// five levels at a time, with the boxes of the 32 nodes there side by side in
// float32 (fan.go). Two boxes have one of three verdicts: apart, no pair is
// within ε and the node is skipped; within, all pairs are and the node is
// accepted without a distance; mixed, the search goes on below, and at a leaf
// the distances are computed (bounds.go). Verdicts fall on inner nodes too, so
// that a large ε or heavy duplication costs no more than a small one.
//
// Nodes of equal rows are one row as targets, and as queries (equal.go).
//
// A pair of leaves is computed in float32, around the center of one of them,
// by the vector kernels of package dist: for each row a mask of the rows that
// may be within ε, and one of those that certainly are (band.go). Where few
// principal axes tell who is near, it is along these alone (lead.go).
//
// Counts stop at their limit; without one, or where a trial says that it costs
// less (trial.go), a self-join looks at each pair of leaves once (counts.go). Sums of
// weights go the first way: a node that is within counts for the sum of its rows
// (weigh.go). Components skip nodes whose rows are one set already (components.go),
// Attach nodes that can't lower a label (attach.go); it begins with what Counts or
// Weigh found near each leaf, if that had a limit and the same ε (touch.go). Cluster
// counts, unites and attaches by position, without going back to the rows in between
// (cluster.go). The k nearest are gathered by bounds and ordered exactly at the end
// (knn.go, candidates.go).
//
// Points under another metric than the Euclidean in open space have an index of
// their own, metricIndex: the same tree, walked node by node with bounds of that
// metric, distances in float64 (metric.go, metricbounds.go). Of the optional roads
// it has that of weights.
//
// # Variants
//
// Options has settings that give up a part of the method, so that it can be measured
// what the part is worth (RT-HiSS, "Experimental Evaluation"): another order of the axes, and
// boxes along few of them; each row as a primitive of its own instead of leaves; leaves
// compared without one tile, or both (rowbyrow.go); pairs by way of masks or room for all
// comparisons, in batches that a first search cuts (result.go). The types in variants.go
// say what each does. They are one engine: the same walk, the same bounds, the same
// results. A join tells through [join.WithEffort] how many pairs of leaves were apart,
// within and mixed, how many distances that took, and in how many batches pairs came.
//
// # Exactness
//
// What float32 leaves open is decided by the contract's sum in float64. How far
// float32 can be off is derived in package dist. Box bounds are exact by
// monotone rounding, those of rotated boxes carry a margin, those in float32 are
// widened; the proofs stand in bounds.go, metricbounds.go, basis.go, fan.go and package axes, next to
// the code.
//
// # Limits
//
// Beside the points themselves, an index of n rows of d coordinates holds about
// 7·n·d bytes, while it is built another 40 bytes a row; once KNN was called, up
// to 8 coordinates, a copy of the points, and after a count with a limit, for
// Attach, up to 16 + 3·d bytes a row. Joins use O(threads·batch) and a few bytes
// a row (memory.go has estimates). An index holds no memory outside the Go heap.
package cpu
