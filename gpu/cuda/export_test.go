//go:build cuda

package cuda

import (
	"cmp"
	"context"

	"rtcluster/gpu/kernels"
)

// TryTensor returns the greatest error of products by tensor cores, of what tensor.cuh
// allows, for so many steps and by the kernels for a compute capability, and whether the
// card has such cores.
func TryTensor(steps, capability int) (worst float64, ok bool, err error) {
	c, err := openCard(Options{Capability: capability})
	if err != nil {
		return 0, false, err
	}
	layout, ok := kernels.Tensor(steps, c.capability)
	if !ok {
		return 0, false, nil
	}
	s, err := c.dev.Stream()
	if err != nil {
		return 0, false, err
	}
	worst, err = c.try(s, layout)
	return worst, true, cmp.Or(err, s.Close())
}

// HardKinds is the number of kinds of leaves that a trial multiplies.
const HardKinds = hardKinds

// Hard makes two leaves of a kind.
func Hard(kind, columns int) (a, b [][]float64) { return hard(kind, columns) }

// Half is a number of 11 bits as float16.
func Half(x float64) uint16 { return half(x) }

// Turnstile lets one join through at a time.
type Turnstile = turnstile

// NewTurnstile makes a turnstile.
func NewTurnstile() Turnstile { return newTurnstile() }

// Enter is enter.
func (t turnstile) Enter(ctx context.Context) error { return t.enter(ctx) }

// Leave is leave.
func (t turnstile) Leave() { t.leave() }
