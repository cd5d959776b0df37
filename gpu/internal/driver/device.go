//go:build cuda

package driver

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gorgonia.org/cu"
)

// List returns the cards of this machine, or an error that matches [ErrMissing].
func List() ([]Info, error) {
	if err := start(); err != nil {
		return nil, err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return nil, failed("counting the cards", err)
	}
	if n == 0 {
		return nil, startError(codeNoDevice, "no card", "")
	}
	list := make([]Info, n)
	for i := range list {
		if list[i], err = describe(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func describe(ordinal int) (Info, error) {
	info := Info{Ordinal: ordinal, Driver: cu.Version()}
	d, err := cu.GetDevice(ordinal)
	if err != nil {
		return info, failed(fmt.Sprintf("opening card %d", ordinal), err)
	}
	var major, minor, pools int
	var errs [6]error
	info.Name, errs[0] = d.Name()
	info.Memory, errs[1] = d.TotalMem()
	major, errs[2] = d.Attribute(cu.ComputeCapabilityMajor)
	minor, errs[3] = d.Attribute(cu.ComputeCapabilityMinor)
	info.Processors, errs[4] = d.Attribute(cu.MultiprocessorCount)
	pools, errs[5] = d.Attribute(memoryPools)
	info.Capability, info.pools = 10*major+minor, pools != 0
	for _, err := range errs {
		if err != nil {
			return info, failed(fmt.Sprintf("describing card %d", ordinal), err)
		}
	}
	return info, nil
}

// memoryPools is CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, which cu lacks.
const memoryPools cu.DeviceAttribute = 115

// Options are the settings of a [Device].
type Options struct {
	// Budget is the most bytes to be allocated on the card at a time; 0 leaves it
	// to the card.
	Budget int64
	// Synchronous waits after each launch.
	Synchronous bool
}

// Device is a card in use. It may be used by several goroutines at once.
type Device struct {
	info Info
	opt  Options
	ctx  cu.CUContext
	used atomic.Int64

	mu    sync.Mutex
	idle  []cu.Stream
	free  int64 // as last asked, with what was in use then
	asked time.Time
}

// Open takes the primary context of a card.
func Open(ordinal int, opt Options) (*Device, error) {
	list, err := List()
	if err != nil {
		return nil, err
	}
	info, err := Pick(list, ordinal)
	if err != nil {
		return nil, err
	}
	d := &Device{info: info, opt: opt}
	if d.ctx, err = cu.Device(ordinal).RetainPrimaryCtx(); err != nil {
		return nil, failed(fmt.Sprintf("taking card %d", ordinal), err)
	}
	err = d.do(func() error { return keepFreed(ordinal, d.info.Memory) })
	if err != nil {
		return nil, cmp.Or(err, d.Close())
	}
	return d, nil
}

// Close gives the context back. Buffers, modules and streams must be closed
// before.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.idle {
		if err := d.do(s.Destroy); err != nil {
			return failed("closing a stream", err)
		}
	}
	d.idle = nil
	return failed("giving the card back", cu.Device(d.info.Ordinal).ReleasePrimaryCtx())
}

// Info describes the card.
func (d *Device) Info() Info { return d.info }

// memoryFor is how long the card's answer about its memory is good for: the question
// takes as long as a small join.
const memoryFor = 100 * time.Millisecond

// Memory is what may still be allocated, in bytes: what the card has free, with what
// we have freed before, or, if that is less, what is left of the budget. What others
// take is noticed with a delay.
func (d *Device) Memory() (free int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if used := d.used.Load(); time.Since(d.asked) > memoryFor {
		if d.free, err = d.ask(); err != nil {
			return 0, err
		}
		d.free += used
		d.asked = time.Now()
	}
	free = max(0, d.free-d.used.Load())
	if d.opt.Budget > 0 {
		free = min(free, d.opt.Budget-d.used.Load())
	}
	return free, nil
}

// ask is what the card has free, with what its pool holds and nobody uses.
func (d *Device) ask() (free int64, err error) {
	err = d.do(func() error {
		var err error
		if free, _, err = cu.MemInfo(); err != nil {
			return failed("asking for free memory", err)
		}
		idle, err := idleBytes(d.info.Ordinal)
		free += idle
		return err
	})
	return free, err
}

// Do calls f, which calls a library beside the driver, on a thread where the context is
// current.
func (d *Device) Do(f func() error) error { return d.do(f) }

// do calls f on a thread where the context is current.
func (d *Device) do(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cu.SetCurrentContext(d.ctx); err != nil {
		return failed("entering the context", err)
	}
	return f()
}
