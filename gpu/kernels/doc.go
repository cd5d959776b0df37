// Package kernels holds what runs on graphics cards: sources in CUDA C++, and the
// PTX made of them, which is committed, embedded, and compiled by the driver for
// the card at hand.
//
// # What
//
//	params.cuh, params.go  what host and device agree on, twice; sizes.go and rows.go
//	exact.cuh              the predicate of package join, and its bounds for boxes
//	stats.cu, turn.cu      where rows are and how they spread; rows on their principal axes
//	order.cu, split.cu     the kd order: rows into buckets, and those into leaves
//	layout.cu, offset.cu   rows by leaf, boxes, and what the plain road needs of them
//	search.cu, boxes.cuh   which pairs of leaves boxes leave open
//	rays.cu, rays.cuh      the same by rays, for OptiX, and what it does for few coordinates,
//	optix.cuh, scene.cu    by calls of its, and the boxes that rays meet
//	products.cuh           pairs of leaves refined by tensor cores, of which copies and
//	stage.cuh              products are here:
//	tensor.cu              of float16 numbers,
//	tensor.cuh, pack.cu    when these decide a pair, and what they multiply (half.cuh),
//	recheck.cu             and what they leave in doubt;
//	integer.cu             of small integers,
//	integer.cuh            why these decide every pair, and
//	packinteger.cu         what they multiply
//	simt.cuh, tiles.cuh    the plain road: pairs of leaves refined without tensor cores,
//	low.cuh, low_*.cu      by up to 8 coordinates,
//	many.cuh, simt_*.cu    by more
//	guard.cuh              when float32 decides a pair
//	consume.cuh            what becomes of pairs that are near
//	result.cu              counts, in the order of the input
//	forest.cu, forest.cuh  sets of core rows, at first of what near.cuh shows to be near
//	label.cu               labels of these
//	*.compute_NN.ptx       generated: module, then the least compute capability
//
// # Files
//
// A kernel has one parameter, a block of fields of 8 bytes. `make ptx` compiles
// everything with NVRTC, at the version that package fresh pins, so that the same
// sources give the same bytes anywhere. Line 2 of the PTX is a checksum of the
// sources, the options and that version.
//
// # How to test
//
//	go test ./gpu/kernels  PTX is fresh, entries are there, parameters fit; no GPU
//	make ptx               must leave the tree clean
package kernels
