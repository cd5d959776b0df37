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
	for _, capability := range []int{0, 80} {
		for steps := 1; steps <= shape.MostSteps; steps++ {
			worst, ok, err := cuda.TryTensor(steps, capability)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				t.Skip("this card has no tensor cores that we use")
			}
			t.Logf("kernels %d, %d steps: the greatest error is %.3f of what is allowed", capability, steps, worst)
			if worst > 1 {
				t.Errorf("kernels %d, %d steps: the greatest error is %.3f of what is allowed", capability, steps, worst)
			}
			if worst == 0 {
				t.Errorf("kernels %d, %d steps: no error at all, so nothing was tried", capability, steps)
			}
		}
	}
}
