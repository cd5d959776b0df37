package table

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var (
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// packOf tells the compression of a file from its first bytes.
func packOf(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, magicGzip):
		return packGzip
	case bytes.HasPrefix(magic, magicZstd):
		return packZstd
	}
	return ""
}

// decompressor reads what was packed.
func decompressor(r io.Reader, pack string) (io.ReadCloser, error) {
	switch pack {
	case packGzip:
		return gzip.NewReader(r)
	case packZstd:
		// Two goroutines of the decoder at most; windows up to those of --long=27.
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(r), nil
}

// compressor packs what is written; closing it does not close w.
func compressor(w io.Writer, pack string) (io.WriteCloser, error) {
	switch pack {
	case packGzip:
		return gzip.NewWriter(w), nil
	case packZstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(2))
	}
	return plainWriter{w}, nil
}

// plainWriter is a writer whose Close does nothing.
type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }
