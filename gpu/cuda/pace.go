//go:build cuda

package cuda

import "time"

// The length of a launch that a pace aims at, and the number of leaves it begins
// with: enough to fill a card, few enough to be done soon whatever they take.
const (
	launchTime  = 100 * time.Millisecond
	firstLeaves = 2048
	mostLeaves  = 1 << 24
)

// pace sets the size of launches by the time that the last one took, so that work
// can be cancelled between them.
type pace struct {
	size  int
	began time.Time
}

func (p *pace) leaves() int {
	if p.size == 0 {
		p.size = firstLeaves
	}
	return p.size
}

func (p *pace) start() { p.began = time.Now() }

// end sees how long a launch of so many leaves took.
func (p *pace) end(leaves int) {
	if leaves < p.size {
		return // the last of a row: it says little
	}
	switch took := time.Since(p.began); {
	case took < launchTime/2:
		p.size = min(2*p.size, mostLeaves)
	case took > 2*launchTime:
		p.size = max(p.size/2, 1)
	}
}
