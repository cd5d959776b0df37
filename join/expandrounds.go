package join

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// This file finds for each query an ε with neither too few nor too many places
// within it. An ε stands for itself by the bits of its float64, whose order is that
// of the numbers: an octave is 2^52 of them, and the middle of two is about their
// geometric mean.

const (
	// A query is done with from w to spread·w + room places within ε: less asks
	// for more rounds, more for longer lists.
	spread, room = 4, 16

	belowAll = int64(-1)                 // before ε = 0
	aboveAll = int64(0x7ff0000000000000) // after the greatest float64
	quarter  = int64(1) << 50            // a quarter of an octave: the first step beyond what is known
	maxLeap  = int64(1) << 61            // 512 octaves
	narrow   = 40                        // bits of a bracket that is 2^-12 wide: a tie is likely
	again    = 8                         // bits of it between looks for one

	coarse     = int64(1) << 44 // 1/256 of an octave: what the first ε may be wrong by
	sampled    = 64             // queries that are asked for the first ε
	batchBytes = 32 << 20       // of the queries that are counted, or listed, at a time
)

// rounds counts the places around queries at one ε after another.
type rounds struct {
	ctx     context.Context
	idx     Index
	queries *Points
	self    bool // the queries are the indexed points

	least, most int32 // places within the ε of a query that is done
	fine        int64 // the bracket that is closed, 1 or more

	// done is given queries and an ε with from least to most places within it, and
	// their number, or no numbers where the bracket has closed: fewer places than
	// least are within the ε before it, or, if it is the greatest, maybe within it.
	done func(rows, counts []int32, eps float64) error
	// farthest returns the measure of the last of the least nearest places of a
	// query, all within eps.
	farthest func(row int32, eps float64) (float64, error)
}

// bracket is what is known of an ε: within that of low, or of belowAll, there are
// too few places, within that of high, or of aboveAll, too many, if it is no end.
type bracket struct {
	low, high int64
	first     []int64 // ε to try first, ascending
	leap      int64   // the next step beyond an open end
}

// openBracket is one of which nothing is known.
func openBracket(first []int64) bracket {
	return bracket{low: belowAll, high: aboveAll, first: first, leap: quarter}
}

// run finds an ε for rows, ascending, with the same bracket. It changes rows.
func (r *rounds) run(rows []int32, b bracket) error {
	for len(rows) > 0 {
		if b.high-b.low <= r.fine {
			return r.done(rows, nil, toEps(min(b.high, aboveAll-1)))
		}
		if err := r.lookForTie(rows, &b); err != nil {
			return err
		}
		mid := b.next()
		few, many, err := r.count(rows, mid)
		if err != nil {
			return err
		}
		below, above := b, b
		below.high, above.low = mid, mid
		if err := r.run(many, below); err != nil {
			return err
		}
		rows, b = few, above
	}
	return nil
}

// next returns an ε inside a bracket that is not closed.
func (b *bracket) next() int64 {
	from, _ := slices.BinarySearch(b.first, b.low+1)
	to, _ := slices.BinarySearch(b.first, b.high)
	switch step := b.leap; {
	case from < to:
		return b.first[(from+to)/2]
	case b.high == aboveAll:
		b.leap = min(2*step, maxLeap)
		return b.low + min(step, b.high-1-b.low)
	case b.low == belowAll:
		b.leap = min(2*step, maxLeap)
		return max(b.high-step, 0)
	}
	return b.low + (b.high-b.low)/2
}

// lookForTie sets the next ε of a narrow bracket to the least one that is enough for
// one of its rows, and the one before: among ties, the bracket of the others will
// have closed then, and they need not go through all the bits. It asks for as many
// pairs as there are places at most, and not if that is more than the rows may ask
// for.
func (r *rounds) lookForTie(rows []int32, b *bracket) error {
	width := bits.Len64(uint64(b.high - b.low))
	if width > narrow || width%again != 0 || len(rows)*int(r.most) < r.idx.Points().Rows() {
		return nil
	}
	measure, err := r.farthest(rows[len(rows)/2], toEps(b.high))
	if err != nil {
		return err
	}
	metric := r.queries.Metric()
	key := int64(sort.Search(int(aboveAll), func(key int) bool { return metric.Bound(toEps(int64(key))) >= measure }))
	b.first = []int64{key - 1, key}
	return nil
}

func toEps(key int64) float64 { return math.Float64frombits(uint64(key)) }

// count gives the rows with enough places within an ε to done, and returns those
// with few, in the place of rows, and those with many.
func (r *rounds) count(rows []int32, mid int64) (few, many []int32, err error) {
	eps, left := toEps(mid), rows
	few = rows[:0]
	for len(left) > 0 {
		q, size := (*Points)(nil), len(left)
		if !r.self || size < r.queries.Rows() {
			size = min(size, max(1, batchBytes/(8*r.queries.Dim())))
			q = r.queries.Subset(left[:size])
		}
		counts := make([]int32, size)
		if err := r.idx.Counts(r.ctx, q, eps, r.most+1, counts); err != nil {
			return nil, nil, err
		}
		var enough, numbers []int32
		for i, c := range counts {
			switch row := left[i]; {
			case c < r.least:
				few = append(few, row)
			case c > r.most:
				many = append(many, row)
			default:
				enough, numbers = append(enough, row), append(numbers, c)
			}
		}
		left = left[size:]
		if err := r.done(enough, numbers, eps); err != nil {
			return nil, nil, err
		}
	}
	return few, many, nil
}

// firstEps returns ε, ascending, at which some of the queries have places well
// between want and most within them.
func (e *expansion) firstEps() ([]int64, error) {
	some := spaced(e.queries.pts.Rows())
	var found []int64
	r := rounds{
		ctx: e.ctx, idx: e.idx, queries: e.queries.pts, self: e.self, least: e.most / 3, most: e.most / 2, fine: coarse,
		done: func(rows, _ []int32, eps float64) error {
			for range rows {
				found = append(found, int64(math.Float64bits(eps)))
			}
			return nil
		},
	}
	err := r.run(some, openBracket(e.guess(some)))
	slices.Sort(found)
	return found, err
}

// spaced returns some of n rows, ascending.
func spaced(n int) []int32 {
	some := make([]int32, min(n, sampled))
	for i := range some {
		some[i] = int32(i * n / len(some))
	}
	return some
}

// guess returns the median distance of some queries to the nearest of some places.
func (e *expansion) guess(some []int32) []int64 {
	metric, pts := e.queries.pts.Metric(), e.targets.pts
	nearest := make([]float64, 0, len(some))
	for _, i := range some {
		best := math.Inf(1)
		for _, j := range spaced(pts.Rows()) {
			if measure := metric.Measure(e.queries.pts.Row(int(i)), pts.Row(int(j))); measure > 0 {
				best = min(best, measure)
			}
		}
		nearest = append(nearest, best)
	}
	slices.Sort(nearest)
	eps := min(metric.Distance(nearest[len(nearest)/2]), math.MaxFloat64)
	return []int64{int64(math.Float64bits(eps))}
}
