package main

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
)

// This file estimates, from a sample, how many pairs of rows an index leaves open, so
// that --engine auto can tell what a join costs. Leaves of rows that are near each
// other are cut out of the rows, as an index has them, but only some; the share of
// their pairs whose boxes are within ε is that of all leaves, about.

const (
	leafRows      = 64      // of an index's leaf
	leafSample    = 256     // leaves that are cut out
	outlineRows   = 1 << 17 // rows that they are cut out of, at most
	axesRows      = 2048    // rows that the axes are found by
	axesAtMost    = 8       // axes that boxes have
	turnedAtMost  = 256     // coordinates that are turned to principal axes
	countedRows   = 48      // rows whose neighbours are counted,
	countedAmong  = 1 << 14 // among so many
	samplingFloor = 1 << 12 // rows below which there is nothing to sample
)

// outline is what a sample tells of a join.
type outline struct {
	open      float64 // share of the pairs of leaves that boxes leave open
	neighbors float64 // other rows within ε of a row, on average
	limited   float64 // share of the work if counting stops at a limit, 1 without one
}

// outlineOf samples rows for a self-join; ok is false where numbers are too large for
// that, or rows too few.
func outlineOf(pts *join.Points, eps float64, limit int, seed uint64) (o outline, ok bool) {
	n := pts.Rows()
	if n < samplingFloor {
		return outline{}, false
	}
	sample := spaced(pts, outlineRows)
	turned, ok := turn(sample)
	if !ok {
		return outline{}, false
	}
	size := max(2, leafRows*sample.Rows()/n)
	rows := make([]int32, sample.Rows())
	for i := range rows {
		rows[i] = int32(i)
	}
	p := newPatcher(turned, size, seed)
	p.cut(rows, leafSample)
	o = outline{open: openShare(turned, p.found, eps, turned.Dim() == pts.Dim()), limited: 1}
	o.count(pts, sample, p.found, eps, limit)
	return o, true
}

// spaced returns so many rows at most, at equal distances.
func spaced(pts *join.Points, most int) *join.Points {
	n := pts.Rows()
	if n <= most {
		return pts
	}
	rows := make([]int32, most)
	for i := range rows {
		rows[i] = int32(i * n / most)
	}
	return pts.Subset(rows)
}

// turn returns the coordinates along the principal axes of greatest variance, or, if
// there are very many, the coordinates that vary most: distances only shrink.
func turn(pts *join.Points) (*join.Points, bool) {
	dim := pts.Dim()
	some := spaced(pts, axesRows)
	_, covariance := join.Covariance(some.Data(), dim)
	for _, v := range covariance {
		if notFinite(v) {
			return nil, false
		}
	}
	if dim <= axesAtMost/2 {
		return pts, true // all of them, as they are
	}
	axes, ok := axesOf(covariance, dim)
	if !ok {
		return nil, false
	}
	data := make([]float64, 0, pts.Rows()*len(axes))
	for i := range pts.Rows() {
		for _, axis := range axes {
			var sum float64
			for k, x := range pts.Row(i) {
				sum += x * axis[k]
			}
			data = append(data, sum)
		}
	}
	turned, err := join.NewPoints(data, len(axes))
	return turned, err == nil
}

// axesOf returns the axes that rows are turned to.
func axesOf(covariance []float64, dim int) ([][]float64, bool) {
	axes := make([][]float64, min(dim, axesAtMost))
	if dim <= turnedAtMost {
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(dim, covariance), true) {
			return nil, false
		}
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		for k := range axes {
			axes[k] = mat.Col(nil, dim-1-k, &vectors) // eigenvalues rise
		}
		return axes, true
	}
	order := make([]int, dim)
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(covariance[b*dim+b], covariance[a*dim+a]) })
	for k := range axes {
		axes[k] = make([]float64, dim)
		axes[k][order[k]] = 1
	}
	return axes, true
}

// openShare is the share of the pairs of different leaves whose boxes say neither that
// all rows are farther than eps nor, if they have all coordinates, that none is.
func openShare(pts *join.Points, leaves [][]int32, eps float64, all bool) float64 {
	dim := pts.Dim()
	low, high := make([]float64, len(leaves)*dim), make([]float64, len(leaves)*dim)
	for i, leaf := range leaves {
		setBox(pts, leaf, low[i*dim:(i+1)*dim], high[i*dim:(i+1)*dim])
	}
	open, pairs, eps2 := 0, 0, eps*eps
	for i := range leaves {
		for j := range i {
			var least, most float64
			for k := range dim {
				ahead, behind := low[i*dim+k]-high[j*dim+k], low[j*dim+k]-high[i*dim+k]
				gap, reach := max(0, ahead, behind), max(-ahead, -behind)
				least += gap * gap
				most += reach * reach
			}
			pairs++
			if least <= eps2 && !(all && most <= eps2) {
				open++
			}
		}
	}
	return float64(open) / float64(max(pairs, 1))
}

// setBox sets the box of rows.
func setBox(pts *join.Points, rows []int32, low, high []float64) {
	copy(low, pts.Row(int(rows[0])))
	copy(high, low)
	for _, row := range rows {
		for k, x := range pts.Row(int(row)) {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
}

// count estimates how many neighbours rows have, and what a limit spares: a row that
// has more than the limit is done with that part of its work. Neighbours in the same
// leaf tell more where they are few among all.
func (o *outline) count(pts, sample *join.Points, leaves [][]int32, eps float64, limit int) {
	among, eps2 := spaced(sample, countedAmong), join.Squared(eps)
	each := float64(pts.Rows()) / float64(among.Rows())    // rows that one of those stands for
	inLeaf := float64(pts.Rows()) / float64(sample.Rows()) // likewise
	var all, limited float64
	for i := range countedRows {
		leaf := leaves[i*len(leaves)/countedRows]
		row := sample.Row(int(leaf[len(leaf)/2]))
		near, own := 0, 0
		for k := range among.Rows() {
			if join.Within(row, among.Row(k), eps2) {
				near++
			}
		}
		for _, other := range leaf {
			if join.Within(row, sample.Row(int(other)), eps2) {
				own++
			}
		}
		number := max(float64(near)*each, float64(own)*inLeaf)
		all += number
		limited += min(1, float64(limit)/math.Max(number, 1))
	}
	o.neighbors = all / countedRows
	if limit > 0 {
		o.limited = limited / countedRows
	}
}
