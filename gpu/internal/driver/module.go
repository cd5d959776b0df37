//go:build cuda

package driver

import (
	"fmt"
	"unsafe"
)

// Module is a set of kernels on a device.
type Module struct {
	dev *Device
	mod unsafe.Pointer
}

// Load compiles PTX for the card. The driver remembers what it has compiled, from
// run to run.
func (d *Device) Load(ptx string) (*Module, error) {
	m := &Module{dev: d}
	err := d.do(func() (err error) {
		m.mod, err = loadModule(ptx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Close unloads the kernels.
func (m *Module) Close() error {
	return m.dev.do(func() error { return unloadModule(m.mod) })
}

// Kernel is a function of a module with one parameter.
type Kernel struct {
	name   string
	fn     unsafe.Pointer
	shared int
}

// Kernel finds a function, which takes so many bytes of dynamic shared memory.
func (m *Module) Kernel(name string, shared int) (*Kernel, error) {
	k := &Kernel{name: name, shared: shared}
	err := m.dev.do(func() (err error) {
		if k.fn, err = findKernel(m.mod, name); err == nil && shared > 48<<10 {
			err = allowShared(k.fn, shared)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// Launch queues so many blocks of a kernel, with a parameter that has no pointers
// into the Go heap and is copied. It does nothing for no blocks.
func Launch[P any](s *Stream, k *Kernel, blocks, threads int, parameter *P) error {
	if blocks == 0 {
		return nil
	}
	block := *parameter // alone: what it is part of may have pointers into the Go heap
	return s.dev.do(func() error {
		err := launchBlock(k.fn, blocks, threads, k.shared, s.raw(), unsafe.Pointer(&block))
		if err == nil && s.dev.opt.Synchronous {
			err = s.wait()
		}
		if err != nil {
			return fmt.Errorf("kernel %s: %w", k.name, err)
		}
		return nil
	})
}
