//go:build cuda

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"
)

// Buffer is memory on a device, with one owner, who closes it.
type Buffer struct {
	dev  *Device
	at   uint64
	size int64
}

// Alloc allocates memory, in the order of the queue: what is freed in it before is
// free. Contents are undefined. An error for want of memory matches [ErrMemory].
func (s *Stream) Alloc(size int64) (*Buffer, error) {
	d := s.dev
	b := &Buffer{dev: d, size: size}
	used := d.used.Add(size)
	if d.opt.Budget > 0 && used > d.opt.Budget {
		d.used.Add(-size)
		return nil, &Error{
			Call: "allocating memory", Code: codeMemory,
			Text: fmt.Sprintf("%s more are wanted, with %s of the allowed %s in use", bytes(size), bytes(used-size), bytes(d.opt.Budget)),
		}
	}
	if size == 0 {
		return b, nil
	}
	err := d.do(func() (err error) {
		b.at, err = allocAsync(size, s.raw())
		return err
	})
	if err != nil {
		d.used.Add(-size)
		if errors.Is(err, ErrMemory) {
			free, _ := d.Memory() // for the message only
			err = fmt.Errorf("%s on %s, of which %s are free: %w", bytes(size), d.info.Name, bytes(free), err)
		}
		return nil, err
	}
	return b, nil
}

// Free gives memory back, in the order of the queue.
func (s *Stream) Free(b *Buffer) error {
	if b == nil {
		return nil
	}
	at := b.at
	b.dev.used.Add(-b.size)
	b.at, b.size = 0, 0
	if at == 0 {
		return nil
	}
	return s.dev.do(func() error { return freeAsync(at, s.raw()) })
}

// Zero sets size bytes of b from byte at on to 0, in the order of the queue.
func (s *Stream) Zero(b *Buffer, at, size int64) error {
	if at < 0 || size > b.size-at {
		return &Error{Call: "clearing memory", Text: fmt.Sprintf("bytes %d to %d are beyond a buffer of %d", at, at+size, b.size)}
	}
	if size == 0 {
		return nil
	}
	return s.dev.do(func() error { return zeroAsync(b.at+uint64(at), size, s.raw()) })
}

// Copy copies all of a buffer into another of that size, in the order of the queue.
func Copy(s *Stream, to, from *Buffer) error {
	if to.size != from.size {
		return &Error{Call: "copying", Text: fmt.Sprintf("a buffer of %d bytes into one of %d", from.size, to.size)}
	}
	if to.size == 0 {
		return nil
	}
	return s.dev.do(func() error { return copyAsync(to.at, from.at, to.size, s.raw()) })
}

// Addr is the address on the device.
func (b *Buffer) Addr() uint64 { return b.at }

// Size is in bytes.
func (b *Buffer) Size() int64 { return b.size }

// Upload copies src to b, from byte at on, and waits for it.
func Upload[T any](s *Stream, b *Buffer, at int64, src []T) error {
	size, err := b.check(at, len(src), unsafe.Sizeof(*new(T)))
	if size == 0 || err != nil {
		return err
	}
	return s.dev.do(func() error {
		err := cu.MemcpyHtoDAsync(cu.DevicePtr(b.at+uint64(at)), unsafe.Pointer(unsafe.SliceData(src)), size, s.stream)
		if err != nil {
			return failed("copying to the card", err)
		}
		err = s.wait()
		runtime.KeepAlive(src) // a card that sees the heap itself may read it until now
		return err
	})
}

// Send queues a copy of src, which is pinned and stays as it is until the queue is
// done, to b, from byte at on.
func Send[T any](s *Stream, b *Buffer, at int64, src []T) error {
	size, err := b.check(at, len(src), unsafe.Sizeof(*new(T)))
	if size == 0 || err != nil {
		return err
	}
	return s.dev.do(func() error {
		return failed("copying to the card", cu.MemcpyHtoDAsync(cu.DevicePtr(b.at+uint64(at)), unsafe.Pointer(unsafe.SliceData(src)), size, s.stream))
	})
}

// Download copies from byte at of b on to dst, and waits for it.
func Download[T any](s *Stream, dst []T, b *Buffer, at int64) error {
	size, err := b.check(at, len(dst), unsafe.Sizeof(*new(T)))
	if size == 0 || err != nil {
		return err
	}
	return s.dev.do(func() error {
		err := cu.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), cu.DevicePtr(b.at+uint64(at)), size, s.stream)
		if err != nil {
			return failed("copying from the card", err)
		}
		return s.wait()
	})
}

// check returns the size of n elements, which must fit into b.
func (b *Buffer) check(at int64, n int, element uintptr) (int64, error) {
	size := int64(n) * int64(element)
	if at < 0 || size > b.size-at {
		return 0, &Error{Call: "copying", Text: fmt.Sprintf("bytes %d to %d are beyond a buffer of %d", at, at+size, b.size)}
	}
	return size, nil
}

// bytes is a size for people.
func bytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// Pinned is memory of the host that the card copies from and to by itself.
type Pinned[T any] struct {
	dev *Device
	// Data is no part of the Go heap, and gone after Close.
	Data []T
}

// Pin allocates n elements of a type without pointers.
func Pin[T any](d *Device, n int) (*Pinned[T], error) {
	p := &Pinned[T]{dev: d}
	if n == 0 {
		return p, nil
	}
	err := d.do(func() error {
		at, err := allocHost(int64(n) * int64(unsafe.Sizeof(*new(T))))
		if err == nil {
			p.Data = unsafe.Slice((*T)(at), n)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Close gives the memory back.
func (p *Pinned[T]) Close() error {
	if p.Data == nil {
		return nil
	}
	at := unsafe.Pointer(unsafe.SliceData(p.Data))
	p.Data = nil
	return p.dev.do(func() error { return failed("freeing pinned memory", cu.MemFreeHost(at)) })
}
