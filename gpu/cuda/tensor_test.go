//go:build cuda

package cuda_test

import (
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/kernels/shape"
)

// TestTensorProducts compares products of the card's tensor cores with float64, for
// what the bounds on them take for granted.
func TestTensorProducts(t *testing.T) {
	skipWithoutCard(t)
	for steps := 1; steps <= shape.MostSteps; steps++ {
		worst, ok, err := cuda.TryTensor(steps)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			t.Skip("this card has no tensor cores that we use")
		}
		t.Logf("%d steps: the greatest error is %.3f of what is allowed", steps, worst)
		if worst > 1 {
			t.Errorf("%d steps: the greatest error is %.3f of what is allowed", steps, worst)
		}
		if worst == 0 {
			t.Errorf("%d steps: no error at all, so nothing was tried", steps)
		}
	}
}
