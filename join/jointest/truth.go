package jointest

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"rtcluster/join"
)

// truth is the right answer to every join of one set of points, from the
// matrix of all squared distances, or measures of their metric.
type truth struct {
	name string
	pts  *join.Points
	q    *join.Points // nil: self-join

	rows, cols int       // query rows, indexed rows
	d2         []float64 // rows × cols
}

// newTruth returns the truth of joining q, or pts itself if q is nil, with pts.
func newTruth(name string, pts, q *join.Points) *truth {
	queries := q
	if q == nil {
		queries = pts
	}
	tr := &truth{name: name, pts: pts, q: q, rows: queries.Rows(), cols: pts.Rows()}
	tr.d2 = make([]float64, 0, tr.rows*tr.cols)
	for i := range tr.rows {
		for j := range tr.cols {
			tr.d2 = append(tr.d2, pts.Metric().Measure(queries.Row(i), pts.Row(j)))
		}
	}
	return tr
}

// bound returns what d2 is at most for neighbours within eps.
func (tr *truth) bound(eps float64) float64 { return tr.pts.Metric().Bound(eps) }

// self reports whether the join is one of the points with themselves.
func (tr *truth) self() bool { return tr.q == nil }

func (tr *truth) at(i, j int) float64 { return tr.d2[i*tr.cols+j] }

// paired reports whether (i, j) is among the pairs at the squared bound eps2.
func (tr *truth) paired(i, j int, eps2 float64) bool {
	return tr.at(i, j) <= eps2 && (!tr.self() || i < j)
}

// count returns how many indexed rows are near query row i, itself included.
func (tr *truth) count(i int, eps2 float64) int32 {
	var n int32
	for _, d2 := range tr.d2[i*tr.cols : (i+1)*tr.cols] {
		if d2 <= eps2 {
			n++
		}
	}
	return n
}

// near appends to dst, which is empty, the k nearest rows of query row i.
func (tr *truth) near(dst []join.Neighbor, i, k int) []join.Neighbor {
	for j, d2 := range tr.d2[i*tr.cols : (i+1)*tr.cols] {
		n := join.Neighbor{D2: d2, Row: int32(j)}
		if tr.self() && j == i || len(dst) == k && !n.Less(dst[k-1]) {
			continue
		}
		at := sort.Search(len(dst), func(at int) bool { return n.Less(dst[at]) })
		dst = slices.Insert(dst[:min(len(dst), k-1)], at, n)
	}
	return dst
}

// components returns what [join.Componenter] gives, by a flood from each
// smallest row.
func (tr *truth) components(eps2 float64, member []bool) []int32 {
	label := make([]int32, tr.cols)
	for i := range label {
		label[i] = -1
	}
	var stack []int
	for first := range label {
		if !member[first] || label[first] >= 0 {
			continue
		}
		label[first] = int32(first)
		stack = append(stack, first)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for j := range label {
				if member[j] && label[j] < 0 && tr.at(i, j) <= eps2 {
					label[j] = int32(first)
					stack = append(stack, j)
				}
			}
		}
	}
	return label
}

// attached returns what [join.Attacher] gives for query row i.
func (tr *truth) attached(i int, eps2 float64, member []bool, label []int32) int32 {
	if tr.self() && member[i] {
		return label[i]
	}
	best := int32(-1)
	for j, m := range member {
		if m && tr.at(i, j) <= eps2 && (best < 0 || label[j] < best) {
			best = label[j]
		}
	}
	return best
}

// attained returns bounds that tie with distances of the truth: for each of
// the given quantiles of the squared distances, the rounded root of one of
// them and both its neighbours in float64.
func (tr *truth) attained(quantiles ...float64) []float64 {
	const most = 4096
	var sample []float64
	for at := 0; at < len(tr.d2); at += len(tr.d2)/most + 1 {
		if d2 := tr.d2[at]; d2 > 0 {
			sample = append(sample, d2)
		}
	}
	slices.Sort(sample)
	if len(sample) == 0 {
		return nil
	}
	var eps []float64
	for _, p := range quantiles {
		eps = append(eps, tr.around(sample[int(p*float64(len(sample)-1))])...)
	}
	return eps
}

// around returns the distance of d2, a rounded root but for other norms, and
// the numbers next to it: of the bounds of the three, at least one is below d2
// and one is not, unless they under- or overflow.
func (tr *truth) around(d2 float64) []float64 {
	root := min(tr.pts.Metric().Distance(d2), math.MaxFloat64)
	eps := []float64{root}
	if below := math.Nextafter(root, 0); below < root {
		eps = append(eps, below)
	}
	if above := math.Nextafter(root, math.Inf(1)); above <= math.MaxFloat64 {
		eps = append(eps, above)
	}
	return eps
}

// errorf returns an error that names the case and the kind of join.
func (tr *truth) errorf(format string, args ...any) error {
	kind := "self-join"
	if !tr.self() {
		kind = "A ⋈ B"
	}
	return fmt.Errorf("case %q, %s of %d × %d rows in %d dimensions: %w",
		tr.name, kind, tr.rows, tr.cols, tr.pts.Dim(), fmt.Errorf(format, args...))
}
