package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// This file writes the table of --clusters, which has a row for each cluster.

const clustersHelp = `With --clusters there is a second table, of the clusters, noise left out: cluster, size (its
rows), core, border, with --weight the sum weight, and of each coordinate X in the unit of
its column X_mean, X_std (divisor: size), X_min and X_max. In a --box they are along the
shortest arc with all rows, if that is less than half of it, and X_min is greater than
X_max where it wraps. On the sky there are the centre (RA_center and DEC_center, the mean
direction) and, in degrees, the root mean square and the greatest distance from it
(spread_deg, radius_deg). Of several eps, level and eps come first.`

// defineClusters binds the flag.
func (o *outputOptions) defineClusters(cmd *cobra.Command) {
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVar(&o.Clusters, "clusters", "",
			"`FILE` to write a table of the clusters to, with size, centroid, spread and range, by its ending .parquet, .csv, .tsv or .fits")
	})
}

// checkClusters finds what is wrong with the name of the table of clusters.
func (o *outputOptions) checkClusters(cmd *cobra.Command) error {
	f := cmd.Flags().Lookup("clusters")
	if f == nil || !f.Changed {
		return nil
	}
	if _, known := outputFormat(o.Clusters); !known || o.Clusters == "" || o.Clusters == "-" {
		return usagef("--clusters %q: name a file that ends in .parquet, .csv, .tsv or .fits, which says what to write", o.Clusters)
	}
	return nil
}

// clusterTable is the table of clusters in the making.
type clusterTable struct {
	path string
	out  *table.Writer
}

// summarize writes the table of the clusters of all levels under a temporary name;
// nil if none was asked for.
func (c *clustering) summarize(ctx context.Context) (_ *clusterTable, err error) {
	if c.outOpt.Clusters == "" {
		return nil, nil
	}
	c.clock.start("clusters")
	defer c.clock.stop("clusters")
	ctx, done := c.watch(ctx, stageClusters)
	defer done()
	t := &clusterTable{path: c.outOpt.Clusters}
	defer func() {
		if err != nil {
			t.abort()
		}
	}()
	for at := range c.radii {
		columns, err := c.clusterColumns(ctx, at)
		if err != nil {
			return nil, err
		}
		if err := t.write(columns, c.outOpt); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// write adds the rows of a level; the first makes the table.
func (t *clusterTable) write(columns *clusterColumns, opt *outputOptions) (err error) {
	if t.out == nil {
		t.out, err = table.Create(t.path, columns.fields, table.WriteOptions{Compression: opt.Compression, Force: opt.Force})
	}
	if err == nil {
		err = t.out.Write(columns.values...)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, table.ErrExists):
		return usagef("--clusters %s is there already: --force overwrites it", t.path)
	}
	return fmt.Errorf("cannot write --clusters %s: %w", t.path, err)
}

// abort removes the table unless it is in its place.
func (t *clusterTable) abort() {
	if t != nil && t.out != nil {
		t.out.Abort()
	}
}

// commit puts the table in its place.
func (t *clusterTable) commit(j *job) error {
	if t == nil {
		return nil
	}
	metadata, err := j.report.metadata()
	if err != nil {
		return err
	}
	t.out.SetMetadata(metadata)
	if err := t.out.Commit(); err != nil {
		j.missed("--clusters", err)
		return nil
	}
	j.line("per cluster", "%s", t.path)
	j.report.Clusters = t.path
	return nil
}
