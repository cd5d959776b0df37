package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// mostClusters is how many clusters a [Tally] tells apart: 8 bytes each. Those of
// higher numbers are drawn as one.
const mostClusters = 1 << 22

// Noise is the label of rows that are in no cluster, and their rank.
const Noise = -1

// Tally counts the rows of clusters, and ranks these by size. Its zero value is ready.
type Tally struct {
	rows    []int64 // by number of the cluster
	noise   int64
	missing int64

	rank  []int32 // by number
	order []int32 // by rank
}

// Add counts a row by its label: the number of its cluster, less than 0 for noise, NaN
// for a row that has none. What is no label is an error.
func (t *Tally) Add(label float64) error { return t.AddRows(label, 1) }

// AddRows counts so many rows of that label, a whole number from 0 on. Another number is
// an error, too.
func (t *Tally) AddRows(label, rows float64) error {
	n := int64(rows)
	if float64(n) != rows || n < 0 {
		return fmt.Errorf("%v is no number of rows", rows)
	}
	switch {
	case math.IsNaN(label):
		t.missing += n
	case label != math.Trunc(label) || label > math.MaxInt32 || label < math.MinInt32:
		return fmt.Errorf("%v is no number of a cluster", label)
	case label < 0:
		t.noise += n
	default:
		number := min(int(label), mostClusters)
		if number >= len(t.rows) {
			t.rows = append(t.rows, make([]int64, number+1-len(t.rows))...)
		}
		t.rows[number] += n
	}
	t.rank = nil
	return nil
}

// Noise is how many rows are noise.
func (t *Tally) Noise() int64 { return t.noise }

// Missing is how many rows have no label.
func (t *Tally) Missing() int64 { return t.missing }

// Clusters is how many clusters have rows.
func (t *Tally) Clusters() int {
	t.settle()
	return len(t.order)
}

// Rows is how many rows are drawn: all that have a label.
func (t *Tally) Rows() int64 {
	sum := t.noise
	for _, n := range t.rows {
		sum += n
	}
	return sum
}

// Rank is the place of a label in the order of sizes, the largest cluster first and
// of equal ones the one of smaller number; [Noise] for noise. The label was counted.
func (t *Tally) Rank(label float64) int {
	if label < 0 {
		return Noise
	}
	t.settle()
	return int(t.rank[min(int(label), mostClusters)])
}

// ranked is the cluster of a rank with its rows.
func (t *Tally) ranked(rank int) (number int, rows int64) {
	t.settle()
	number = int(t.order[rank])
	return number, t.rows[number]
}

func (t *Tally) settle() {
	if t.rank != nil {
		return
	}
	t.rank, t.order = make([]int32, len(t.rows)), nil
	for number, rows := range t.rows {
		if rows > 0 {
			t.order = append(t.order, int32(number))
		}
	}
	slices.SortStableFunc(t.order, func(a, b int32) int { return cmp.Compare(t.rows[b], t.rows[a]) })
	for rank, number := range t.order {
		t.rank[number] = int32(rank)
	}
}
