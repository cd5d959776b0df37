package outlier

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"rtcluster/join"
)

// reverse answers which places have a new row among their neighbours: the places in
// classes, each with an index of its own, which is joined with the new rows at the
// greatest k-th distance of the class.
//
// What the join finds does not grow with the reference. Let least be the least k-th
// distance of a class. Less than k other rows are nearer than least to a place of it, so
// that k of its rows at most are in any ball of a diameter less than least. The ball
// around a new row that is joined has a radius of about least: it is covered by so many
// of these as the dimension says.
type reverse struct {
	at      *space
	classes []class
	always  int64 // rows that have any new row: there are not k within reach
}

// class is places whose k-th distances are not far from each other.
type class struct {
	idx   join.Index
	nodes []int32
	far   []float64 // their squared k-th distances
	eps   float64   // at which those are all within
}

// A class's k-th distances are within this factor, unless it had too few rows.
const (
	classRatio = 1.25
	classRows  = 256
)

func newReverse(ctx context.Context, engine join.Engine, at *space, far []float64) (*reverse, error) {
	r := &reverse{at: at}
	pts := at.idx.Points()
	metric := pts.Metric()
	var nodes []int32
	for i, d2 := range far {
		switch {
		case at.ties && math.IsInf(d2, 1):
			r.always += int64(at.count(i))
		case at.ties || d2 > 0: // else no new row comes before the k-th
			nodes = append(nodes, int32(i))
		}
	}
	slices.SortFunc(nodes, func(a, b int32) int { return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b)) })
	for len(nodes) > 0 {
		least, n := metric.Distance(far[nodes[0]]), 1
		for n < len(nodes) && (n < classRows || metric.Distance(far[nodes[n]]) <= classRatio*least) {
			n++
		}
		c := class{nodes: nodes[:n], eps: reaching(metric, far[nodes[n-1]])}
		for _, node := range c.nodes {
			c.far = append(c.far, far[node])
		}
		var err error
		if c.idx, err = engine.Index(ctx, pts.Subset(c.nodes)); err != nil {
			return nil, errors.Join(err, r.close())
		}
		r.classes = append(r.classes, c)
		nodes = nodes[n:]
	}
	return r, nil
}

// reaching returns the least ε, or about that, whose bound is no less than measure:
// if that is infinite, one that is no less than any that is not.
func reaching(metric join.Metric, measure float64) float64 {
	eps := min(metric.Distance(measure), math.MaxFloat64)
	for metric.Bound(eps) < measure && eps < math.MaxFloat64 {
		eps = math.Nextafter(eps, math.Inf(1))
	}
	return eps
}

// counts returns how many rows have each of the new rows among their neighbours.
func (r *reverse) counts(ctx context.Context, q *join.Points) ([]int64, error) {
	counts := make([]int64, q.Rows())
	for i := range counts {
		counts[i] = r.always
	}
	for _, c := range r.classes {
		pts := c.idx.Points()
		err := c.idx.Pairs(ctx, q, c.eps, func(pairs []join.Pair) error {
			for _, p := range pairs {
				d2 := pts.Metric().Measure(q.Row(int(p.I)), pts.Row(int(p.J)))
				if far := c.far[p.J]; d2 < far || r.at.ties && d2 == far {
					counts[p.I] += int64(r.at.count(int(c.nodes[p.J])))
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func (r *reverse) close() error {
	var err error
	for _, c := range r.classes {
		err = errors.Join(err, c.idx.Close())
	}
	return err
}
