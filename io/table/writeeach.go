package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

const (
	// stagingPrefix is how the folder begins in which WriteEach gathers its files;
	// it ends as temporary files do.
	stagingPrefix = tempMark

	// stagingLock is a file in it that is locked while it is in use.
	stagingLock = "lock"
)

// File is one of the files that a table is made of.
type File struct {
	Path string // as it was named or found; "-" for standard input
	Rows int64
}

// Files returns the files that the table is made of, in order.
func (t *Table) Files() []File {
	list := make([]File, len(t.files))
	for i, p := range t.files {
		list[i] = File{Path: p.in.Path, Rows: p.rows}
	}
	return list
}

// OutputPaths returns where WriteEach puts what is made of the inputs: below dir,
// under the names of the inputs. Two of one name, and standard input, which has
// none, are errors.
func OutputPaths(dir string, inputs []Input) ([]string, error) {
	paths := make([]string, len(inputs))
	from := make(map[string]string, len(inputs))
	for i, in := range inputs {
		if in.Path == "-" {
			return nil, errors.New("standard input has no name for a file in a folder; name an output file")
		}
		paths[i] = filepath.Join(dir, in.Name)
		if other, taken := from[paths[i]]; taken {
			return nil, fmt.Errorf("%s and %s would both become %s; name the folder above them, or an output file", other, in.Path, paths[i])
		}
		from[paths[i]] = in.Path
	}
	return paths, nil
}

// WriteEach writes every file of the table by itself, as WriteWith does, into
// the folder dir, which is made if it is not there. Names (Input.Name), formats
// and compressions of CSV are those of the inputs; columns that a file lacks are
// not written for it. keep as in WriteWith, but partitions and file names always
// stand behind the columns of the file.
//
// The files appear together at the end: as long as one can fail they stand in a
// temporary folder in dir. If it is the renaming that fails half-way, those of
// them that replaced none are removed again.
func (t *Table) WriteEach(ctx context.Context, dir string, keep []string, added []Added, opt WriteOptions) (err error) {
	places, err := t.kept(keep)
	if err != nil {
		return err
	}
	if err := t.checkAdded(places, added); err != nil {
		return err
	}
	inputs := make([]Input, len(t.files))
	for i, p := range t.files {
		inputs[i] = p.in
	}
	paths, err := OutputPaths(dir, inputs)
	if err != nil {
		return err
	}
	for i, path := range paths {
		if paths[i], _, err = target(path, opt.Force); err != nil { // before the work
			return err
		}
	}
	s, err := newStaging(dir)
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	defer s.remove()
	ctx, end := metered(ctx, t.Rows())
	if err := t.stage(ctx, s, paths, places, added, opt); err != nil {
		return err
	}
	if err := s.publish(paths, opt.Force); err != nil {
		return err
	}
	end()
	return nil
}

// stage writes the files into the temporary folder.
func (t *Table) stage(ctx context.Context, s *staging, paths []string, places []int, added []Added, opt WriteOptions) error {
	d, ok := t.body.(*dataset)
	if !ok {
		d = &dataset{parts: t.files, own: len(t.Columns()), all: t.Columns()}
		t.files[0].places = upTo(d.own)
	}
	pl := d.planOf(places, added)
	i := 0
	return d.each(ctx, &pl, func(p *part, own []int, more []Added) error {
		own = slices.DeleteFunc(own, func(place int) bool { return place < 0 })
		if identity(places, len(d.all)) {
			own = upTo(len(p.body.columns())) // in its own order
		}
		one := &Table{path: p.src.path, body: p.body}
		if err := one.writeTo(ctx, s.file(i), paths[i], own, more, opt); err != nil {
			return err
		}
		i++
		return nil
	})
}

// writeTo writes what is to stand at path, in the format of its input, to a
// temporary file.
func (t *Table) writeTo(ctx context.Context, temp, path string, keep []int, added []Added, opt WriteOptions) error {
	if len(keep)+len(added) == 0 {
		return badFile(t.path, "has none of the columns to write")
	}
	f, err := os.Create(temp)
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	out := &output{path: path, stream: f, buf: newOutputBuffer(f)}
	defer out.abort() // does nothing once committed
	switch body := t.body.(type) {
	case *csvFile:
		format := formatCSV
		if body.fromTSV {
			format = formatTSV
		}
		err = t.writeCSV(ctx, out, format, body.pack, keep, added)
	default:
		err = t.writeBinary(ctx, out, path, keep, added, opt)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(out.buf.Flush(), f.Sync()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return out.commit()
}

// writeBinary writes what was Parquet or FITS in that format again.
func (t *Table) writeBinary(ctx context.Context, out io.Writer, path string, keep []int, added []Added, opt WriteOptions) error {
	p, ok := t.body.(*parquetFile)
	if !ok || p.from == formatParquet {
		return t.body.writeParquet(ctx, out, keep, added, opt)
	}
	if p.from != formatFITS {
		return badFile(t.path, "is %s, which is read and not written: name an output file that ends in %s", p.from, writtenExtensions)
	}
	_, pack := byExtension(path)
	return t.writeFITS(ctx, out, pack, keep, added)
}

// staging is a folder in which files wait until all are there.
type staging struct {
	dir  string
	made string // the folder above it, if that was made for it
	lock *os.File
}

// newStaging makes the folder in dir.
func newStaging(dir string) (*staging, error) {
	s := &staging{}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		s.made = dir
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s.dir = filepath.Join(dir, fmt.Sprintf("%s%08x%s", stagingPrefix, rand.Uint32(), tempEnd))
	err := os.Mkdir(s.dir, 0o777)
	if err != nil {
		return nil, err
	}
	if s.lock, err = os.Create(filepath.Join(s.dir, stagingLock)); err != nil {
		s.remove()
		return nil, err
	}
	lockFile(s.lock)
	return s, nil
}

// file is the temporary path of file i.
func (s *staging) file(i int) string { return filepath.Join(s.dir, strconv.Itoa(i)) }

// remove removes the folder and what is in it.
func (s *staging) remove() {
	_ = os.RemoveAll(s.dir) // the error that led here is the one to tell
	if s.made != "" {
		_ = os.Remove(s.made) // if nothing came into it
	}
	if s.lock != nil {
		_ = s.lock.Close()
	}
}

// publish gives all files their names.
func (s *staging) publish(paths []string, force bool) (err error) {
	var fresh []string
	defer func() {
		if err != nil {
			for _, path := range fresh {
				_ = os.Remove(path) // the error is the one to tell
			}
		}
	}()
	folders := map[string]bool{}
	for i, path := range paths {
		dir := filepath.Dir(path)
		if !folders[dir] {
			folders[dir] = true
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return fmt.Errorf("create output: %w", err)
			}
		}
		old, there := os.Stat(path)
		if there == nil {
			_ = os.Chmod(s.file(i), old.Mode().Perm()) // the file is good without it
		}
		if err := place(s.file(i), path, force); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		if there != nil {
			fresh = append(fresh, path)
		}
	}
	for dir := range folders {
		if err := syncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}
