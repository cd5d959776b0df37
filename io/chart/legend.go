package chart

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// legendMost is how many clusters a legend lists.
const legendMost = 18

// listClusters adds the largest clusters and noise to the legend.
func (p *Picture) listClusters(t *Tally) {
	if t.Clusters() > 0 {
		p.note("cluster (rows)")
	}
	for rank := range min(legendMost, t.Clusters()) {
		number, rows := t.ranked(rank)
		p.note(fmt.Sprintf("%d (%s)", number, humanize.Comma(rows)), mark{clusterColor(rank), rank / colors})
	}
	if more := t.Clusters() - legendMost; more > 0 {
		p.note(fmt.Sprintf("and %s more", humanize.Comma(int64(more))))
	}
	if t.noise > 0 {
		p.note(fmt.Sprintf("noise (%s)", humanize.Comma(t.noise)), mark{noiseColor(), 0})
	}
}
