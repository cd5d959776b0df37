package main

import "rtcluster/join/cpu"

// This file adds to the estimate of the memory of a run what each command takes.

// The parts of an estimate that single commands have.
const (
	partLists = "nearest rows"
	partSort  = "sorting"
	partCores = "core rows"

	partClusters = "table of clusters"
)

// plan is what a command adds to the estimate for its sources.
type plan func(m *memoryNeed, sources []*source)

// planDBSCAN is for a clustering, and for --eps auto a search before it.
func (j *job) planDBSCAN(opt *dbscanOptions) plan {
	return func(m *memoryNeed, sources []*source) {
		s := sources[0]
		sh := shapeOf(s, &opt.Metric)
		m.add(partResults, clusterBytes(sh.rows, sh.dim)+cpu.AttachBytes(sh.rows, sh.dim))
		if opt.Input.Weight != "" {
			m.add(partResults, 32*sh.rows) // weights and sums in words, two of each as a rule
		}
		if opt.Auto {
			m.add(partResults, searchBytes(sh, measureAtMost))
			if opt.Rule.Name == ruleNullField {
				m.add(partIndex, fieldBytes(sh))
			}
		}
		levels, bytes := max(len(opt.Eps), 1), opt.levelBytes()
		kept := bytes * float64(levels-1) // of the first level, clusterBytes has them
		if opt.Input.NaN == "drop" {
			kept += bytes*float64(levels) + 1 // once more, in their places, and which are null
		}
		j.addWriting(m, s, len(opt.addedColumns()), kept)
		if j.drawing() {
			m.addDrawing(s, len(s.columns))
		}
	}
}

// clusterRowBytes is what --clusters takes for each cluster: what its rows are summed up
// in, and the columns made of that.
func (o *dbscanOptions) clusterRowBytes(columns int) float64 {
	const sums, wrapping, sky = 64, 64, 400
	number := 8.
	if format, _ := outputFormat(o.Output.Clusters); format == "parquet" || format == "fits" {
		number *= 2 // columns that wait for each other
	}
	bytes := 6 * number // level, cluster, rows, core, border, weight
	switch {
	case o.Metric.sky():
		return bytes + sky + 8*number
	case len(o.Metric.Box) > 0:
		bytes += wrapping * float64(columns)
	}
	return bytes + (sums+4*number)*float64(columns)
}

// planJoin is for pairs or counts. The room that a limit leaves settles how many
// pairs --sort holds at once.
func (j *job) planJoin(opt *joinOptions) plan {
	return func(m *memoryNeed, sources []*source) {
		a := sources[0]
		sh := shapeOf(a, &opt.Metric)
		most := sh.rows * (sh.rows - 1) / 2
		if len(sources) > 1 {
			most = sh.rows * shapeOf(sources[1], &opt.Metric).rows
		}
		if opt.Counts {
			bytes := countBytes(1)
			if opt.Input.NaN == "drop" {
				bytes += 5
			}
			j.addWriting(m, a, 1, bytes)
			return
		}
		format, _ := outputFormat(j.outputPath())
		if format == "parquet" {
			m.add(partWriting, min(most*pairBytes, groupMemory))
		}
		m.add(partResults, 1<<20)
		if opt.Sort {
			j.planSort(m, opt, sources, most)
		}
	}
}

const (
	// pairBytes is a pair with its distance in Parquet, and groupMemory what a row
	// group in the making takes at most.
	pairBytes   = 24
	groupMemory = 176 << 20

	keyBytes   = 8       // of a pair that is sorted
	leastPairs = 1 << 16 // that --sort holds at once
)

// planSort settles how many pairs --sort holds.
func (j *job) planSort(m *memoryNeed, opt *joinOptions, sources []*source, most float64) {
	a, indexed := shapeOf(sources[0], &opt.Metric), shapeOf(sources[len(sources)-1], &opt.Metric)
	m.add(partSort, 9*a.rows)
	m.add(partSort, 8*a.rows*a.dim+cpu.IndexBytes(a.rows, a.dim, opt.Metric.straight())) // a block of rows as queries
	pairs := min(most, sortBudget)
	if limit := j.runOpt.MemoryLimit; limit.limited() {
		pairs = min(pairs, (limit.Bytes/(1+keepingShare)-m.total())/keyBytes)
	}
	pairs = max(pairs, min(most, max(leastPairs, indexed.rows))) // those of one row at least
	j.sortPairs = int(max(pairs, 1))
	m.add(partSort, keyBytes*pairs)
}

