// Package epsilon helps to choose ε, the distance within which rows are
// neighbours: it measures how far the k-th nearest row is, and suggests values
// by rules that say what they rest on. Results are the same for every engine and
// any number of threads.
//
// # The k-distance curve
//
// The k-distance of a row is its distance to the k-th nearest other row. Sorted
// upwards they are a [Curve]; with ε at the k-distance at place i, i + 1 rows or
// more have k others within ε, which makes them core rows of DBSCAN with
// min-samples k + 1. [Measure] takes the k-distances of all rows, or of some
// rows among all: those are exact too, only the curve then has fewer points.
//
// This is the sorted k-dist graph of Ester, Kriegel, Sander and Xu, "A
// density-based algorithm for discovering clusters in large spatial databases
// with noise", KDD-96, pages 226–231. [MinSamples] is what Sander, Ester, Kriegel
// and Xu 1998, https://doi.org/10.1023/A:1009745219419, take where nothing else
// is known: two rows a coordinate.
//
//	distance
//	    │            ╷
//	    │            │      [Curve.Quantile]     so many rows are core
//	    │           ╭╯      [Curve.Knee]         where the curve bends
//	    │  ────────╯        [Curve.Selectivity]  so many neighbours a row, on average
//	    │ ╭╯                [NullField]          below what chance alone brings about
//	    └──────────────
//	      rows
//
// # Distances
//
// Distances are those of the metric of the points, in the unit of the coordinates;
// between unit vectors they may be written as angles or cosine distances ([Unit]). A
// suggested ε reaches the rows that it stands for: the square of a rounded root can
// fall below the squared distance that it is the root of, so that a row would miss
// its own k-th neighbour ([Unit.Distance] has the details).
//
// Where squared distances overflow they are +Inf, and so are k-distances. They stand
// at the end of the curve, and no rule suggests an ε that reaches so far: its square
// overflows as well, and all rows are within it.
//
// # Cost
//
// A curve takes one search for the k nearest, and 8 bytes a row measured.
// Selectivity counts neighbours some thirty times, the null field searches once
// for each repetition, in a copy of the data.
//
//	curve, err := epsilon.Measure(ctx, idx, epsilon.Options{K: 5})
//	knee, err := curve.Knee()
//	res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: knee.Eps, MinSamples: 6})
package epsilon
