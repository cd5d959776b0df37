//go:build cuda

package cuda

import (
	"cmp"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// pack puts the coordinates in the order of the leaves.
func (m *maker) pack() error {
	dim := m.pts.Dim()
	p := &m.param
	p.N, p.Leaves, p.Supers, p.Dim = int64(m.pts.Rows()), int64(m.leaves), int64(m.supers), int64(dim)
	p.Axes = int64(min(dim, kernels.Axes))
	size := 4 * (1 + p.Wide)
	if err := m.keep(field{&p.X, size * p.Leaves * kernels.Leaf * p.Dim}); err != nil {
		return err
	}
	l := &kernels.Layout{Rows: m.param, From: m.x.Addr()}
	return cmp.Or(
		launch(m.c, m.s, "layout", "gather", m.leaves, kernels.LayoutThreads, l),
		m.temps.free(m.x))
}

// field is an address to be set, and how many bytes are wanted there.
type field struct {
	at   *uint64
	size int64
}

// keep allocates what rows have for good.
func (r *rows) keep(fields ...field) error {
	for _, f := range fields {
		b, err := r.kept.alloc(f.size)
		if err != nil {
			return err
		}
		*f.at = b.Addr()
	}
	return nil
}

// turnAll makes the turned rows and their boxes.
func (m *maker) turnAll() error {
	p := &m.param
	err := m.keep(
		field{&p.Y, 4 * p.Leaves * kernels.Leaf * p.Dim},
		field{&p.Lo, 4 * p.Axes * p.Leaves}, field{&p.Hi, 4 * p.Axes * p.Leaves}, field{&p.Rest, 4 * p.Leaves},
		field{&p.SuperLo, 4 * p.Axes * p.Supers}, field{&p.SuperHi, 4 * p.Axes * p.Supers}, field{&p.SuperRest, 4 * p.Supers})
	if err != nil {
		return err
	}
	t := &kernels.Turn{
		X: p.X, Fill: p.Fill, Axes: m.turn.axesAt, Coords: m.turn.coordsAt, Center: m.turn.centerAt, Y: p.Y,
		Sigma: m.turn.sigma, N: p.N, Dim: p.Dim, Wide: p.Wide,
	}
	kernel, threads := "permute", kernels.PermuteThreads
	if m.turn.axes != nil {
		turns := (m.turn.dim + kernels.Leaf - 1) / kernels.Leaf // of at most so many axes
		kernel, threads = "turn", kernels.TurnLeafThreads*((m.turn.dim+4*turns-1)/(4*turns))
	}
	reach, err := m.temps.alloc(8)
	if err != nil {
		return err
	}
	l, bits := &kernels.Layout{Rows: *p, Reach: reach.Addr()}, make([]uint64, 1)
	err = cmp.Or(
		m.s.Zero(reach, 0, 8),
		launch(m.c, m.s, "turn", kernel, m.leaves, threads, t),
		launch(m.c, m.s, "layout", "box", m.leaves, kernels.LayoutThreads, l),
		launch(m.c, m.s, "layout", "supers", m.supers, kernels.LayoutThreads, l),
		driver.Download(m.s, bits, reach, 0))
	if m.reach = math.Float64frombits(bits[0]); m.reach >= wild/2 {
		m.reach = math.Inf(1)
	}
	return err
}

// plain makes what comparing by the coordinates as given needs, if it isn't there.
func (r *rows) plain(c *card, s *driver.Stream) error {
	if r.param.Radius != 0 || r.leaves == 0 {
		return nil
	}
	p := r.param
	boxes, supers := 8*p.Dim*p.Leaves, 8*p.Dim*p.Supers
	r.kept.s = s
	before := len(r.kept.held)
	err := r.keep(
		field{&p.PlainLo, boxes}, field{&p.PlainHi, boxes}, field{&p.Mid, boxes},
		field{&p.PlainSuperLo, supers}, field{&p.PlainSuperHi, supers},
		field{&p.Offset, 4 * p.Leaves * kernels.Leaf * p.Dim}, field{&p.Radius, 8 * p.Leaves})
	if err == nil {
		err = cmp.Or(
			launch(c, s, "offset", "offsets", r.leaves, kernels.Leaf, &p),
			launch(c, s, "offset", "supers_plain", r.supers, kernels.SupersThreads, &p),
			s.Wait()) // later joins have queues of their own
	}
	if err != nil {
		err = cmp.Or(err, r.kept.free(r.kept.held[before:]...))
		r.kept.held = r.kept.held[:before]
		return err
	}
	r.param = p
	return nil
}
