package epsilon_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// mean is the mean number of other rows within eps, by definition.
func mean(pts *join.Points, rows []int32, eps float64) float64 {
	n := 0
	for _, i := range rows {
		for j := range pts.Rows() {
			if int(i) != j && pts.Metric().Measure(pts.Row(int(i)), pts.Row(j)) <= pts.Metric().Bound(eps) {
				n++
			}
		}
	}
	return float64(n) / float64(len(rows))
}

func TestSelectivity(t *testing.T) {
	for name, pts := range sets(t) {
		if name == "huge" {
			continue
		}
		all := make([]int32, pts.Rows())
		for i := range all {
			all[i] = int32(i)
		}
		for _, rows := range [][]int32{nil, all[10:30]} {
			for _, want := range []float64{0.01, 1, 7.5, 39} {
				for engine, e := range engines() {
					t.Run(fmt.Sprintf("%s/%d rows/mean=%v/%s", name, len(rows), want, engine), func(t *testing.T) {
						idx := jointest.Index(t, e, pts)
						got, err := measure(t, idx, epsilon.Options{K: 4}).Selectivity(t.Context(), idx, rows, want)
						if err != nil {
							t.Fatal(err)
						}
						over := rows
						if over == nil {
							over = all
						}
						if got.Mean < want || got.Mean != mean(pts, over, got.Eps) {
							t.Errorf("eps %v gives %v, by definition %v, want %v or more", got.Eps, got.Mean, mean(pts, over, got.Eps), want)
						}
						if below := got.Eps * (1 - 2e-6); got.Eps > 0 && mean(pts, over, below) >= want {
							t.Errorf("eps %v does as well as %v", below, got.Eps)
						}
					})
				}
			}
		}
	}
}

// TestSelectivityTies has distances 1, √2, ... only: the answer is exact where it is
// a short number, and the mean more than asked for.
func TestSelectivityTies(t *testing.T) {
	var grid []float64
	for i := range 100 {
		grid = append(grid, float64(i%10), float64(i/10))
	}
	idx := jointest.Index(t, jointest.Brute(), jointest.Points(t, 2, grid...))
	c := measure(t, idx, epsilon.Options{K: 3})
	for want, eps := range map[float64]float64{0.5: 1, 3.6: 1, 99: 9 * math.Sqrt2} {
		got, err := c.Selectivity(t.Context(), idx, nil, want)
		if err != nil || !near(got.Eps, eps, 2e-6*eps) || eps == 1 && got.Eps != 1 {
			t.Errorf("mean %v: got %+v, %v, want eps %v", want, got, err, eps)
		}
	}
	// The rest of a million takes seven digits at most, or eight.
	uniform := jointest.Index(t, jointest.Brute(), made(t, "uniform", 300, 2, 1))
	got, err := measure(t, uniform, epsilon.Options{K: 3}).Selectivity(t.Context(), uniform, nil, 5)
	if text := strconv.FormatFloat(got.Eps, 'g', -1, 64); err != nil || len(text) > len("0.12345678") {
		t.Errorf("got %v, %v, which has more digits than needed", text, err)
	}
	_, err = c.Selectivity(t.Context(), idx, nil, 100)
	wantNone(t, err, "rows have 99 others within it")
}

func TestSelectivitySky(t *testing.T) {
	var lonlat []float64
	for lon := range 360 {
		lonlat = append(lonlat, float64(lon), 0)
	}
	pts := sky(t, lonlat...)
	idx := jointest.Index(t, jointest.Brute(), pts)
	c := measure(t, idx, epsilon.Options{K: 2, Unit: epsilon.Degrees})
	for want, degrees := range map[float64]float64{2: 1, 10: 5, 358: 179} {
		got, err := c.Selectivity(t.Context(), idx, nil, want)
		if err != nil || !near(got.Eps, degrees, 1e-3) || got.Mean != want {
			t.Errorf("mean %v: got %+v, %v, want %v degrees", want, got, err, degrees)
		}
	}
}

func TestSelectivityRefuses(t *testing.T) {
	pts := made(t, "uniform", 20, 2, 1)
	idx := jointest.Index(t, jointest.Brute(), pts)
	c := measure(t, idx, epsilon.Options{K: 4})
	var none *epsilon.NoneError
	for _, want := range []float64{0, -1, math.NaN()} {
		if got, err := c.Selectivity(t.Context(), idx, nil, want); err == nil || errors.As(err, &none) {
			t.Errorf("mean %v: got %+v, %v", want, got, err)
		}
	}
	if got, err := c.Selectivity(t.Context(), idx, []int32{20}, 1); err == nil {
		t.Errorf("got %+v for a row that is not there", got)
	}
	huge := jointest.Points(t, 1, 1e200, -1e200, 3e200, 1)
	idx = jointest.Index(t, jointest.Brute(), huge)
	_, err := measure(t, idx, epsilon.Options{K: 1}).Selectivity(t.Context(), idx, nil, 1)
	wantNone(t, err, "rows have 0 others within it")
	// Sums of differences do not overflow so soon.
	idx = jointest.Index(t, jointest.Brute(), under(t, huge, join.Metric{Norm: join.Manhattan}))
	got, err := measure(t, idx, epsilon.Options{K: 1}).Selectivity(t.Context(), idx, nil, 3)
	if err != nil || !near(got.Eps/4e200, 1, 2e-6) {
		t.Errorf("manhattan: got %+v, %v, want eps 4e200", got, err)
	}
}

// TestSelectivityRowsMatter sees that rows are those counted: a heap and a lone row.
func TestSelectivityRowsMatter(t *testing.T) {
	idx := jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, slices.Repeat([]float64{0}, 9)...))
	lone := jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, 0, 0, 0, 0, 0, 7))
	c := measure(t, lone, epsilon.Options{K: 1})
	for _, test := range []struct {
		rows []int32
		want float64
	}{{[]int32{0, 1}, 0}, {[]int32{5}, 7}, {nil, 0}} {
		got, err := c.Selectivity(t.Context(), lone, test.rows, 1)
		if err != nil || got.Eps != test.want {
			t.Errorf("rows %v: got %+v, %v, want eps %v", test.rows, got, err, test.want)
		}
	}
	if got, err := measure(t, idx, epsilon.Options{K: 1}).Selectivity(t.Context(), idx, nil, 8); err != nil || got.Eps != 0 || got.Mean != 8 {
		t.Errorf("equal rows: got %+v, %v", got, err)
	}
}
