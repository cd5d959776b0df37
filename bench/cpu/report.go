package main

import (
	"fmt"
	"slices"
	"strings"

	"rtcluster/bench/internal/measure"
)

// report returns the Markdown of all results.
func (all *results) report() string {
	b := &strings.Builder{}
	all.head(b)
	for _, w := range []struct{ work, title, what string }{
		{dbscanWork, "DBSCAN", "Labels in memory, in the order of the rows."},
		{countWork, "Counts", "The number of neighbours of every row, without a limit."},
		{knnWork, "kNN", fmt.Sprintf("The rows and distances of the k = %d nearest other rows of every row.", nearest)},
		{lofWork, "LOF", fmt.Sprintf("Scores of k = %d, the search of neighbours included.", nearest)},
	} {
		rows := all.ofWork(w.work)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n", w.title, w.what)
		all.times(b, rows)
		all.ratios(b, rows)
		all.remarks(b, rows)
	}
	all.largeEps(b)
	all.rates(b)
	all.threads(b)
	all.memory(b)
	all.curves(b)
	return b.String()
}

func (all *results) head(b *strings.Builder) {
	h := all.Host
	fmt.Fprintf(b, `# The CPU engine beside other programs

Written by `+"`go run ./bench/cpu`"+`; its documentation says how peers are named.
%s, %d cores, %.0f GiB; %s, %s; commit %s, %s.

A turn is a process that loads a set, does the work %d times and reports the seconds of
each without loading; ours and the peers take turns, %d each if no fewer are said. **ours**
and the peers' columns are medians of the runs after the first of each process, **least**
the least of them, **first** the median of the first runs, which find memory cold. Where a
process does the work only once, that counts. The index is part of the work, and so is
every peer's.
`, h.Processor, h.Cores, h.MemoryGiB, h.Go, h.Instructions, h.Commit, h.Date, all.Runs, all.Turns)
	if slices.ContainsFunc(all.Rows, (*result).mixed) {
		b.WriteString("\nIn rows with °, ours was measured again later, after a change, and without some of the peers or all.\n")
	}
	if all.Scale != 1 {
		fmt.Fprintf(b, "\n**A trial: every set has %v times its rows.** The floors are meant for whole sets.\n", all.Scale)
	}
	b.WriteString("\n| set | rows × coordinates | what |\n|---|---|---|\n")
	for _, r := range recipes() {
		r = r.scaled(all.Scale)
		fmt.Fprintf(b, "| %s | %d × %d | %s |\n", r.Name, r.Rows, r.Dim, r.What)
	}
	b.WriteString("\nA row such as A2-256 has the set's ε with about 256 neighbours a row. All values are float32\nnumbers, in float64.\n")
	if len(all.Peers) > 0 {
		b.WriteString("\nPeers; where ≠ stands, one gave another result than ours, as said below the table:\n\n")
	}
	for _, p := range all.Peers {
		exact := "exact"
		if !p.Exact {
			exact = "not exact"
		}
		text := exact
		if p.Note != "" {
			text += "; " + p.Note
		}
		fmt.Fprintf(b, "* **%s**: %s.\n", p.Name, text)
	}
}

// ofWork returns the results of a work in the order of allRows.
func (all *results) ofWork(work string) []*result {
	var found []*result
	for _, r := range allRows() {
		if res := all.find(r.name()); r.Work == work && res != nil {
			found = append(found, res)
		}
	}
	return found
}

// names returns the peers that have a time, or failed, in one of the rows.
func (all *results) names(rows []*result) []string {
	var names []string
	for _, p := range all.Peers {
		if slices.ContainsFunc(rows, func(r *result) bool { return r.By[p.Name] != nil }) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (r *result) short() string { return strings.TrimPrefix(r.Row, r.Job.Work+"-") }

// marked is short, with ° where peers were not measured beside ours.
func (r *result) marked() string {
	if r.mixed() {
		return r.short() + "°"
	}
	return r.short()
}

// times is the table of seconds.
func (all *results) times(b *strings.Builder, rows []*result) {
	names := all.names(rows)
	fmt.Fprintf(b, "| seconds | ε, min_samples | ours | least | first |%s\n", cells(names))
	fmt.Fprintf(b, "|---|---|---|---|---|%s\n", strings.Repeat("---|", len(names)))
	for _, r := range rows {
		m := r.by(oursName)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |", r.marked(), r.parameters(), digits(measure.Median(m.Warm)), digits(least(m.Warm)), digits(measure.Median(m.First)))
		for _, n := range names {
			text := "–"
			switch p := r.By[n]; {
			case p == nil:
			case len(p.Warm) == 0:
				text = "failed"
			default:
				text = digits(measure.Median(p.Warm))
				if differences(m.Last, p.Last) != "" {
					text += " ≠"
				}
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
}

func (r *result) parameters() string {
	switch r.Job.Work {
	case dbscanWork:
		return fmt.Sprintf("%g, %d", r.Job.Eps, r.Job.MinSamples)
	case countWork:
		return fmt.Sprintf("%g", r.Job.Eps)
	}
	return "–"
}

// remarks says which peers failed or gave another result.
func (all *results) remarks(b *strings.Builder, rows []*result) {
	var lines []string
	for _, r := range rows {
		for _, n := range all.names(rows) {
			switch p := r.By[n]; {
			case p == nil:
			case p.Failed != "":
				lines = append(lines, fmt.Sprintf("* %s, %s: %s", r.short(), n, p.Failed))
			case p.Last != nil:
				if d := differences(r.by(oursName).Last, p.Last); d != "" {
					lines = append(lines, fmt.Sprintf("* %s, %s ≠: %s", r.short(), n, d))
				}
			}
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(lines, "\n"))
	}
}

func cells(words []string) string {
	b := &strings.Builder{}
	for _, w := range words {
		b.WriteString(" " + w + " |")
	}
	return b.String()
}

// digits writes seconds and ratios with three digits.
func digits(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

func least(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Min(x)
}
