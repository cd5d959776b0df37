//go:build cuda

package driver

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Stream is a queue of work on a device, for one goroutine at a time.
type Stream struct {
	dev    *Device
	stream cu.Stream
}

// Stream makes a queue, which does not wait for others.
func (d *Device) Stream() (*Stream, error) {
	s := &Stream{dev: d}
	d.mu.Lock()
	if last := len(d.idle) - 1; last >= 0 {
		s.stream, d.idle = d.idle[last], d.idle[:last]
		d.mu.Unlock()
		return s, nil
	}
	d.mu.Unlock()
	err := d.do(func() (err error) {
		s.stream, err = cu.MakeStream(cu.NonBlocking)
		return failed("making a stream", err)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Wait returns when all that is queued is done, and the first fault in it.
func (s *Stream) Wait() error { return s.dev.do(s.wait) }

func (s *Stream) wait() error {
	return failed("waiting for the card", s.stream.Synchronize())
}

// mostIdle is how many queues a device keeps for later.
const mostIdle = 32

// Close waits and gives the queue back.
func (s *Stream) Close() error {
	if err := s.Wait(); err != nil {
		return err // and keeps a queue that is of no use any more
	}
	d := s.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.idle) < mostIdle {
		d.idle = append(d.idle, s.stream)
		return nil
	}
	return d.do(func() error { return failed("closing a stream", s.stream.Destroy()) })
}

func (s *Stream) raw() unsafe.Pointer { return unsafe.Pointer(s.stream.C()) }

// Queue has a library beside the driver queue work: f is called where the context is
// current, with the handle of the queue. name is what a fault says of the work.
func (s *Stream) Queue(name string, f func(stream unsafe.Pointer) error) error {
	return s.dev.do(func() error {
		err := f(s.raw())
		if err == nil && s.dev.opt.Synchronous {
			err = s.wait()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}
