package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// output is a file in the making. It stands under a temporary name in the folder
// of its path until it is committed.
type output struct {
	buf    *bufio.Writer
	path   string // the file, links followed
	force  bool
	temp   *tempFile // nil for a stream
	stream *os.File  // a device or pipe that is written in place, or nil
}

// createOutput begins the output at path, or where links at path lead, if
// something is there or not. Devices and pipes are written in place: replacing
// one by a file would do harm.
func createOutput(path string, opt WriteOptions) (*output, error) {
	if path == "-" {
		if opt.Stdout == nil {
			return nil, errors.New("table: no standard output given to write to")
		}
		return &output{path: path, buf: newOutputBuffer(opt.Stdout)}, nil
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("create output: %w", err)
		}
		return &output{path: path, stream: f, buf: newOutputBuffer(f)}, nil
	}
	path, mode, err := target(path, opt.Force)
	if err != nil {
		return nil, err
	}
	temp, err := createTemp(path)
	if err == nil && mode != 0 {
		if err = temp.file.Chmod(mode); err != nil {
			temp.remove()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("create output: %w", err)
	}
	return &output{path: path, force: opt.Force, temp: temp, buf: newOutputBuffer(temp.file)}, nil
}

// target returns the path of a file to be made or replaced, links followed, and
// the permissions of one that is there, else 0.
func target(path string, force bool) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return FollowLinks(path), 0, nil
	case err != nil:
		return "", 0, fmt.Errorf("create output: %w", err)
	case info.IsDir():
		return "", 0, fmt.Errorf("create output: %s is a folder; name a file", path)
	case !force:
		return "", 0, fmt.Errorf("%s: %w", path, ErrExists)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", 0, fmt.Errorf("create output: %w", err)
	}
	return path, info.Mode().Perm(), nil
}

// FollowLinks returns the file that writing to path makes or replaces: where
// links lead, even if nothing is there yet, as for a program that opens the path
// for writing. Links in a circle are left alone; using them tells.
func FollowLinks(path string) string {
	const most = 40 // as many as Linux follows
	at := path
	for range most {
		to, err := os.Readlink(at)
		if err != nil {
			return at // no link
		}
		if !filepath.IsAbs(to) {
			// Not joined: .. after a link of a folder is not the folder above it.
			to = filepath.Dir(at) + string(filepath.Separator) + to
		}
		at = to
	}
	return path
}

// ReplaceFile puts a file of the given content at path, in the place of one that
// may be there: all of it or nothing, as tables are written.
func ReplaceFile(path string, content []byte) error {
	out, err := createOutput(path, WriteOptions{Force: true})
	if err != nil {
		return err
	}
	defer out.abort() // does nothing once committed
	if _, err := out.Write(content); err != nil {
		return err
	}
	return out.commit()
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
	case o.temp == nil:
		return nil
	}
	err := o.temp.file.Sync()
	if err == nil {
		err = place(o.temp.file.Name(), o.path, o.force)
	}
	if errors.Is(err, ErrExists) {
		return err
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", o.path, err)
	}
	err = o.temp.file.Close()
	o.temp = nil
	return errors.Join(err, syncFolder(filepath.Dir(o.path)))
}

// place gives a finished file its name. Without force that is a link, which
// fails if someone has made a file of that name meanwhile, where the file system
// has links.
func place(temp, path string, force bool) error {
	if force {
		return os.Rename(temp, path)
	}
	if err := os.Link(temp, path); err == nil {
		return os.Remove(temp)
	}
	if _, there := os.Lstat(path); there == nil {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	return os.Rename(temp, path)
}

// abort removes what was not committed.
func (o *output) abort() {
	if o.stream != nil {
		_ = o.stream.Close() // the error that led here is the one to tell
		o.stream = nil
	}
	if o.temp != nil {
		o.temp.remove()
		o.temp = nil
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
