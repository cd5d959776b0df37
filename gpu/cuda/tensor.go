//go:build cuda

package cuda

import (
	"cmp"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
)

// The bounds of gpu/kernels/tensor.cuh: REACH and MOST.
const (
	tensorReach = 64.5
	tensorMost  = 150
)

// normColumns are the columns of an operand for what is no product of coordinates.
const normColumns = 4

// operands are what tensor cores multiply, of rows on the card.
type operands struct {
	layout  shape.Tensor
	param   kernels.Operands
	buffers []*driver.Buffer
	width   *driver.Buffer
	eps2    float64 // that the limits are for; NaN if there are none
	doubt   float64 // mean width of the leaves, for it
}

// steps is how many steps of 16 columns rows need: their coordinates and norms at
// least.
func (r *rows) steps() int { return (r.turn.dim + normColumns + 15) / 16 }

// pack makes operands of rows, of the queries' or the indexed rows' side, or both.
func (c *card) pack(s *driver.Stream, r *rows, layout shape.Tensor, queries, indexed bool) (*operands, error) {
	places, columns := int64(r.leaves)*kernels.Leaf, int64(16*layout.Steps)
	o := &operands{layout: layout, eps2: math.NaN()}
	p := &o.param
	p.Rows, p.Steps, p.Kappa, p.Floor = r.param, int64(layout.Steps), r.turn.kappa, r.turn.floor
	p.Tails = (columns - normColumns - int64(r.turn.dim)) / 2
	p.Tails = min(p.Tails, int64(r.turn.dim))
	for _, b := range []struct {
		at     *uint64
		size   int64
		wanted bool
	}{
		{&p.A, 2 * places * columns, queries},
		{&p.B, int64(r.leaves) * (128 + 2048*int64(layout.Steps)), indexed},
		{&p.S, 8 * places, true},
		{&p.D, 4 * places, true},
		{&p.Norm, 4 * places, true},
		{&p.Tail, 4 * places, true},
		{&p.Width, 4 * int64(r.leaves), true},
	} {
		if !b.wanted {
			continue
		}
		buffer, err := s.Alloc(b.size)
		if err != nil {
			return nil, cmp.Or(o.free(s), err)
		}
		o.buffers, o.width = append(o.buffers, buffer), buffer // the width comes last
		*b.at = buffer.Addr()
	}
	k, err := c.kernel("pack", "pack", kernels.Leaf*(r.turn.dim|1)*4)
	if err == nil {
		err = driver.Launch(s, k, r.leaves, 128, p)
	}
	if err != nil {
		return nil, cmp.Or(o.free(s), err)
	}
	return o, nil
}

// limit sets the limits for an ε.
func (o *operands) limit(c *card, s *driver.Stream, r *rows, eps2 float64) error {
	if o.eps2 == eps2 {
		return nil
	}
	root := math.Sqrt(eps2)
	slack := float64(r.turn.dim+8) * 0x1p-53
	o.param.High = min(root*(1+slack)*r.turn.far*r.turn.sigma*(1+0x1p-50), tensorMost)
	o.param.Low = min(root*(1-slack)*r.turn.near*r.turn.sigma*(1-0x1p-50), tensorMost)
	if err := launch(c, s, "pack", "limits", r.leaves, kernels.Leaf, &o.param); err != nil {
		return err
	}
	width := make([]float32, r.leaves)
	if err := driver.Download(s, width, o.width, 0); err != nil {
		return err
	}
	var sum float64
	for _, w := range width {
		sum += float64(w)
	}
	o.eps2, o.doubt = eps2, sum/float64(max(1, r.leaves))
	return nil
}

func (o *operands) free(s *driver.Stream) error {
	if o == nil {
		return nil
	}
	var err error
	for _, b := range o.buffers {
		err = cmp.Or(err, s.Free(b))
	}
	o.buffers = nil
	return err
}

// worth is the share of ε² that doubt may cover before the plain road is better.
const worth = 0.5

// chooseRoad finds out whether tensor cores serve this join, and makes their operands.
func (j *joining) chooseRoad() error {
	t := j.index.rows
	layout, ok := kernels.Tensor(t.steps(), j.dev.Info().Capability)
	if !ok || j.opt.Road == RoadPlain || t.leaves == 0 || j.q.leaves == 0 ||
		max(t.reach, j.q.reach) > tensorReach || j.eps2 < 1e-280 || j.eps2 > 1e280 {
		return nil
	}
	trusted, err := j.trusted(j.s, layout)
	if err != nil || !trusted {
		return err
	}
	end := j.stage("operands")
	defer end()
	if j.index.operands == nil {
		if j.index.operands, err = j.pack(j.stream, t, layout, true, true); err != nil {
			return err
		}
		if err := j.stream.Wait(); err != nil {
			return err
		}
	}
	b, a := j.index.operands, j.index.operands
	if err := b.limit(j.card, j.s, t, j.eps2); err != nil {
		return err
	}
	if !j.self {
		if a, err = j.pack(j.s, j.q, layout, true, false); err != nil {
			return err
		}
		j.own = a
		if err := a.limit(j.card, j.s, j.q, j.eps2); err != nil {
			return err
		}
	}
	if j.opt.Road == RoadTensor || a.doubt+b.doubt < worth*b.param.High*b.param.High {
		j.a, j.b = a, b
		j.tally("columns", int64(16*layout.Steps))
	}
	return nil
}

// refineTensor refines a round's items by tensor cores, and decides what they leave.
func (j *joining) refineTensor(mode string, w *kernels.Work, r round) error {
	layout := j.b.layout
	w.A, w.B, w.WidthA = j.a.param.A, j.b.param.B, j.a.param.Width
	k, err := j.kernel(layout.Module(), "tensor_"+mode, layout.Shared())
	if err != nil {
		return err
	}
	blocks := j.tensorBlocks()
	if err := j.s.Zero(j.scratch, 0, 8); err != nil {
		return err
	}
	w.Cursor = j.scratch.Addr()
	w.Doubt, w.Doubts, w.DoubtRoom = j.doubt.Addr(), j.doubts.Addr(), j.doubtRoom
	end := j.stage("refine")
	if err := driver.Launch(j.s, k, blocks, layout.Threads(), w); err != nil {
		return err
	}
	end()
	if err := j.tallyDoubts(blocks); err != nil {
		return err
	}
	end = j.stage("recheck")
	defer end()
	return launch(j.card, j.s, "recheck", "recheck_"+mode, blocks*recheckParts, 256, w)
}

// recheckParts is PARTS of recheck.cu.
const recheckParts = 4

// tensorBlocks is how many blocks the card holds at a time.
func (j *joining) tensorBlocks() int { return j.b.layout.Blocks * j.dev.Info().Processors }
