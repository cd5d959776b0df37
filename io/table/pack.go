package table

import (
	"bytes"
	"errors"
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

// errCut says that packed data ends before its end. The library's own error for
// that is the one that io.ReadFull has for the end of whole data.
var errCut = errors.New("it ends too early")

// unpacker reads what was packed.
type unpacker struct{ io.ReadCloser }

func (u unpacker) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return n, err
}

// Close lets go of the reader. Faults of the data were told by Read.
func (u unpacker) Close() error {
	_ = u.ReadCloser.Close()
	return nil
}

// decompressor reads what was packed.
func decompressor(r io.Reader, pack string) (io.ReadCloser, error) {
	switch pack {
	case packGzip:
		z, err := gzip.NewReader(r)
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = errCut
		}
		return unpacker{z}, err
	case packZstd:
		// Two goroutines of the decoder at most; windows up to those of --long=27.
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		return unpacker{d.IOReadCloser()}, nil
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
