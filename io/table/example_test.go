package table_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"rtcluster/io/table"
)

// A table is read from CSV, two of its columns become numbers, and a column is
// added. The identifier passes through digit by digit.
func Example() {
	if err := label(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 rows: [0 0.5 NaN 1000]
	// 1 missing in x first in line 3
	// source_id,x,y,cluster
	// 4295806720301234567,0,0.5,0
	// 0000000000000000042,,1e3,
}

func label(ctx context.Context) error {
	csv := "source_id,x,y\n4295806720301234567,0,0.5\n0000000000000000042,,1e3\n"
	t, err := table.Open(ctx, "-", table.ReadOptions{Stdin: strings.NewReader(csv)})
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }() // reads only

	f, err := t.Floats(ctx, []string{"x", "y"})
	if err != nil {
		return err
	}
	fmt.Println(f.Rows, "rows:", f.Data)
	fmt.Println(f.Bad[0].Nulls, "missing in", f.Bad[0].Column, "first in line", f.Bad[0].FirstLine)

	labels := []table.Added{{Name: "cluster", Values: []int64{0, 0}, Valid: []bool{true, false}}}
	return t.WriteWith(ctx, "-", nil, labels, table.WriteOptions{Stdout: os.Stdout})
}
