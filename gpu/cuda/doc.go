// Package cuda is the join engine for NVIDIA cards, in builds with tag cuda.
//
// # Method
//
// As in the RT-HiSS paper, groups of rows are what is searched for, and refinement is
// by blocks; the search is the card's own.
//
//  1. Rows ([Engine.Index]) are copied to the card, turned to principal axes, put in
//     the order of a balanced kd-tree's leaves of up to 64 rows, and given boxes
//     (rows.go).
//  2. A search takes groups of leaves through superleaves and leaves, with three
//     verdicts: apart, within, mixed. It counts first, so that what is left open is
//     written without gaps, in rounds that fit the memory, heavy groups first
//     (search.go, rounds.go); what it has found meanwhile it keeps, if all of it has
//     room (pages.go).
//  3. Leaves are refined by one of two roads. Tensor cores multiply float16 operands
//     that hold the limit and each row's error, so that the sign of a product decides
//     (tensor.go), and leave doubt to the predicate (recheck.cu). The plain road
//     compares float32 offsets from the middles of leaves, by squares where there are
//     few coordinates, else by products, and asks the predicate itself (plain.go).
//  4. Masks of near pairs go to consumers: counts, lists (pairs.go), unions and labels
//     (cluster.go), which stay on the card until a caller wants them. Nearest rows come
//     from counts and lists ([join.Expander]).
//
// # Clusters
//
// A clustering stays on the card until there are labels (cluster.go): counts, which
// rows are core, their sets, what other rows find. Sets are a forest by position
// (gpu/kernels/forest.cuh, forest.go). Unions begin with what is cheap: rows of a leaf,
// and of it and the next one, that float32 shows to be near; then, where there are many,
// pairs of leaves within a third of ε, then all. Between these, a number for each leaf,
// and superleaf, tells whether its core rows are one set: the search leaves out pairs of
// leaves of the same set, and two leaves of one set each need a single pair. Sets are
// numbered in the order of their smallest rows by a prefix sum over a bit for each row.
// Attaching goes over pairs of leaves of which one has core rows and the other has rows
// that look for a label (attach.go).
//
// # Exactness
//
// The predicate of package join decides what bounds leave open. The bounds are derived
// in gpu/kernels: tensor.cuh for tensor cores, guard.cuh for float32, exact.cuh for
// boxes of coordinates, and limits.go for turned boxes. A card's tensor cores
// are tried before they are used (trial.go).
//
// # Limits
//
// The card holds all indexed rows and the queries: as given, turned, and as the road of
// a join takes them, which are 12 to 24 bytes or so for each coordinate, and more if
// these are few. What it cannot hold is an error that matches [rtcluster/gpu.ErrMemory].
// Euclidean distances only. One join is at work on an index at a time. Rounds take a
// fifth of a second or so, and between them the context is asked.
package cuda
