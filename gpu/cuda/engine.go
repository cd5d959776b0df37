//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// Options are the settings of an [Engine]. The zero value is ready for use. None
// changes a result.
type Options struct {
	Device      int   // number of the card, as the driver counts
	Threads     int   // goroutines at work on the host; 0 means GOMAXPROCS
	Budget      int64 // most bytes on the card; 0 leaves it to the card
	BatchPairs  int   // most pairs in a batch; 0 means 16 Mi
	Synchronous bool  // wait after each launch, so that a fault names its kernel
}

// defaultBatch pairs take 128 MiB, on the card and on the host.
const defaultBatch = 1 << 24

// Engine builds indexes on a card. It implements [join.Engine].
type Engine struct {
	opt  Options
	open func() (*card, error) // once, at the first index
}

// New returns an engine for a card, which is not touched before the first index.
func New(opt Options) *Engine {
	if opt.Threads < 1 {
		opt.Threads = runtime.GOMAXPROCS(0)
	}
	if opt.BatchPairs < 1 {
		opt.BatchPairs = defaultBatch
	}
	return &Engine{opt: opt, open: sync.OnceValues(func() (*card, error) { return openCard(opt) })}
}

// Name returns "cuda".
func (e *Engine) Name() string { return "cuda" }

// card is a device with our kernels on it, for the life of the program.
type card struct {
	dev                          *driver.Device
	counts, tally, fill, offsets *driver.Kernel
}

func openCard(opt Options) (*card, error) {
	dev, err := driver.Open(opt.Device, driver.Options{Budget: opt.Budget, Synchronous: opt.Synchronous})
	if err != nil {
		return nil, err
	}
	c := &card{dev: dev}
	for _, m := range []struct {
		name    string
		kernels map[string]**driver.Kernel
	}{
		{"join", map[string]**driver.Kernel{"counts": &c.counts, "tally": &c.tally, "fill": &c.fill}},
		{"offset", map[string]**driver.Kernel{"offsets": &c.offsets}},
	} {
		if err := c.load(m.name, m.kernels); err != nil {
			return nil, cmp.Or(err, dev.Close())
		}
	}
	return c, nil
}

// load finds kernels of a module, which stays loaded.
func (c *card) load(module string, wanted map[string]**driver.Kernel) error {
	ptx, err := kernels.PTX(module, c.dev.Info().Capability)
	if err != nil {
		return fmt.Errorf("%w: %w", driver.ErrMissing, err)
	}
	m, err := c.dev.Load(ptx)
	if err != nil {
		return err
	}
	for name, at := range wanted {
		if *at, err = m.Kernel(name, 0); err != nil {
			return cmp.Or(err, m.Close())
		}
	}
	return nil
}

// Index copies pts to the card.
func (e *Engine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if err := pts.Metric().OnlyEuclidean(); err != nil {
		return nil, fmt.Errorf("cuda: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := e.open()
	if err != nil {
		return nil, err
	}
	progress, rows := join.ReportTo(ctx), int64(pts.Rows())
	progress(join.StageIndex, 0, rows)
	s, err := c.dev.Stream()
	if err != nil {
		return nil, err
	}
	x := &index{card: c, opt: e.opt, stream: s}
	if x.side, err = c.newSide(ctx, s, pts, e.opt.Threads); err == nil {
		err = s.Wait()
	}
	if err != nil {
		return nil, cmp.Or(err, s.Close())
	}
	x.near = join.NewExpander(e, x, e.opt.Threads)
	progress(join.StageIndex, rows, rows)
	return x, nil
}
