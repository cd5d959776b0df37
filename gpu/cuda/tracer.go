//go:build cuda

package cuda

import (
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// Tracer follows rays through scenes of boxes on a card, as package optix does. All is
// queued on streams.
type Tracer interface {
	// Scene makes a scene of n boxes at an address, six float32 each. These stay as they
	// are until the queue has come so far.
	Scene(s *driver.Stream, boxes uint64, n int) (Scene, error)
	// TraceLeaves follows n rays of p.Rays, for the leaves that they meet.
	TraceLeaves(s *driver.Stream, p *kernels.Rays, n int) error
	// TraceRows follows the rays of n rows of the queries, from position p.Begin on, for
	// their near rows.
	TraceRows(s *driver.Stream, p *kernels.Rays, n int) error
}

// Scene is what rays meet. Who gets it frees it.
type Scene interface {
	// Handle is what a ray's parameter names the scene by. It may change by Refit.
	Handle() uint64
	// Refit takes other boxes, as many as there were.
	Refit(s *driver.Stream, boxes uint64) error
	Free(s *driver.Stream) error
}

// Search is how pairs of leaves are looked for.
type Search int

// The ways to search.
const (
	SearchBoxes  Search = iota // by the boxes of superleaves and of leaves
	SearchRays                 // by rays before, where turned rows serve; it takes a tracer
	SearchFaster               // by what a sample of the first join shows to be faster
)
