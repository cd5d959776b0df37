package outlier_test

import (
	"context"
	"fmt"
	"log"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/outlier"
)

// drawing is ten rows; rows 0 to 3 stand close, 5 to 8 in a line.
//
//	3 │ 2   3
//	2 │ 0   1   4                       9
//	1 │
//	0 │                 5   6   7   8
//	  └──────────────────────────────────
//	    0   1   2   3   4   5   6   7   8
var drawing = []float64{0, 2, 1, 2, 0, 3, 1, 3, 2, 2, 4, 0, 5, 0, 6, 0, 7, 0, 8, 2}

func drawingIndex(ctx context.Context) join.Index {
	pts, err := join.NewPoints(drawing, 2)
	if err != nil {
		log.Fatal(err)
	}
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	return idx
}

func ExampleScore() {
	ctx := context.Background()
	idx := drawingIndex(ctx)
	for _, opt := range []outlier.Options{
		{Method: outlier.KNN, K: 2},
		{Method: outlier.LOF, K: 2},
		{Method: outlier.Count, Eps: 1},
	} {
		res, err := outlier.Score(ctx, idx, opt)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-5s %.2f\n", opt.Method, res.Scores)
	}
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// knn   [1.00 1.00 1.00 1.00 1.41 2.00 1.00 1.00 2.00 2.83]
	// lof   [1.00 1.00 1.00 1.00 1.21 1.00 1.00 1.00 1.00 1.69]
	// count [-2.00 -3.00 -2.00 -2.00 -1.00 -1.00 -2.00 -2.00 -1.00 0.00]
}

// Rows beside a heap of equal rows are infinitely thin; their number is
// reported.
func ExampleScore_duplicates() {
	pts, err := join.NewPoints([]float64{5, 5, 5, 5, 6, 9, 10, 11}, 1)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		log.Fatal(err)
	}
	res, err := outlier.Score(ctx, idx, outlier.Options{Method: outlier.LOF, K: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f, %d by the rule for duplicates\n", res.Scores, res.Duplicates)
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [1.00 1.00 1.00 1.00 +Inf 0.88 1.33 0.88], 5 by the rule for duplicates
}

// Several scores share one search.
func ExampleScoreEach() {
	ctx := context.Background()
	idx := drawingIndex(ctx)
	all, err := outlier.ScoreEach(ctx, idx, []outlier.Options{
		{Method: outlier.KNN, K: 1},
		{Method: outlier.KNN, K: 2},
		{Method: outlier.LOF, K: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, res := range all {
		fmt.Printf("%.2f\n", res.Scores)
	}
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 2.24]
	// [1.00 1.00 1.00 1.00 1.41 2.00 1.00 1.00 2.00 2.83]
	// [1.00 1.00 1.00 1.00 1.21 1.00 1.00 1.00 1.00 1.69]
}

// New rows are scored against a reference, all at once or piece by piece.
func ExampleFit() {
	ctx := context.Background()
	idx := drawingIndex(ctx)
	m, err := outlier.Fit(ctx, idx, []outlier.Options{{Method: outlier.LOF, K: 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", m.Results()[0].Scores)
	for _, piece := range [][]float64{{0, 2, 1, 1}, {7, 7}} {
		q, err := join.NewPoints(piece, 2)
		if err != nil {
			log.Fatal(err)
		}
		scored, err := m.Score(ctx, q)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f\n", scored[0].Scores)
	}
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [1.00 1.00 1.00 1.00 1.21 1.00 1.00 1.00 1.00 1.69]
	// [1.00 1.21]
	// [3.21]
}

// Verify compares scores with brute force, to the bit.
func ExampleVerify() {
	ctx := context.Background()
	idx := drawingIndex(ctx)
	opt := outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum}
	res, err := outlier.Score(ctx, idx, opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outlier.Verify(ctx, idx.Points(), opt, res, []int{0, 9}))
	res.Scores[0] = 3
	fmt.Println(outlier.Verify(ctx, idx.Points(), opt, res, []int{0, 9}))
	if err := idx.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <nil>
	// outlier: verification failed: row 0 has score 3, by brute force 2
}