// planEps is for suggestions.
func (j *job) planEps(opt *epsOptions) plan {
	return func(m *memoryNeed, sources []*source) {
		sh := shapeOf(sources[0], &opt.Metric)
		measured := float64(opt.Sample)
		if opt.Sample == 0 {
			measured = sh.rows
		}
		m.add(partResults, clusterBytes(sh.rows, sh.dim)+cpu.AttachBytes(sh.rows, sh.dim)+searchBytes(sh, measured))
		field := len(opt.rules) == 0 && sh.rows <= nullFieldAtMost
		for _, rule := range opt.Rules {
			field = field || rule.Name == ruleNullField
		}
		if field {
			m.add(partIndex, fieldBytes(sh))
		}
		if j.drawing() {
			m.add(partDrawing, plotBytes)
		}
	}
}

// plotBytes is what drawing takes.
const plotBytes = 64 << 20

// addDrawing adds what drawing rows takes, of which so many columns are read piece by piece.
func (m *memoryNeed) addDrawing(s *source, columns int) {
	values := float64(s.table.Rows()) * float64(columns)
	m.add(partDrawing, plotBytes+min(pieceBytes, 8*values))
	if columns > turnedAtMost {
		m.add(partDrawing, 3*8*min(values, spreadValues)) // a sample that grows, and less its mean
	}
}

// searchBytes is what finding an eps takes: distances and counts of the rows that
// are measured, these as queries with their own tree, and the clusters of the eps
// before.
func searchBytes(sh shape, measured float64) float64 {
	measured = min(measured, sh.rows)
	return 24*sh.rows + cpu.NearestBytes(sh.rows, sh.dim) + 20*measured + 8*measured*sh.dim + cpu.IndexBytes(measured, sh.dim, true)
}

// fieldBytes is what the null-field rule takes: a field as large as the rows, with
// its index, and the one before.
func fieldBytes(sh shape) float64 {
	return 8*sh.rows*sh.dim*2 + cpu.IndexBytes(sh.rows, sh.dim, true) + cpu.NearestBytes(sh.rows, sh.dim)
}

// checkCoresNeed refuses core rows that do not fit, before they are read.
func (j *job) checkCoresNeed(s *source, rec *recorded) error {
	if !j.runOpt.MemoryLimit.limited() {
		return nil
	}
	rows := s.table.Rows()
	if rec.counts != nil {
		rows = min(rows, int64(rec.counts.Core))
	}
	j.cores = &memoryNeed{}
	j.cores.add(partProgram, programBytes)
	if bytes := j.engine.hostBytes(); bytes > 0 {
		j.cores.add(partDriver, bytes)
	}
	metric := rec.params.metric()
	sh := shape{float64(rows), float64(metric.dim(len(s.columns)))}
	j.cores.add(partCores, sh.rows*(8+10*sh.dim)*5/4) // appended to, so that it grows by quarters
	j.cores.add(partIndex, cpu.IndexBytes(sh.rows, sh.dim, metric.straight())+9*sh.rows)
	j.cores.add(partReading, 2*pieceBytes+float64(s.table.ReadMemory(s.columns)))
	return j.checkMemory(j.cores)
}

// checkNewNeed refuses new rows whose labels do not fit beside the core rows.
func (j *job) checkNewNeed(s *source) error {
	if !j.runOpt.MemoryLimit.limited() {
		return nil
	}
	piece := min(float64(s.table.Rows()), float64(pieceRows(len(s.columns))))
	dim := float64(len(s.columns))
	j.cores.add(partReading, 8*piece*dim+cpu.IndexBytes(piece, dim, true)+9*piece)
	j.addWriting(j.cores, s, 1, 9)
	return j.checkMemory(j.cores)
}
