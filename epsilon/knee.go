package epsilon

// The knee's numbers, see [Curve.Knee].
const (
	// kneeHidden is a height above which outliers hide the knee.
	kneeHidden = 0.9
	// kneeLeast is the least height of a knee: below it, the curve is as good as
	// straight.
	kneeLeast = 0.1
)

// Knee is where a k-distance curve bends.
type Knee struct {
	Eps float64 // the k-distance there
	At  int     // its place in the curve
	// Height is how far the curve lies below its chord there, both axes being
	// scaled to 1: 0 for a straight line, near 1 for a right angle.
	Height float64
	// Beyond is how many rows were set aside as outliers, see [Curve.Knee].
	Beyond int
}

// Knee finds where the curve bends: the place farthest below the chord from its
// first point to its last. With both axes scaled to run from 0 to 1, that is the
// greatest x − y, the first one of equal ones:
//
//	1 │            ╱▏
//	  │         ╱  ▕
//	y │      ╱ ┊   ▕       x: places in the curve
//	  │   ╱    ┊h ╭╯       y: k-distances
//	  │╱_______┊─╯         h: Height
//	0 └──────────────
//	  0        x    1
//
// This is the difference curve of Satopaa, Albrecht, Irwin and Raghavan 2011,
// https://doi.org/10.1109/ICDCSW.2011.20 (Kneedle), without its smoothing, and with
// its greatest maximum for the first one above a sensitivity: k-distances are
// many and have a step at every tie, where Kneedle would stop.
//
// A few outliers stretch the curve so far that all else is flat and the knee lies
// beside them. So where the height is above 0.9, which means that less than a tenth
// of the rows lies behind the knee and takes more than nine tenths of the range, the
// curve is cut after the knee and its rest looked at in the same way. The knee of the
// rest is the answer, if it has one.
//
// It returns a [NoneError] if all k-distances are equal, if there are fewer than three
// or if the height is below 0.1, as for a straight line.
func (c *Curve) Knee() (Knee, error) {
	y := c.Distances[:c.Finite()]
	knee := Knee{At: -1}
	for len(y) >= 3 && y[0] < y[len(y)-1] {
		at, height := belowChord(y)
		if height < kneeLeast {
			break
		}
		knee = Knee{Eps: y[at], At: at, Height: height, Beyond: len(c.Distances) - len(y)}
		if height <= kneeHidden {
			break
		}
		y = y[:at+1]
	}
	switch {
	case knee.At >= 0:
		return knee, nil
	case len(y) < 3:
		return knee, nonef("a knee takes 3 finite k-distances, there are %d", len(y))
	case y[0] == y[len(y)-1]:
		return knee, nonef("all k-distances are %v, so that the curve has no knee", y[0])
	}
	return knee, nonef("the curve is nearly straight and has no knee")
}

// belowChord returns where ascending values, not all equal, lie farthest below the
// chord from the first to the last, and how far.
func belowChord(y []float64) (at int, height float64) {
	// Halves keep the range from overflowing.
	low, width := y[0]/2, y[len(y)-1]/2-y[0]/2
	for i, v := range y {
		if h := float64(i)/float64(len(y)-1) - (v/2-low)/width; h > height {
			at, height = i, h
		}
	}
	return at, height
}
