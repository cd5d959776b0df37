//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/kernels"
)

// TryTensor returns the greatest error of products by tensor cores, of what tensor.cuh
// allows, for so many steps, and whether the card has such cores.
func TryTensor(steps int) (worst float64, ok bool, err error) {
	c, err := openCard(Options{})
	if err != nil {
		return 0, false, err
	}
	layout, ok := kernels.Tensor(steps, c.dev.Info().Capability)
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
