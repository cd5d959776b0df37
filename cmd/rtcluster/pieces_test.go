package main

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rtcluster/io/table"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/synth"
)

func TestNearest(t *testing.T) {
	names := []string{"ra_deg", "dec_deg", "x_pc", "y_pc", "B", "n"}
	for word, want := range map[string]string{
		"ra_dge": "ra_deg", "radeg": "ra_deg", "RA_DEG": "ra_deg", "de_deg": "dec_deg", "x-pc": "x_pc", "b": "B",
		"parallax": "", "z": "", "": "",
	} {
		if got, _ := nearest(word, names); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		from, to string
		want     int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "acb", 1},
		{"kitten", "sitting", 3},
		{"eps", "esp", 1},
		{"größe", "grösse", 2},
	}
	for _, test := range tests {
		if got := editDistance(test.from, test.to); got != test.want {
			t.Errorf("%q to %q: got %d, want %d", test.from, test.to, got, test.want)
		}
	}
}

func TestNoColumns(t *testing.T) {
	_, err := numericColumns("in.parquet", nil, nil)
	if want := "in.parquet: it has no columns"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSelectColumns(t *testing.T) {
	cols := []table.Column{{Name: "id"}, {Name: "f10"}, {Name: "f2"}, {Name: "w"}, {Name: "odd*"}, {Name: "odder"}, {Name: "h/err"}}
	tests := []struct {
		name     string
		chosen   []string
		leaveOut []string
		want     []string // nil: an error
	}{
		{"names in their order", []string{"f2", "f10"}, nil, []string{"f2", "f10"}},
		{"pattern in table order", []string{"f*"}, nil, []string{"f10", "f2"}},
		{"name, then the rest", []string{"f2", "f*"}, nil, []string{"f2", "f10"}},
		{"class", []string{"[fw]*"}, nil, []string{"f10", "f2", "w"}},
		{"pattern leaves out", []string{"*"}, []string{"id", "w"}, []string{"f10", "f2", "odd*", "odder", "h/err"}},
		{"a slash is a letter", []string{"h*r", "[^f]?err"}, nil, []string{"h/err"}},
		{"name wins over leaving out", []string{"w"}, []string{"w"}, []string{"w"}},
		{"a name may look like a pattern", []string{"odd*"}, nil, []string{"odd*"}},
		{"unknown", []string{"f3"}, nil, nil},
		{"no match", []string{"g?"}, nil, nil},
		{"empty name", []string{""}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := selectColumns("in.csv", cols, test.chosen, test.leaveOut)
			if (err != nil) != (test.want == nil) || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			if err != nil && exitCode(err) != exitData {
				t.Errorf("got exit code %d, want %d", exitCode(err), exitData)
			}
		})
	}
}

// TestSplit drops rows and parts weights in place.
func TestSplit(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name     string
		data     []float64
		cols     int
		dim      int
		weightAt int
		want     []float64
		weights  []float64
		rows     []int32
	}{
		{"nothing to do", []float64{1, 2, 3, 4}, 2, 2, -1, []float64{1, 2, 3, 4}, nil, nil},
		{"weights", []float64{1, 2, 9, 3, 4, 8}, 3, 2, 2, []float64{1, 2, 3, 4}, []float64{9, 8}, nil},
		{"weight is a coordinate", []float64{1, 2, 3, 4}, 2, 2, 1, []float64{1, 2, 3, 4}, []float64{2, 4}, nil},
		{"drop", []float64{nan, 2, 3, 4, 5, math.Inf(1), 7, 8}, 2, 2, -1, []float64{3, 4, 7, 8}, nil, []int32{1, 3}},
		{"drop by weight", []float64{1, nan, 2, 5, 3, 6}, 2, 1, 1, []float64{2, 3}, []float64{5, 6}, []int32{1, 2}},
		{"drop all", []float64{nan, nan}, 1, 1, -1, []float64{}, nil, []int32{}},
		{"no rows", []float64{}, 3, 2, 2, []float64{}, []float64{}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values := &table.Floats{Rows: len(test.data) / test.cols, Cols: test.cols, Data: slices.Clone(test.data)}
			s := &source{}
			if rows := finiteRows(values); len(rows) < values.Rows {
				s.rows = rows
			}
			s.split(values, test.dim, test.weightAt)
			if !reflect.DeepEqual(s.data, test.want) || !reflect.DeepEqual(s.weights, test.weights) || !reflect.DeepEqual(s.rows, test.rows) {
				t.Errorf("got %v, weights %v, rows %v, want %v, %v, %v", s.data, s.weights, s.rows, test.want, test.weights, test.rows)
			}
			if len(test.want) == len(test.data) && len(test.data) > 0 && &s.data[0] != &values.Data[0] {
				t.Error("the data was copied")
			}
		})
	}
}

