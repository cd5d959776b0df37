package join

import (
	"context"
	"fmt"
	"math"
)

// Engine builds indexes. It holds settings only and is safe for use by several
// goroutines.
type Engine interface {
	// Name is what --engine calls it: "cpu", "cuda", "optix".
	Name() string
	// Index builds an index over pts, which it may keep and never changes. An
	// engine that has no [Metric] but the Euclidean in open space returns
	// [Metric.OnlyEuclidean] for others.
	Index(ctx context.Context, pts *Points) (Index, error)
}

// Index answers ε-joins and nearest-neighbour joins against its points.
//
// The query points q have the index's Dim and Metric. A nil q asks for the self-join: the
// indexed points are the queries, and a row is told apart from other rows with
// equal coordinates. A q of another Dim or Metric, an eps that [CheckEps] refuses, a k
// below 1 or a slice of another length than asked for is an error.
//
// All methods but Close may be called by several goroutines at once, but by no
// emit: an index may do one join at a time. They stop
// soon after ctx is done and then return its error. Memory is
// O(Rows·Dim + batch), never O(pairs). Results are the same for any number of
// threads and any batch size.
type Index interface {
	// Points returns the indexed points.
	Points() *Points

	// Counts sets dst[i] to the number of indexed rows within eps of query row
	// i, the row itself included in a self-join. With limit > 0 counting may
	// stop there: dst[i] is the lesser of limit and the number. len(dst) is
	// the number of query rows.
	Counts(ctx context.Context, q *Points, eps float64, limit int32, dst []int32) error

	// Pairs calls emit with all pairs of a query row I and an indexed row J
	// within eps, in batches and in no particular order; a self-join gives
	// each unordered pair of different rows once, I < J. Calls of emit do not
	// overlap. The slice is the callee's only until it returns. An error from
	// emit ends the join and is returned.
	Pairs(ctx context.Context, q *Points, eps float64, emit func([]Pair) error) error

	// KNN calls emit once for each query row with its k nearest indexed rows
	// by (D2, Row), or all if there are fewer; a self-join leaves the row
	// itself out. Rows come in no particular order, calls do not overlap, and
	// near is the callee's only until it returns. An error from emit ends the
	// join and is returned.
	KNN(ctx context.Context, q *Points, k int, emit func(row int, near []Neighbor) error) error

	// Close frees what the index holds outside the Go heap. The index must
	// not be used afterwards.
	Close() error
}

// Pair is a query row I and an indexed row J within ε of each other.
type Pair struct{ I, J int32 }

// Neighbor is an indexed row and its squared distance from the query row, or its
// [Metric.Measure] from it where the metric is another.
type Neighbor struct {
	D2  float64
	Row int32
}

// Less orders neighbours by (D2, Row), the order in which ties are broken.
func (n Neighbor) Less(o Neighbor) bool {
	return n.D2 < o.D2 || n.D2 == o.D2 && n.Row < o.Row
}

// Componenter is the faster road to connected components, for an [Index] that
// can unite rows without listing pairs. The fallback is a union–find over
// [Index.Pairs].
type Componenter interface {
	// Components sets dst[i] to the smallest row of the connected component
	// of row i in the graph whose nodes are the rows with member[i] and whose
	// edges are their pairs within eps, and to −1 where member[i] is false.
	// Both slices have the length of the indexed points; another length, or an
	// eps that [CheckEps] refuses, is an error.
	Components(ctx context.Context, eps float64, member []bool, dst []int32) error
}

// Attacher is the faster road from rows to the labels of the members around
// them. The fallback is [Index.Pairs] with these rows as queries.
type Attacher interface {
	// Attach sets dst[i] to the smallest label of the members within eps of
	// query row i, or −1 if there is none; in a self-join (q nil) members keep
	// their own, dst[i] = label[i]. Members are indexed rows, with labels from
	// 0 to [MaxRows]−1: member and label have the length of the indexed points,
	// and dst a place for each query row. In a self-join, dst may be label
	// itself. Another length, and what Counts refuses, is an error.
	Attach(ctx context.Context, q *Points, eps float64, member []bool, label, dst []int32) error
}

// Clusterer is the faster road to a whole clustering, for an [Index] that can keep what
// it finds between the steps. The fallback is [Index.Counts], then [Componenter] and
// [Attacher], or what these fall back to.
type Clusterer interface {
	// Cluster sets core[i] to whether row i has least rows or more within eps, itself
	// included. It sets label[i] of such a row, a core row, to the number of its connected
	// component in the graph of core rows and their pairs within eps: from 0, in the
	// order of the components' smallest rows. The label of another row is −1 or, if
	// attach is set and there are core rows within eps, their smallest label. Both
	// slices have the length of the indexed points; another length, an eps that
	// [CheckEps] refuses, or a least below 1 is an error.
	Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (Clustered, error)
}

// Clustered is what [Clusterer] tells of a clustering.
type Clustered struct {
	// Clusters is the number of components, Cores that of core rows, and Noise that of
	// rows with label −1.
	Clusters, Cores, Noise int
	// Ordered is the sum over all rows of the number of other rows within eps, or of
	// least−1 where that is less.
	Ordered int64
}

// CheckEps returns an error unless eps is finite and not negative.
func CheckEps(eps float64) error {
	if math.IsNaN(eps) || math.IsInf(eps, 0) || eps < 0 {
		return fmt.Errorf("eps is %v, want a finite number, 0 or more", eps)
	}
	return nil
}
