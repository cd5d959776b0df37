package dbscan

import (
	"context"
	"fmt"

	"rtcluster/join"
)

// Predictor gives rows the clusters of a clustering, see [Predict].
type Predictor struct {
	idx    join.Index
	eps    float64
	border Border
	labels []int32 // of the core rows
	inTurn []int32 // their clusters as Cluster numbers them, those dropped included
	names  []int32 // the label of each of these; nil: it is the number
}

// NewPredictor settles what [Predict] needs to know of the core rows of a
// clustering, for rows that come in pieces. Idx must stay open.
//
// BorderFirst goes by the order in which [Cluster] numbers clusters. Where they
// were numbered anew, it is found from the labels; where some were dropped, their
// core rows are united again, by the index. Memory is then 5 bytes a core row.
func NewPredictor(ctx context.Context, idx join.Index, labels []int32, opt Options) (*Predictor, error) {
	if err := checkCores(idx.Points(), labels, &opt); err != nil {
		return nil, fmt.Errorf("dbscan: %w", err)
	}
	p := &Predictor{idx: idx, eps: opt.Eps, border: opt.Border, labels: labels, inTurn: labels}
	first := p.border == BorderFirst || p.border == ""
	if !first || numberedInTurn(labels) {
		return p, nil
	}
	if err := p.number(ctx); err != nil {
		return nil, fmt.Errorf("dbscan: uniting core rows of dropped clusters: %w", err)
	}
	return p, nil
}

// numberedInTurn reports whether labels are those of core rows as Cluster leaves
// them: each label is there before the next.
func numberedInTurn(labels []int32) bool {
	next := int32(0)
	for _, label := range labels {
		if label < 0 || label > next {
			return false
		}
		next += int32(one(label == next))
	}
	return true
}

// number sets inTurn and names.
func (p *Predictor) number(ctx context.Context) error {
	dropped, all := make([]bool, len(p.labels)), make([]bool, len(p.labels))
	for i, label := range p.labels {
		dropped[i], all[i] = label == noise, true
	}
	// A cluster is dropped whole, and no core row of another is within Eps of its
	// core rows: they hang together without the others, too.
	roots := make([]int32, len(p.labels))
	if err := components(ctx, p.idx, p.eps, dropped, roots); err != nil {
		return err
	}
	smallest := smallestRows(p.labels)
	for i, label := range p.labels {
		if label != noise {
			roots[i] = smallest[label]
		}
		if int(roots[i]) == i {
			p.names = append(p.names, label)
		}
	}
	if _, err := numberComponents(roots, all); err != nil {
		return err
	}
	p.inTurn = roots
	return nil
}

// smallestRows returns the smallest row with each label that is there.
func smallestRows(labels []int32) []int32 {
	var smallest []int32
	for i := len(labels) - 1; i >= 0; i-- {
		label := int(labels[i])
		for label >= len(smallest) {
			smallest = append(smallest, noise)
		}
		if label >= 0 {
			smallest[label] = int32(i)
		}
	}
	return smallest
}

// rename turns numbers in turn into labels.
func (p *Predictor) rename(dst []int32) {
	if p.names == nil {
		return
	}
	for i, number := range dst {
		if number != noise {
			dst[i] = p.names[number]
		}
	}
}
