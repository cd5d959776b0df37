// Package cuda is the join engine for NVIDIA cards, in builds with tag cuda.
//
// # Method
//
// Rows are put in the order of a balanced kd-tree's leaves of 64 rows, split along
// the coordinates of greatest variance (order.go), and copied to the card leaf by
// leaf, transposed (side.go). Boxes of leaves, and of groups of 32 leaves, decide
// as the paper's index does, but in all coordinates and with three verdicts:
// apart, within, mixed. A block of the card takes a leaf of queries through the
// groups, then the leaves, and compares the rows of what is mixed.
//
// Counts need nothing else. Pairs take two passes: how many each block finds, then,
// for as many blocks as fit a batch, the pairs themselves, each block at its place.
// Nearest rows come from counts and pairs ([join.Expander]).
//
// # Exactness
//
// Boxes are compared by the predicate's own operations (gpu/kernels/exact.cuh),
// which bound it. Rows are compared in float32, as offsets from the middles of their
// leaves, between two limits that leave no doubt (gpu/kernels/guard.cuh); what is
// between the limits, and what float32 cannot hold, the predicate decides.
//
// # Limits
//
// The card holds all indexed rows and the queries: 12·Dim bytes a row, and about a
// thirtieth more. What it cannot hold is an error that matches
// [rtcluster/gpu.ErrMemory]. Euclidean distances only. Work is launched in pieces
// of about a tenth of a second, between which the context is asked.
package cuda
