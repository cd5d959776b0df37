package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"rtcluster/io/table"
)

// This file opens the tables of `rtcluster outliers --reference`, and reads the
// reference.

// read opens the reference and the new rows, refuses what can be refused, and reads
// the reference.
func (n *novelty) read(ctx context.Context) (err error) {
	opt := n.opt
	if n.reference, err = n.openReference(ctx); err != nil {
		return err
	}
	n.pieces = true
	in := opt.Input
	fresh, keep, err := n.openNew(ctx, opt.Paths, in, n.reference.columns, opt.addedColumns(n.scores))
	if err != nil {
		return err
	}
	n.new, n.keep = &newRows{source: fresh}, keep // to be closed, whatever follows
	n.shared = newSharedFiles(n.reference.table, fresh.table)
	if err := n.checkID(); err != nil {
		return err
	}
	if err := n.keepReference(); err != nil {
		return err
	}
	if n.labels, err = opt.Evaluate.read(ctx, fresh); err != nil {
		return err
	}
	n.plan, n.dry = n.planNew, opt.Dry.Run
	n.clock.start("read")
	params, err := n.load(ctx, &opt.Input, &opt.Metric, n.reference)
	n.clock.stop("read")
	if err != nil {
		return err
	}
	if err := n.checkReference(); err != nil {
		return err
	}
	n.new = n.newNewRows(fresh, params.transform(), in.NaN)
	n.new.most = opt.blockRows(len(fresh.columns))
	params.Reference = opt.Reference
	opt.record(n.job, params, n.scores)
	if opt.has(takesEps) {
		n.warnEps(opt.Eps, &opt.Input, &opt.Metric, n.reference)
	}
	return opt.checkLists(n.reference)
}

// openReference opens the reference and chooses its columns.
func (n *novelty) openReference(ctx context.Context) (*source, error) {
	n.clock.start("read")
	defer n.clock.stop("read")
	names, in := []string{n.opt.Reference}, n.opt.Input
	in.load = in.wanted(nil)
	found, err := n.find(names, &in)
	if err != nil {
		return nil, err
	}
	t, err := n.openFound(ctx, names, found, &in)
	if err != nil {
		return nil, err
	}
	s := &source{path: tableName(names, t), table: t}
	if !slices.Contains(columnNames(t.Columns()), in.ID) {
		in.ID = "" // of the new rows alone
	}
	err = s.choose(n.job, &in, nil)
	if err == nil {
		err = checkSky(s, &n.opt.Metric)
	}
	if err == nil {
		err = n.checkNotInput(t)
	}
	if err == nil && t.Rows() == 0 {
		err = inputf(s.path, "the reference has no rows, so there is nothing to score by")
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	n.report.Reference = filesOf(t)
	n.lineInput("reference", s.path, t)
	return s, nil
}

// checkID wants the column of --id to be in one of the tables.
func (n *novelty) checkID() error {
	id, all := n.opt.Input.ID, columnNames(n.new.table.Columns())
	if id == "" || slices.Contains(all, id) || slices.Contains(columnNames(n.reference.table.Columns()), id) {
		return nil
	}
	return unknownColumn(n.new.path, id, all)
}

// checkReference wants rows that are used, and more than k.
func (n *novelty) checkReference() error {
	if n.reference.points.Rows() == 0 {
		return inputf(n.reference.path, "all rows of the reference are dropped, so there is nothing to score by")
	}
	return n.opt.checkRows(n.reference)
}

// keepReference refuses an output that would replace a file of the reference, unless
// that file is an input, whose rows the output has.
func (n *novelty) keepReference() error {
	inputs := fileInfos(n.new.table.Files())
	outputs := n.outputs
	if !n.outOpt.folder() {
		outputs = []string{n.outOpt.Path}
	}
	reference := fileInfos(n.reference.table.Files())
	for _, path := range outputs {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		same := func(other os.FileInfo) bool { return os.SameFile(info, other) }
		if slices.ContainsFunc(reference, same) && !slices.ContainsFunc(inputs, same) {
			return usagef("--output %s is a file of --reference, and would be lost: the output has other rows: name another file", path)
		}
	}
	return nil
}

// fileInfos are what the system says of files that are there.
func fileInfos(files []table.File) []os.FileInfo {
	var infos []os.FileInfo
	for _, f := range files {
		if info, err := os.Stat(f.Path); err == nil && f.Path != "-" {
			infos = append(infos, info)
		}
	}
	return infos
}
