//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"errors"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// rows is a set of rows on the card, in the order of its leaves.
type rows struct {
	pts            *join.Points
	leaves, supers int
	param          kernels.Rows

	// turn tells how y was made, and how far it is off.
	turn *turn
	// reach is at least ‖y‖ of each row; if it is infinite, y says nothing.
	reach float64
	// middle has the middles of the coordinates, if all may be small integers (integers.go).
	middle []float64

	kept  pool
	casts map[int]*casting // by the leaves of a group, once rays have been used
}

// errWide is returned where a coordinate is no float32.
var errWide = errors.New("cuda: a coordinate is no float32")

// newRows copies rows to the card and orders them. like, if not nil, are the indexed
// rows whose axes and scale these queries take. Who gets them frees them.
func (c *card) newRows(ctx context.Context, s *driver.Stream, pts *join.Points, like *rows, threads int) (*rows, error) {
	m := &maker{c: c, ctx: ctx, s: s, threads: threads, rows: &rows{pts: pts, kept: pool{s: s}}, temps: pool{s: s}}
	if like != nil {
		m.like = like.turn
	}
	err := cmp.Or(m.make(), m.learn(), m.temps.close())
	if err != nil {
		return nil, cmp.Or(err, m.free(s))
	}
	return m.rows, nil
}

// free gives back what has been allocated.
func (r *rows) free(s *driver.Stream) error {
	r.kept.s = s
	return r.kept.close()
}

// places is the number of positions.
func (r *rows) places() int { return r.leaves * kernels.Leaf }

// maker makes rows.
type maker struct {
	*rows
	c       *card
	ctx     context.Context
	s       *driver.Stream
	threads int
	like    *turn // to take
	temps   pool
	x       *driver.Buffer // coordinates in input order
	survey  *survey        // at work, until done has its error
	done    chan error
	top     *top
}

func (m *maker) make() error {
	for _, step := range []struct {
		stage string
		do    func() error
	}{
		{"copy in", m.copyIn},
		{"axes", m.scale},
		{"order", m.order},
		{"pack", m.pack},
		{"turn", m.turnAll},
	} {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		end := stage(m.ctx, m.s, step.stage)
		if err := step.do(); err != nil {
			return err
		}
		end()
	}
	return nil
}

// copyIn copies the coordinates to the card, while a sample tells how to turn them.
func (m *maker) copyIn() error {
	var err error
	if m.survey, err = m.c.newSurvey(m.ctx, m.pts, m.like, m.threads); err != nil {
		return err
	}
	m.done = make(chan error, 1)
	go func() { m.done <- m.survey.run(m.ctx, &m.kept) }()
	return m.copyCoordinates()
}

// learn takes what the survey has found; once it is over, it does nothing.
func (m *maker) learn() error {
	if m.survey == nil {
		return nil
	}
	err := <-m.done
	m.turn, m.top = m.survey.turn, m.survey.top
	err = cmp.Or(err, m.survey.close())
	m.survey = nil
	return err
}

// scale sets what the survey could not know.
func (m *maker) scale() error {
	from := m.survey
	if err := m.learn(); err != nil {
		return err
	}
	if m.like == nil {
		if err := m.setScale(); err != nil {
			return err
		}
	}
	if m.top != nil {
		m.top.scale(m.turn.sigma / from.sigma)
	}
	return nil
}

// copyCoordinates chooses float32 where that is exact.
func (m *maker) copyCoordinates() error {
	data := m.pts.Data()
	copyAs := func(size int, send func(context.Context, *driver.Buffer, []float64, int) error) error {
		var err error
		if m.x, err = m.temps.alloc(int64(size * len(data))); err != nil {
			return err
		}
		if err = m.s.Wait(); err != nil { // the memory is there for other queues
			return err
		}
		return send(m.ctx, m.x, data, m.threads)
	}
	err := errWide
	if mayBeNarrow(data) {
		err = copyAs(4, m.c.sendNarrow)
	}
	if !errors.Is(err, errWide) {
		return err
	}
	m.param.Wide = 1
	return cmp.Or(m.temps.free(m.x), copyAs(8, m.c.sendWide))
}

// setScale sets σ, by the box about all rows.
func (m *maker) setScale() error {
	n, dim := m.pts.Rows(), m.pts.Dim()
	if n == 0 {
		return nil
	}
	box, err := m.temps.alloc(int64(16 * dim))
	if err != nil {
		return err
	}
	ends := make([]uint64, 2*dim)
	for k := range dim {
		ends[k] = math.MaxUint64
	}
	p := &kernels.Stats{
		X: m.x.Addr(), Lo: box.Addr(), Hi: box.Addr() + uint64(8*dim), N: int64(n), Dim: int64(dim), Wide: m.param.Wide,
	}
	together := max(1, kernels.SpanThreads/dim)
	blocks := min(4*m.c.dev.Info().Processors, (n+together-1)/together)
	err = cmp.Or(
		driver.Upload(m.s, box, 0, ends),
		launch(m.c, m.s, "stats", "span", blocks, kernels.SpanThreads, p),
		driver.Download(m.s, ends, box, 0),
		m.temps.free(box))
	if err != nil {
		return err
	}
	lo, hi := make([]float64, dim), make([]float64, dim)
	for k := range dim {
		lo[k], hi[k] = unsortable(ends[k]), unsortable(ends[dim+k])
	}
	m.turn.setScale(lo, hi)
	m.middle, _ = kernels.IntegerMiddles(lo, hi)
	return nil
}

// unsortable is the inverse of sortable in stats.cu.
func unsortable(bits uint64) float64 {
	if bits>>63 != 0 {
		return math.Float64frombits(bits &^ (1 << 63))
	}
	return math.Float64frombits(^bits)
}
