package main

import (
	"context"
	"errors"
	"slices"

	"rtcluster/join"
)

// This file opens the tables of predict: the clustered one and the new ones, which
// `rtcluster outliers --reference` has, too.

// openClustered opens the clustered table, and reads its parameters and core rows.
func (j *job) openClustered(ctx context.Context, opt *predictOptions) (_ *coreRows, _ *recorded, err error) {
	j.clock.start("read")
	defer j.clock.stop("read")
	names := []string{opt.Clustered}
	in := opt.Input.ofClustered()
	var rec *recorded
	if opt.Params != "" {
		if rec, err = readReport(opt.Params); err != nil {
			return nil, nil, err
		}
		if err = rec.choose(opt.Choice); err != nil {
			return nil, nil, err
		}
		// Its columns spare looking at others.
		in.load = in.wanted(&source{columns: append(slices.Clone(rec.params.Columns), rec.column("cluster"), rec.column("is_core"))})
	}
	found, err := j.find(names, in)
	if err != nil {
		return nil, nil, err
	}
	t, err := j.openFound(ctx, names, found, in)
	if err != nil {
		return nil, nil, err
	}
	s := &source{path: tableName(names, t), table: t}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := j.keepInput(t); err != nil {
		return nil, nil, err
	}
	if rec == nil {
		if rec, err = readMetadata(s.path, t); err == nil {
			err = rec.choose(opt.Choice)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if err := j.admit(s, rec.params.Columns); err != nil {
		return nil, nil, err
	}
	if err := j.checkCoresNeed(s, rec); err != nil {
		return nil, nil, err
	}
	cores, err := j.readCores(ctx, s, rec)
	if err != nil {
		return nil, nil, err
	}
	if err := rec.params.transform().apply(s); err != nil {
		return nil, nil, err
	}
	return cores, rec, cores.checkMoved(rec)
}

// ofClustered are the options for reading the clustered table, which has been
// written by rtcluster: a header is there, and the delimiter may be another one.
func (o *inputOptions) ofClustered() *inputOptions {
	in := *o
	in.Format, in.stream = "auto", true
	if in.Header == "no" {
		in.Header = "yes"
	}
	if in.Delimiter == ' ' {
		in.Delimiter = 0
	}
	return &in
}

// openNew opens new tables, which must have the columns, and settles what is written
// of them.
func (j *job) openNew(ctx context.Context, names []string, in inputOptions, columns, added []string) (s *source, keep []string, err error) {
	j.clock.start("read")
	defer j.clock.stop("read")
	in.stream, in.load = true, in.wanted(&source{columns: columns})
	t, err := openInputs(ctx, j, names, &in)
	if err != nil {
		return nil, nil, err
	}
	s = &source{path: tableName(names, t), table: t}
	if err = j.admit(s, columns); err == nil {
		keep, err = j.kept(s, added)
	}
	if err != nil {
		return nil, nil, errors.Join(err, t.Close())
	}
	return s, keep, nil
}

// admit takes note of a table that must have the recorded columns, by their names.
func (j *job) admit(s *source, columns []string) error {
	all := columnNames(s.table.Columns())
	for _, name := range columns {
		if !slices.Contains(all, bareName(all, name)) {
			return unknownColumn(s.path, bareName(all, name), all)
		}
	}
	if s.table.Rows() > join.MaxRows {
		return inputf(s.path, "%s rows, at most %s are supported", grouped(s.table.Rows()), grouped(join.MaxRows))
	}
	s.columns = columns
	if err := j.checkNotInput(s.table); err != nil {
		return err
	}
	j.addInput(s.path, s.table)
	return nil
}
