package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rtcluster/io/table"
)

// checkWritable returns an error unless a file can be written at path: before
// any work, not after it.
func (a *app) checkWritable(flag, path string, force bool) error {
	if path == "" || path == "-" {
		return nil
	}
	a.clearLeftovers(path)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return usagef("%s %s is a folder: name a file%s", flag, path, map[string]string{"--output": ", or " + path + "/ for one file per input"}[flag])
	case err == nil && !info.Mode().IsRegular():
		return usagef("%s %s is not a regular file and cannot be replaced by one", flag, path)
	case err == nil && info.Mode().Perm()&0o222 == 0:
		return usagef("%s %s is there already and write-protected: name another file", flag, path)
	case err == nil && !force:
		return usagef("%s %s is there already: --force overwrites it", flag, path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usagef("%s %s: %w", flag, path, err)
	}
	folder := filepath.Dir(table.FollowLinks(path))
	probe, err := os.CreateTemp(folder, ".rtcluster-*")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("%s %s: there is no folder %s", flag, path, folder)
	case isResource(err):
		return fmt.Errorf("%s %s: %w", flag, path, err)
	case err != nil:
		return usagef("%s %s: cannot write to folder %s: %w", flag, path, folder, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// checkOutput is checkWritable for --output, which may also be a folder.
func (a *app) checkOutput(out *outputOptions) error {
	if !out.folder() {
		return a.checkWritable("--output", out.Path, out.Force)
	}
	info, err := os.Stat(out.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // it will be made
	case err != nil:
		return usagef("--output %s: %w", out.Path, err)
	case !info.IsDir():
		return usagef("--output %s is no folder", out.Path)
	}
	a.clearLeftovers(out.Path)
	return nil
}

// aside is a file that is written beside the output.
type aside struct{ flag, path string }

// asides are the files that are to be written beside the output.
func (j *job) asides() []aside {
	all := []aside{{"--plot", j.outOpt.Plot}, {"--report", j.runOpt.Report}, {"--html", j.runOpt.HTML}, {"--clusters", j.outOpt.Clusters}}
	return slices.DeleteFunc(all, func(to aside) bool { return to.path == "" })
}

// spared are the files that tell a run what to do: no output may replace them.
func (j *job) spared() []aside {
	all := []aside{{"--config", j.configPath()}}
	for _, arg := range j.args {
		if list, ok := strings.CutPrefix(arg, "@"); ok && list != "-" {
			all = append(all, aside{"the list " + arg, list})
		}
	}
	return slices.DeleteFunc(all, func(from aside) bool { return from.path == "" })
}

// checkAsides sees that they can be written, and are files of their own.
func (j *job) checkAsides() error {
	taken := j.spared()
	take := func(to aside) error {
		for _, other := range taken {
			if sameFile(to.path, other.path) {
				return usagef("%s and %s both name %s", other.flag, to.flag, other.path)
			}
		}
		taken = append(taken, to)
		return nil
	}
	if out := j.outOpt.Path; out != "" && out != "-" {
		if err := take(aside{"--output", out}); err != nil {
			return err
		}
	}
	for _, to := range j.asides() {
		if err := j.checkWritable(to.flag, to.path, j.outOpt.Force); err != nil {
			return err
		}
		if err := take(to); err != nil {
			return err
		}
	}
	return nil
}

// clearLeftovers removes what runs that were killed have left of an output, and
// says so.
func (a *app) clearLeftovers(path string) {
	for _, l := range table.ClearLeftovers(path) {
		if l.Removed {
			a.log.Warn("removed " + l.Path + ", which a run that was killed left unfinished")
		} else {
			a.log.Warn(l.Path + " is there, of another run that writes to the same output, or was killed: remove it if there is none")
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// scatter puts the values of the rows used in their places among total rows;
// the rest is absent.
func scatter[T any](values []T, rows []int32, total int64, absent T) []T {
	if rows == nil {
		return values
	}
	all := make([]T, total)
	for i := range all {
		all[i] = absent
	}
	for i, row := range rows {
		all[row] = values[i]
	}
	return all
}

// valid tells which rows of the table have values; nil if the columns can hold
// no nulls, which --nan alone decides.
func (s *source) valid(nan string) []bool {
	if nan != "drop" {
		return nil
	}
	all := make([]bool, s.table.Rows())
	for i := range all {
		all[i] = s.rows == nil
	}
	for _, row := range s.rows {
		all[row] = true
	}
	return all
}

// kept returns the columns of the input to write, nil for all, and refuses
// names that the added columns have too.
func (j *job) kept(s *source, added []string) ([]string, error) {
	out := j.outOpt
	all := columnNames(s.table.Columns())
	var keep []string
	switch {
	case slices.Equal(out.Keep, []string{"all"}):
	case slices.Equal(out.Keep, []string{"none"}):
		keep = []string{}
	default:
		var err error
		if keep, err = selectColumns(s.path, s.table.Columns(), out.Keep, nil); err != nil {
			return nil, err
		}
	}
	written := all
	if keep != nil {
		written = keep
		if err := j.keepColumns(s.table, keep); err != nil {
			return nil, err
		}
	}
	for _, name := range added {
		if slices.Contains(written, out.Prefix+name) {
			return nil, inputf(s.path, "there is a column %q already: give the added columns a --prefix, or leave it out by --keep", out.Prefix+name)
		}
	}
	return keep, nil
}

// keepColumns refuses to replace an input by an output without some of its columns: they
// would be lost, whatever --force says.
func (j *job) keepColumns(t *table.Table, keep []string) error {
	path, over := j.overwritten(t)
	if !over {
		return nil
	}
	lost := slices.DeleteFunc(columnNames(t.Columns()), func(name string) bool { return slices.Contains(keep, name) })
	if len(lost) == 0 {
		return nil
	}
	return usagef("--output %s is an input, whose columns that --keep leaves out would be lost: %s; name another file", path, listed(lost))
}

// writeTable writes the source's table with columns added, unless the output
// is a terminal that was not asked for.
func (j *job) writeTable(ctx context.Context, s *source, keep []string, added []table.Added) error {
	if j.silent() {
		return nil
	}
	j.clock.start("write")
	defer j.clock.stop("write")
	for i := range added {
		added[i].Name = j.outOpt.Prefix + added[i].Name
	}
	path := j.outputPath()
	metadata, err := j.report.metadata()
	if err != nil {
		return err
	}
	write := s.table.WriteWith
	if j.outOpt.folder() {
		write = s.table.WriteEach
	}
	told := len(s.table.Notes())
	ctx, done := j.watchWriting(ctx)
	err = write(ctx, path, keep, added, table.WriteOptions{
		Compression: j.outOpt.Compression, Force: j.outOpt.Force, Stdout: j.out, Metadata: metadata,
	})
	done()
	if err != nil {
		return writeError(path, err)
	}
	j.written.Store(true)
	j.tell(ctx, shown(path), s.table.Notes()[told:])
	return nil
}

// writeError says which output failed.
func writeError(path string, err error) error {
	var data *table.DataError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.As(err, &data):
		return err
	case errors.Is(err, table.ErrExists):
		return usagef("--output %s is there already: --force overwrites it", path)
	case path == "-":
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return fmt.Errorf("cannot write %s: %w", path, err)
}

// sameFile reports whether two paths lead to one file, there or not yet.
func sameFile(a, b string) bool {
	if ia, err := os.Stat(a); err == nil {
		ib, err := os.Stat(b)
		return err == nil && os.SameFile(ia, ib)
	}
	return resolved(a) == resolved(b)
}

// resolved returns the absolute path of a file that may not be there yet, by
// way of its folder's links.
func resolved(path string) string {
	path, err := filepath.Abs(table.FollowLinks(path))
	if err != nil {
		return path
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}
