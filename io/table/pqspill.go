package table

import (
	"fmt"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// This file holds the encoded pages of a row group until it is whole: in memory as
// long as they are not too many, and what is more in a temporary file.

// heldPages is how many bytes of encoded pages are held in memory: a little more
// than the row groups of usual tables have.
const heldPages = groupBytes + groupBytes/4

// pagePool makes the buffers for the pages of the columns of a file. It is a
// parquet.BufferPool.
type pagePool struct {
	memory parquet.BufferPool

	lock sync.Mutex
	held int64    // bytes in memory
	used int      // buffers in use
	file *scratch // or nil
	end  int64    // of what is used of it
}

// newPagePool returns a pool without buffers.
func newPagePool() *pagePool { return &pagePool{memory: parquet.NewBufferPool()} }

// GetBuffer returns an empty buffer.
func (p *pagePool) GetBuffer() io.ReadWriteSeeker {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.used++
	return &pageBuffer{pool: p, memory: p.memory.GetBuffer()}
}

// PutBuffer takes a buffer back. The file is used anew once all are back.
func (p *pagePool) PutBuffer(buf io.ReadWriteSeeker) {
	b, ok := buf.(*pageBuffer)
	if !ok {
		return
	}
	p.memory.PutBuffer(b.memory)
	p.lock.Lock()
	defer p.lock.Unlock()
	p.held -= b.held
	if p.used--; p.used == 0 && p.file != nil {
		_ = p.file.Truncate(0) // takes more room than it needs
		p.end = 0
	}
}

// hold reports whether n more bytes may stand in memory, and counts them.
func (p *pagePool) hold(n int64) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.held+n > heldPages {
		return false
	}
	p.held += n
	return true
}

// spill writes bytes to the file.
func (p *pagePool) spill(b []byte) (extent, error) {
	p.lock.Lock()
	if p.file == nil {
		var err error
		if p.file, err = newScratch(""); err != nil {
			p.lock.Unlock()
			return extent{}, fmt.Errorf("lay a large row group aside: %w", err)
		}
	}
	e := extent{p.end, int64(len(b))}
	p.end += e.n
	p.lock.Unlock()
	if _, err := p.file.WriteAt(b, e.at); err != nil {
		return extent{}, fmt.Errorf("write a temporary file for a large row group (TMPDIR says where): %w", err)
	}
	return e, nil
}

// close removes the file.
func (p *pagePool) close() {
	if p.file != nil {
		_ = p.file.Close() // is of no more use
		p.file = nil
	}
}

// pageBuffer is a buffer that is written from its beginning to its end, and then
// read likewise.
type pageBuffer struct {
	pool    *pagePool
	memory  io.ReadWriteSeeker // its first bytes
	held    int64              // how many
	spilled []extent           // where the others are
	all     io.Reader          // of what was written
}

// Write appends bytes.
func (b *pageBuffer) Write(p []byte) (int, error) {
	if n := int64(len(p)); b.spilled == nil && b.pool.hold(n) {
		b.held += n
		return b.memory.Write(p)
	}
	e, err := b.pool.spill(p)
	if err != nil {
		return 0, err
	}
	if k := len(b.spilled) - 1; k >= 0 && b.spilled[k].at+b.spilled[k].n == e.at {
		b.spilled[k].n += e.n
	} else {
		b.spilled = append(b.spilled, e)
	}
	return len(p), nil
}

// Seek goes to the beginning: nothing else is asked of it.
func (b *pageBuffer) Seek(offset int64, whence int) (int64, error) {
	parts := []io.Reader{b.memory}
	for _, e := range b.spilled {
		parts = append(parts, io.NewSectionReader(b.pool.file, e.at, e.n))
	}
	b.all = io.MultiReader(parts...)
	return b.memory.Seek(offset, whence)
}

// Read reads what comes next.
func (b *pageBuffer) Read(p []byte) (int, error) { return b.all.Read(p) }

// WriteTo reads all.
func (b *pageBuffer) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, b.all) }
