//go:build cuda

package optix

import "rtcluster/gpu/cuda"

// Engine is the CUDA engine, with a search by OptiX. It implements [join.Engine].
type Engine struct{ *cuda.Engine }

// New returns an engine for a card, which is not touched before the first index.
func New(opt cuda.Options) *Engine {
	opt.Search, opt.Tracer = cuda.SearchRays, Open
	return &Engine{cuda.New(opt)}
}

// Name returns "optix".
func (e *Engine) Name() string { return "optix" }
