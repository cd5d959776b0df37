//go:build cuda

package cuda_test

import (
	"errors"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

func TestEngine(t *testing.T) {
	skipWithoutCard(t)
	for _, setting := range []struct {
		name string
		opt  cuda.Options
	}{
		{"default", cuda.Options{}},
		{"small batches, synchronous", cuda.Options{BatchPairs: 20, Synchronous: true, Threads: 3}},
		{"plain", cuda.Options{Road: cuda.RoadPlain}},
		{"tensor cores", cuda.Options{Road: cuda.RoadTensor}},
		{"tensor cores of 8.0", cuda.Options{Road: cuda.RoadTensor, Capability: 80}},
		{"integers", cuda.Options{Road: cuda.RoadInteger}},
		{"integers of 8.0, small batches", cuda.Options{Road: cuda.RoadInteger, Capability: 80, BatchPairs: 20}},
	} {
		t.Run(setting.name, func(t *testing.T) { jointest.TestEngine(t, cuda.New(setting.opt)) })
	}
}

// TestMemory gives an engine less and less memory of the card: joins are the same,
// in smaller batches, until what is short is said.
func TestMemory(t *testing.T) {
	skipWithoutCard(t)
	pts := must(t, "latent", 20_000, 6)
	index := int64(20_000 * 6 * (8 + 4)) // and a little
	for _, test := range []struct {
		name   string
		budget int64
		want   error
	}{
		{"enough", index + 1<<28, nil},
		{"for small batches", index + 1<<22, nil},
		{"for the index alone", index + 1<<19, driver.ErrMemory},
		{"not for the index", index / 2, driver.ErrMemory},
	} {
		t.Run(test.name, func(t *testing.T) {
			idx, err := cuda.New(cuda.Options{Budget: test.budget}).Index(t.Context(), pts)
			var pairs, counted int64
			if err == nil {
				dst := make([]int32, pts.Rows())
				err = errors.Join(
					idx.Counts(t.Context(), nil, 0.5, 0, dst),
					idx.Pairs(t.Context(), nil, 0.5, func(p []join.Pair) error { pairs += int64(len(p)); return nil }),
					idx.Close())
				for _, c := range dst {
					counted += int64(c) - 1
				}
			}
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Fatalf("got error %v, want %v", err, test.want)
			}
			if t.Logf("%d pairs, error %v", pairs, err); err == nil && 2*pairs != counted {
				t.Errorf("%d pairs for %d neighbours", pairs, counted)
			}
		})
	}
}

// TestRefusals checks what is refused before the card is asked.
func TestRefusals(t *testing.T) {
	pts := must(t, "uniform", 100, 2)
	torus, err := pts.WithMetric(join.Metric{Box: []float64{2, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cuda.New(cuda.Options{}).Index(t.Context(), torus); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("another metric: got error %v, want ErrUnsupported", err)
	}
	if _, err := cuda.New(cuda.Options{Device: 1 << 20}).Index(t.Context(), pts); !errors.Is(err, driver.ErrMissing) {
		t.Errorf("a card that is not there: got error %v, want ErrMissing", err)
	}
}

func must(t *testing.T, shape string, n, dim int) *join.Points {
	t.Helper()
	set, err := synth.Make(shape, n, dim, 1)
	if err != nil {
		t.Fatal(err)
	}
	pts, err := join.NewPoints(set.Data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

func FuzzEngine(f *testing.F) {
	skipWithoutCard(f)
	jointest.FuzzEngine(f, cuda.New(cuda.Options{}))
}

// skipWithoutCard skips a test on a machine without a driver or a card.
func skipWithoutCard(t testing.TB) {
	t.Helper()
	if _, err := driver.List(); errors.Is(err, driver.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}
