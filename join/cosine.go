package join

import (
	"fmt"
	"math"
)

// Rows at the angle θ are 1 − cos θ apart by cosine distance, and their
// directions, unit vectors, 2·sin(θ/2), whose square is 2·(1 − cos θ): the
// cosine metric is the Euclidean predicate on directions with ε =
// [CosineChord](distance). Against the formula 1 − x·z/(|x|·|z|), pairs within
// about 1e-15 of ε may be decided otherwise; near 0, where that formula
// cancels, the chord is the better of the two.

// Directions makes each row of data, row-major with dim coordinates a row, all
// finite, its unit vector, in place: each coordinate divided by the root of the
// sum, in their order, of the squares, all taken after a division by the greatest
// magnitude. So squares do not over- or underflow, and rows that are multiples of each
// other, such as 1,3 and 2,6, have one direction to the last bit: rounded quotients
// are the same where the quotients are. A row of zeros has no direction: a
// [DirectionError].
func Directions(data []float64, dim int) error {
	for from := 0; from < len(data); from += dim {
		row := data[from : from+dim]
		var most float64
		for _, x := range row {
			most = max(most, math.Abs(x))
		}
		if most == 0 {
			return &DirectionError{Row: from / dim}
		}
		var sum float64
		for k, x := range row {
			row[k] = x / most
			sum += float64(row[k] * row[k])
		}
		norm := math.Sqrt(sum)
		for k := range row {
			row[k] /= norm
		}
	}
	return nil
}

// DirectionError is returned by [Directions] for a row whose coordinates are
// all 0.
type DirectionError struct{ Row int }

func (e *DirectionError) Error() string {
	return fmt.Sprintf("join: row %d has only zeros, which have no direction", e.Row)
}

// CosineChord returns the distance of two unit vectors that are so far apart by
// cosine distance, from 0 to 2: √(2·distance). At 2 or more it returns 3,
// beyond any chord, so that rounding parts no pair.
func CosineChord(distance float64) float64 {
	if distance >= 2 {
		return 3
	}
	return math.Sqrt(2 * distance)
}

// CosineDistance returns the cosine distance of two unit vectors at the squared
// distance chord2, the inverse of [CosineChord].
func CosineDistance(chord2 float64) float64 { return math.Min(chord2/2, 2) }
