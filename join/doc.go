// Package join holds the contract of the exact ε-join that everything else in
// rtcluster stands on, and no engine.
//
// # Who is a neighbour
//
// Rows i and j of d coordinates are neighbours iff
//
//	d2(i, j) ≤ ε·ε,   d2 = Σ_k (x_ik − x_jk)²
//
// with the terms added in column order and every difference, product and sum
// rounded once to float64 (no fused multiply-add). [SquaredDistance] and
// [Within] are that predicate; every engine reproduces it bit for bit. A faster
// way may decide a pair only where a proof next to its code shows the predicate
// would decide the same.
//
// Rounding to float64 is monotone: a ≤ b implies fl(a) ≤ fl(b). Two useful
// facts follow. A partial sum never exceeds the whole, so a sum that has passed
// ε·ε may be given up; and the same operations done on the least and greatest
// coordinate differences of two boxes bound d2 of every pair of rows in them.
//
// Distances overflow to +Inf and ε·ε may over- or underflow; both are used as
// they are.
//
// Points may have another [Metric]: the Manhattan or Chebyshev distance, or a
// periodic box. [Metric.Measure] and [Metric.Bound] are then the predicate. What
// else is called a metric maps coordinates first, for the predicate above:
// [UnitVectors], [Directions], [Whitening].
//
// # Self, order, ties
//
// A row is within ε of itself, so [Index.Counts] of a self-join counts it, and
// a row's count is its number of other neighbours plus one. [Index.Pairs] and
// [Index.KNN] of a self-join leave the row itself out (a different row with
// equal coordinates stays in). Pairs come in no particular order, each
// unordered pair once with I < J. Neighbours come sorted by (d2, row), so that
// ties at the k-th place have one answer.
//
// # Engines
//
// An [Engine] builds an [Index] over [Points]; an index answers counts, pairs
// and nearest neighbours, of its own rows (self-join) or of other points
// (A ⋈ B). Points come from a flat slice ([NewPoints]), from rows
// ([NewPointsFromRows]) or from a gonum matrix ([NewPointsFromMatrix]). Faster roads
// are optional interfaces ([Componenter], [Attacher], [Clusterer], [Weigher], [Lister])
// that a caller finds by type assertion and can do without. An engine without a search
// for nearest rows can leave them to an [Expander], which needs its counts and pairs.
// Package jointest checks that an engine keeps all this.
//
// The method is that of "RT-HiSS: Ray Tracing Accelerated High Dimensional Vector
// Similarity Searches": group rows in the leaves of a balanced kd-tree, search
// boxes in few dimensions, refine in all.
package join
