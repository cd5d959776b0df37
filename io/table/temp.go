package table

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Temporary files are called .NAME.rtcluster-XXXXXXXX.tmp after the output NAME
// that they are to become, and are locked while they are written. The system
// takes the lock off when the process ends, however it does, so that a file
// without one is known to be left over. Process numbers would not do: containers
// and machines that share a folder have theirs each.

const (
	tempMark = ".rtcluster-"
	tempEnd  = ".tmp"

	// tempBase is the most bytes of the output's name in that of its temporary
	// file, since names are short of 256 bytes on most systems.
	tempBase = 200
)

// tempFile is a file in the making, locked.
type tempFile struct{ file *os.File }

// createTemp makes a temporary file for the output at path.
func createTemp(path string) (*tempFile, error) {
	for {
		name := filepath.Join(filepath.Dir(path), tempPrefix(path)+fmt.Sprintf("%08x", rand.Uint32())+tempEnd)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Someone who looks for leftovers may have come between the two calls.
		if free, _ := lockFile(f); free && stillThere(f) {
			return &tempFile{f}, nil
		}
		_ = f.Close() // it was taken for a leftover and is being removed
	}
}

// tempPrefix is how names of temporary files of the output at path begin.
func tempPrefix(path string) string {
	base := filepath.Base(path)
	if len(base) > tempBase {
		base = strings.ToValidUTF8(base[:tempBase], "") // some systems want whole characters
	}
	return "." + base + tempMark
}

// stillThere reports whether a file has its name yet.
func stillThere(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// remove removes the file.
func (t *tempFile) remove() {
	_ = os.Remove(t.file.Name()) // the error that led here is the one to tell
	_ = t.file.Close()
}

// Leftover is a temporary file, or a folder of such, that some run has not
// renamed into an output.
type Leftover struct {
	Path string

	// Removed says that the run was ended before it could tidy up, as by kill -9,
	// and that its file is removed now. Else it is in use by a run at work, or
	// this system or file system cannot tell.
	Removed bool
}

// ClearLeftovers looks for temporary files of the output at path that other runs
// have left, and removes those that no run works on. The output may be a file, or
// a folder as for WriteEach.
func ClearLeftovers(path string) []Leftover {
	var dir, prefix string
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir, prefix = path, stagingPrefix
	} else {
		real := FollowLinks(path)
		dir, prefix = filepath.Dir(real), tempPrefix(real)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // nothing can be written there either, which will be told
	}
	var list []Leftover
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || len(middle) != 8+len(tempEnd) || !strings.HasSuffix(middle, tempEnd) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		list = append(list, Leftover{Path: name, Removed: clearLeftover(name)})
	}
	return list
}

// clearLeftover removes a temporary file or folder that no run has locked.
func clearLeftover(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || justBegun(name, info) {
		return false
	}
	lock := name
	if info.IsDir() {
		lock = filepath.Join(name, stagingLock)
	}
	f, err := os.OpenFile(lock, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return os.RemoveAll(name) == nil // a folder whose run did not get as far as that
	}
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only to be locked
	if free, sure := lockFile(f); !free || !sure {
		return false
	}
	return os.RemoveAll(name) == nil
}

// justBegun reports whether a temporary file or folder holds nothing yet and is
// new, so that its run may not have come to locking it.
func justBegun(name string, info fs.FileInfo) bool {
	const soon = 10 * time.Second
	if time.Since(info.ModTime()) > soon {
		return false
	}
	if !info.IsDir() {
		return info.Size() == 0
	}
	entries, err := os.ReadDir(name)
	return err != nil || len(entries) <= 1 // the lock
}
