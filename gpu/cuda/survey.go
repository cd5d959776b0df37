//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

const (
	surveyRows  = 1 << 14 // rows of a sample, at least
	surveySize  = 1 << 24 // coordinates of one, at most, but
	surveyLeast = 1 << 12 // rows
	firstLook   = 1 << 13 // coordinates that tell whether all may be float32
)

// survey is what a sample tells before all rows are on the card: how to turn them, and
// the top of their tree. It goes on beside the copying.
type survey struct {
	c       *card
	s       *driver.Stream // of its own
	temps   pool
	pts     *join.Points
	sample  sampling
	x       *driver.Buffer // the rows of the sample, if they are to be rotated
	threads int
	room    int // rows of a bucket

	turn *turn // given, or found
	top  *top  // nil if all rows fit one bucket
	// sigma is the scale of the places where the top is split.
	sigma float64
}

// newSurvey copies a sample. like, if not nil, is the turn to take.
func (c *card) newSurvey(ctx context.Context, pts *join.Points, like *turn, threads int) (*survey, error) {
	s, err := c.dev.Stream()
	if err != nil {
		return nil, err
	}
	n, dim := pts.Rows(), pts.Dim()
	v := &survey{c: c, s: s, temps: pool{s: s}, pts: pts, turn: like, threads: threads, room: bucketRoom(c.dev.Info().Capability)}
	v.sample = sampling{rows: n, count: max(surveyRows, bucketSample*bucketsOf(n, v.room))}
	v.sample.count = min(n, max(min(v.sample.count, surveySize/dim), surveyLeast))
	rotated := like == nil && rotates(n, dim) || like != nil && like.axes != nil && n > v.room
	if !rotated {
		return v, nil
	}
	if v.x, err = v.temps.alloc(int64(8 * v.sample.count * dim)); err == nil {
		if err = s.Wait(); err == nil { // the memory is there for other queues
			err = c.sendSample(ctx, v.x, pts.Data(), dim, v.sample, threads)
		}
	}
	if err != nil {
		return nil, cmp.Or(v.close(), err)
	}
	return v, nil
}

// close gives back what only the survey needed.
func (v *survey) close() error {
	if v == nil {
		return nil
	}
	return cmp.Or(v.temps.close(), v.s.Close())
}

// run finds what is not given. What it puts on the card for good is kept in keep.
func (v *survey) run(ctx context.Context, keep *pool) error {
	if v.turn == nil {
		var err error
		if v.x != nil {
			v.turn, err = v.rotation()
		}
		if v.turn == nil && err == nil {
			v.turn = permutation(v.pts, v.threads)
		}
		if err == nil {
			err = v.turn.put(v.s, keep)
		}
		if err != nil {
			return err
		}
		var variance float64
		for _, along := range v.turn.variance {
			variance += along
		}
		v.sigma = powerFor(math.Sqrt(variance))
	} else {
		v.sigma = v.turn.sigma
	}
	if err := ctx.Err(); err != nil || v.sample.rows <= v.room {
		return err
	}
	key, err := v.leading()
	if err == nil {
		v.top = plant(key, v.turn.stride(), v.turn.lead, bucketsOf(v.sample.rows, v.room), v.threads)
	}
	return err
}

// put copies to the card what turning takes.
func (t *turn) put(s *driver.Stream, keep *pool) error {
	return cmp.Or(
		upload(s, keep, &t.axesAt, t.axes),
		upload(s, keep, &t.coordsAt, t.coords),
		upload(s, keep, &t.centerAt, t.center))
}

// upload copies data to memory of its own; of no data, the address is 0.
func upload[T any](s *driver.Stream, keep *pool, at *uint64, data []T) error {
	b, err := keep.on(s, sizeOf(data))
	if err != nil {
		return err
	}
	*at = b.Addr()
	return driver.Upload(s, b, 0, data)
}

// rotation finds the principal axes of the sample, nil if there are none.
func (v *survey) rotation() (*turn, error) {
	n, dim := int64(v.sample.count), v.pts.Dim()
	chunks := (v.sample.count + kernels.MeanChunk - 1) / kernels.MeanChunk
	parts := (v.sample.count + kernels.ProductPart - 1) / kernels.ProductPart
	tiles := (dim + kernels.ProductTile - 1) / kernels.ProductTile
	pairs := tiles * (tiles + 1) / 2
	room := max(chunks*dim, parts*pairs*kernels.ProductTile*kernels.ProductTile)
	partial, err := v.temps.alloc(int64(8 * room))
	if err != nil {
		return nil, err
	}
	found, err := v.temps.alloc(int64(8 * (dim + dim*dim)))
	if err != nil {
		return nil, err
	}
	p := &kernels.Stats{
		X: v.x.Addr(), Partial: partial.Addr(), Mean: found.Addr(), Cov: found.Addr() + uint64(8*dim),
		N: n, Dim: int64(dim), Wide: 1,
	}
	result := make([]float64, dim+dim*dim)
	for _, step := range []struct {
		kernel string
		blocks int
	}{
		{"means", chunks},
		{"mean", (dim + kernels.SpanThreads - 1) / kernels.SpanThreads},
		{"products", parts * pairs},
		{"covariance", pairs},
	} {
		if err := launch(v.c, v.s, "stats", step.kernel, step.blocks, kernels.SpanThreads, p); err != nil {
			return nil, err
		}
	}
	if err := driver.Download(v.s, result, found, 0); err != nil {
		return nil, err
	}
	return rotation(result[:dim:dim], result[dim:]), nil
}

// leading returns the sample's places along the axes that the tree is split along.
func (v *survey) leading() ([]float32, error) {
	stride := v.turn.stride()
	key := make([]float32, v.sample.count*stride)
	if v.turn.axes == nil {
		dim := v.pts.Dim()
		inParallel(v.threads, v.sample.count, func(from, to int) {
			for i := from; i < to; i++ {
				row := v.pts.Row(v.sample.row(i))
				for k := range min(v.turn.lead, dim) {
					c := v.turn.coords[k]
					key[i*stride+k] = float32(min(max(v.sigma*(row[c]-v.turn.center[c]), -wild), wild))
				}
			}
		})
		return key, nil
	}
	b, err := v.temps.alloc(sizeOf(key))
	if err != nil {
		return nil, err
	}
	err = v.c.turnLeading(v.s, v.turn, v.sigma, kernels.Turn{
		X: v.x.Addr(), Y: b.Addr(), N: int64(v.sample.count), Wide: 1,
	})
	if err == nil {
		err = driver.Download(v.s, key, b, 0)
	}
	return key, err
}

// turnLeading makes the first axes of rows; p says where these are.
func (c *card) turnLeading(s *driver.Stream, t *turn, sigma float64, p kernels.Turn) error {
	p.Axes, p.Coords, p.Center, p.Sigma, p.Dim = t.axesAt, t.coordsAt, t.centerAt, sigma, int64(t.dim)
	kernel := "lead4"
	if t.stride() == 8 {
		kernel = "lead8"
	}
	return launch(c, s, "turn", kernel, int((p.N+kernels.LeadRows-1)/kernels.LeadRows), kernels.LeadRows, &p)
}

// mayBeNarrow reports whether some of the coordinates are all float32.
func mayBeNarrow(data []float64) bool {
	step := max(1, len(data)/firstLook)
	for i := 0; i < len(data); i += step {
		if float64(float32(data[i])) != data[i] {
			return false
		}
	}
	return true
}
