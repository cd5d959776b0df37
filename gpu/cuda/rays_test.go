//go:build cuda

package cuda_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/optix"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestSearchByRays wants a search by rays to leave open what one by boxes does, and to
// count the same by boxes alone: with room for all that rays find, and for some groups.
func TestSearchByRays(t *testing.T) {
	skipWithoutOptiX(t)
	trySearches(t, []toSearch{
		{"latent", 30_000, 0, 18, []float64{0.05, 3}, 0},
		{"latent", 30_000, 9_001, 18, []float64{0.05}, 0},
		{"uniform", 40_000, 0, 3, []float64{0.05, 0.5}, 0},
		{"blobs", 20_000, 10_000, 2, []float64{0.01, 100}, 100},
		{"blobs", 20_000, 0, 2, []float64{0.2}, 100},
		{"uniform", 65, 1, 1, []float64{0.1}, 0},
	}, []cuda.SearchSetting{
		{Group: 1, More: true},
		{Group: 3},
		{Group: 4, More: true},
		{Group: 4, Sets: true, Chunk: 7},
		{Group: 2, More: true, Chunk: 10},
		{Group: 2, Plain: true}, // rays have nothing to go by
	}, optix.Open)
}

// TestRefit counts with one index for several limits in turn, so that its scene is
// refitted, made anew, and refitted back.
func TestRefit(t *testing.T) {
	skipWithoutOptiX(t)
	for _, test := range []struct {
		shape string
		n     int
		dim   int
		eps   []float64
	}{
		{"uniform", 30_000, 3, []float64{0.02, 0.03, 0.04, 0.5, 0.02, 0.02, 0.021}},
		{"latent", 20_000, 18, []float64{0.05, 0.06, 0.08, 1, 0.05}},
	} {
		for _, road := range []cuda.Road{cuda.RoadAuto, cuda.RoadPlain} { // by rays of rows, too, or of groups alone
			t.Run(fmt.Sprintf("%s/road=%d", test.shape, road), func(t *testing.T) {
				pts := must(t, test.shape, test.n, test.dim)
				idx, err := optix.New(cuda.Options{Road: road}).Index(t.Context(), pts)
				if err != nil {
					t.Fatal(err)
				}
				want, err := cpu.New(cpu.Options{}).Index(t.Context(), pts)
				if err != nil {
					t.Fatal(err)
				}
				a, b := make([]int32, test.n), make([]int32, test.n)
				for _, eps := range test.eps {
					if err := errors.Join(idx.Counts(t.Context(), nil, eps, 0, a), want.Counts(t.Context(), nil, eps, 0, b)); err != nil {
						t.Fatal(err)
					}
					sameCounts(t, a, b)
				}
				if err := errors.Join(idx.Close(), want.Close()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestDoubtOfRows has rays of rows leave more pairs in doubt than there is room for: rows of
// a lattice, of which many are exactly as far from each other as the limit, and room for one
// pair a list. Counts are the CPU engine's, and by the number of launches it is seen that
// there was another road.
func TestDoubtOfRows(t *testing.T) {
	skipWithoutOptiX(t)
	var data []float64
	for i := range 30 * 30 * 30 {
		data = append(data, float64(i%30)*0.1, float64(i/30%30)*0.1, float64(i/900)*0.1)
	}
	pts, err := join.NewPoints(data, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := counts(t, cpu.New(cpu.Options{}), pts, 0.1)
	for _, room := range []int64{0, 1} {
		refined := 0
		ctx := cuda.WithTrace(t.Context(), cuda.Trace{Stage: func(name string, _ time.Duration) {
			if name == "search" {
				refined++
			}
		}})
		got := countsUnder(ctx, t, optix.New(cuda.WithDoubt(cuda.Options{}, room)), pts, 0.1)
		sameCounts(t, got, want)
		if another := refined > 0; another != (room == 1) {
			t.Errorf("room for %d pairs a list: pairs of leaves were searched for: %t", room, another)
		}
	}
}

// TestFaster has an engine choose, and tell what.
func TestFaster(t *testing.T) {
	skipWithoutOptiX(t)
	for _, dim := range []int{3, 18} {
		pts := must(t, "uniform", 50_000, dim)
		var told []string
		e := cuda.New(cuda.Options{Search: cuda.SearchFaster, Tracer: optix.Open, Tell: func(line string) { told = append(told, line) }})
		eps := 0.05
		sameCounts(t, counts(t, e, pts, eps), counts(t, cpu.New(cpu.Options{}), pts, eps))
		t.Logf("%q", told)
		if len(told) == 0 || !strings.HasPrefix(told[0], "search by ") || (dim == 3) != (len(told) == 2) {
			t.Errorf("%d coordinates: told %q", dim, told)
		}
	}
}

// TestFasterWithout has no tracer to choose.
func TestFasterWithout(t *testing.T) {
	skipWithoutCard(t)
	pts := must(t, "uniform", 5_000, 3)
	var told []string
	none := fmt.Errorf("%w: a test has none", driver.ErrMissing)
	opt := cuda.Options{
		Search: cuda.SearchFaster, Tell: func(line string) { told = append(told, line) },
		Tracer: func(*driver.Device) (cuda.Tracer, error) { return nil, none },
	}
	sameCounts(t, counts(t, cuda.New(opt), pts, 0.1), counts(t, cpu.New(cpu.Options{}), pts, 0.1))
	if len(told) != 1 || told[0] != "search by boxes: "+none.Error() {
		t.Errorf("told %q", told)
	}
	opt.Search = cuda.SearchRays
	if _, err := cuda.New(opt).Index(t.Context(), pts); !errors.Is(err, none) {
		t.Errorf("rays that cannot be had: got error %v, want %v", err, none)
	}
}

// skipWithoutOptiX skips a test on a machine without a card or OptiX.
func skipWithoutOptiX(t testing.TB) {
	t.Helper()
	skipWithoutCard(t)
	if err := optix.Available(); err != nil {
		t.Skip(err)
	}
}
