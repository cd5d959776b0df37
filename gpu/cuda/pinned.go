//go:build cuda

package cuda

import (
	"sync"

	"rtcluster/gpu/internal/driver"
	"rtcluster/join"
)

// pairBuffers are buffers on the host for lists of pairs, which stay for the joins to
// come: to pin memory takes longer than to fill it.
type pairBuffers struct {
	mu   sync.Mutex
	idle []*driver.Pinned[join.Pair]
}

// mostIdle is how many buffers stay.
const mostIdle = slots

// take returns a buffer for n pairs at least.
func (p *pairBuffers) take(d *driver.Device, n int64) (*driver.Pinned[join.Pair], error) {
	p.mu.Lock()
	for i, b := range p.idle {
		if int64(len(b.Data)) >= n {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.mu.Unlock()
			return b, nil
		}
	}
	p.mu.Unlock()
	return driver.Pin[join.Pair](d, int(n))
}

// give takes a buffer back.
func (p *pairBuffers) give(b *driver.Pinned[join.Pair]) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < mostIdle {
		p.idle = append(p.idle, b)
		return nil
	}
	return b.Close()
}
