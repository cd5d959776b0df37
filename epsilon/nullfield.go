package epsilon

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"rtcluster/join"
)

// NullOptions are the parameters of the null-field rule.
type NullOptions struct {
	// K is as in [Options].
	K int
	// Unit is what distances are written in, and says how a field is resampled.
	Unit Unit
	// Repeats is the number of fields to draw; 0 means 30, as in the paper.
	Repeats int
	// Seed picks the random fields: equal seeds give equal ones.
	Seed uint64
}

// DefaultRepeats is the number of null fields that the paper draws.
const DefaultRepeats = 30

// Null is what the null-field rule found.
type Null struct {
	Eps     float64 // (Field + Mean) / 2
	Field   float64 // the smallest k-distance of the field
	Mean    float64 // the mean over the null fields of their smallest k-distances
	SD      float64 // the standard deviation of these, divisor Repeats
	Repeats int     // the number of null fields
}

// NullField suggests an ε for clusters that stand out of a field of many more rows,
// as open clusters among stars do: half way between the smallest k-distance of the
// field and that of a field without clusters. Rows then are core only where they are
// denser than chance makes them. It is the rule of Castro-Ginard et al. 2018,
// https://doi.org/10.1051/0004-6361/201833390, section 2.
//
// A field without clusters is drawn as in the paper: as many rows, each coordinate
// by itself from a Gaussian kernel density estimate of its values, and the mean is
// taken over several such fields. The bandwidth, which the paper leaves open, is
// Scott's: the standard deviation (divisor n) times n^(−1/5), 1992,
// https://doi.org/10.1002/9780470316849. Coordinates are those that are joined, after
// any scaling or whitening. In a periodic box they wrap, and the deviation is that
// about the circular mean. With [Degrees] they are longitude and the sine of latitude
// about the mean direction of the rows, so that a field that is even on the sky stays
// so; with [Cosine] those of the directions, which become directions again.
//
// Rows with K equals or more, whatever they are, make Field 0. If Field is not below
// Mean, nothing in the field is denser than chance.
//
// The engine indexes the fields drawn; idx is the index of the field. NullField
// returns [ErrTooFewRows] if there are not more than K rows, a [NoneError] if the
// smallest k-distances or the deviation of a coordinate overflow, ctx's error once that is done, and errors of the engine as
// they are, wrapped.
func NullField(ctx context.Context, engine join.Engine, idx join.Index, opt NullOptions) (*Null, error) {
	pts := idx.Points()
	if opt.Repeats == 0 {
		opt.Repeats = DefaultRepeats
	}
	if opt.Repeats < 0 {
		return nil, fmt.Errorf("epsilon: %d repeats of the null field, want 1 or more", opt.Repeats)
	}
	if err := checkK(opt.K, pts.Rows()); err != nil {
		return nil, fmt.Errorf("epsilon: null field: %w", err)
	}
	field, err := smallest(ctx, idx, opt)
	if err != nil {
		return nil, fmt.Errorf("epsilon: null field: the field: %w", err)
	}
	draw, err := newDrawing(pts, opt.Unit)
	if err != nil {
		return nil, fmt.Errorf("epsilon: null field: %w", err)
	}
	n := &Null{Field: field, Repeats: opt.Repeats}
	drawn := make([]float64, opt.Repeats)
	for r := range drawn {
		if drawn[r], err = smallestDrawn(ctx, engine, draw, opt, r); err != nil {
			return nil, fmt.Errorf("epsilon: null field %d of %d: %w", r+1, opt.Repeats, err)
		}
	}
	n.Mean, n.SD = meanSD(drawn)
	if n.Eps = n.Field/2 + n.Mean/2; math.IsInf(n.Eps, 0) {
		return nil, nonef("null field: the smallest k-distances overflow")
	}
	return n, nil
}

// smallestDrawn returns the smallest k-distance of null field number r.
func smallestDrawn(ctx context.Context, engine join.Engine, draw *drawing, opt NullOptions, r int) (float64, error) {
	pts, err := draw.draw(rand.New(rand.NewPCG(opt.Seed, uint64(r))))
	if err != nil {
		return 0, err
	}
	idx, err := engine.Index(ctx, pts)
	if err != nil {
		return 0, err
	}
	distance, err := smallest(ctx, idx, opt)
	return distance, errors.Join(err, idx.Close())
}

// smallest returns the smallest k-distance of an index.
func smallest(ctx context.Context, idx join.Index, opt NullOptions) (float64, error) {
	least := math.Inf(1)
	err := eachFarthest(ctx, idx, &Options{K: opt.K}, func(_ int, measure float64) { least = min(least, measure) })
	return opt.Unit.Distance(idx.Points().Metric(), least), err
}

// meanSD returns the mean and the standard deviation, divisor n, of numbers that
// are there.
func meanSD(x []float64) (mean, sd float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sd += float64((v - mean) * (v - mean) / n)
	}
	return mean, math.Sqrt(sd)
}
