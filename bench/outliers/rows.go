package main

import (
	"fmt"

	"rtcluster/outlier"
)

const (
	nearest    = 20 // k
	minSamples = 20
	fraction   = 0.95
	lambda     = 2
	floor      = 5 // how many times faster than the peers
	growthFrom = 50_000
	growthTo   = 400_000
)

// row is one measurement.
type row struct {
	Section   string
	Name      string // of the work, by which peers are asked
	Shape     string
	Rows, Dim int // of the set, or of the reference
	Scores    []score
	New       int // so many new rows
	Piece     int
}

// key names the row.
func (r row) key() string {
	return fmt.Sprintf("%s/%s/%s-%dx%d", r.Section, r.Name, r.Shape, r.Rows, r.Dim)
}

// The sections of the report.
const (
	methodsSection  = "methods"
	togetherSection = "together"
	growthSection   = "growth"
	piecesSection   = "pieces"
)

// The names of rows of several scores at once.
const (
	allNearest = "all methods of nearest rows"
	allK       = "lof, all k"
)

func severalK() []int { return []int{5, 10, 20} }

// allRows returns the rows in the order of the report, of sets with a share of their rows.
func allRows(scale float64) []row {
	scaled := func(rows int) int { return max(1000, int(scale*float64(rows))) }
	var rows []row
	add := func(r row, section, name string, scores ...score) {
		r.Section, r.Name, r.Scores = section, name, scores
		rows = append(rows, r)
	}
	for _, s := range []row{
		{Shape: "blobs", Rows: scaled(1_000_000), Dim: 3},
		{Shape: "latent", Rows: scaled(100_000), Dim: 18},
		{Shape: "latent", Rows: scaled(100_000), Dim: 90},
	} {
		for _, m := range outlier.Methods() {
			add(s, methodsSection, string(m), score{Method: m, K: nearest})
		}
		add(s, togetherSection, allNearest, nearestMethods(outlier.TiesK)...)
		var each []score
		for _, k := range severalK() {
			one := score{Method: outlier.LOF, K: k}
			add(s, togetherSection, lofOf(k), one)
			each = append(each, one)
		}
		add(s, togetherSection, allK, each...)
	}
	for _, shape := range []string{"heaps", "densities"} {
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			for _, one := range nearestMethods(ties) {
				for n := growthFrom; n <= growthTo; n *= 2 {
					add(row{Shape: shape, Rows: scaled(n), Dim: 3}, growthSection, growthName(one), one)
				}
			}
		}
	}
	for _, piece := range []int{10_000, 100_000, 1_000_000} {
		s := row{Shape: "blobs", Rows: scaled(200_000), Dim: 3, New: scaled(1_000_000), Piece: scaled(piece)}
		add(s, piecesSection, fmt.Sprintf("pieces of %d", s.Piece), score{Method: outlier.LOF, K: nearest})
	}
	return rows
}

// nearestMethods returns a score by each method of nearest rows.
func nearestMethods(ties outlier.Ties) []score {
	var scores []score
	for _, m := range outlier.Methods() {
		if m.Nearest() {
			scores = append(scores, score{Method: m, K: nearest, Ties: ties})
		}
	}
	return scores
}

func lofOf(k int) string { return fmt.Sprintf("lof, k %d", k) }

func growthName(s score) string { return fmt.Sprintf("%s, ties %s", s.Method, s.Ties) }
