//go:build cuda

package driver

import (
	"time"

	"gorgonia.org/cu"
)

// Event is a place in a queue, whose time is taken.
type Event struct {
	dev   *Device
	event cu.Event
}

// Record queues an event.
func (s *Stream) Record() (*Event, error) {
	e := &Event{dev: s.dev}
	err := s.dev.do(func() (err error) {
		if e.event, err = cu.MakeEvent(cu.DefaultEvent); err == nil {
			err = e.event.Record(s.stream)
		}
		return failed("recording an event", err)
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Since is the time from an earlier event to this one, for which it waits.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	var ms float64
	err := e.dev.do(func() error {
		err := e.event.Synchronize()
		if err == nil {
			ms, err = earlier.event.Elapsed(e.event)
		}
		return failed("reading the time of an event", err)
	})
	return time.Duration(ms * float64(time.Millisecond)), err
}

// Close gives the event back.
func (e *Event) Close() error {
	return e.dev.do(func() error { return failed("closing an event", cu.DestroyEvent(&e.event)) })
}
