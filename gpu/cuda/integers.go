//go:build cuda

package cuda

import (
	"cmp"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
)

// autoIntegers lets [RoadAuto] take the road of [RoadInteger] where the data suit it. It
// is off: what runs on the card there has been compiled, and its arithmetic tried on the
// host, but no card has run it since it was written. TestIntegers, TestAlmostIntegers,
// TestIntegerProducts and the settings of TestEngine must pass on one, and
// BenchmarkIntegers show that it pays, before this is true.
const autoIntegers = false

// integerLook is how many coordinates are looked at on the host before the card looks at
// all: of data that are no integers, hardly ever more than the first.
const integerLook = 256

// integers are what tensor cores multiply of rows of small integers, which are on the
// card: their coordinates as given, less the middles of the indexed rows, as int8
// (integer.cuh).
type integers struct {
	param  kernels.Integers
	memory pool
}

// chooseIntegers finds out whether all rows of a join are small integers, if that road is
// wanted, and makes their operands.
func (j *joining) chooseIntegers() error {
	t, dim := j.rows, j.rows.pts.Dim()
	layout, ok := kernels.Integer(dim, j.capability)
	wanted := j.opt.Road == RoadInteger || autoIntegers && j.opt.Road == RoadAuto && dim > plainDims
	if !ok || !wanted || t.middle == nil || j.noIntegers || j.q.leaves == 0 ||
		!mayBeIntegers(t.pts.Data()) || !j.self && !mayBeIntegers(j.q.pts.Data()) {
		return nil
	}
	defer j.stage("operands")()
	var err error
	if j.integers == nil {
		if j.integers, err = j.packIntegers(j.stream, t, layout, t.middle, true); err != nil {
			return err
		}
		if j.integers == nil {
			j.noIntegers = true
			return nil
		}
	}
	q := j.integers
	if !j.self {
		if q, err = j.packIntegers(j.s, j.q, layout, t.middle, false); q == nil || err != nil {
			return err
		}
		j.ownIntegers = q
	}
	j.layout, j.integersQ = layout, q
	j.tell("columns", int64(16*layout.Steps))
	return nil
}

// mayBeIntegers reports whether some of the coordinates are all integers.
func mayBeIntegers(data []float64) bool {
	some := sampling{rows: len(data), count: min(len(data), integerLook)}
	for i := range some.count {
		if x := data[some.row(i)]; x != math.Floor(x) {
			return false
		}
	}
	return true
}

// packIntegers makes operands of rows: of queries, and of indexed rows if they are these.
// It returns nil if a coordinate is no integer, or not within int8 about its middle.
func (c *card) packIntegers(s *driver.Stream, r *rows, layout shape.Tensor, middle []float64, indexed bool) (*integers, error) {
	o := &integers{memory: pool{s: s}, param: kernels.Integers{Rows: r.param, Steps: int64(layout.Steps)}}
	fit, err := o.fill(c, s, r, layout, middle, indexed)
	if err != nil || !fit {
		return nil, cmp.Or(err, o.free(s))
	}
	return o, nil
}

// fill allocates and packs, and reports whether all coordinates fit.
func (o *integers) fill(c *card, s *driver.Stream, r *rows, layout shape.Tensor, middle []float64, indexed bool) (bool, error) {
	p, places, leaves := &o.param, int64(r.places()), int64(r.leaves)
	sizeB := leaves * int64(layout.LeafBytes())
	if !indexed {
		sizeB = 0 // which has the address 0
	}
	for _, f := range []field{
		{&p.A, places * int64(32*layout.Steps)}, {&p.B, sizeB}, {&p.Square, 4 * places}, {&p.Odd, 8 * leaves},
	} {
		b, err := o.memory.alloc(f.size)
		if err != nil {
			return false, err
		}
		*f.at = b.Addr()
	}
	temps, unfit := pool{s: s}, []uint32{0}
	err := upload(s, &temps, &p.Middle, middle)
	if err == nil {
		err = upload(s, &temps, &p.Unfit, unfit)
	}
	if err == nil {
		err = launch(c, s, "packinteger", "pack_integers", r.leaves, kernels.PackThreads, p)
	}
	if err == nil {
		err = driver.Download(s, unfit, temps.held[1], 0)
	}
	p.Middle, p.Unfit = 0, 0
	return unfit[0] == 0, cmp.Or(err, temps.close())
}

func (o *integers) free(s *driver.Stream) error {
	if o == nil {
		return nil
	}
	o.memory.s = s
	return o.memory.close()
}

// refineIntegers refines items by products of integers, which decide every pair.
func (j *joining) refineIntegers(mode string, w *kernels.Work, r round) error {
	defer j.stage("refine")()
	q, t := &j.integersQ.param, &j.integers.param
	w.A, w.B, w.SquareA, w.OddA, w.OddB = q.A, t.B, q.Square, q.Odd, t.Odd
	w.Limit = kernels.IntegerLimit(j.eps2, j.rows.pts.Dim())
	return j.multiply(mode, w, min(r.n, j.tensorBlocks()))
}
