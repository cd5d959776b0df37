package outlier

import (
	"context"

	"rtcluster/join"
)

// Method names a definition of the score. It has no default.
type Method string

// The methods; the package comment defines them.
const (
	KNN           Method = "knn"            // distance to the K nearest
	LOF           Method = "lof"            // local outlier factor
	SimplifiedLOF Method = "simplified-lof" // the same without reachability
	LoOP          Method = "loop"           // local outlier probability
	LDOF          Method = "ldof"           // local distance-based outlier factor
	ODIN          Method = "odin"           // in-degree among the K nearest
	Count         Method = "count"          // neighbours within Eps
	DB            Method = "db"             // share of rows beyond Eps
	DBSCAN        Method = "dbscan"         // noise, border or core
)

// Methods returns the methods that there are.
func Methods() []Method {
	return []Method{KNN, LOF, SimplifiedLOF, LoOP, LDOF, ODIN, Count, DB, DBSCAN}
}

// Nearest reports whether m scores by the K nearest rows, and not by those within Eps.
func (m Method) Nearest() bool { return m != Count && m != DB && m != DBSCAN }

// method scores rows by one definition. One is made for each score of a reference
// set, which is fitted once, before it scores new rows: several goroutines may then
// do that at once. Methods of nearest rows score places, where rows are equal: results
// of fit have one score for each of t.near.
type method interface {
	// fit scores the rows of the reference themselves, and keeps what new rows
	// need: no more than some numbers for each row.
	fit(ctx context.Context, t *task) (*Result, error)
	// score scores the new rows t.q.
	score(ctx context.Context, t *task) (*Result, error)
}

// collector is a method that needs to see the neighbours of each row but once. If
// there are only such, no lists are kept.
type collector interface {
	method
	// collect returns what sees the neighbours of each row of t.search.
	collect(t *task) collection
}

// collection takes N of each row, by several goroutines at once, and has a result
// once it has all.
type collection interface {
	take(row int, h *hood)
	result(ctx context.Context) (*Result, error)
}

// collectLists gives the neighbours of all rows, that lists have, to a collection.
func collectLists(ctx context.Context, opt *Options, t *task, c collection) (*Result, error) {
	if err := eachHood(ctx, opt, t.near, c.take); err != nil {
		return nil, err
	}
	return c.result(ctx)
}

// task is what a method scores.
type task struct {
	idx join.Index   // of the reference
	q   *join.Points // new rows, or nil for the reference's own
	// search is for the neighbours of the rows to score, for methods of nearest
	// rows, and near what it found, unless they are streamed.
	search search
	near   *lists
	// keep says that new rows are to be scored after a fit.
	keep bool
}

// rows returns the number of rows to score.
func (t *task) rows() int {
	if t.q != nil {
		return t.q.Rows()
	}
	return t.idx.Points().Rows()
}

// newMethod returns the method of settled options.
func newMethod(opt *Options) method {
	switch opt.Method {
	case LOF, SimplifiedLOF:
		return &factors{opt: opt}
	case LoOP:
		return &probabilities{opt: opt}
	case LDOF:
		return &innerDistances{opt: opt}
	case ODIN:
		return &degrees{opt: opt}
	case Count:
		return &counts{eps: opt.Eps}
	case DB:
		return &shares{opt: opt}
	case DBSCAN:
		return &kinds{opt: opt}
	default:
		return &distances{opt: opt}
	}
}
