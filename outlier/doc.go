// Package outlier scores the rows of an index by how far they lie from others.
// Higher is more outlying, for every method. Scores are the same bits for every
// engine and any number of threads.
//
// # Definitions
//
// N(i) is the list of the k nearest other rows of row i by (d2, row): exactly
// k, so that of rows equally far the smaller rows are taken; ties have another rule
// below. d(i, j) is sqrt(d2), unless [Options].Distance says otherwise, and sums run
// over N(i) in that order.
//
//	knn    the greatest, mean, median or sum of the distances d(i, j); the
//	       median of an even number is the mean of the two in the middle
//	lof    (1/|N(i)|) Σ_{j in N(i)} lrd(j) / lrd(i),
//	       lrd(i) = |N(i)| / R(i), R(i) = Σ_{j in N(i)} max(d(j, its k-th), d(i, j))
//	simplified-lof
//	       the same with R(i) = Σ_{j in N(i)} d(i, j)
//	loop   max(0, erf(PLOF(i) / (nPLOF·√2))), from 0 to 1,
//	       PLOF(i) = pdist(i) / (mean of pdist(j), j in N(i)) − 1,
//	       pdist(i) = √(mean of d(i, j)², j in N(i)), nPLOF = λ·√(mean of max(PLOF, 0)²)
//	ldof   (mean of d(i, j), j in N(i)) / (mean of d(j, l), j and l in N(i), j ≠ l)
//	odin   −(number of rows j with i in N(j)), the in-degree
//	count  −(number of other rows within Eps)
//	db     1 − (number of rows within Eps, i itself among them)/(number of rows)
//	dbscan 0 for core rows, which have MinSamples rows or more within Eps, i itself
//	       among them; 0.5 for border rows, other ones that have a core row
//	       within Eps; 1 for noise
//
// The k-th distance is the score of Ramaswamy, Rastogi and Shim 2000,
// https://doi.org/10.1145/342009.335437; the sum is the weight of Angiulli and
// Pizzuti 2002, https://doi.org/10.1007/3-540-45681-3_2. LOF is the local
// outlier factor of Breunig, Kriegel, Ng and Sander 2000,
// https://doi.org/10.1145/335191.335388, without reachability that of Schubert, Zimek
// and Kriegel 2014, https://doi.org/10.1007/s10618-012-0300-z, LoOP the local outlier
// probability of Kriegel, Kröger, Schubert and Zimek 2009,
// https://doi.org/10.1145/1645953.1646195, LDOF that of Zhang, Hutter and Jin 2009,
// https://doi.org/10.1007/978-3-642-01307-2_84, ODIN that of Hautamäki, Kärkkäinen and
// Fränti 2004, https://doi.org/10.1109/ICPR.2004.1334558.
// Counting neighbours is the idea of Knorr and Ng, "Algorithms for mining
// distance-based outliers in large datasets", VLDB 1998, pages 392–403: a DB(π, Eps)
// outlier has a share π or more of all rows farther than Eps, so that db is π or more.
// With [Options].Fraction these are flagged; (1 − π)·n is exact for the decimal π. DBSCAN
// is that of Ester, Kriegel, Sander and Xu, "A density-based algorithm for discovering
// clusters in large spatial databases with noise", KDD 1996, pages 226–231.
//
// From scores to flags there are the rules of [Cut], and [Evaluate] compares scores with
// what rows are known to be.
//
// # Ties
//
// With [TiesAll], N(i) is all other rows no farther than the k-th, as in the papers on
// lof, ldof and odin and as in ELKI: |N(i)| is k or more. With exactly k, scores are
// those of scikit-learn and PyOD but for which of the tied rows they take. Rows that
// are equal are neighbours together; they add one term times their number, where the
// first of them stands. Distances d2 are compared, not d.
//
// # Other programs
//
// Definitions are ELKI's. What differs there: the sum of knn and all of loop take
// exactly k rows, loop some that it does not specify where there are ties; odin is the
// in-degree over k, low for outliers; its DBOutlierDetection wants less than (1 − π)·n
// rows, rounded down, within Eps of an outlier, where the paper wants no more.
//
// The paper on loop, and PyNomaly, have all PLOF² in nPLOF, those of PLOF below 0, too:
// [Options].AllPLOF. It is one number for all rows, so that their order is the same.
// PyNomaly's λ is 3 unless it is given. The paper on simplified-lof has the k-th
// distance in place of the mean distance R(i)/|N(i)|. scikit-learn adds 1e-10 to mean
// reachability distances, and leaves open which of tied rows it takes.
//
// # Duplicates
//
// A row with k or more equals has R = 0, so its density lrd is infinite. LOF is
// computed as the mean of R(i)/R(j) · |N(j)|/|N(i)|, by these rules:
//
//	R(i) = R(j)          R(i)/R(j) is 1; the term is 1 if both are 0 or both overflow
//	R(i) > 0, R(j) = 0   ratio +Inf: thin beside infinitely dense
//	R(i) = 0, R(j) > 0   ratio 0
//
// So rows in a heap of more than k equals score 1, as rows in the middle of an
// even crowd do, and a row that has one of them among its k nearest scores
// +Inf. No small constant blurs this, and no score is NaN. [Result].Duplicates
// counts these rows; if it is large, take a larger k, or method knn, which
// duplicates do not upset: it scores 0 in a heap. Nor do they upset odin and the
// methods of Eps.
//
// For loop, PLOF is 0 where pdist(i) is the mean that it is divided by, though that be 0,
// or is pdist(j) of all of N(i), whatever their mean rounds to, and +Inf where that mean
// alone is 0. A row of infinite PLOF scores 1, and has no
// part in nPLOF; ELKI scores it 0. Where nPLOF is 0, rows above it score 1. Rows of
// pdist 0 and of infinite PLOF are counted.
//
// For ldof, a row whose N is all in one place scores +Inf, which is the limit, and 1 if
// it is there itself; ELKI scores both 1. Both are counted.
//
// # New rows
//
// [Fit] makes rows a reference that [Model.Score] scores new rows against, each as if
// it were the only one beside them: N is among the reference's rows, and what is
// known of those, their k-th distances, R, pdist and nPLOF, is what it is without the
// new row. This is scikit-learn's LocalOutlierFactor with novelty, and for the other
// methods the same idea. For odin, the rows are counted that would have the new row
// among their k nearest, where it stands behind all that are as far, or with
// [TiesAll] would have it in N. db and dbscan count the new row itself beside the
// reference's: db is among n + 1 rows, so that a new row scores slightly more than
// one of the reference with as many neighbours. Where rows are equal, the rules above
// hold.
//
// # Limits
//
// Beside what the index takes, memory is 8 bytes a row for knn, 12 for odin, count and
// db, 21 for dbscan; other methods keep the neighbour lists, 12·k + 24 bytes a row. Several scores share the lists, of the
// greatest k. k is less than the number of rows. With [TiesAll] lists are as long as
// there are places in N, and a second index has the distinct rows; for new rows, odin
// has one of all rows, in parts. ldof measures k²/2 distances a row.
//
//	idx, err := engine.Index(ctx, points)
//	res, err := outlier.Score(ctx, idx, outlier.Options{Method: outlier.LOF, K: 20})
//	all, err := outlier.ScoreEach(ctx, idx, []outlier.Options{{Method: outlier.KNN, K: 5}, {Method: outlier.KNN, K: 9}})
//
// [Verify] and [VerifyNew] recompute chosen rows by brute force.
package outlier
