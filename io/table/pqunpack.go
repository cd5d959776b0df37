package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// This file unpacks pages. What a page's header says that it unpacks to need not
// be true, and the library makes room for whatever comes out of it, or for what a
// Snappy block claims. Gzip cannot pack more than about 1:1000; the others are
// bounded here.

// unpackPage unpacks the bytes of a page into dst, which has the size that its
// header says.
func unpackPage(codec format.CompressionCodec, dst, src []byte) (_ []byte, err error) {
	plain := len(dst)
	if plain == 0 {
		return nil, nil
	}
	switch codec {
	case format.Lz4Raw:
		dst, err = unpackLZ4(dst, src)
	case format.Brotli:
		dst, err = unpackBrotli(dst, src)
	case format.Snappy:
		if size, k := binary.Uvarint(src); k <= 0 || size != uint64(plain) {
			return nil, fmt.Errorf("claims to unpack to %d bytes by Snappy, not to %d", size, plain)
		}
		dst, err = parquet.Snappy.Decode(dst, src)
	case format.Zstd:
		if size := zstdBound(src); size > int64(pageBase+pageRatio*len(src)) {
			return nil, fmt.Errorf("unpacks to up to %d bytes by Zstandard", size)
		}
		dst, err = parquet.Zstd.Decode(dst, src)
	case format.Gzip:
		dst, err = parquet.Gzip.Decode(dst, src)
	default:
		return nil, fmt.Errorf("its compression %s is not supported", codec)
	}
	if err == nil && len(dst) != plain {
		err = fmt.Errorf("it has %d", len(dst))
	}
	if err != nil {
		return nil, fmt.Errorf("does not unpack to %d bytes by %s: %w", plain, codec, err)
	}
	return dst, nil
}

// unpackLZ4 unpacks a block. The library doubles its room until a block unpacks,
// which one that is damaged never does, and forgets the room it had to make.
func unpackLZ4(dst, src []byte) ([]byte, error) {
	n, err := lz4.UncompressBlock(src, dst)
	return dst[:max(n, 0)], err
}

// unpackBrotli unpacks to the room that there is.
func unpackBrotli(dst, src []byte) ([]byte, error) {
	r := brotli.NewReader(bytes.NewReader(src))
	if _, err := io.ReadFull(r, dst); err != nil {
		return nil, err
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return nil, errors.Join(errors.New("there is more"), err)
	}
	return dst, nil
}

// zstdBlock is the most bytes that a block of Zstandard unpacks to.
const zstdBlock = 128 << 10

// zstdBound returns the most bytes that Zstandard frames can unpack to, by the
// headers of their blocks. What is no frame ends the walk: the decoder will say
// so. See RFC 8878, 3.1.1.
func zstdBound(b []byte) int64 {
	total := int64(0)
	for len(b) >= 5 {
		magic := binary.LittleEndian.Uint32(b)
		if magic&^0xf == 0x184d2a50 { // a frame to be skipped
			if len(b) < 8 {
				break
			}
			b = after(b[8:], int64(binary.LittleEndian.Uint32(b[4:])))
			continue
		}
		if magic != 0xfd2fb528 {
			break
		}
		rest, size := zstdFrame(b[4:])
		total += size
		b = rest
	}
	return total
}

// after returns what follows n bytes.
func after(b []byte, n int64) []byte { return b[min(n, int64(len(b))):] }

// zstdFrame passes over a frame that begins with the descriptor in its header,
// and returns what follows and what it unpacks to at most.
func zstdFrame(b []byte) (rest []byte, total int64) {
	descriptor := b[0]
	single := descriptor >> 5 & 1
	b = after(b, 1+int64(1-single)+[...]int64{0, 1, 2, 4}[descriptor&3]+[...]int64{int64(single), 2, 4, 8}[descriptor>>6])
	for len(b) >= 3 {
		head := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		size := head >> 3
		b = b[3:]
		switch head >> 1 & 3 {
		case 0:
			total += size
			b = after(b, size)
		case 1:
			total += size
			b = after(b, 1)
		default:
			total += zstdBlock
			b = after(b, size)
		}
		if head&1 == 1 {
			break
		}
	}
	return after(b, 4*int64(descriptor>>2&1)), total
}
