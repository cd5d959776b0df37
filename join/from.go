package join

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// NewPointsFromRows copies rows of equal length, a coordinate each number, into
// points. It returns an error if there are no rows, since then nothing says how many
// coordinates they have, if one has another length than the first, and what
// [NewPoints] refuses.
func NewPointsFromRows(rows [][]float64) (*Points, error) {
	if len(rows) == 0 {
		return nil, errors.New("join: no rows, so nothing says how many coordinates they have: NewPoints takes none")
	}
	dim := len(rows[0])
	data := make([]float64, 0, len(rows)*dim)
	for i, row := range rows {
		if len(row) != dim {
			return nil, fmt.Errorf("join: row %d has %d coordinates, row 0 has %d", i, len(row), dim)
		}
		data = append(data, row...)
	}
	return NewPoints(data, dim)
}

// NewPointsFromMatrix makes the rows of a gonum matrix points, a column each
// coordinate. The numbers of a [mat.Dense] without gaps between its rows are taken as
// they are, not copied, and the caller must not change them afterwards; those of
// another matrix are copied. An error is what [NewPoints] refuses.
func NewPointsFromMatrix(m mat.Matrix) (*Points, error) {
	rows, dim := m.Dims()
	if raw, ok := m.(mat.RawMatrixer); ok && rows > 0 {
		if g := raw.RawMatrix(); g.Stride == dim {
			return NewPoints(g.Data[:rows*dim:rows*dim], dim)
		}
	}
	data := make([]float64, rows*dim)
	if rows > 0 && dim > 0 {
		mat.NewDense(rows, dim, data).Copy(m)
	}
	return NewPoints(data, dim)
}
