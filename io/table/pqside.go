package table

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// sideSink encodes columns of an assembly: all of a row group, or those that
// stand behind copied ones. The library writes a file of its own, of which the
// chunks pass through to the assembly and the rest is held back.
type sideSink struct {
	*parquetSink
	a       *assembly
	written int64  // bytes of the library's file
	closing bool   // what comes is no chunk
	tail    []byte // that
	slots   []sideSlot
	leaves  []*node
}

// sideSlot is where a row group of the library's file went.
type sideSlot struct {
	group int // of the assembly
	shift int64
}

// newSideSink encodes columns of an assembly.
func newSideSink(a *assembly, root *node, compression string, threads int) *sideSink {
	s := &sideSink{a: a, leaves: appendLeaves(nil, root)}
	s.parquetSink = newParquetSink(s, root, nil, compression, threads)
	return s
}

// Write takes what the library writes: first of all the four bytes of its magic,
// which the assembly has already.
func (s *sideSink) Write(b []byte) (int, error) {
	if s.closing {
		s.tail = append(s.tail, b...)
		return len(b), nil
	}
	magic := min(max(int64(len(magicParquet))-s.written, 0), int64(len(b)))
	s.written += int64(len(b))
	return len(b), s.a.write(b[magic:])
}

// flush sends the rows gathered to the row group that the assembly has begun
// last.
func (s *sideSink) flush() error {
	own := max(s.written, int64(len(magicParquet)))
	s.slots = append(s.slots, sideSlot{group: len(s.a.groups) - 1, shift: s.a.at - own})
	return s.parquetSink.flush()
}

// finish tells the assembly of all chunks that were sent, and returns the
// library's schema and name, without row groups.
func (s *sideSink) finish() (*format.FileMetaData, error) {
	s.closing = true
	if err := s.parquetSink.finish(); err != nil {
		return nil, err
	}
	end := len(s.tail) - footerTail
	n := int(binary.LittleEndian.Uint32(s.tail[end:]))
	meta := new(format.FileMetaData)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), s.tail[end-n:end], meta); err != nil {
		return nil, err
	}
	if len(meta.RowGroups) != len(s.slots) {
		return nil, fmt.Errorf("the library made %d row groups of %d", len(meta.RowGroups), len(s.slots))
	}
	for i, slot := range s.slots {
		for k := range meta.RowGroups[i].Columns {
			if err := s.place(slot, s.leaves[k], &meta.RowGroups[i].Columns[k]); err != nil {
				return nil, err
			}
		}
	}
	return &format.FileMetaData{Version: meta.Version, Schema: meta.Schema, CreatedBy: meta.CreatedBy}, nil
}

// endGroup sends the rows gathered, if there are some, to a new row group.
func (s *sideSink) endGroup() error {
	if s.rows == 0 {
		return nil
	}
	if err := s.a.begin(s.rows, nil); err != nil {
		return err
	}
	return s.flush()
}

// place tells the assembly of a chunk of a leaf. Where there are no bounds the
// library makes empty ones of them in the column index.
func (s *sideSink) place(slot sideSlot, leaf *node, c *format.ColumnChunk) error {
	part := func(at int64, n int32) []byte { return s.tail[at-s.written:][:n:n] }
	m := c.MetaData
	x := chunkIndex{}
	if !leaf.unbounded {
		x.column = part(c.ColumnIndexOffset, c.ColumnIndexLength)
	}
	var err error
	x.offset, err = moveIndex(part(c.OffsetIndexOffset, c.OffsetIndexLength), extent{chunkStart(&m), m.TotalCompressedSize}, slot.shift)
	if err != nil {
		return err
	}
	moveChunk(&m, slot.shift)
	s.a.add(slot.group, m, x)
	return nil
}
