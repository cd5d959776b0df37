package table_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"rtcluster/io/table"
)

// A table is read from CSV, two of its columns become numbers, and a column is
// added. The identifier passes through digit by digit.
func Example() {
	ctx := context.Background()
	csv := "source_id,x,y\n4295806720301234567,0,0.5\n0000000000000000042,,1e3\n"
	t, err := table.Open(ctx, "-", table.ReadOptions{Stdin: strings.NewReader(csv)})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()

	f, err := t.Floats(ctx, []string{"x", "y"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Rows, "rows:", f.Data)
	fmt.Println(f.Bad[0].Nulls, "missing in", f.Bad[0].Column, "first in line", f.Bad[0].FirstLine)

	labels := []table.Added{{Name: "cluster", Values: []int64{0, 0}, Valid: []bool{true, false}}}
	if err := t.WriteWith(ctx, "-", nil, labels, table.WriteOptions{Stdout: os.Stdout}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 rows: [0 0.5 NaN 1000]
	// 1 missing in x first in line 3
	// source_id,x,y,cluster
	// 4295806720301234567,0,0.5,0
	// 0000000000000000042,,1e3,
}
