//go:build cuda

package cuda

import (
	"cmp"
	"time"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// This file has what rays do for a search. Each group of leaves of the queries has a ray,
// or a few, and a scene has a box for each leaf of the indexed rows (rays.cuh). What a ray
// finds is a bit for a group and a leaf, so that it may be found twice, and the kernels of
// search.cu pass over what has none. All that is left open, counted, written and refined is
// the same as without rays.

const (
	// mostFound is the room for bits, which groups share out if it is not enough, and
	// foundShare that of the free memory.
	mostFound  = 256 << 20
	foundShare = 8
	// mostTraced is how many rays a launch has at most.
	mostTraced = 1 << 26
	// refitMost is how many times as far as when a scene was made its boxes may reach, or the
	// other way round, before it is made anew: its tree is one for the boxes of then.
	refitMost = 4
)

// casting is the rays of groups of leaves, on the card.
type casting struct {
	*cells
	raysAt, wholeAt uint64
}

// cast makes the rays of groups of so many leaves, if they are not there.
func (r *rows) cast(s *driver.Stream, group int) (*casting, error) {
	if c := r.casts[group]; c != nil {
		return c, nil
	}
	axes := min(int(r.param.Axes), kernels.Space)
	lo, hi := make([]float32, axes*r.leaves), make([]float32, axes*r.leaves)
	if err := cmp.Or(driver.Download(s, lo, r.kept.at(r.param.Lo), 0), driver.Download(s, hi, r.kept.at(r.param.Hi), 0)); err != nil {
		return nil, err
	}
	c := &casting{cells: newCells(lo, hi, r.leaves, axes, group)}
	r.kept.s = s
	if err := r.keep(field{&c.raysAt, sizeOf(c.rays)}, field{&c.wholeAt, sizeOf(c.whole)}); err != nil {
		return nil, err
	}
	err := cmp.Or(
		driver.Upload(s, r.kept.at(c.raysAt), 0, c.rays),
		driver.Upload(s, r.kept.at(c.wholeAt), 0, c.whole))
	if err != nil {
		return nil, err
	}
	if r.casts == nil {
		r.casts = map[int]*casting{}
	}
	r.casts[group] = c
	return c, nil
}

// theatre is where an index has the boxes of its leaves, for rays.
type theatre struct {
	scene       Scene
	boxes       *driver.Buffer
	by, madeFor [kernels.Space]float64 // how far boxes reach beyond leaves, and did when the scene was made
	took        time.Duration          // to make it
}

// show has the boxes of the indexed leaves reach so far, and returns the scene's handle.
// Nothing else is at work on the card's queues that uses the scene.
func (x *index) show(tracer Tracer, by [kernels.Space]float64) (uint64, error) {
	t, s, leaves := &x.theatre, x.stream, x.rows.leaves
	if t.scene != nil && t.by == by {
		return t.scene.Handle(), nil
	}
	var err error
	if t.boxes == nil {
		if t.boxes, err = s.Alloc(int64(8 * kernels.Space * leaves)); err != nil {
			return 0, err
		}
	}
	p := &kernels.Scene{T: x.rows.param, X: by[0], Y: by[1], Z: by[2], Boxes: t.boxes.Addr()}
	began := time.Now()
	if err = launch(x.card, s, "scene", "scene", (leaves+kernels.SceneThreads-1)/kernels.SceneThreads, kernels.SceneThreads, p); err != nil {
		return 0, err
	}
	t.by = [kernels.Space]float64{-1} // until all is there
	if t.scene != nil && alike(by, t.madeFor) {
		err = t.scene.Refit(s, t.boxes.Addr())
	} else {
		if t.scene != nil {
			err = t.scene.Free(s)
			t.scene = nil
		}
		if err == nil {
			t.scene, err = tracer.Scene(s, t.boxes.Addr(), leaves)
		}
		t.madeFor = by
	}
	if err = cmp.Or(err, s.Wait()); err != nil {
		return 0, err
	}
	t.by, t.took = by, time.Since(began)
	return t.scene.Handle(), nil
}

// alike tells whether boxes reach about as far, along each axis.
func alike(a, b [kernels.Space]float64) bool {
	for k := range a {
		if !(a[k] <= refitMost*b[k] && b[k] <= refitMost*a[k]) {
			return false
		}
	}
	return true
}

func (t *theatre) free(s *driver.Stream) error {
	if t.scene == nil {
		return s.Free(t.boxes)
	}
	return cmp.Or(t.scene.Free(s), s.Free(t.boxes))
}

// lighting is a search's use of rays.
type lighting struct {
	*casting
	tracer Tracer
	param  kernels.Rays
	found  *driver.Buffer
	chunk  int // groups that found has room for
	from   int // the first of those that it has; −1
}

// light makes rays ready for a search, of turned boxes.
func (s *searching) light(tracer Tracer, group int) error {
	if err := s.s.Wait(); err != nil { // rays of a search before
		return err
	}
	c, err := s.q.cast(s.s, group)
	if err != nil {
		return err
	}
	scene, err := s.show(tracer, sceneReach(s.param.Apart, c.reach, s.q.reach, s.rows.reach))
	if err != nil {
		return err
	}
	free, err := s.dev.Memory()
	if err != nil {
		return err
	}
	l := &lighting{casting: c, tracer: tracer, from: -1}
	l.chunk = int(min(int64(s.to-s.from), max(1, min(mostFound, free/foundShare)/s.foundBytes())))
	if s.opt.chunk > 0 {
		l.chunk = min(l.chunk, s.opt.chunk)
	}
	if l.found, err = s.s.Alloc(int64(l.chunk) * s.foundBytes()); err != nil {
		return err
	}
	p := &s.param
	l.param = kernels.Rays{
		Scene: scene, Q: p.Q, T: p.T, Self: p.Self, Group: p.Group, Apart: p.Apart, Within: p.Within, Whole: c.wholeAt, Found: l.found.Addr(),
	}
	s.lighting = l
	return nil
}

// foundBytes is what a group takes: a bit for each leaf of the superleaves.
func (s *searching) foundBytes() int64 { return int64(s.rows.supers) * kernels.Super / 8 }

// darken frees what light took.
func (s *searching) darken() error {
	l := s.lighting
	if s.lighting = nil; l == nil {
		return nil
	}
	return s.s.Free(l.found)
}

// trace looks for the leaves of groups from one to another, if that is not done.
func (s *searching) trace(from, to int) error {
	l := s.lighting
	if l.from == from {
		return nil
	}
	l.from = from
	if err := s.s.Zero(l.found, 0, int64(to-from)*s.foundBytes()); err != nil {
		return err
	}
	l.param.Begin = int64(from)
	for at, end := l.first[from], l.first[to]; at < end; at += mostTraced {
		l.param.Rays = l.raysAt + uint64(16*at)
		if err := l.tracer.TraceLeaves(s.s, &l.param, int(min(mostTraced, end-at))); err != nil {
			return err
		}
	}
	return nil
}

// eachLit calls do for the groups from one to another, with a parameter that begins at a
// group: all at once, or by as many as rays have room for.
func (s *searching) eachLit(from, to int, do func(p *kernels.Search, from, to int) error) error {
	p := s.param
	if s.lighting == nil {
		p.Begin, p.End = int64(from), int64(to)
		return do(&p, from, to)
	}
	chunk := s.lighting.chunk
	for at := from - (from-s.from)%chunk; at < to; at += chunk { // where chunks begin
		end := min(at+chunk, s.to)
		if err := s.trace(at, end); err != nil {
			return err
		}
		p.Begin, p.Found = int64(at), s.lighting.found.Addr()
		if err := do(&p, max(at, from), min(end, to)); err != nil {
			return err
		}
	}
	return nil
}
