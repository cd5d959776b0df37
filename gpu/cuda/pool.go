//go:build cuda

package cuda

import (
	"cmp"
	"sync"
	"unsafe"

	"rtcluster/gpu/internal/driver"
)

// pool is memory that is given back together, or sooner.
type pool struct {
	s    *driver.Stream
	held []*driver.Buffer
}

func (p *pool) alloc(size int64) (*driver.Buffer, error) { return p.on(p.s, size) }

// on allocates in the order of another queue, which is waited for before the memory is
// used elsewhere, or given back.
func (p *pool) on(s *driver.Stream, size int64) (*driver.Buffer, error) {
	b, err := s.Alloc(size)
	if err == nil {
		p.held = append(p.held, b)
	}
	return b, err
}

// at finds what is held at an address.
func (p *pool) at(address uint64) *driver.Buffer {
	for _, b := range p.held {
		if b.Addr() == address {
			return b
		}
	}
	panic("cuda: nothing is held at the address of a field")
}

// free gives back some sooner.
func (p *pool) free(buffers ...*driver.Buffer) error {
	var err error
	for _, b := range buffers {
		err = cmp.Or(err, p.s.Free(b)) // once more is nothing
	}
	return err
}

// close gives back all.
func (p *pool) close() error {
	err := p.free(p.held...)
	p.held = nil
	return err
}

func sizeOf[T any](data []T) int64 { return int64(len(data)) * int64(unsafe.Sizeof(*new(T))) } // a size is no pointer

// inParallel shares 0 to n−1 out among several threads.
func inParallel(threads, n int, do func(from, to int)) {
	threads = max(1, min(threads, n))
	var wait sync.WaitGroup
	for t := range threads {
		wait.Go(func() { do(t*n/threads, (t+1)*n/threads) })
	}
	wait.Wait()
}
