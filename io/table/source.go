package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// source is a file that can be read several times, and notices when it was
// changed in between.
type source struct {
	path    string // as the caller named it, for messages
	file    *os.File
	foreign bool   // the file is the caller's, who closes it
	temp    string // spool file that is still to be removed, or empty
	byName  bool   // a regular file that stands at path
	parked  bool   // closed for now
	size    int64
	modTime time.Time
}

// openSource opens path, or opt.Stdin for "-". What is not a regular file is
// copied to a temporary one.
func openSource(ctx context.Context, path string, opt ReadOptions) (*source, error) {
	if path == "-" {
		return openStdin(ctx, opt)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	switch {
	case info.Mode().IsRegular():
		return &source{path: path, file: f, byName: true, size: info.Size(), modTime: info.ModTime()}, nil
	case info.IsDir():
		return nil, errors.Join(badFile(path, "is a folder; name a file"), f.Close())
	}
	s, err := spool(ctx, path, f, opt.TempDir)
	return s, errors.Join(err, f.Close())
}

func openStdin(ctx context.Context, opt ReadOptions) (*source, error) {
	const name = "standard input"
	if opt.Stdin == nil {
		return nil, errors.New("table: no standard input given to read from")
	}
	if f, ok := opt.Stdin.(*os.File); ok {
		info, err := f.Stat()
		at, seekErr := f.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && at == 0 && info.Mode().IsRegular() {
			return &source{path: name, file: f, foreign: true, size: info.Size(), modTime: info.ModTime()}, nil
		}
	}
	return spool(ctx, name, opt.Stdin, opt.TempDir)
}

// spool copies r to a temporary file.
func spool(ctx context.Context, path string, r io.Reader, dir string) (*source, error) {
	f, err := newScratch(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &source{path: path, file: f.File, temp: f.name}
	if err := copyUntil(ctx, f, r); err != nil {
		return nil, errors.Join(fmt.Errorf("copy %s to a temporary file (TMPDIR says where): %w", path, err), s.Close())
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.size, s.modTime = info.Size(), info.ModTime()
	return s, nil
}

// copyUntil copies r to w until the end or until ctx is done. A read that
// blocks does not hold it up: the goroutine that waits in it is left behind.
func copyUntil(ctx context.Context, w io.Writer, r io.Reader) error {
	type chunk struct {
		data []byte
		err  error
	}
	const size = 256 << 10
	full, empty := make(chan chunk, 2), make(chan []byte, 2)
	empty <- make([]byte, size)
	empty <- make([]byte, size)
	go func() {
		for {
			select {
			case buf := <-empty:
				n, err := r.Read(buf[:size])
				full <- chunk{buf[:n], err} // never blocks: as many places as buffers
				if err != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case c := <-full:
			if _, err := w.Write(c.data); err != nil {
				return err
			}
			if errors.Is(c.err, io.EOF) {
				return ctx.Err()
			}
			if c.err != nil {
				return c.err
			}
			empty <- c.data
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ReadAt reads from the file as io.ReaderAt does.
func (s *source) ReadAt(p []byte, off int64) (int, error) { return s.file.ReadAt(p, off) }

// unchanged returns an error if the file is not as it was when it was opened.
func (s *source) unchanged() error {
	info, err := s.file.Stat()
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	if info.Size() != s.size || !info.ModTime().Equal(s.modTime) {
		return &DataError{Path: s.path, Row: -1, Err: ErrChanged}
	}
	return nil
}

// park closes the file for now if it can be opened again by its name, so that a
// table of thousands of files holds few of them open.
func (s *source) park() error {
	if !s.byName || s.parked {
		return nil
	}
	s.parked = true
	return s.file.Close()
}

// resume opens a parked file again. That it is still the same is seen by
// unchanged.
func (s *source) resume() error {
	if !s.parked {
		return nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return fmt.Errorf("open the input again: %w", err)
	}
	s.file, s.parked = f, false
	if err := s.unchanged(); err != nil {
		return errors.Join(err, s.park())
	}
	return nil
}

// Close closes the file and removes a temporary one.
func (s *source) Close() error {
	var err error
	if !s.foreign && !s.parked {
		err = s.file.Close()
	}
	if s.temp != "" {
		err = errors.Join(err, os.Remove(s.temp))
		s.temp = ""
	}
	return err
}
