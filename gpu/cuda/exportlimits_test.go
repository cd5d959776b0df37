//go:build cuda

package cuda

// Turned says how rows have been turned, see the comment of boxLimits.
type Turned struct {
	Dim          int
	Sigma        float64
	Near, Far    float64
	Kappa, Floor float64
}

// BoxLimits are the limits of boxes of such rows.
func BoxLimits(t Turned, eps2, reach float64) (apart, within float64, ok bool) {
	return boxLimits(&turn{dim: t.Dim, sigma: t.Sigma, near: t.Near, far: t.Far, kappa: t.Kappa, floor: t.Floor}, eps2, reach)
}
