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
	Road        Road  // how pairs of rows are compared
	BatchPairs  int   // most pairs in a batch; 0 means 32 Mi
	Synchronous bool  // wait after each launch, so that a fault names its kernel
	Capability  int   // take kernels made for this compute capability, 80 for 8.0; 0 means the card's

	Search Search // how pairs of leaves are looked for
	// Tracer follows rays on a card; nil if there is none.
	Tracer func(dev *driver.Device) (Tracer, error)
	Tell   func(line string) // is told what was chosen, and why; may be nil

	chunk int   // for tests: the most groups that what rays find has room for, and
	doubt int64 // the most pairs in doubt of each list of rays of rows; 0: as memory allows
}

// Road is a way to compare rows.
type Road int

// The roads.
const (
	RoadAuto    Road = iota // what suits the card and the data
	RoadPlain               // float32 and float64 units
	RoadTensor              // tensor cores, where the data suit them
	RoadInteger             // their products of integers where all coordinates are small integers, else as RoadAuto
)

// defaultBatch pairs take 256 MiB on the card.
const defaultBatch = 1 << 25

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

// card is a device, for the life of the program, with the kernels that have been used.
type card struct {
	dev        *driver.Device
	capability int // of the kernels
	staging    staging
	tracer     func() (Tracer, error) // once, when rays are wanted

	mu      sync.Mutex
	modules map[string]*driver.Module
	kernels map[string]*driver.Kernel
	trusts  map[int]bool // see trusted

	pairBuffers  pinned[join.Pair]
	labelBuffers pinned[int32]
}

func openCard(opt Options) (*card, error) {
	dev, err := driver.Open(opt.Device, driver.Options{Budget: opt.Budget, Synchronous: opt.Synchronous})
	if err != nil {
		return nil, err
	}
	c := &card{dev: dev, capability: cmp.Or(opt.Capability, dev.Info().Capability), modules: map[string]*driver.Module{}, kernels: map[string]*driver.Kernel{}, trusts: map[int]bool{}}
	c.tracer = sync.OnceValues(func() (Tracer, error) {
		if opt.Tracer == nil {
			return nil, fmt.Errorf("%w: this engine has nothing to follow rays with", driver.ErrMissing)
		}
		return opt.Tracer(dev)
	})
	if opt.Search == SearchRays { // what is missing is said before there is work
		if _, err := c.tracer(); err != nil {
			return nil, cmp.Or(err, dev.Close())
		}
	}
	return c, nil
}

// kernel finds a kernel of a module, which takes so many bytes of dynamic shared
// memory; the driver compiles the module at the first of its kernels.
func (c *card) kernel(module, name string, shared int) (*driver.Kernel, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%s.%s.%d", module, name, shared)
	if k, ok := c.kernels[key]; ok {
		return k, nil
	}
	m, ok := c.modules[module]
	if !ok {
		ptx, err := kernels.PTX(module, c.capability)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", driver.ErrMissing, err)
		}
		if m, err = c.dev.Load(ptx); err != nil {
			return nil, err
		}
		c.modules[module] = m
	}
	k, err := m.Kernel(name, shared)
	if err == nil {
		c.kernels[key] = k
	}
	return k, err
}

// launch queues so many blocks of a kernel, which takes no dynamic shared memory.
func launch[P any](c *card, s *driver.Stream, module, name string, blocks, threads int, parameter *P) error {
	k, err := c.kernel(module, name, 0)
	if err != nil {
		return err
	}
	return driver.Launch(s, k, blocks, threads, parameter)
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
	progress, n := join.ReportTo(ctx), int64(pts.Rows())
	progress(join.StageIndex, 0, n)
	s, err := c.dev.Stream()
	if err != nil {
		return nil, err
	}
	x := &index{card: c, opt: e.opt, stream: s, gate: newTurnstile()}
	if x.rows, err = c.newRows(ctx, s, pts, nil, e.opt.Threads); err == nil {
		err = s.Wait()
	}
	if err != nil {
		return nil, cmp.Or(err, s.Close())
	}
	x.expander = join.NewExpander(e, x, e.opt.Threads)
	progress(join.StageIndex, n, n)
	return x, nil
}
