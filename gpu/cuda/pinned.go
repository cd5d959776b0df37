//go:build cuda

package cuda

import (
	"sync"

	"rtcluster/gpu/internal/driver"
)

// pinned are buffers on the host that stay for the joins to come: to pin memory takes
// longer than to fill it.
type pinned[T any] struct {
	mu   sync.Mutex
	idle []*driver.Pinned[T]
}

// mostIdle is how many buffers stay.
const mostIdle = 8

// take returns a buffer for n elements at least.
func (p *pinned[T]) take(d *driver.Device, n int64) (*driver.Pinned[T], error) {
	p.mu.Lock()
	for i, b := range p.idle {
		if int64(len(b.Data)) >= n {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.mu.Unlock()
			return b, nil
		}
	}
	p.mu.Unlock()
	return driver.Pin[T](d, int(n))
}

// give takes a buffer back.
func (p *pinned[T]) give(b *driver.Pinned[T]) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < mostIdle {
		p.idle = append(p.idle, b)
		return nil
	}
	return b.Close()
}
