//go:build cuda

package optix

import (
	"cmp"
	"os"
	"unsafe"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// tracer implements [cuda.Tracer] on a card, for the life of the program.
type tracer struct {
	*linked
	at *driver.Buffer // of the records
}

// Open compiles the programs for a card, or takes them from the user's cache. Errors
// match [driver.ErrMissing] where OptiX is not there or does not serve.
func Open(dev *driver.Device) (cuda.Tracer, error) {
	if err := open(); err != nil {
		return nil, err
	}
	ptx, err := kernels.PTX("rays", dev.Info().Capability)
	if err != nil {
		return nil, missing(err.Error())
	}
	t := new(tracer)
	err = dev.Do(func() error {
		t.linked, err = link(ptx, cacheFolder(os.UserCacheDir))
		return err
	})
	if err != nil {
		return nil, err
	}
	s, err := dev.Stream()
	if err != nil {
		return nil, err
	}
	if t.at, err = s.Alloc(int64(len(t.records))); err == nil {
		err = driver.Upload(s, t.at, 0, t.records[:])
	}
	if err = cmp.Or(err, s.Close()); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *tracer) TraceLeaves(s *driver.Stream, p *kernels.Rays, n int) error {
	return t.trace(s, p, "program "+kernels.RaygenLeaves, false, n)
}

func (t *tracer) TraceRows(s *driver.Stream, p *kernels.Rays, n int) error {
	return t.trace(s, p, "program "+kernels.RaygenRows, true, n)
}

func (t *tracer) trace(s *driver.Stream, p *kernels.Rays, name string, rows bool, n int) error {
	if n == 0 {
		return nil
	}
	block, err := s.Alloc(int64(unsafe.Sizeof(*p)))
	if err != nil {
		return err
	}
	return cmp.Or(
		driver.Upload(s, block, 0, []kernels.Rays{*p}),
		s.Queue(name, func(stream unsafe.Pointer) error {
			return t.launch(stream, room{block.Addr(), block.Size()}, t.at.Addr(), rows, n)
		}),
		s.Free(block))
}

// scene implements [cuda.Scene].
type scene struct {
	t      *tracer
	n      int
	sizes  sceneSizes
	output *driver.Buffer
	handle uint64
}

func (t *tracer) Scene(s *driver.Stream, boxes uint64, n int) (cuda.Scene, error) {
	c := &scene{t: t, n: n}
	err := s.Queue("asking for a scene", func(unsafe.Pointer) (err error) {
		c.sizes, err = t.sizes(boxes, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.output, err = s.Alloc(c.sizes.output); err != nil {
		return nil, err
	}
	if err = c.build(s, false, boxes); err != nil {
		return nil, cmp.Or(err, c.Free(s))
	}
	return c, nil
}

// build makes the scene, or refits it.
func (c *scene) build(s *driver.Stream, refit bool, boxes uint64) error {
	name, size := "building a scene", c.sizes.build
	if refit {
		name, size = "refitting a scene", c.sizes.refit
	}
	temporary, err := s.Alloc(size)
	if err != nil {
		return err
	}
	return cmp.Or(
		s.Queue(name, func(stream unsafe.Pointer) (err error) {
			c.handle, err = c.t.build(stream, refit, boxes, c.n, room{temporary.Addr(), size}, room{c.output.Addr(), c.sizes.output})
			return err
		}),
		s.Free(temporary))
}

func (c *scene) Handle() uint64 { return c.handle }

func (c *scene) Refit(s *driver.Stream, boxes uint64) error { return c.build(s, true, boxes) }

func (c *scene) Free(s *driver.Stream) error { return s.Free(c.output) }
