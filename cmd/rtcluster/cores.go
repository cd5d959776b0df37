package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"rtcluster/io/table"
	"rtcluster/join"
)

// This file reads the core rows of a clustered table, and sees that they are those
// that were written.

// coreSum is a checksum of the clusters of core rows, in order: a row taken out, or
// a label changed, shows in it. It is in the report and the metadata of dbscan.
type coreSum struct{ crc uint32 }

// add takes the cluster of the next core row.
func (s *coreSum) add(label int32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(label))
	s.crc = crc32.Update(s.crc, crc32.MakeTable(crc32.Castagnoli), b[:])
}

func (s *coreSum) String() string { return fmt.Sprintf("%08x", s.crc) }

// coreRows are the core rows of a clustering, whose points the source has.
type coreRows struct {
	*source
	labels []int32 // -1 for those of clusters that were dropped
	sum    coreSum
}

// readCores reads the core rows of the clustered table that s has opened.
func (j *job) readCores(ctx context.Context, s *source, rec *recorded) (*coreRows, error) {
	label, flag := rec.column("cluster"), rec.column("is_core")
	all := columnNames(s.table.Columns())
	for _, name := range []string{label, flag} {
		if !slices.Contains(all, name) {
			return nil, inputf(s.path, "no column %q, which rtcluster dbscan adds: predict goes by the core rows and their clusters, so keep it", name)
		}
	}
	read := append(slices.Clone(s.columns), label, flag+":double")
	c := &coreRows{source: s}
	if rec.counts != nil {
		if err := needMemory(shown(s.path)+": its core rows", 2.5, 8, float64(rec.counts.coreRows()), float64(len(read))); err != nil {
			return nil, err
		}
	}
	ctx, done := j.watch(ctx, stageRead)
	defer done()
	s.rows = []int32{}
	err := s.eachPiece(ctx, read, func(first int64, f *table.Floats) error {
		for i := range f.Rows {
			if err := c.take(first+int64(i), f.Data[i*f.Cols:(i+1)*f.Cols], &rec.params); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, j.checkCores(c, rec)
}

// take looks at a row: its coordinates, its label and whether it is core.
func (c *coreRows) take(row int64, values []float64, p *parameters) error {
	dim := len(c.columns)
	coordinates, label, core := values[:dim], values[dim], values[dim+1]
	least := 0.
	if p.MinClusterSize > 1 {
		least = -1 // core rows of clusters that were dropped
	}
	switch {
	case core == 0, math.IsNaN(core) && p.NaN == "drop":
		return nil
	case core != 1:
		return c.changed(row, "is_core is %s", valueText(core))
	case label != math.Trunc(label) || label < least || label >= join.MaxRows: // also NaN
		return c.changed(row, "it is core, and its cluster is %s", valueText(label))
	}
	if k := slices.IndexFunc(coordinates, notFinite); k >= 0 {
		return c.changed(row, "it is core, and its %s is %s", c.columns[k], valueText(coordinates[k]))
	}
	c.rows = append(c.rows, int32(row))
	c.data = append(c.data, coordinates...)
	c.labels = append(c.labels, int32(label))
	c.sum.add(int32(label))
	return nil
}

// valueText is a value of a column for a message.
func valueText(x float64) string {
	if math.IsNaN(x) {
		return "missing"
	}
	return exact(x)
}

// changed is the error for a row that dbscan did not write so.
func (c *coreRows) changed(row int64, format string, args ...any) error {
	return inputf(c.path, "%s is not as rtcluster dbscan wrote it: %w; cluster again", c.place(row), fmt.Errorf(format, args...))
}

// errChanged tells of core rows that are not those of the clustering.
var errChanged = errors.New("rows or labels were changed since, or this is another table: cluster again")

// checkCores compares the core rows with what was recorded. Other rows make no
// difference, and may be missing.
func (j *job) checkCores(c *coreRows, rec *recorded) error {
	if rec.version != version() {
		j.warn("%s was written by rtcluster %s, and this is %s: pairs at eps but for rounding may be decided otherwise where coordinates are transformed",
			rec.path, cmp.Or(rec.version, "of unknown version"), version())
	}
	was := rec.counts
	switch {
	case was == nil:
		return nil
	case was.coreRows() != len(c.labels):
		return inputf(c.path, "it has %s, and the clustering had %s, by %s: %w",
			plural(len(c.labels), "core row", "core rows"), grouped(was.coreRows()), rec.path, errChanged)
	case was.CoreSum != "" && was.CoreSum != c.sum.String():
		return inputf(c.path, "the clusters of its core rows are not those of the clustering, by %s: %w", rec.path, errChanged)
	}
	if rows := c.table.Rows(); rows != was.Rows {
		j.warn("%s has %s, and had %s when it was clustered; its core rows are all there", shown(c.path), plural(rows, "row", "rows"), grouped(was.Rows))
	}
	return nil
}
