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

	"rtcluster/bench/paper"
	"rtcluster/io/table"
)

// This file finds and reads the sets of `rtcluster bench --data DIR`.

// findSets has the experiment read its sets from the files of --data, whose names say
// which set they have.
func (b *benchRun) findSets(ctx context.Context, s *paper.Setting) error {
	entries, err := os.ReadDir(b.opt.Data)
	if err != nil {
		return readError(b.opt.Data, err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		name, _, _ := strings.Cut(strings.ToLower(entry.Name()), ".")
		if _, twice := files[name]; entry.IsDir() || name == "" {
			continue
		} else if twice {
			return usagef("--data %s has several files of set %s: leave one of them there", b.opt.Data, name)
		}
		files[name] = filepath.Join(b.opt.Data, entry.Name())
	}
	wanted := s.Sets
	if wanted == nil {
		wanted = slices.DeleteFunc(slices.Clone(b.experiment.Sets), func(name string) bool { return files[name] == "" })
		s.Sets = wanted
	}
	if len(wanted) == 0 {
		return inputf(b.opt.Data, "no file of the sets %s, such as %s.csv: name yours by --set", listed(b.experiment.Sets), b.experiment.Sets[0])
	}
	for _, name := range wanted {
		if files[name] == "" {
			return inputError{fmt.Errorf("%s: there is no file of set %s, such as %s.csv: %w", b.opt.Data, name, name, fs.ErrNotExist)}
		}
	}
	s.Read = func(ctx context.Context, name string) ([]float64, int, error) {
		return b.readSet(ctx, files[name])
	}
	return ctx.Err()
}

// readSet reads the numeric columns of a file.
func (b *benchRun) readSet(ctx context.Context, path string) (data []float64, dim int, err error) {
	b.job.clock.start(string(stageRead))
	defer b.job.clock.stop(string(stageRead))
	ctx, done := b.job.watch(ctx, stageRead)
	defer done()
	t, err := table.Open(ctx, path, table.ReadOptions{Format: "auto", Header: "auto"})
	if err != nil {
		return nil, 0, readError(path, err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	columns, err := numericColumns(path, t.Columns(), nil)
	if err != nil {
		return nil, 0, err
	}
	if err := needCoordinates(path, t.Rows(), len(columns)); err != nil {
		return nil, 0, err
	}
	values, err := t.Floats(ctx, columns)
	if err != nil {
		return nil, 0, readError(path, err)
	}
	if bad := badColumns(values.Bad); len(bad) > 0 {
		return nil, 0, inputf(path, "column %s has values that are missing, NaN or infinite", bad[0].Column)
	}
	return values.Data, values.Cols, nil
}
