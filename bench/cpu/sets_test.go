package main

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
)

func TestRecipesDrawTheSame(t *testing.T) {
	for _, r := range recipes() {
		t.Run(r.Name, func(t *testing.T) {
			r := r.scaled(0.0001)
			data := r.draw()
			if len(data) != r.Rows*r.Dim || r.Rows != 1000 {
				t.Fatalf("%d values of %d rows", len(data), r.Rows)
			}
			if !slices.Equal(data, r.draw()) {
				t.Error("a second draw gives other values")
			}
			low, high := slices.Min(data), slices.Max(data)
			if math.IsNaN(low) || math.IsInf(high-low, 0) || low == high {
				t.Errorf("values from %v to %v", low, high)
			}
			if r.Name[0] == 'D' && (low != 0 || high != 1) {
				t.Errorf("columns reach from %v to %v, want 0 to 1", low, high)
			}
			for _, x := range data {
				if x != float64(float32(x)) {
					t.Fatalf("%v is no float32", x)
				}
			}
		})
	}
}

func TestMixtureHasNoise(t *testing.T) {
	m := newMaker(1, 5000, 2)
	mixture{
		groups: 3, noise: 0.2, even: true,
		center: span{10, 11}, deviation: span{0.1, 0.2}, background: span{100, 101},
	}.draw(m)
	far := 0
	for i := range m.n {
		if m.row(i)[0] >= 100 {
			far++
		}
	}
	if far != 1000 {
		t.Errorf("%d rows of noise, want 1000", far)
	}
}

func TestChooserWeighs(t *testing.T) {
	for _, shape := range []int{0, 2} {
		m := newMaker(7, 0, 1)
		choose := m.chooser(4, shape)
		counts := make([]int, 4)
		for range 4000 {
			counts[choose()]++
		}
		even := true
		for _, c := range counts {
			even = even && c > 900 && c < 1100
		}
		if even != (shape == 0) {
			t.Errorf("shape %d gave %v", shape, counts)
		}
	}
}

func TestValuesInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.f64")
	want := []float64{1, -0.5, math.MaxFloat64, 5e-324}
	if err := measure.WriteNumbers(path, want); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || len(raw) != 32 || raw[6] != 0xf0 || raw[7] != 0x3f {
		t.Errorf("the file is % x, %v, want little-endian values", raw, err)
	}
	if got, err := readValues(path, 4); err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v, %v", got, err)
	}
	if _, err := readValues(path, 3); err == nil {
		t.Error("no error for a file that is too long")
	}
}

func TestOpenSetMakesOnce(t *testing.T) {
	dir := t.TempDir()
	r, err := findRecipe("E2")
	if err != nil {
		t.Fatal(err)
	}
	r = r.scaled(0.001)
	first, err := openSet(t.Context(), dir, r, silent())
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Eps) != 2 { // 2,000 rows cannot have 5,000 neighbours
		t.Errorf("ε of %v, want of 16 and 256", first.Eps)
	}
	if err := os.Remove(filepath.Join(dir, first.File)); err != nil {
		t.Fatal(err)
	}
	again, err := openSet(t.Context(), dir, r, silent())
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("opened again: %+v, %v, want %+v", again, err, first)
	}
	if _, err := os.Stat(filepath.Join(dir, first.File)); err == nil {
		t.Error("the set was made twice")
	}
	if err := os.WriteFile(filepath.Join(dir, "E2-2000.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openSet(t.Context(), dir, r, silent()); err == nil {
		t.Error("no error for a broken file")
	}
}

func TestSearchEps(t *testing.T) {
	data := make([]float64, 900) // a grid in the plane, spacing 1
	for i := range 450 {
		data[2*i], data[2*i+1] = float64(i%20), float64(i/20)
	}
	found, err := searchEps(t.Context(), data, 2, []int{3, 30, 450})
	if err != nil {
		t.Fatal(err)
	}
	if found[3] != 1 { // at 1 a row has 4, at the rim fewer
		t.Errorf("ε %v for 3 neighbours, want 1", found[3])
	}
	pts, err := join.NewPoints(data, 2)
	if err != nil {
		t.Fatal(err)
	}
	if below, at := meanNeighbors(pts, 0.99*found[30]), meanNeighbors(pts, 1.001*found[30]); below >= 30 || at < 30 {
		t.Errorf("ε %v gives %v to %v neighbours, want 30", found[30], below, at)
	}
	if _, ok := found[450]; ok {
		t.Error("450 rows have 450 other neighbours")
	}
}

// Pairs of rows at distance 1, 100 apart: at 1 and above, all have just one.
func TestSearchEpsAtAStep(t *testing.T) {
	data := make([]float64, 200)
	for i := range data {
		data[i] = float64(100*(i/2) + i%2)
	}
	found, err := searchEps(t.Context(), data, 1, []int{1})
	if err != nil || found[1] != 1 {
		t.Errorf("ε %v, %v, want 1", found[1], err)
	}
}

func meanNeighbors(pts *join.Points, eps float64) float64 {
	sum := 0
	for i := range pts.Rows() {
		join.Scan(pts, pts.Row(i), join.Squared(eps), func(int, float64) { sum++ })
	}
	return float64(sum)/float64(pts.Rows()) - 1
}
