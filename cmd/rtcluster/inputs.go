package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// This file turns the inputs of a command line into one table.

// inputsHelp explains INPUT in the help of a command.
const inputsHelp = `INPUT is a CSV, Parquet, FITS, VOTable or ECSV file, a table in one as stars.fits#2 or
stars.fits#NAME, a folder of such files, a pattern in quotes such as
'night*/**/*.parquet', @FILE for a list of these, or - for standard input. Several are
taken as one table, in order, the files of a folder by name; their columns are matched by
name, and folders named k=v become columns (--hive no: they do not).`

// setOptions say how files become one table.
type setOptions struct {
	Union    bool
	Filename string // column of file names, "" for none
	Hive     string // "" and yes, no
}

func (o *setOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Input", func(fs *pflag.FlagSet) {
		fs.BoolVar(&o.Union, "union-by-name", false, "take the columns of all files, and null where a file lacks one (default: all must have the same)")
		fs.StringVar(&o.Filename, "filename-column", "", "add a column `NAME` with the file that a row comes from")
		fs.Var(newEnum(&o.Hive, "", "yes", "no"), "hive", "whether folders named k=v become columns (default yes)")
	})
}

// inputArgs wants one input or more.
func inputArgs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("no input: name a CSV, Parquet, FITS, VOTable or ECSV file, or - for standard input")
	}
	return checkInputs(args...)
}

// checkInputs finds what is wrong with inputs by their names alone.
func checkInputs(args ...string) error {
	stdin := 0
	for _, arg := range args {
		switch arg {
		case "":
			return usagef("the name of an input is empty")
		case "@":
			return usagef("the input @ lacks the name of a list: @FILE")
		case "-", "@-":
			stdin++
		}
	}
	if stdin > 1 {
		return usagef("standard input can be read once only")
	}
	return nil
}

// openInputs finds the files of the inputs, and opens them as one table, for each
// of whose files there may be an output.
func openInputs(ctx context.Context, j *job, names []string, opt *inputOptions) (*table.Table, error) {
	found, err := j.find(names, opt)
	if err != nil {
		return nil, err
	}
	if j.outOpt.folder() {
		if err := j.checkFiles(found.Inputs); err != nil {
			return nil, err
		}
	}
	return j.openFound(ctx, names, found, opt)
}

// find finds the files of the inputs.
func (j *job) find(names []string, opt *inputOptions) (*table.Found, error) {
	found, err := table.Find(names, opt.Format, j.in)
	if err != nil {
		return nil, findError(err)
	}
	if n := len(found.Skipped); n > 0 {
		j.log.Info(fmt.Sprintf("passed over %s whose names end in no extension of a table: %s (--format takes them)",
			plural(n, "file", "files"), listed(found.Skipped)), "skipped", n)
	}
	return found, nil
}

// openFound opens the files of the inputs as one table.
func (j *job) openFound(ctx context.Context, names []string, found *table.Found, opt *inputOptions) (*table.Table, error) {
	read := opt.read(j.in)
	show := j.display()
	read.Threads, read.Counted = j.runOpt.Threads, func(rows int64, kept int) error {
		show.count(stageRead, rows)
		return j.counted(rows, kept)
	}
	t, err := table.OpenAll(ctx, found.Inputs, table.SetOptions{
		ReadOptions: read, UnionByName: opt.Set.Union, FilenameColumn: opt.Set.Filename, NoPartitions: opt.Set.Hive == "no",
	})
	show.close()
	if err != nil {
		paths := make([]string, len(found.Inputs))
		for i, in := range found.Inputs {
			paths[i] = in.Path
		}
		return nil, readError(inputName(names), err, paths...)
	}
	if folders := t.Partitions(); len(folders) > 0 {
		j.log.Info("columns from the names of folders: "+listed(folders)+" (--hive no leaves them out)", "partitions", folders)
	}
	j.tell(ctx, inputName(names), t.Notes())
	return t, nil
}

// tell passes on what was found out about a table.
func (j *job) tell(ctx context.Context, name string, notes []table.Note) {
	for _, n := range notes {
		level := slog.LevelDebug
		if n.Loud {
			level = slog.LevelInfo
		}
		j.log.Log(ctx, level, name+": "+n.Text)
	}
}

// findError marks what went wrong while files were looked for.
func findError(err error) error {
	var inPath *fs.PathError
	switch {
	case errors.Is(err, table.ErrPattern), errors.Is(err, table.ErrTwice):
		return usageError{err}
	case errors.As(err, &inPath) && !isResource(err):
		return inputError{fmt.Errorf("cannot read %s: %w", inPath.Path, inPath.Err)}
	}
	return inputError{err}
}

// inputName is what messages call several inputs.
func inputName(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s and %s", names[0], plural(len(names)-1, "more input", "more inputs"))
}

// tableName is what messages call a table: by its file, if it is one.
func tableName(names []string, t *table.Table) string {
	if files := t.Files(); len(files) == 1 {
		return files[0].Path
	}
	return inputName(names)
}

// place says where a row of the table is, for a message: also in which file, if
// there are several.
func (s *source) place(row int64) string {
	text := fmt.Sprintf("row %d (counted from 0)", row)
	files := s.table.Files()
	if len(files) == 1 {
		return text
	}
	first := int64(0)
	for _, f := range files {
		if row < first+f.Rows {
			return fmt.Sprintf("row %d of all (row %d of %s, counted from 0)", row, row-first, f.Path)
		}
		first += f.Rows
	}
	return text
}

// folder reports whether the output is a folder, for one file per input.
func (o *outputOptions) folder() bool { return strings.HasSuffix(o.Path, "/") }

// checkFiles sees that one file for each input can be written.
func (j *job) checkFiles(inputs []table.Input) error {
	o := j.outOpt
	paths, err := table.OutputPaths(o.Path, inputs)
	if err != nil {
		return usagef("--output %s: %w", o.Path, err)
	}
	for _, to := range j.asides() {
		if i := slices.IndexFunc(paths, func(path string) bool { return sameFile(to.path, path) }); i >= 0 {
			return usagef("--output %s and %s both name %s", o.Path, to.flag, paths[i])
		}
	}
	j.outputs = paths
	if i := slices.IndexFunc(paths, func(path string) bool { return !o.Force && exists(path) }); i >= 0 {
		return usagef("--output %s: %s is there already: --force overwrites it", o.Path, paths[i])
	}
	return nil
}
