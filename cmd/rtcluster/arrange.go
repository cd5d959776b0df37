package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"rtcluster/dbscan"
)

// The orders of clusters.
const (
	orderRow  = "row"
	orderSize = "size"
)

// arrangeOptions say which clusters are kept, and how they are numbered.
type arrangeOptions struct {
	Order   string // row, size
	MinSize int    // rows; 1: all are kept
}

func (o *arrangeOptions) define(fs *pflag.FlagSet) {
	fs.Var(newEnum(&o.Order, orderRow, orderRow, orderSize), "order",
		"how clusters are numbered: by their first core row, or by size, the largest first")
	fs.Var(newWhole(&o.MinSize, 1, 1), "min-cluster-size",
		"clusters with fewer rows than `N`, border rows included, become noise (rows count, whatever their --weight; is_core stays as it is)")
}

// text tells the settings that are not the default.
func (o *arrangeOptions) text() string {
	text := ""
	if o.Order != orderRow {
		text += ", order " + o.Order
	}
	if o.MinSize > 1 {
		text += fmt.Sprintf(", min-cluster-size %d", o.MinSize)
	}
	return text
}

// arrange drops and numbers the clusters as asked.
func (o *arrangeOptions) arrange(res *dbscan.Result) {
	if o.MinSize > 1 {
		res.DropSmall(o.MinSize)
	}
	if o.Order == orderSize {
		res.SortBySize()
	}
}

// smallClusters tells of the clusters that --min-cluster-size made noise.
type smallClusters struct {
	Clusters int `json:"clusters"`
	Rows     int `json:"rows"`
	Core     int `json:"core"` // rows
}

// small counts the clusters that were dropped; nil unless that was asked for.
func (o *arrangeOptions) small(dropped dbscan.Dropped) *smallClusters {
	if o.MinSize <= 1 {
		return nil
	}
	return &smallClusters{Clusters: dropped.Clusters, Rows: dropped.Rows, Core: dropped.Cores}
}

// text tells of the clusters that have fewer rows than least.
func (s *smallClusters) text(least int) string {
	text := "no cluster has"
	if s.Clusters > 0 {
		text = plural(s.Clusters, "cluster has", "clusters have")
	}
	text += fmt.Sprintf(" fewer than %s rows", grouped(least))
	if s.Rows > 0 {
		text += fmt.Sprintf("; so %s noise, %s of them core", plural(s.Rows, "row is", "rows are"), grouped(s.Core))
	}
	return text
}
