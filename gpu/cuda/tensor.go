//go:build cuda

package cuda

import (
	"cmp"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
)

// normColumns are the columns of an operand for what is no product of coordinates.
const normColumns = 4

// operands are what tensor cores multiply, of rows on the card.
type operands struct {
	param  kernels.Operands
	memory pool
	width  *driver.Buffer
	eps2   float64 // that the limits are for; NaN if there are none
	doubt  float64 // mean width of the leaves, for it
}

// steps is how many steps of 16 columns rows need: their coordinates and norms at
// least.
func (r *rows) steps() int { return (r.turn.dim + normColumns + 15) / 16 }

// pack makes operands of rows, of the queries' or the indexed rows' side, or both.
func (c *card) pack(s *driver.Stream, r *rows, layout shape.Tensor, queries, indexed bool) (*operands, error) {
	places, columns := int64(r.leaves)*kernels.Leaf, int64(16*layout.Steps)
	o := &operands{memory: pool{s: s}, eps2: math.NaN()}
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
		{&p.B, int64(r.leaves) * int64(layout.LeafBytes()), indexed},
		{&p.S, 8 * places, true},
		{&p.D, 4 * places, true},
		{&p.Norm, 4 * places, true},
		{&p.Tail, 4 * places, true},
		{&p.Width, 4 * int64(r.leaves), true},
	} {
		if !b.wanted {
			continue
		}
		buffer, err := o.memory.alloc(b.size)
		if err != nil {
			return nil, cmp.Or(o.free(s), err)
		}
		*b.at, o.width = buffer.Addr(), buffer // which comes last
	}
	k, err := c.kernel("pack", "pack", kernels.Leaf*(r.turn.dim|1)*4)
	if err == nil {
		err = driver.Launch(s, k, r.leaves, kernels.PackThreads, p)
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
	o.eps2 = math.NaN() // until all is there
	root := math.Sqrt(eps2)
	slack := float64(r.turn.dim+8) * 0x1p-53
	o.param.High = min(root*(1+slack)*r.turn.far*r.turn.sigma*(1+0x1p-50), kernels.TensorMost)
	o.param.Low = min(root*(1-slack)*r.turn.near*r.turn.sigma*(1-0x1p-50), kernels.TensorMost)
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
	o.memory.s = s
	return o.memory.close()
}

// worth is the share of ε² that doubt may cover before the plain road is better: there
// are several times that share of the near pairs in it.
const worth = 0.1

// plainDims are the coordinates up to which the plain road is better: they take fewer
// float32 operations than there are columns to multiply, and leave less doubt.
const plainDims = 3

// chooseRoad finds out whether tensor cores serve this join, and makes their operands.
func (j *joining) chooseRoad() error {
	if err := j.chooseIntegers(); err != nil || j.layout.Integers {
		return err
	}
	t := j.rows
	layout, ok := kernels.Tensor(t.steps(), j.capability)
	if !ok || j.opt.Road == RoadPlain || j.opt.Road != RoadTensor && t.turn.dim <= plainDims || t.leaves == 0 || j.q.leaves == 0 ||
		max(t.reach, j.q.reach) > kernels.TensorReach || j.eps2 < leastLimit || j.eps2 > greatestLimit {
		return nil
	}
	trusted, err := j.trusted(j.s, layout)
	if err != nil || !trusted {
		return err
	}
	end := j.stage("operands")
	defer end()
	if j.operands == nil {
		if j.operands, err = j.pack(j.stream, t, layout, true, true); err != nil {
			return err
		}
		if err := j.stream.Wait(); err != nil {
			return err
		}
	}
	b, a := j.operands, j.operands
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
		j.layout, j.a, j.b = layout, a, b
		j.tell("columns", int64(16*layout.Steps))
	}
	return nil
}

// refineTensor refines items by tensor cores, as many at a time as there is room for
// the doubt that they leave, and decides that. Of a list's items it takes as many as fit
// one launch, or none if these leave too much doubt, and returns how many.
func (j *joining) refineTensor(mode string, w *kernels.Work, r round) (int, error) {
	for from := 0; from < r.n; {
		n := min(j.perLaunch, r.n-from)
		part := r.part(from, n)
		w.Items, w.ItemCount = part.items, int64(n)
		if j.counted != nil {
			if err := driver.Copy(j.s, j.saved, j.counted); err != nil {
				return 0, err
			}
		}
		blocks := min(n, j.tensorBlocks())
		most, err := j.launchTensor(mode, w, blocks)
		if err != nil {
			return 0, err
		}
		room := j.doubtRoom(blocks)
		if most <= room {
			if err := j.recheck(mode, w, blocks); err != nil {
				return 0, err
			}
			if from += n; 2*most < room {
				j.perLaunch = min(2*j.perLaunch, j.mostItems())
			}
			if mode == "list" {
				return from, nil // the next launch would tell of holes of its own
			}
			continue
		}
		// One item alone has room for all of its pairs.
		j.perLaunch = max(1, int(0.7*float64(n)*float64(room)/float64(most)))
		if mode == "list" {
			return from, nil
		}
		if j.counted != nil {
			if err := driver.Copy(j.s, j.counted, j.saved); err != nil {
				return 0, err
			}
		}
	}
	return r.n, nil
}

// mostItems is how many items a launch takes at most: a block's pairs in doubt are
// counted in 32 bits.
func (j *joining) mostItems() int { return int(int64(j.tensorBlocks()) << 31 / j.itemPairs()) }

// launchTensor refines, and returns the greatest number of pairs in doubt that a block
// has found.
func (j *joining) launchTensor(mode string, w *kernels.Work, blocks int) (int64, error) {
	end := j.stage("refine")
	w.A, w.B, w.WidthA = j.a.param.A, j.b.param.B, j.a.param.Width
	w.Doubt, w.Doubts, w.DoubtRoom = j.doubt.Addr(), j.doubts.Addr(), j.doubtRoom(blocks)
	if err := j.multiply(mode, w, blocks); err != nil {
		return 0, err
	}
	end()
	doubts := make([]uint32, blocks)
	if err := driver.Download(j.s, doubts, j.doubts, 0); err != nil {
		return 0, err
	}
	var most, all int64
	for _, n := range doubts {
		most, all = max(most, int64(n)), all+int64(n)
	}
	j.tell("pairs in doubt", all)
	return most, nil
}

// multiply queues the kernel of the layout.
func (j *joining) multiply(mode string, w *kernels.Work, blocks int) error {
	w.Cursor = j.scratch.Addr()
	k, err := j.kernel(j.layout.Module(), j.layout.Name()+"_"+mode, j.layout.Shared())
	if err != nil {
		return err
	}
	return cmp.Or(j.s.Zero(j.scratch, 0, 8), driver.Launch(j.s, k, blocks, j.layout.Threads(), w))
}

// recheck decides what launchTensor has left.
func (j *joining) recheck(mode string, w *kernels.Work, blocks int) error {
	defer j.stage("recheck")()
	return launch(j.card, j.s, "recheck", "recheck_"+mode, blocks*kernels.RecheckParts, kernels.RecheckThreads, w)
}

// doubtRoom is how many pairs each of so many blocks can put aside.
func (j *joining) doubtRoom(blocks int) int64 { return j.doubt.Size() / 8 / int64(blocks) }

// tensorBlocks is how many blocks the card holds at a time, or less.
func (j *joining) tensorBlocks() int {
	return min(j.layout.Blocks*j.dev.Info().Processors, j.mostBlocks)
}
