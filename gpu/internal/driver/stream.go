//go:build cuda

package driver

import (
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

// Close waits and gives the queue back.
func (s *Stream) Close() error {
	return s.dev.do(func() error {
		err := s.wait()
		if gone := failed("closing a stream", s.stream.Destroy()); err == nil {
			err = gone
		}
		return err
	})
}

func (s *Stream) raw() unsafe.Pointer { return unsafe.Pointer(s.stream.C()) }
