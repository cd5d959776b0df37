// Package outlier scores the rows of an index by how far they lie from others.
// Higher is more outlying, for every method. Scores are the same bits for every
// engine and any number of threads.
//
// # Definitions
//
// N(i) is the list of the k nearest other rows of row i by (d2, row): exactly
// k, so that of rows equally far the smaller rows are taken. d(i, j) is
// sqrt(d2), unless [Options].Distance says otherwise, and sums run over N(i) in
// that order.
//
//	knn    the greatest, mean, median or sum of the k distances d(i, j); the
//	       median of an even number is the mean of the two in the middle
//	lof    (1/k) Σ_{j in N(i)} lrd(j) / lrd(i),
//	       lrd(i) = k / R(i), R(i) = Σ_{j in N(i)} max(d(j, its k-th), d(i, j))
//	count  −(number of other rows within Eps)
//
// The k-th distance is the score of Ramaswamy, Rastogi and Shim 2000,
// https://doi.org/10.1145/342009.335437; the sum is the weight of Angiulli and
// Pizzuti 2002, https://doi.org/10.1007/3-540-45681-3_2. LOF is the local
// outlier factor of Breunig, Kriegel, Ng and Sander 2000,
// https://doi.org/10.1145/335191.335388, but for one thing: the paper takes all
// rows at the k-th distance into N(i), here as in scikit-learn there are k.
// Counting neighbours is the idea of Knorr and Ng, "Algorithms for mining
// distance-based outliers in large datasets", VLDB 1998, pages 392–403.
//
// # Duplicates
//
// A row with k or more equals has R = 0, so its density lrd is infinite. LOF is
// computed as the mean of R(i)/R(j), by these rules:
//
//	R(i) = R(j)          ratio 1, if both are 0 (or both overflow) too
//	R(i) > 0, R(j) = 0   ratio +Inf: thin beside infinitely dense
//	R(i) = 0, R(j) > 0   ratio 0
//
// So rows in a heap of more than k equals score 1, as rows in the middle of an
// even crowd do, and a row that has one of them among its k nearest scores
// +Inf. No small constant blurs this, and no score is NaN. [Result].Duplicates
// counts these rows; if it is large, take a larger k, or method knn, which
// duplicates do not upset: it scores 0 in a heap.
//
// # New rows
//
// [Fit] makes rows a reference that [Model.Score] scores new rows against, each as if
// it were the only one beside them: N is among the reference's rows, and what is
// known of those, their k-th distances and R, is what it is without the new row.
// This is scikit-learn's LocalOutlierFactor with novelty. Where rows are equal, the
// rules above hold.
//
// # Limits
//
// Memory is 8 bytes a row for knn and 12 for count; lof keeps the neighbour
// lists, 12·k + 24 bytes a row. Several scores share the lists, of the greatest k. k
// is less than the number of rows.
//
//	idx, err := engine.Index(ctx, points)
//	res, err := outlier.Score(ctx, idx, outlier.Options{Method: outlier.LOF, K: 20})
//	all, err := outlier.ScoreEach(ctx, idx, []outlier.Options{{Method: outlier.KNN, K: 5}, {Method: outlier.KNN, K: 9}})
//
// [Verify] recomputes chosen rows by brute force.
package outlier
