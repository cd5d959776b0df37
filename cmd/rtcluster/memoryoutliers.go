package main

import (
	"rtcluster/join/cpu"
	"rtcluster/outlier"
)

// This file adds to the estimate of the memory of a run what scores take.

// planOutliers is for scores.
func (j *job) planOutliers(opt *outliersOptions) plan {
	return func(m *memoryNeed, sources []*source) {
		s := sources[0]
		opt.addScoring(m, shapeOf(s, &opt.Metric))
		j.addScores(m, opt, s, 8)
	}
}

// addScoring adds what scoring rows among themselves takes, but for the scores.
func (o *outliersOptions) addScoring(m *memoryNeed, sh shape) {
	if o.has(takesK) {
		m.add(partLists, cpu.NearestBytes(sh.rows, sh.dim))
	}
	if o.has(keepsLists) {
		m.add(partLists, sh.rows*o.listBytes())
	}
	if o.Ties == "all" { // distinct rows, with their index and who is where
		m.add(partIndex, sh.rows*(8*sh.dim+4*7)+cpu.IndexBytes(sh.rows, sh.dim, o.Metric.straight()))
	}
	if o.has(named(outlier.ODIN)) {
		m.add(partResults, 4*sh.rows)
	}
	if o.has(takesEps) {
		m.add(partResults, countBytes(sh.rows))
	}
	if o.has(takesMinSamples) { // who is core, labels that say so, by row and by position, and who is near
		m.add(partResults, 13*sh.rows+rememberedBytes(sh.rows, sh.dim)+cpu.AttachBytes(sh.rows, sh.dim))
	}
}

// listBytes is what the nearest rows of a row take, and what methods keep of it.
func (o *outliersOptions) listBytes() float64 {
	return 12*float64(o.mostK()) + 16*float64(len(o.scores()))
}

// addScores adds what the scores and flags of a source take, and writing them; where
// rows are dropped, copied bytes more for each score.
func (j *job) addScores(m *memoryNeed, opt *outliersOptions, s *source, copied float64) {
	scores := opt.scores()
	each := 8.0
	if opt.Cut.given() {
		m.add(partResults, 8*float64(s.table.Rows())) // of one score, sorted
	}
	if opt.Cut.given() || opt.Within.Fraction > 0 {
		each++
		copied++
	}
	if j.drawing() {
		m.add(partDrawing, plotBytes)
	}
	if opt.Evaluate.Labels != "" { // labels, those of rows used, and rows in order
		m.add(partResults, (4+5+12)*float64(s.table.Rows()))
	}
	bytes := each * float64(len(scores))
	if opt.Input.NaN == "drop" {
		bytes += copied*float64(len(scores)) + 1
	}
	j.addWriting(m, s, len(opt.addedColumns(scores)), bytes)
}

// planNew is for scores by a reference.
func (n *novelty) planNew(m *memoryNeed, sources []*source) {
	opt, s := n.opt, n.new.source
	reference := shapeOf(sources[0], &opt.Metric)
	opt.addScoring(m, reference)
	m.add(partResults, 8*reference.rows*float64(len(n.scores)))
	if opt.Cut.given() {
		m.add(partResults, 8*reference.rows) // of one score, sorted
	}
	rows, columns := float64(s.table.Rows()), float64(len(s.columns))
	piece := min(rows, float64(pieceRows(len(s.columns))))
	m.add(partReading, 8*piece*columns+float64(s.table.ReadMemory(s.columns)))
	if opt.has(named(outlier.ODIN)) { // the reference again, in parts
		m.add(partIndex, reference.rows*(8*reference.dim+24)+cpu.IndexBytes(reference.rows, reference.dim, opt.Metric.straight()))
	}
	block := shape{min(piece, float64(opt.blockRows(len(s.columns)))), reference.dim}
	m.add(partNumbers, 8*block.rows*block.dim)
	m.add(partIndex, cpu.IndexBytes(block.rows, block.dim, opt.Metric.straight()))
	opt.addScoring(m, block)
	m.add(partResults, 8*block.rows*float64(len(n.scores)))
	if opt.Input.NaN == "drop" {
		m.add(partResults, 4*rows) // which are used
	}
	n.addScores(m, opt, s, 0)
}

// blockRows is how many new rows are scored at a time: as many as take about the
// memory of a piece, with their nearest rows.
func (o *outliersOptions) blockRows(columns int) int {
	const least = 1 << 12 // enough for all threads
	bytes := 8 * float64(columns+len(o.scores()))
	if o.has(keepsLists) {
		bytes += o.listBytes()
	}
	return max(least, int(pieceBytes/bytes))
}
