package table_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

func labelsText(t *testing.T, tab *table.Table, column string) string {
	t.Helper()
	l, err := tab.Labels(t.Context(), column, 5)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%q %d %d", l.Values, l.Rows, l.Of)
}

func TestLabels(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"words", "x,l\n1,Noise\n2,a\n3, Noise \n4,\"a\"\n", `["Noise" "a"] [2 2] [0 1 0 1]`},
		{"numbers", "x,l\n1,1\n2,0\n3,1.0\n", `["1" "0" "1.0"] [1 1 1] [0 1 2]`},
		{"missing", "x,l\n1,\n2,yes\n3,NA\n4,nan\n5,no\n", `["yes" "no"] [1 1] [-1 0 -1 -1 1]`},
		{"beyond 2^53", "x,l\n1,9007199254740993\n2,1e999\n", `["9007199254740993" "1e999"] [1 1] [0 1]`},
		{"no rows", "x,l\n", `[] [] []`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := labelsText(t, openText(t, test.text), "l"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestLabelsTypes takes types of Parquet, over several row groups.
func TestLabelsTypes(t *testing.T) {
	type row struct {
		Bool   *bool   `parquet:"bool,optional"`
		Int    int32   `parquet:"int"`
		Double float64 `parquet:"double"`
		Text   string  `parquet:"text"`
	}
	path := writeRows(t, []row{
		{ptr(true), 1, 1, "o"}, {nil, 0, math.NaN(), "n"}, {ptr(false), 1, 0.5, "n"}, {ptr(true), -1, 1, "n"},
	}, parquet.MaxRowsPerRowGroup(3))
	tab := open(t, path, table.ReadOptions{})
	for column, want := range map[string]string{
		"bool":   `["true" "false"] [2 1] [0 -1 1 0]`,
		"int":    `["1" "0" "-1"] [2 1 1] [0 1 0 2]`,
		"double": `["1" "0.5"] [2 1] [0 -1 1 0]`,
		"text":   `["o" "n"] [1 3] [0 1 1 1]`,
	} {
		if got := labelsText(t, tab, column); got != want {
			t.Errorf("%s: got %s, want %s", column, got, want)
		}
	}
}

// TestLabelsOfFiles reads a column that one of the files lacks.
func TestLabelsOfFiles(t *testing.T) {
	dir := textFiles(t, "a.csv", "x,l\n1,o\n2,n\n", "b.csv", "x\n3\n4\n", "c.csv", "x,l\n5,n\n")
	tab := openAll(t, table.SetOptions{UnionByName: true}, dir+"/a.csv", dir+"/b.csv", dir+"/c.csv")
	if got, want := labelsText(t, tab, "l"), `["o" "n"] [1 2] [0 1 -1 -1 1]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLabelsRefused(t *testing.T) {
	tab := openText(t, "x,l\n1,a\n2,b\n3,c\n4,a\n")
	_, err := tab.Labels(t.Context(), "l", 2)
	wantDataError(t, err, `has more than 2 different values, such as "a", "b": it does not tell kinds of rows`)
	_, err = tab.Labels(t.Context(), "m", 2)
	wantDataError(t, err, "no such column")
	if l, err := tab.Labels(t.Context(), "l", 3); err != nil || !slices.Equal(l.Of, []int32{0, 1, 2, 0}) {
		t.Errorf("got %v, %v", l, err)
	}
}
