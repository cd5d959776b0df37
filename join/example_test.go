package join_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"rtcluster/join"
	"rtcluster/join/jointest"
)

// Ten points: a close group, a pair one apart, and a point of its own.
//
//	3 |             9
//	2 | 6 7
//	1 | 3 4 5
//	0 | 0 1 2     8
//	  +--------------
//	    0 1 2 3 4 5 6
func tenPoints() (*join.Points, error) {
	return join.NewPoints([]float64{0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1, 0, 2, 1, 2, 5, 0, 6, 3}, 2)
}

// An engine builds an index, and the index answers. Any engine gives the same
// answers; package cpu has a fast one.
func ExampleEngine() {
	ctx := context.Background()
	pts, err := tenPoints()
	if err != nil {
		fmt.Println(err)
		return
	}
	idx, err := jointest.Brute().Index(ctx, pts)
	if err != nil {
		fmt.Println(err)
		return
	}

	counts := make([]int32, pts.Rows())
	if err := idx.Counts(ctx, nil, 1, 0, counts); err != nil {
		fmt.Println(err)
	}
	fmt.Println("within 1, with the row itself:", counts)

	nearest := func(row int, near []join.Neighbor) error {
		if row == 8 {
			fmt.Println("nearest two of row 8:", near)
		}
		return nil
	}
	if err := idx.KNN(ctx, nil, 2, nearest); err != nil {
		fmt.Println(err)
	}
	if err := idx.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// within 1, with the row itself: [3 4 3 4 5 3 3 3 1 1]
	// nearest two of row 8: [{9 2} {10 5}]
}

// A query set other than the indexed points makes an A ⋈ B join.
func ExampleIndex_pairs() {
	ctx := context.Background()
	pts, err := tenPoints()
	if err != nil {
		fmt.Println(err)
		return
	}
	idx, err := jointest.Brute().Index(ctx, pts)
	if err != nil {
		fmt.Println(err)
		return
	}

	queries, err := join.NewPoints([]float64{6, 0, 2, 2}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = idx.Pairs(ctx, queries, 1, func(pairs []join.Pair) error {
		for _, p := range pairs {
			fmt.Printf("query %d is near row %d\n", p.I, p.J)
		}
		return nil
	})
	if err := cmp.Or(err, idx.Close()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// query 0 is near row 8
	// query 1 is near row 5
	// query 1 is near row 7
}

// A distance of exactly eps counts. In float64, 0.4 is more than 0.1 beyond 0.3.
func ExampleWithin() {
	eps2 := join.Squared(0.1)
	fmt.Println(join.Within([]float64{0}, []float64{0.1}, eps2))
	fmt.Println(join.Within([]float64{0.2}, []float64{0.3}, eps2))
	fmt.Println(join.Within([]float64{0.3}, []float64{0.4}, eps2))
	// Output:
	// true
	// true
	// false
}

// The angle between two stars, across right ascension 0°.
func ExampleUnitVectors() {
	xyz, err := join.UnitVectors([]float64{359.8, 0, 0.1, 0.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	d2 := join.SquaredDistance(xyz[:3], xyz[3:])
	fmt.Printf("%.4f degrees\n", join.AngleDegrees(d2))
	fmt.Println("within 0.75 degrees:", d2 <= join.Squared(join.Chord(0.75*math.Pi/180)))
	// Output:
	// 0.5000 degrees
	// within 0.75 degrees: true
}

func ExampleFitScaling() {
	data := []float64{
		10, 1000,
		20, 1000,
		40, 1000,
	}
	scaling, err := join.FitScaling("minmax", data, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	scaling.Apply(data)
	fmt.Printf("%.2f\n", data)
	// Output:
	// [0.00 0.00 0.33 0.00 1.00 0.00]
}

// withoutSearch is an index of an engine that has counts and pairs, and leaves
// nearest rows to an Expander.
type withoutSearch struct {
	join.Index
	near *join.Expander
}

func (x withoutSearch) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	return x.near.KNN(ctx, q, k, emit)
}

func (x withoutSearch) Close() error { return errors.Join(x.near.Close(), x.Index.Close()) }

// An engine answers KNN by its counts and pairs.
func ExampleExpander() {
	ctx := context.Background()
	pts, err := tenPoints()
	if err != nil {
		fmt.Println(err)
		return
	}
	engine := jointest.Brute()
	idx, err := engine.Index(ctx, pts)
	if err != nil {
		fmt.Println(err)
		return
	}
	idx = withoutSearch{idx, join.NewExpander(engine, idx, 0)}
	err = idx.KNN(ctx, nil, 2, func(row int, near []join.Neighbor) error {
		if row == 8 {
			fmt.Println("nearest two of row 8:", near)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	if err := idx.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// nearest two of row 8: [{9 2} {10 5}]
}
