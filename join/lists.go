package join

import (
	"context"
	"fmt"
	"math"
)

// Lister is the faster road to the nearest rows of all query rows, for an [Index]
// whose goroutines can write them side by side. [Lists] falls back on
// [Index.KNN].
type Lister interface {
	// Lists sets rows[i·k : (i+1)·k] and d2[i·k : (i+1)·k] to the k nearest
	// indexed rows of query row i and their squared distances, as KNN gives
	// them; where there are fewer, −1 and +Inf follow. Both slices hold k
	// values a query row; another length, or a k below 1, is an error.
	Lists(ctx context.Context, q *Points, k int, rows []int32, d2 []float64) error
}

// Lists does what [Lister] says, on any index.
func Lists(ctx context.Context, idx Index, q *Points, k int, rows []int32, d2 []float64) error {
	if l, ok := idx.(Lister); ok {
		return l.Lists(ctx, q, k, rows, d2)
	}
	n := idx.Points().Rows()
	if q != nil {
		n = q.Rows()
	}
	if err := CheckLists(n, k, rows, d2); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	return idx.KNN(ctx, q, k, func(row int, near []Neighbor) error {
		SetList(rows[row*k:(row+1)*k], d2[row*k:(row+1)*k], near)
		return nil
	})
}

// CheckLists returns an error unless the slices hold k values for each of n rows,
// one at least.
func CheckLists(n, k int, rows []int32, d2 []float64) error {
	if k < 1 {
		return fmt.Errorf("k is %d, want at least 1", k)
	}
	// A product could overflow.
	if len(rows)%k != 0 || len(rows)/k != n || len(d2) != len(rows) {
		return fmt.Errorf("room for %d neighbours and %d distances, want %d for each of %d rows", len(rows), len(d2), k, n)
	}
	return nil
}

// SetList sets the list of one row as [Lister] says.
func SetList(rows []int32, d2 []float64, near []Neighbor) {
	for r, n := range near {
		rows[r], d2[r] = n.Row, n.D2
	}
	for r := len(near); r < len(rows); r++ {
		rows[r], d2[r] = -1, math.Inf(1)
	}
}
