// Package dbscan clusters the rows of an index by density, and gives the one
// answer that its rules allow: the same labels for every engine and any number
// of threads.
//
// # Definition
//
// Two rows are neighbours iff their distance is at most Eps (the predicate of
// package join); a row is a neighbour of itself.
//
//	core     the weights of the row's neighbours, itself included, sum to
//	         MinSamples or more; every weight is 1 unless weights are given
//	cluster  a connected component of the core rows under the neighbour relation
//	border   not core, but with at least one core neighbour
//	noise    neither; the label is −1
//
// With Eps 1 and MinSamples 3:
//
//	0───1───2       5───6       9      0..3 are one cluster (core: 1, 2),
//	        │       │                  4 and 9 are noise,
//	        3    4  7                  5, 6 and 7 are another (core: 5)
//
// This is DBSCAN of Ester, Kriegel, Sander and Xu, "A density-based algorithm
// for discovering clusters in large spatial databases with noise", KDD-96,
// pages 226–231, in the reading of Schubert et al. 2017,
// https://doi.org/10.1145/3068335: MinSamples counts the row itself, and the
// ball is closed. With [BorderNoise] it is DBSCAN* of Campello, Moulavi and
// Sander 2013, https://doi.org/10.1007/978-3-642-37456-2_14.
//
// # One answer
//
// Definitions leave two things open, and here they are fixed. Clusters are
// numbered 0..k−1 in the order of each cluster's smallest core row. A border
// row with core neighbours in several clusters goes where [Options].Border
// says; the default is the smallest cluster number. With that the labels are
// those of scikit-learn's DBSCAN (kd-tree), to the row, but for two roundings of
// its own: a pair with d2 > ε·ε whose rounded root is ε, and weights whose
// floating sum rounds across MinSamples.
//
// Weights may be zero or negative. It is the exact real sum that is compared
// with MinSamples, so the order in which an engine finds neighbours has no say.
//
// # Method and cost
//
// A [join.Clusterer] does all at once, where neither weights nor counts are asked
// for, nor the nearest core row of border rows. Else there are two
// sweeps: counts that may stop at MinSamples, then the union of core rows,
// by [join.Componenter] where an index has it and else by a union–find over the
// stream of pairs. A third, small join finds the core neighbours of those rows
// that are not core; it has fewer than MinSamples pairs a row. With weights the
// first sweep is a [join.Weigher]'s where an index has it, and may stop as early
// unless a weight is negative; else it looks at all pairs within Eps. Memory is 9
// bytes a row and batches of bounded size: no list of pairs is ever kept. Weights
// take 8 bytes more for each word of [join.Weights], and as much again in a sweep.
//
//	idx, err := engine.Index(ctx, points)
//	res, err := dbscan.Cluster(ctx, idx, dbscan.Options{Eps: 0.4, MinSamples: 4})
//
// [ClusterEach] does so for several eps, and [Parents] tells which clusters of a
// smaller one lie in which of a larger one. [Result.DropSmall] makes noise of small
// clusters, and [Result.SortBySize] numbers the largest first.
//
// [Verify] recomputes chosen rows by brute force. [Predict] gives new rows the
// clusters of the core rows near them:
//
//	rows, labels := res.CoreRows()
//	idx, err := engine.Index(ctx, points.Subset(rows))
//	found, err := dbscan.Predict(ctx, idx, labels, others, opt)
package dbscan
