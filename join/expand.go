package join

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
)

// Expander finds nearest rows with [Index.Counts] and [Index.Pairs] alone, by
// expanding ε: the KNN of an engine that has no search of its own for it. It may be
// used by several goroutines at once. The RT-HiSS paper (see the package comment), in
// its outlook, makes nearest rows of range searches in this way, so that what speeds up
// range searches speeds up these.
//
// # Method
//
// Equal rows are one place. It is places that are searched and that are asked for,
// and w of them are wanted around each: k, or k + 1 in a self-join, with its own. A
// place has a bracket of ε: one with less than w places within it, and one with more
// than about 4·w. Places with the same bracket are counted at an ε inside it, up to
// the limit. Those with few go on with what is above it, those with many with what
// is below. Those in between are done, and their pairs within ε are listed. The
// first ε are what some of the places need, so that few rounds are left of most
// data; where densities differ, places come to an ε of their own.
//
// # Why it is complete
//
// Let there be w places or more within ε. All others have a measure above Bound(ε),
// so the w nearest, by measure and first row, are within ε, and Pairs lists all that
// are. They hold the nearest rows: before a row of another place come w rows, the
// first of each of them, of which one at most is the row itself.
//
// A bracket closes when no float64 is left in it: a tie. All pairs within its upper
// end are listed then, into lists that keep the w nearest. The lowest ε is 0, where
// Bound is 0; what is not within the greatest float64 is at +Inf, and comes by row.
//
// # Cost
//
// For each place about 4·w pairs are listed at most, whatever the densities, and
// however often rows are repeated: of a place, its k + 1 smallest rows are enough.
// Ties are the exception, where all places at one distance are listed. Memory is
// O(Rows) and a batch, which does not grow with the rows.
type Expander struct {
	engine  Engine
	idx     Index
	threads int

	turn    chan struct{} // holds a token while nobody looks for the places
	targets *places       // what is searched, or nil; with the turn
	own     Index         // an index of the places alone, or nil; with the turn
}

// maxCopies is how many equal rows a place may have before places are searched
// instead of rows: so few cost less than another index.
const maxCopies = 4

// NewExpander returns an expander for the points of idx, an index of engine e. It
// calls e for an index of the distinct rows at the first KNN, if many rows are
// equal, and else uses idx, which must not be closed before the expander. threads is
// how many goroutines are at work beside the engine's, 0 for GOMAXPROCS.
func NewExpander(e Engine, idx Index, threads int) *Expander {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	x := &Expander{engine: e, idx: idx, threads: threads, turn: make(chan struct{}, 1)}
	x.turn <- struct{}{}
	return x
}

// Close closes the index of the distinct rows, if there is one, but not the index
// that the expander was made for.
func (x *Expander) Close() error {
	if x.own == nil {
		return nil
	}
	return x.own.Close()
}

// KNN does what [Index.KNN] says, with the same result to the bit. Progress and
// effort are told as those of [StageKNN].
func (x *Expander) KNN(ctx context.Context, q *Points, k int, emit func(row int, near []Neighbor) error) error {
	if k < 1 {
		return fmt.Errorf("join: k is %d, want at least 1", k)
	}
	pts := x.idx.Points()
	switch {
	case q == nil:
	case q.Dim() != pts.Dim():
		return fmt.Errorf("join: query points have %d coordinates, the index %d", q.Dim(), pts.Dim())
	case !q.Metric().Equal(pts.Metric()):
		return errors.New("join: query points have another metric than the index")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &expansion{self: q == nil, threads: x.threads, emit: emit, report: ReportTo(ctx)}
	var effort Effort
	e.ctx = WithEffort(WithProgress(ctx, nil), func(_ Stage, part Effort) { effort.Add(part) })
	err := x.start(e, q, k)
	if err == nil {
		err = e.run()
	}
	if err == nil {
		EffortTo(ctx)(StageKNN, effort)
	}
	return err
}

// start fills in what is asked for and where it is searched.
func (x *Expander) start(e *expansion, q *Points, k int) error {
	e.total = int64(x.idx.Points().Rows())
	if q != nil {
		e.total = int64(q.Rows())
	}
	e.report(StageKNN, 0, e.total)
	var err error
	if e.targets, e.idx, err = x.places(e.ctx); err != nil {
		return err
	}
	e.queries = e.targets
	if q != nil {
		if e.queries, err = findPlaces(e.ctx, q, maxCopies); err != nil {
			return err
		}
	}
	n := len(e.targets.rows)
	e.k, e.rows = min(k, n), min(k, n)
	if e.self && e.rows < n {
		e.rows++
	}
	e.want = min(e.rows, e.targets.pts.Rows())
	e.most = min(int32(min(math.MaxInt32, spread*int64(e.want)+room)), int32(e.targets.pts.Rows()))
	return nil
}

// places returns the indexed places and their index, and finds them if this is the
// first call.
func (x *Expander) places(ctx context.Context) (*places, Index, error) {
	select {
	case <-x.turn:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	defer func() { x.turn <- struct{}{} }()
	if x.targets == nil {
		found, err := findPlaces(ctx, x.idx.Points(), maxCopies)
		if err != nil {
			return nil, nil, err
		}
		if found.pts != x.idx.Points() {
			if x.own, err = x.engine.Index(ctx, found.pts); err != nil {
				x.own = nil
				return nil, nil, fmt.Errorf("join: index of the distinct rows: %w", err)
			}
		}
		x.targets = found
	}
	if x.own != nil {
		return x.targets, x.own, nil
	}
	return x.targets, x.idx, nil
}
