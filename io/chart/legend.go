package chart

import (
	"fmt"
	"strconv"
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
		p.note(fmt.Sprintf("%d (%s)", number, grouped(rows)), mark{clusterColor(rank), rank / colors})
	}
	if more := t.Clusters() - legendMost; more > 0 {
		p.note(fmt.Sprintf("and %s more", grouped(int64(more))))
	}
	if t.noise > 0 {
		p.note(fmt.Sprintf("noise (%s)", grouped(t.noise)), mark{noiseColor(), 0})
	}
}

// grouped writes a whole number with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
