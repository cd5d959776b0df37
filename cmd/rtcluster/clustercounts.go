package main

import (
	"fmt"
	"slices"
	"strings"

	"rtcluster/dbscan"
	"rtcluster/join"
)

// This file tells of the clusters of one eps: what the report counts, what the summary
// says, and when the parameters cannot have been meant.

// dbscanCounts is what a report counts.
type dbscanCounts struct {
	rowCounts
	clusterCounts
}

// clusterCounts is what it counts of the clusters of one eps.
type clusterCounts struct {
	Clusters   int           `json:"clusters"`
	Core       int           `json:"core"`
	Border     int           `json:"border"`
	Noise      int           `json:"noise"`
	Largest    []clusterSize `json:"largest_clusters"`    // at most ten
	Pairs      int64         `json:"pairs"`               // unordered, of different rows
	PairsExact bool          `json:"pairs_exact"`         // else a lower bound
	CoreSum    string        `json:"core_crc32c"`         // see coreSum
	CoreMean   []float64     `json:"core_mean,omitempty"` // see coreMean

	Small *smallClusters `json:"small_clusters,omitempty"` // whose rows are noise now; absent: all were kept
}

// describeClusters fills the summary, the report's counts and the warnings.
func (j *job) describeClusters(rows rowCounts, counts clusterCounts, res *dbscan.Result) {
	j.report.Counts = &dbscanCounts{rowCounts: rows, clusterCounts: counts}
	j.line("clusters", "%s", clustersText(counts.Largest, counts.Clusters))
	if counts.Small != nil {
		j.line("small", "%s", counts.Small.text(j.report.Parameters.MinClusterSize))
	}
	j.line("rows", "%s core, %s border, %s noise", grouped(res.Cores), grouped(res.Borders), grouped(res.Noise))
	switch {
	case res.PairsExact:
		j.line("pairs", "%s (%s ordered)", grouped(res.Pairs), grouped(2*res.Pairs))
	case res.Pairs == 0:
		j.line("pairs", "not counted (--counts counts all)")
	default:
		j.line("pairs", "at least %s (counting stops at min-samples; --counts counts all)", grouped(res.Pairs))
	}
	j.warnClusters(rows.Used, res)
}

// countClusters counts for a report.
func (o *arrangeOptions) countClusters(points *join.Points, res *dbscan.Result) clusterCounts {
	largest := largestClusters(res)
	var sum coreSum
	rows, labels := res.CoreRows()
	for _, label := range labels {
		sum.add(label)
	}
	return clusterCounts{
		Clusters: res.Clusters, Core: res.Cores, Border: res.Borders, Noise: res.Noise,
		Largest: largest[:min(10, len(largest))], Pairs: res.Pairs, PairsExact: res.PairsExact, CoreSum: sum.String(),
		CoreMean: coreMeanOf(points, rows),
		Small:    o.small(res.Dropped),
	}
}

// coreRows is how many rows have is_core, those of dropped clusters included.
func (c *clusterCounts) coreRows() int {
	if c.Small == nil {
		return c.Core
	}
	return c.Core + c.Small.Core
}

// clusterSize is the number of rows of a cluster.
type clusterSize struct {
	Cluster int `json:"cluster"`
	Rows    int `json:"rows"`
}

// largestClusters returns the clusters, the largest first.
func largestClusters(res *dbscan.Result) []clusterSize {
	sizes := make([]clusterSize, res.Clusters)
	for i, rows := range res.Sizes() {
		sizes[i] = clusterSize{Cluster: i, Rows: rows}
	}
	slices.SortStableFunc(sizes, func(a, b clusterSize) int { return b.Rows - a.Rows })
	return sizes
}

// clustersText names the largest of so many clusters with their sizes.
func clustersText(largest []clusterSize, clusters int) string {
	most := 5
	if clusters == most+1 { // whom it would be odd to leave out
		most = clusters
	}
	texts := make([]string, min(most, len(largest)))
	for i := range texts {
		texts[i] = fmt.Sprintf("%d (%s)", largest[i].Cluster, grouped(largest[i].Rows))
	}
	switch {
	case clusters == 0:
		return "none"
	case clusters <= most:
		return fmt.Sprintf("%d; cluster (rows): %s", clusters, strings.Join(texts, ", "))
	}
	return fmt.Sprintf("%s; the largest (rows): %s", grouped(clusters), strings.Join(texts, ", "))
}

// warnClusters says when the parameters cannot have been meant.
func (j *job) warnClusters(used int64, res *dbscan.Result) {
	flag, params := redFlag(res), j.report.Parameters
	found := ""
	if params.EpsRule != nil {
		found = foundFlag(res)
	}
	switch {
	case used > 0 && int64(params.MinSamples) > used && params.Weight == "":
		j.warn("--min-samples %s is more than there are rows, %s, so none is core and all are noise", grouped(params.MinSamples), grouped(used))
	case res.Clusters == 0 && res.Dropped.Clusters > 0:
		j.warn("no cluster has --min-cluster-size %s rows, so all rows are noise", grouped(params.MinClusterSize))
	case used < 2 || j.allNear && res.Cores > 0: // which other warnings say
	case found != "":
		j.warn("RED FLAG for the eps of rule %s: %s; `rtcluster eps` shows what other rules give, or give --eps", params.EpsRule.rule(), found)
	case flag == "":
	case res.Clusters > 1 && params.MinSamples > 1: // well parted clusters may have no other rows
	case j.allNear:
		j.warn("%s: the weights of all rows together are below --min-samples", flag)
	case res.Cores == 0:
		j.warn("%s: try a larger --eps%s or a smaller --min-samples", flag, scaledText(params.Scale))
	default:
		j.warn("%s: try a smaller --eps or a larger --min-samples", flag)
	}
}

// redFlag says what shows that the parameters cannot have been meant, "" for
// nothing.
func redFlag(res *dbscan.Result) string {
	switch {
	case res.Clusters == 0 && res.Dropped.Clusters > 0:
		return "no cluster is as large as --min-cluster-size"
	case res.Cores == 0:
		return "no row is core, so all rows are noise"
	case res.Clusters == 1 && res.Noise == 0:
		return "one cluster holds all rows"
	case res.Cores == len(res.Core):
		return "all rows are core"
	}
	return ""
}
