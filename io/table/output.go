package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// output is a file in the making. It stands under a temporary name in the folder
// of its path until it is committed.
type output struct {
	buf     *bufio.Writer
	path    string // the file, links followed
	force   bool
	pending *renameio.PendingFile // nil for a stream
	stream  *os.File              // a device or pipe that is written in place, or nil
}

// createOutput begins the output at path. Devices and pipes are written in
// place: replacing one by a file would do harm.
func createOutput(path string, opt WriteOptions) (*output, error) {
	if path == "-" {
		if opt.Stdout == nil {
			return nil, errors.New("table: no standard output given to write to")
		}
		return &output{path: path, buf: newOutputBuffer(opt.Stdout)}, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("create output: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("create output: %s is a folder; name a file", path)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("create output: %w", err)
		}
		return &output{path: path, stream: f, buf: newOutputBuffer(f)}, nil
	case !opt.Force:
		return nil, fmt.Errorf("%s: %w", path, ErrExists)
	default:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, fmt.Errorf("create output: %w", err)
		}
	}
	pending, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return nil, fmt.Errorf("create output: %w", err)
	}
	return &output{path: path, force: opt.Force, pending: pending, buf: newOutputBuffer(pending)}, nil
}

// newOutputBuffer gathers small writes.
func newOutputBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 256<<10) }

// Write appends to the output.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.buf.Write(p)
	if err != nil {
		err = fmt.Errorf("write %s: %w", o.path, err)
	}
	return n, err
}

// commit puts the file in its place.
func (o *output) commit() error {
	if err := o.buf.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", o.path, err)
	}
	switch {
	case o.stream != nil:
		stream := o.stream
		o.stream = nil
		if err := stream.Close(); err != nil {
			return fmt.Errorf("write %s: %w", o.path, err)
		}
		return nil
	case o.pending == nil:
		return nil
	}
	if err := o.place(); err != nil {
		if errors.Is(err, ErrExists) {
			return err
		}
		return fmt.Errorf("write %s: %w", o.path, err)
	}
	o.pending = nil
	return syncFolder(filepath.Dir(o.path))
}

// place gives the synced file its name. Without force that is a link, which
// fails if someone has made a file of that name meanwhile, where the file system
// has links.
func (o *output) place() error {
	if o.force {
		return o.pending.CloseAtomicallyReplace()
	}
	if err := o.pending.Sync(); err != nil {
		return err
	}
	err := os.Link(o.pending.Name(), o.path)
	if err == nil {
		return o.pending.Cleanup()
	}
	if _, there := os.Lstat(o.path); there == nil {
		return fmt.Errorf("%s: %w", o.path, ErrExists)
	}
	return o.pending.CloseAtomicallyReplace()
}

// abort removes what was not committed.
func (o *output) abort() {
	if o.stream != nil {
		_ = o.stream.Close() // the error that led here is the one to tell
		o.stream = nil
	}
	if o.pending != nil {
		_ = o.pending.Cleanup() // likewise
		o.pending = nil
	}
}

// syncFolder makes a rename last, where the system can sync folders.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a folder that may be written but not read
	}
	_ = d.Sync() // some file systems refuse it; the file itself is synced
	return d.Close()
}
