package main

import (
	"errors"
	"math"

	"rtcluster/join"
)

// This file tells whether the core rows of a clustered table are still where they
// were when they were clustered: a column in another unit, or two that changed their
// names, would give new rows the wrong clusters without a word.

// coreMean is the mean of the coordinates of core rows, as they were joined: scaled,
// weighed, on the sphere. It is in the report and the metadata of dbscan.
type coreMean struct {
	mean []float64
	size []float64 // the mean of the absolute values
}

// meanOf returns the coreMean of the given rows of points. Each value is divided before it is summed, so that no sum overflows.
func meanOf(points *join.Points, rows []int32) coreMean {
	m := coreMean{make([]float64, points.Dim()), make([]float64, points.Dim())}
	n := float64(len(rows))
	for _, row := range rows {
		for k, x := range points.Row(int(row)) {
			m.mean[k] += x / n
			m.size[k] += math.Abs(x) / n
		}
	}
	return m
}

// coreMeanOf is the mean that a report has, none of no rows.
func coreMeanOf(points *join.Points, rows []int32) []float64 {
	if len(rows) == 0 {
		return nil
	}
	return meanOf(points, rows).mean
}

// errMoved tells of core rows whose coordinates are not those of the clustering.
var errMoved = errors.New("a column was changed since (its unit, its digits, its name), or the parameters were: cluster again")

// checkMoved compares the mean of the core rows, which are points now, with what was
// recorded. Sines and sums may differ in their last digits between processors; numbers
// cut to 32 bits differ by more than is allowed.
func (c *coreRows) checkMoved(rec *recorded) error {
	const allowed = 1e-12
	if rec.counts == nil || len(rec.counts.CoreMean) == 0 {
		return nil
	}
	rows := make([]int32, c.points.Rows())
	for i := range rows {
		rows[i] = int32(i)
	}
	was, is := rec.counts.CoreMean, meanOf(c.points, rows)
	if len(was) != len(is.mean) {
		return inputf(c.path, "its core rows have %s, and had %s, by %s: %w",
			plural(len(is.mean), "coordinate", "coordinates"), grouped(len(was)), rec.path, errMoved)
	}
	for k, mean := range is.mean {
		if math.Abs(mean-was[k]) <= allowed*is.size[k] {
			continue
		}
		name := "a coordinate"
		if len(was) == len(c.columns) {
			name = "column " + c.columns[k]
		}
		return inputf(c.path, "its core rows are not where they were clustered: %s%s is %.9g on average, and was %.9g, by %s: %w",
			name, scaledText(rec.params.Scale), mean, was[k], rec.path, errMoved)
	}
	return nil
}