// TestSortedPairs compares with Pairs, sorted, for budgets from one row a block
// to all at once.
func TestSortedPairs(t *testing.T) {
	points := func(n int, seed uint64) *join.Points {
		set, err := synth.Make("blobs", n, 3, seed)
		if err != nil {
			t.Fatal(err)
		}
		p, err := join.NewPoints(set.Data, 3)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b := points(300, 1), points(200, 2)
	idx, err := cpu.New(cpu.Options{Threads: 2}).Index(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	const eps = 1.5
	for name, q := range map[string]*join.Points{"self": nil, "two": a, "empty": points(0, 1)} {
		t.Run(name, func(t *testing.T) {
			var want []join.Pair
			err := idx.Pairs(t.Context(), q, eps, func(pairs []join.Pair) error {
				want = append(want, pairs...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(want, func(a, b join.Pair) int { return int(a.I-b.I)<<16 + int(a.J-b.J) })
			if name != "empty" && len(want) < 40 {
				t.Fatalf("only %d pairs", len(want))
			}
			for _, budget := range []int{1, 50, 1000, 1 << 20} {
				var got []join.Pair
				err := sortedPairs(t.Context(), idx, q, eps, budget, func(pairs []join.Pair) error {
					got = append(got, pairs...)
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("budget %d: got %d pairs and %v, want %d in order", budget, len(got), err, len(want))
				}
			}
		})
	}
	stop := errors.New("stop")
	if err := sortedPairs(t.Context(), idx, nil, eps, 50, func([]join.Pair) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want the error of emit", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	err = sortedPairs(done, idx, nil, eps, 50, func([]join.Pair) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestTopRows(t *testing.T) {
	scores := []float64{3, 1, math.Inf(1), 3, -2, 5, 0, 0, 4, 9, 3, 7}
	s := &source{rows: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20}}
	var want []topRow
	for _, top := range []struct {
		row   int64
		score float64
	}{{2, math.Inf(1)}, {9, 9}, {20, 7}, {5, 5}, {8, 4}, {0, 3}, {3, 3}, {10, 3}, {1, 1}, {6, 0}, {7, 0}, {4, -2}} {
		want = append(want, topRow{Row: top.row, Score: jsonFloat(top.score)})
	}
	for _, most := range []int{1, 10, 11, 12, 1000} {
		if got := topRows(s, scores, most); !reflect.DeepEqual(got, want[:min(most, len(want))]) {
			t.Errorf("got %v, want the first %d of %v", got, most, want)
		}
	}
	if got := topRows(s, nil, 10); len(got) != 0 {
		t.Errorf("got %v for no rows", got)
	}
}

func TestJSONFloat(t *testing.T) {
	text, err := json.Marshal([]jsonFloat{0.1, jsonFloat(math.Inf(1)), jsonFloat(math.Inf(-1)), 5e-324})
	if want := `[0.1,"+Inf","-Inf",5e-324]`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}

func TestValues(t *testing.T) {
	var n int
	whole := newWhole(&n, 0, 1)
	if whole.String() != "" {
		t.Errorf("a value without default shows %q", whole)
	}
	for _, bad := range []string{"0", "-1", "1.5", "", "x", "1e3", "2147483648", "99999999999999999999", " 1"} {
		if err := whole.Set(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if err := whole.Set("2147483647"); err != nil || n != math.MaxInt32 {
		t.Errorf("got %d, %v, want the largest", n, err)
	}
	var r rune
	for text, want := range map[string]rune{";": ';', `\t`: '\t', "tab": '\t', "\t": '\t', " ": ' ', "|": '|'} {
		if err := (runeValue{&r}).Set(text); err != nil || r != want {
			t.Errorf("%q: got %q, %v, want %q", text, r, err, want)
		}
	}
	for _, bad := range []string{"", ";;", `"`, "\n", "\r", "é", "\x00"} {
		if err := (runeValue{&r}).Set(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	var names []string
	columns := &columnsValue{target: &names}
	if err := columns.Set(`a,"b`); err == nil || !strings.Contains(err.Error(), "separated by commas") {
		t.Errorf("an open quote gives %v", err)
	}
}
