package main

import (
	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
	principal "rtcluster/join/axes"
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
	turnedAtMost  = 256     // coordinates that have principal axes
	countedRows   = 48      // rows whose neighbours are counted,
	countedAmong  = 1 << 14 // among so many
	samplingFloor = 1 << 12 // rows below which there is nothing to sample
)

// outline is what a sample tells of a join.
type outline struct {
	open    float64 // share of the pairs of leaves that boxes leave open
	limited float64 // share of the work if counting stops at a limit, 1 without one
}

// outlineOf samples rows for a self-join; ok is false where numbers are too large for
// that, or rows too few.
func outlineOf(pts *join.Points, eps float64, limit int, seed uint64) (o outline, ok bool) {
	n := pts.Rows()
	if n < samplingFloor {
		return outline{}, false
	}
	rows := spaced(n, outlineRows)
	turned, ok := turn(pts, rows)
	if !ok {
		return outline{}, false
	}
	p := newPatcher(turned, max(2, leafRows*len(rows)/n), seed)
	places := spaced(len(rows), len(rows))
	p.cut(places, leafSample)
	o = outline{open: openShare(turned, p.found, eps, turned.Dim() == pts.Dim()), limited: 1}
	if limit > 0 {
		for _, leaf := range p.found {
			for i, place := range leaf {
				leaf[i] = rows[place]
			}
		}
		o.limited = limitedShare(pts, p.found, eps, limit)
	}
	return o, true
}

// spaced returns so many of n rows at most, at equal distances.
func spaced(n, most int) []int32 {
	most = min(n, most)
	rows := make([]int32, most)
	for i := range rows {
		rows[i] = int32(i * n / most)
	}
	return rows
}

// turn returns the rows' coordinates along the axes of greatest variance: their
// distances are at most those of the rows.
func turn(pts *join.Points, rows []int32) (*join.Points, bool) {
	axes, ok := axesOf(pts.Subset(spaced(pts.Rows(), axesRows)))
	if !ok {
		return nil, false
	}
	data := make([]float64, 0, len(rows)*len(axes))
	for _, row := range rows {
		for _, axis := range axes {
			var sum float64
			for k, x := range pts.Row(int(row)) {
				sum += x * axis[k]
			}
			data = append(data, sum)
		}
	}
	turned, err := join.NewPoints(data, len(axes))
	return turned, err == nil
}

// axesOf returns the principal axes of greatest variance, all if there are few. With
// very many coordinates, these are the axes.
func axesOf(pts *join.Points) ([][]float64, bool) {
	dim := pts.Dim()
	axes := make([][]float64, min(dim, axesAtMost))
	if dim > turnedAtMost {
		for k := range axes {
			axes[k] = make([]float64, dim)
			axes[k][k*dim/len(axes)] = 1
		}
		return axes, true
	}
	_, covariance := join.Covariance(pts.Data(), dim)
	turned, ok := principal.Principal(mat.NewSymDense(dim, covariance))
	if !ok {
		return nil, false
	}
	for k := range axes {
		for j := range dim {
			axes[k] = append(axes[k], turned.Axes[j*dim+k])
		}
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

// limitedShare estimates how many neighbours rows have, and what a limit spares: a row
// that has more than the limit is done with that part of its work. Neighbours in the
// same leaf tell more where they are few among all.
func limitedShare(pts *join.Points, leaves [][]int32, eps float64, limit int) float64 {
	n, eps2 := float64(pts.Rows()), join.Squared(eps)
	among := spaced(pts.Rows(), countedAmong)
	each, inLeaf := n/float64(len(among)), n/float64(min(pts.Rows(), outlineRows)) // rows that one of those stands for
	within := func(row []float64, rows []int32) (number float64) {
		for _, other := range rows {
			if join.Within(row, pts.Row(int(other)), eps2) {
				number++
			}
		}
		return number
	}
	var share float64
	for i := range countedRows {
		leaf := leaves[i*len(leaves)/countedRows]
		row := pts.Row(int(leaf[len(leaf)/2]))
		number := max(within(row, among)*each, within(row, leaf)*inLeaf)
		share += min(1, float64(limit)/max(number, 1)) / countedRows
	}
	return share
}
