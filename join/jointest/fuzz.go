package jointest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join"
)

// FuzzEngine fuzzes e against the truth. The bytes become points of a coarse
// lattice, where ties and duplicates are common, in 1 to 4 dimensions, at
// several scales and offsets, under each norm, in open space or a periodic box;
// eps is a distance between two of the points, or a number next to it. A metric
// for which e says errors.ErrUnsupported is passed over.
func FuzzEngine(f *testing.F, e join.Engine) {
	f.Helper()
	for _, seed := range []string{
		"",
		"\x01\x00\x00\x01\x00\x00\x12\x21\x33\x12",
		"\x00\x01\x02\x02\x01\x01\x00\x01\x02\x03\x04\x05\x06\x07",
		"\x02\x02\x03\x03\x02\x05\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
		"\x03\x00\x04\x08\x03\x02aaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbcccccccccccccc",
		"\x01\x01\x05\x01\x04\x07The quick brown fox jumps over the lazy dog, and over all the others.",
		"\x02\x08\x03\x03\x02\x00\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",         // manhattan
		"\x03\x12\x04\x05\x03\x01Pack my box with five dozen jugs of liquor, and then with five more.",     // chebyshev
		"\x01\x18\x02\x04\x05\x00Sphinx of black quartz, judge my vow: it wraps around in all directions.", // boxes, of all norms
		"\x06\x23\x01\x03\x07\x02How vexingly quick daft zebras jump from one face of it to the other one.",
		"\x0d\x2a\x03\x02\x02\x01The five boxing wizards jump quickly, but along a single coordinate only.",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkFuzz(t.Context(), e, data); err != nil {
			t.Error(err)
		}
	})
}

// fuzzHeader is how many bytes choose the parameters; the rest are points.
const fuzzHeader = 6

// checkFuzz checks the case that the bytes describe.
func checkFuzz(ctx context.Context, e join.Engine, data []byte) error {
	const most = 300 // coordinates
	if len(data) < fuzzHeader {
		return nil
	}
	head, body := data[:fuzzHeader], data[fuzzHeader:]
	body = body[:min(len(body), most)]
	dim := int(head[0]%4) + 1
	pts := fuzzMetric(fuzzPoints(body, dim, int(head[1])), int(head[0]/4), int(head[1]))
	if unsupported(ctx, e, pts) {
		return nil
	}
	k, limit := int(head[2]%16)+1, int32(head[3]%16)
	self, other := newTruth(fmt.Sprintf("fuzz %q", data), pts, nil), newTruth(fmt.Sprintf("fuzz %q", data), pts, others(pts))
	eps := self.fuzzBound(int(head[4]), int(head[5]))
	member := make([]bool, pts.Rows())
	for i := range member {
		member[i] = body[i*dim]&0x80 == 0
	}
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		for _, tr := range []*truth{self, other} {
			err := cmp.Or(
				tr.checkCounts(ctx, idx, eps, 0),
				tr.checkCounts(ctx, idx, eps, limit),
				tr.checkPairs(ctx, idx, eps),
				tr.checkNearest(ctx, idx, k))
			if err != nil {
				return err
			}
		}
		return cmp.Or(self.checkRoads(ctx, idx, eps, member), other.checkRoads(ctx, idx, eps, member))
	})
}

// fuzzPoints makes each byte a coordinate of an integer lattice of side 8,
// moved and scaled in one of several ways.
func fuzzPoints(body []byte, dim, way int) *join.Points {
	scale, offset := fuzzWay(way)
	coordinates := make([]float64, len(body)/dim*dim)
	for i := range coordinates {
		coordinates[i] = float64(float64(body[i]%8)*scale) + offset
	}
	return points(dim, coordinates...)
}

// fuzzWay returns the step and the place of a lattice.
func fuzzWay(way int) (scale, offset float64) {
	ways := [fuzzWays][2]float64{{1, 0}, {1, -3}, {0.1, 0}, {1.0 / 3, 1e6}, {1, 1e15}, {1e-160, 0}, {1e155, 0}, {0.7, -2.1}}
	return ways[way%fuzzWays][0], ways[way%fuzzWays][1]
}

const fuzzWays = 8

// fuzzMetric puts points that were made in a way under a metric: what the way has
// beyond the place of the lattice is the norm and whether there is a box. Boxes are
// of several shapes, as long as the lattice or shorter than it.
func fuzzMetric(pts *join.Points, shape, way int) *join.Points {
	norms := []join.Norm{join.Euclidean, join.Manhattan, join.Chebyshev}
	kind := way / fuzzWays % (2 * len(norms))
	norm := norms[kind%len(norms)]
	if kind < len(norms) {
		return boxed(norm, pts)
	}
	shapes := [][]float64{{8}, {5}, {3, 0}, {8, 4, 0}, {1.3}, {0, 1000}}
	scale, _ := fuzzWay(way)
	lengths := slices.Clone(shapes[shape%len(shapes)])
	for i := range lengths {
		lengths[i] *= scale
	}
	return boxed(norm, pts, lengths...)
}

// unsupported reports whether e says that it has no such metric.
func unsupported(ctx context.Context, e join.Engine, pts *join.Points) bool {
	if pts.Metric().IsZero() {
		return false
	}
	idx, err := e.Index(ctx, pts)
	if err == nil {
		err = idx.Close()
	}
	return errors.Is(err, errors.ErrUnsupported)
}

// fuzzBound returns the distance between two rows, or a number next to it.
func (tr *truth) fuzzBound(pair, side int) float64 {
	if len(tr.d2) == 0 {
		return 1
	}
	eps := tr.around(tr.d2[pair*37%len(tr.d2)])
	return math.Max(eps[side%len(eps)], 0)
}
