package jointest

import (
	"errors"
	"runtime"
	"sync/atomic"
)

// gate watches the calls of one emit function: they must not overlap, nor come
// after the join has returned.
type gate struct {
	busy, closed    atomic.Bool
	overlaps, later atomic.Bool
}

// pass runs body unless another call is under way.
func (g *gate) pass(body func() error) error {
	if g.closed.Load() {
		g.later.Store(true)
		return nil
	}
	if !g.busy.CompareAndSwap(false, true) {
		g.overlaps.Store(true)
		return nil
	}
	defer g.busy.Store(false)
	runtime.Gosched() // gives an overlapping call its chance
	return body()
}

// close is called when the join has returned, and returns what was wrong.
func (g *gate) close() error {
	g.closed.Store(true)
	switch {
	case g.busy.Load():
		return errors.New("the join returned while a call of emit was under way")
	case g.overlaps.Load():
		return errors.New("two calls of emit overlapped")
	}
	return g.late()
}

// late returns an error if emit was called after the join had returned.
func (g *gate) late() error {
	if g.later.Load() {
		return errors.New("emit was called after the join had returned")
	}
	return nil
}
