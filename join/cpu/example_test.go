package cpu_test

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// askEngine asks an engine about four points. It holds settings only; its index
// answers counts, pairs and nearest rows, of its own rows (nil) or of others.
func askEngine(ctx context.Context, engine join.Engine) error {
	points, err := join.NewPointsFromMatrix(mat.NewDense(4, 2, []float64{
		0, 0,
		0, 1,
		1, 1,
		5, 5,
	}))
	if err != nil {
		return err
	}
	others, err := join.NewPointsFromRows([][]float64{{4, 5}})
	if err != nil {
		return err
	}
	index, err := engine.Index(ctx, points)
	if err != nil {
		return err
	}
	counts := make([]int32, points.Rows())
	err = errors.Join(
		index.Counts(ctx, nil, 1, 0, counts),
		index.KNN(ctx, others, 2, func(row int, near []join.Neighbor) error {
			fmt.Println("nearest rows of query", row, near)
			return nil
		}),
		index.Close(),
	)
	fmt.Println("within 1, with the row itself:", counts)
	return err
}

func Example() {
	if err := askEngine(context.Background(), cpu.New(cpu.Options{Threads: 2})); err != nil {
		fmt.Println(err)
	}
	// Output:
	// nearest rows of query 0 [{1 3} {25 2}]
	// within 1, with the row itself: [2 3 2 1]
}
