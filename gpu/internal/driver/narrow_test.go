//go:build cuda

package driver_test

import (
	"math"
	"testing"

	"rtcluster/gpu/internal/driver"
)

// TestNarrow puts a value that is no float32 at each place of a slice, at addresses
// that vectors are aligned to and at others.
func TestNarrow(t *testing.T) {
	fine := []float64{0, math.Copysign(0, -1), 0.5, -0x1p-149, math.MaxFloat32, 1 << 24}
	for n := range 40 {
		for shift := range 4 {
			from, to := make([]float64, n), make([]float32, n+shift+1)[shift:]
			for i := range from {
				from[i] = fine[i%len(fine)]
			}
			to[n] = 7
			if !driver.Narrow(to, from) {
				t.Fatalf("%d values are no float32", n)
			}
			for i := range from {
				if math.Float64bits(float64(to[i])) != math.Float64bits(from[i]) {
					t.Fatalf("%d values: value %d is %v, want %v", n, i, to[i], from[i])
				}
			}
			for i := range from {
				for _, not := range []float64{0.1, 1<<24 + 1, 1e300, 0x1p-150, math.NaN()} {
					was := from[i]
					from[i] = not
					if driver.Narrow(to, from) {
						t.Fatalf("%d values: %v at %d is a float32", n, not, i)
					}
					from[i] = was
				}
			}
			if to[n] != 7 {
				t.Fatalf("%d values: something was written behind them", n)
			}
		}
	}
}
