package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rtcluster/gpu"
	"rtcluster/io/table"
	"rtcluster/join/cpu"
)

// This file estimates the memory of a run. The estimate is the sum of what lives
// at any time, garbage included that is not collected in between: an upper bound
// of the peak of resident memory, by a factor of 1.1 to 1.6 on tables of a million
// rows (memorypeak_test.go measures smaller ones). What join writes and sorts is
// reckoned for as many pairs as there may be, of which it can have far fewer.

const (
	// programBytes is what the program takes for a table of a few rows; of it,
	// outsideBytes are not the runtime's: code and its data.
	programBytes = 36<<20 + gpu.ProgramBytes
	outsideBytes = 20<<20 + gpu.ProgramBytes

	// keepingShare is what the runtime takes to keep account of the rest, and loses
	// between pieces of it.
	keepingShare = 0.05
)

// The parts of an estimate that several commands have.
const (
	partProgram = "program"
	partNumbers = "coordinates"
	partReading = "reading"
	partIndex   = "index"
	partResults = "results"
	partWriting = "writing"
	partDrawing = "drawing"
	partDriver  = "driver of the card"
)

// memoryNeed is an estimate of the memory that a run takes, by parts.
type memoryNeed struct {
	parts []memoryPart
	text  bool // the output is no Parquet or FITS, whose columns wait for each other
}

// memoryPart is what one part takes.
type memoryPart struct {
	Part  string `json:"part"`
	Bytes int64  `json:"bytes"`
}

// add adds to a part.
func (m *memoryNeed) add(part string, bytes float64) {
	at := slices.IndexFunc(m.parts, func(p memoryPart) bool { return p.Part == part })
	if at < 0 {
		at = len(m.parts)
		m.parts = append(m.parts, memoryPart{Part: part})
	}
	m.parts[at].Bytes += int64(bytes)
}

func (m *memoryNeed) total() float64 {
	var sum float64
	for _, p := range m.parts {
		sum += float64(p.Bytes)
	}
	return sum
}

// sorted returns the parts, the largest first.
func (m *memoryNeed) sorted() []memoryPart {
	return slices.SortedStableFunc(slices.Values(m.parts), func(a, b memoryPart) int { return cmp.Compare(b.Bytes, a.Bytes) })
}

// largest names the largest parts.
func (m *memoryNeed) largest() string {
	const most = 3
	var texts []string
	for _, p := range m.sorted() {
		if len(texts) < most && p.Bytes > 0 {
			texts = append(texts, fmt.Sprintf("%s %s", p.Part, bytesText(float64(p.Bytes))))
		}
	}
	return strings.Join(texts, ", ")
}

// advice says what makes the largest part smaller that can be.
func (m *memoryNeed) advice() string {
	for _, p := range m.sorted() {
		switch p.Part {
		case partNumbers, partReading, partIndex:
			return "choose fewer --columns"
		case partClusters:
			return "leave out --clusters"
		case partDrawing:
			return "leave out --plot and --html"
		case partWriting:
			if m.text {
				return "write fewer columns by --keep"
			}
			return "write fewer columns by --keep, or CSV"
		case partLists:
			return "give a smaller -k"
		case partSort:
			return "leave out --sort"
		}
	}
	return "take fewer rows"
}

// clusterBytes is what DBSCAN takes beside the index: labels by row and by position,
// core flags, counts, what is remembered of them, and the forest that unites rows.
func clusterBytes(n, d float64) float64 {
	return n*(4+4+1+5) + countBytes(n) + rememberedBytes(n, d)
}

// countBytes is what counting takes: counts by row and by position, and what the engine
// counts for other leaves.
func countBytes(n float64) float64 { return n * (4 + 4 + 5) }

// rememberedBytes is what the engine remembers of a count with a limit, for Attach: what
// is near each leaf.
func rememberedBytes(n, d float64) float64 { return n * (16 + 3*d) }

// shape is what the memory of a source depends on.
type shape struct{ rows, dim float64 }

// shapeOf is the shape of the points that a source becomes.
func shapeOf(s *source, metric *metricOptions) shape {
	return shape{float64(s.table.Rows()), float64(metric.dim(len(s.columns)))}
}

// need estimates what sources take with their index, before the plan of the
// command adds its own. The last source is indexed; another one is of queries, and
// gets a tree, too.
func (j *job) need(in *inputOptions, metric *metricOptions, sources []*source) *memoryNeed {
	m := &memoryNeed{}
	m.add(partProgram, programBytes)
	if bytes := j.engine.hostBytes(); bytes > 0 {
		m.add(partDriver, bytes)
	}
	var reading int64
	for _, s := range sources {
		sh := shapeOf(s, metric)
		columns := s.read(in)
		m.add(partNumbers, 8*sh.rows*float64(len(columns)))
		switch {
		case metric.sky():
			m.add(partNumbers, 8*sh.rows*sh.dim) // unit vectors beside degrees
		case in.Scale == "robust":
			m.add(partNumbers, 8*sh.rows)
		}
		if len(sources) > 1 && (in.Scale != "none" || metric.Metric == metricMahalanobis) {
			m.add(partNumbers, 8*sh.rows*sh.dim) // all together
		}
		if in.Weight != "" {
			m.add(partNumbers, 8*sh.rows)
		}
		if in.NaN == "drop" {
			m.add(partNumbers, 5*sh.rows)
		}
		reading = max(reading, s.table.ReadMemory(columns))
		m.add(partIndex, cpu.IndexBytes(sh.rows, sh.dim, metric.straight()))
	}
	m.add(partReading, float64(reading))
	if j.plan != nil {
		j.plan(m, sources)
	}
	m.add(partProgram, keepingShare*m.total())
	return m
}

// addWriting adds what writing the table of a source takes, with so many bytes in
// so many columns added to each row.
func (j *job) addWriting(m *memoryNeed, s *source, columns int, bytes float64) {
	m.add(partResults, bytes*float64(s.table.Rows()))
	keep, err := j.kept(s, nil)
	if err == nil && !j.silent() {
		opt := table.WriteOptions{Compression: j.outOpt.Compression}
		format, _ := outputFormat(j.outputPath())
		m.text = format != "parquet" && format != "fits"
		m.add(partWriting, float64(s.table.WriteMemory(j.outputPath(), keep, columns, opt)))
	}
}
