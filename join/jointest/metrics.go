package jointest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// metricSteps check metrics other than Euclidean in open space, in 1 to 16
// dimensions: ties at eps, duplicates, coordinates far out, and boxes, around
// whose faces rows are near, shorter than 2·eps, or open along some coordinates.
// An engine that has no such metric says errors.ErrUnsupported when it is asked
// for an index, and passes.
func metricSteps(short bool) []step {
	cases := metricCases(short)
	all := make([]step, 0, len(cases))
	for _, c := range cases {
		all = append(all, step{"metric " + c.name, func(ctx context.Context, e join.Engine) error {
			if idx, err := e.Index(ctx, c.pts); errors.Is(err, errors.ErrUnsupported) {
				return nil
			} else if err == nil {
				if err := checkOtherMetric(ctx, idx, c.pts); err != nil {
					return errors.Join(err, idx.Close())
				}
				if err := idx.Close(); err != nil {
					return fmt.Errorf("Close: %w", err)
				}
			}
			return checkCase(ctx, e, c)
		}})
	}
	return all
}

// checkOtherMetric checks that query points under another metric are refused.
func checkOtherMetric(ctx context.Context, idx join.Index, pts *join.Points) error {
	for name, call := range methods(idx, under(join.Metric{}, pts)) {
		if call(ctx) == nil {
			return fmt.Errorf("%s took query points under another metric", name)
		}
	}
	return nil
}

func metricCases(short bool) []testCase {
	var all []testCase
	for _, norm := range []join.Norm{join.Euclidean, join.Manhattan, join.Chebyshev} {
		for _, dim := range []int{1, 2, 3, 4, 5, 8, 13, 16} {
			n := pick(short, 45, 90)
			lattice := must(synth.Make("lattice", n, dim, seed))
			uniform := must(synth.Make("uniform", n, dim, seed))
			all = append(all,
				metricCase("wrapped lattice", norm, lattice, 1, 0, 4),
				metricCase("wrapped uniform", norm, uniform, 1, 0, 1),
				metricCase("half open uniform", norm, uniform, 1, 0, 1, 0))
			if norm != join.Euclidean {
				all = append(all,
					metricCase("lattice", norm, lattice, 1, 0),
					metricCase("uniform at 1e9", norm, uniform, 1e-3, 1e9))
			}
		}
		all = append(all, oddCases(norm, short)...)
	}
	return all
}

// oddCases are about duplicates, rounding at the faces of a box, and the ends of
// float64.
func oddCases(norm join.Norm, short bool) []testCase {
	tenths := grid(2, 11, 0.1, 0)
	end := points(2, math.MaxFloat64, 0, -math.MaxFloat64, 0, 0, math.MaxFloat64, 0, 0, 1, 1, math.MaxFloat64/2, 0)
	faces := points(1, 0, math.Nextafter(3, 0), 5e-324, 1.5, math.Nextafter(1.5, 2), 2, 1, 0.1, 2.9, 1e-17)
	all := []testCase{
		metricCase("wrapped tenths", norm, tenths, 1, 0, 1.1),
		metricCase("box much larger than its rows", norm, tenths, 1, 0, 1e9),
		metricCase("faces of a box", norm, faces, 1, 0, 3),
		metricCase("wrapped duplicates", norm, must(synth.Make("duplicates", pick(short, 100, 300), 3, seed)), 1, 0, 0.7),
		metricCase("many rows in a box", norm, must(synth.Make("uniform", pick(short, 250, 700), 3, seed)), 1, 0, 1, 1, 0),
		metricCase("many rows in a small part of a box", norm, must(synth.Make("uniform", pick(short, 250, 700), 2, seed)), 1, 9, 10),
		metricCase("tiny box", norm, tenths, 1e-320, 0, 1.1e-320),
		metricCase("huge box", norm, tenths, 1e307, 0, 1.1e307),
		{name: "in a box, query points beyond the others, " + norm.String(), pts: boxed(norm, points(1, 1, 2, 3), 10), q: boxed(norm, points(1, 9, 8.5, 0, 5), 10), eps: []float64{1, 2, 3, 5}},
		{name: "empty, in a box, " + norm.String(), pts: boxed(norm, points(2), 1)},
	}
	if norm != join.Euclidean {
		all = append(all,
			metricCase("duplicates", norm, must(synth.Make("duplicates", pick(short, 100, 300), 3, seed)), 1, 0),
			metricCase("many rows", norm, must(synth.Make("blobs", pick(short, 250, 700), 3, seed)), 1, 0),
			metricCase("tenths", norm, tenths, 1, 0),
			metricCase("the end of float64", norm, end, 1, 0),
			metricCase("the beginning of float64", norm, tenths, 1e-322, 0))
	}
	return all
}

// metricCase puts the rows of pts, times scale and moved by offset, into a box
// of the given lengths, repeated for further coordinates, if there are any. The
// bounds are those where ties, and boxes, have theirs.
func metricCase(name string, norm join.Norm, pts *join.Points, scale, offset float64, lengths ...float64) testCase {
	c := testCase{
		name: fmt.Sprintf("%s, %s, n=%d dim=%d", name, norm, pts.Rows(), pts.Dim()),
		eps:  []float64{scale, 2 * scale},
		pts:  boxed(norm, affine(pts, scale, offset), lengths...),
	}
	if len(lengths) > 0 && !math.IsInf(2*lengths[0], 1) {
		c.eps = append(c.eps, lengths[0]/2, math.Nextafter(lengths[0]/2, 0), 2*lengths[0])
	}
	return c
}

// boxed returns pts under a norm, and in a box if there are lengths, into which
// coordinates are wrapped.
func boxed(norm join.Norm, pts *join.Points, lengths ...float64) *join.Points {
	if len(lengths) == 0 {
		return under(join.Metric{Norm: norm}, pts)
	}
	box := slices.Repeat(lengths, pts.Dim())[:pts.Dim()]
	data := slices.Clone(pts.Data())
	for i, x := range data {
		if length := box[i%len(box)]; length > 0 {
			if x = math.Mod(x, length); x < 0 {
				x += length
			}
			if x >= length {
				x = 0
			}
			data[i] = x
		}
	}
	return under(join.Metric{Norm: norm, Box: box}, points(pts.Dim(), data...))
}
