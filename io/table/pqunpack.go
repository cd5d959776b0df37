package table

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// This file bounds what a packed page unpacks to. The library makes room for
// whatever comes out of it, or for what a Snappy block claims, and a page's
// header need not tell the truth. Gzip cannot pack more than about 1:1000; the
// others are looked at before they are unpacked.

// checkUnpacked sees that n packed bytes from at on unpack to a size that a page
// of plain bytes may have.
func checkUnpacked(r io.ReaderAt, codec format.CompressionCodec, at, n, plain int64) error {
	if n <= 0 {
		return nil
	}
	most := max(plain, pageBase+pageRatio*n)
	switch codec {
	case format.Snappy:
		var b [binary.MaxVarintLen32]byte
		k, _ := r.ReadAt(b[:min(n, int64(len(b)))], at)
		if size, w := binary.Uvarint(b[:k]); w <= 0 || size > uint64(most) {
			return fmt.Errorf("claims to unpack to %d bytes by Snappy", size)
		}
	case format.Zstd:
		if size := zstdBound(r, at, n); size > most {
			return fmt.Errorf("unpacks to up to %d bytes by Zstandard", size)
		}
	case format.Lz4Raw:
		return checkLZ4(r, at, n, plain)
	case format.Brotli:
		return checkBrotli(io.NewSectionReader(r, at, n), most)
	}
	return nil
}

// checkLZ4 unpacks a page as LZ4: for one that is damaged, the library doubles its
// room until there is no memory left.
func checkLZ4(r io.ReaderAt, at, n, plain int64) error {
	packed, room := make([]byte, n), make([]byte, plain)
	if k, err := r.ReadAt(packed, at); k < len(packed) {
		return fmt.Errorf("read it: %w", err)
	}
	if _, err := lz4.UncompressBlock(packed, room); err != nil {
		return fmt.Errorf("does not unpack to %d bytes by LZ4: %w", plain, err)
	}
	return nil
}

// checkBrotli unpacks a page to nothing, to see that it ends in time.
func checkBrotli(r io.Reader, most int64) error {
	size, err := io.Copy(io.Discard, io.LimitReader(brotli.NewReader(r), most+1))
	if err == nil && size > most {
		err = fmt.Errorf("unpacks to more than %d bytes by Brotli", most)
	}
	return err
}

// zstdBlock is the most bytes that a block of Zstandard unpacks to.
const zstdBlock = 128 << 10

// zstdBound returns the most bytes that Zstandard frames can unpack to, by the
// headers of their blocks. What is no frame ends the walk: the decoder will say
// so. See RFC 8878, 3.1.1.
func zstdBound(r io.ReaderAt, at, n int64) int64 {
	end, total := at+n, int64(0)
	for at < end {
		var head [6]byte
		if k, _ := r.ReadAt(head[:], at); k < 5 {
			break
		}
		magic := binary.LittleEndian.Uint32(head[:])
		if magic&^0xf == 0x184d2a50 { // a frame to be skipped
			if k, _ := r.ReadAt(head[:4], at+4); k < 4 {
				break
			}
			at += 8 + int64(binary.LittleEndian.Uint32(head[:]))
			continue
		}
		if magic != 0xfd2fb528 {
			break
		}
		next, size := zstdFrame(r, at+4, end, head[4])
		total += size
		at = next
	}
	return total
}

// zstdFrame passes over a frame whose header begins at a place with the
// descriptor given, and returns where it ends and what it unpacks to at most.
func zstdFrame(r io.ReaderAt, at, end int64, descriptor byte) (next, total int64) {
	single := descriptor >> 5 & 1
	at += 1 + int64(1-single) + [...]int64{0, 1, 2, 4}[descriptor&3]
	at += [...]int64{int64(single), 2, 4, 8}[descriptor>>6]
	for at < end {
		var b [3]byte
		if k, _ := r.ReadAt(b[:], at); k < len(b) {
			return end, total
		}
		head := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		size := head >> 3
		at += 3
		switch head >> 1 & 3 {
		case 0:
			total += size
			at += size
		case 1:
			total += size
			at++
		default:
			total += zstdBlock
			at += size
		}
		if head&1 == 1 {
			break
		}
	}
	return at + 4*int64(descriptor>>2&1), total
}
