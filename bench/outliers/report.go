package main

import (
	"fmt"
	"math"
	"strings"
)

// report returns the Markdown of all results.
func (all *results) report(scale float64) string {
	w := &writer{all: all}
	h := all.Host
	w.printf(`# Outlier scores beside other programs

Written by `+"`go run ./bench/outliers`"+`; its documentation says how peers are named.
%d cores, %s, %s; commit %s, %s.

k = %d, ε is the distance within which the typical row has so many others, min-samples %d.
Values are float64, in memory: loading is left out, the index is part of the work, and so
is every peer's. Each turn is a process of its own; seconds are medians of the turns,
memory is the greatest of the process, its rows and its runtime included.
`, h.Cores, h.Go, h.Instructions, h.Commit, h.Date, nearest, minSamples)
	if scale != 1 {
		w.printf("\n**A trial: every set has %v times its rows.**\n", scale)
	}
	for _, p := range all.Peers {
		w.printf("\n* **%s**: %s", p.Name, p.Note)
	}
	sections := map[string][]row{}
	for _, r := range allRows(scale) {
		sections[r.Section] = append(sections[r.Section], r)
	}
	w.methods(sections[methodsSection])
	w.together(sections[togetherSection])
	w.growth(sections[growthSection])
	w.pieces(sections[piecesSection])
	return w.text.String()
}

// writer writes sections.
type writer struct {
	all  *results
	text strings.Builder
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// ours returns what was measured of ours for a row, nil if nothing was.
func (w *writer) ours(r row) *measured { return w.all.Rows[r.key()][oursName] }

// methods has each method beside its peers.
func (w *writer) methods(rows []row) {
	w.printf("\n\n## Each method\n\nA method is to be at least %d times as fast as each peer that has it.\n", floor)
	w.printf("\n| set | method | ours | MiB | peer | seconds | MiB | times faster | |\n|---|---|--:|--:|---|--:|--:|--:|---|\n")
	for _, r := range rows {
		m := w.ours(r)
		if m == nil {
			continue
		}
		first := fmt.Sprintf("| %d × %d | %s | %s | %.0f |", r.Rows, r.Dim, r.Name, digits(m.time()), m.PeakMiB)
		alone := true
		for _, p := range w.all.Peers {
			if their := w.all.Rows[r.key()][p.Name]; their != nil {
				w.printf("%s %s |%s\n", first, p.Name, beside(m, their))
				first, alone = "| | | | |", false
			}
		}
		if alone {
			w.printf("%s – | – | – | – | – |\n", first)
		}
	}
}

// beside returns the cells of a peer beside ours.
func beside(ours, their *measured) string {
	if len(their.Seconds) == 0 {
		return fmt.Sprintf(" %s | – | – | – |", their.Failed)
	}
	times := their.time() / ours.time()
	verdict := "met"
	if times < floor {
		verdict = "**missed**"
	}
	if ours.Mean != nil && their.Mean != nil && math.Abs(*ours.Mean-*their.Mean) > 1e-6*math.Abs(*ours.Mean) {
		verdict += fmt.Sprintf(", mean %v, not %v", *their.Mean, *ours.Mean)
	}
	return fmt.Sprintf(" %s | %.0f | %s | %s |", digits(their.time()), their.PeakMiB, digits(times), verdict)
}

// together compares several scores in one run with the sum of single runs.
func (w *writer) together(rows []row) {
	w.printf("\n## Several scores in one run\n\nThey share the index and the search for the nearest rows.\n")
	w.printf("\n| set | scores | in one run | MiB | sum of single runs | share |\n|---|---|--:|--:|--:|--:|\n")
	for _, r := range rows {
		one := w.ours(r)
		if len(r.Scores) < 2 || one == nil {
			continue
		}
		sum := 0.0
		for _, s := range r.Scores {
			single := r
			single.Section, single.Name = methodsSection, string(s.Method)
			if r.Name == allK {
				single.Section, single.Name = togetherSection, lofOf(s.K)
			}
			if m := w.ours(single); m != nil {
				sum += m.time()
			} else {
				sum = math.NaN() // not all were measured
			}
		}
		w.printf("| %d × %d | %s | %s | %.0f | %s | %.2f |\n", r.Rows, r.Dim, r.Name, digits(one.time()), one.PeakMiB, digits(sum), one.time()/sum)
	}
}

// growth shows how time grows with the rows.
func (w *writer) growth(rows []row) {
	w.printf("\n## Heaps, and densities far apart\n\nHeaps: half the rows are on %d places. Densities: three groups of as many rows, the densest\n10⁶ times as dense as the thinnest. Twice the rows are to take about twice the time, also\nwhere `--ties all` takes in whole heaps. Seconds, and times those of half the rows.\n", heaps)
	last := ""
	for i, r := range rows {
		m := w.ours(r)
		if m == nil {
			continue
		}
		if r.Shape != last {
			last = r.Shape
			w.printf("\n| %s |", r.Shape)
			for _, q := range rows[i:] {
				if q.Name != r.Name || q.Shape != r.Shape {
					break
				}
				w.printf(" %d rows | |", q.Rows)
			}
			w.printf(" MiB |\n|---|%s--:|", strings.Repeat("--:|--:|", 1+doublings()))
		}
		if i == 0 || rows[i-1].Name != r.Name || rows[i-1].Shape != r.Shape {
			w.printf("\n| %s | %s | |", r.Name, digits(m.time()))
		} else if before := w.ours(rows[i-1]); before != nil {
			w.printf(" %s | %.2f |", digits(m.time()), m.time()/before.time())
		}
		if i+1 == len(rows) || rows[i+1].Name != r.Name || rows[i+1].Shape != r.Shape {
			w.printf(" %.0f |", m.PeakMiB)
		}
		if i+1 < len(rows) && rows[i+1].Shape != r.Shape {
			w.printf("\n")
		}
	}
	w.printf("\n")
}

// doublings is how often the rows of the growth are doubled.
func doublings() int { return int(math.Round(math.Log2(growthTo / growthFrom))) }

// pieces shows what it costs to score new rows in pieces.
func (w *writer) pieces(rows []row) {
	w.printf("\n## New rows against a reference\n\nLOF of rows that are read and scored piece by piece; the seconds are those of all, the\nfit of the reference and reading the new rows included.\n")
	w.printf("\n| reference | new rows | rows a piece | seconds | MiB |\n|---|---|--:|--:|--:|\n")
	for _, r := range rows {
		if m := w.ours(r); m != nil {
			w.printf("| %d × %d | %d | %d | %s | %.0f |\n", r.Rows, r.Dim, r.New, r.Piece, digits(m.time()), m.PeakMiB)
		}
	}
}

// digits writes seconds and ratios with three digits.
func digits(x float64) string {
	if x >= 100 || math.IsNaN(x) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.*f", 2-min(2, int(math.Floor(math.Log10(max(x, 0.01))))), x)
}
