package epsilon

import (
	"math/rand/v2"

	"rtcluster/join"
)

// CurveOf is a curve of given k-distances, ascending.
func CurveOf(distances ...float64) *Curve {
	return &Curve{Distances: distances, Rows: len(distances)}
}

// Draw draws a null field.
func Draw(pts *join.Points, unit Unit, seed uint64) (*join.Points, error) {
	d, err := newDrawing(pts, unit)
	if err != nil {
		return nil, err
	}
	return d.draw(rand.New(rand.NewPCG(seed, 0)))
}
