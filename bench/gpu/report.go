package main

import (
	"fmt"
	"strings"

	"rtcluster/bench/internal/measure"
)

// report returns the Markdown of all results.
func (all *results) report() string {
	b := &strings.Builder{}
	all.head(b)
	all.summary(b)
	all.counts(b)
	all.others(b)
	all.binding(b)
	all.stageLines(b)
	all.beside(b)
	return b.String()
}

func (all *results) head(b *strings.Builder) {
	h := all.Host
	fmt.Fprintf(b, `# The CUDA engine: what was measured

Written by `+"`go run -tags cuda ./bench/gpu`"+` (its documentation says how); all runs are in gpu.json.
Card %s, driver %s; %s, %d threads, %.0f GiB; %s; commit %s, %s.

Rows lie in the host's memory as float64, each a float32 number. **End to end** is an index
and then the work, with all copies to the card and back, and no setting but the defaults.
Milliseconds are medians of %d runs after one to warm up. The first index of a program, which
takes the card, took %s ms, and an index of the same few rows later %s ms; its first counts,
pairs and DBSCAN took %s ms: seconds, if the driver has not kept the kernels that it compiles.
`, all.Card, all.Driver, h.Processor, h.Cores, h.MemoryGiB, h.Go, h.Commit, h.Date, all.Runs,
		milliseconds(all.FirstUse.Index), milliseconds(all.FirstUse.Indexes), milliseconds(all.FirstUse.Works))
	for _, s := range all.Sets {
		if s.Commit != h.Commit {
			b.WriteString("\nSets with ° were measured at another commit; gpu.json says which.\n")
			break
		}
	}
}

// marked is a set's name, with a mark if another commit was measured.
func (all *results) marked(s *set) string {
	if s.Commit != all.Host.Commit {
		return s.Name + "°"
	}
	return s.Name
}

// counts has the table of counts, and what is asked of them.
func (all *results) counts(b *strings.Builder) {
	b.WriteString("\n## Counts\n\nOf every row, without a limit. The total is their sum, each row itself included; it is known\nexactly, or the counts of some rows were compared with brute force. The sets S, H and F are made\nby bench/gpu/shapes.py, in the shapes of data sets that papers measure with; ε gives the mean\nrow 256 others.\n")
	b.WriteString("\n| set | rows × columns | ε | total | index | counts | end to end | at most | wished | all totals |\n|---|---|---|--:|--:|--:|--:|---|---|---|\n")
	for _, s := range all.Sets {
		index, work, whole, most, wished := "–", "–", "–", "–", "–"
		if m := s.done(countsWork); m != nil {
			seconds := measure.Median(m.endToEnd())
			index, work, whole = milliseconds(measure.Median(m.Index)), milliseconds(measure.Median(m.Work)), "**"+milliseconds(seconds)+"**"
			if t, ok := targetOf(s.Name); ok {
				most, wished = judged(seconds, t.Floor), judged(seconds, t.Goal)
				if t.Further > 0 {
					wished += ", " + judged(seconds, t.Further)
				}
			}
		}
		verdict := s.verdict()
		if s.Checked != nil && s.Checked.Wrong == 0 {
			verdict += fmt.Sprintf(" (%d rows by brute force)", s.Checked.Rows)
		}
		fmt.Fprintf(b, "| %s | %d × %d | %v | %d | %s | %s | %s | %s | %s | %s |\n",
			all.marked(s), s.Rows, s.Dim, s.Eps, s.Want, index, work, whole, most, wished, verdict)
	}
}

// judged says what is asked, in milliseconds, and whether it is met.
func judged(seconds, most float64) string {
	if 1e3*seconds <= most {
		return fmt.Sprintf("%v met", most)
	}
	return fmt.Sprintf("%v **missed**", most)
}

// others has the other works beside the counts.
func (all *results) others(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Pairs, DBSCAN, float64\n\nPairs: each unordered pair once, all lists given to the host, with the rate of their bytes. DBSCAN: min-samples is\ntwice the columns; at most %v times the counts are asked for. Float64: counts of the same\nvalues with their last bit changed, so that none is a float32 number; at most %v times.\n", dbscanMost, wideMost)
	b.WriteString("\n| set | pairs | GB/s | DBSCAN | × counts | clusters | float64 | × counts |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, s := range all.Sets {
		counts, pairs, cluster, wide := s.done(countsWork), s.done(pairsWork), s.done(dbscanWork), s.done(wideWork)
		cells := []string{"–", "–", "–", "–", "–", "–", "–"}
		if pairs != nil {
			seconds := measure.Median(pairs.endToEnd())
			cells[0], cells[1] = milliseconds(seconds), fmt.Sprintf("%.1f", 4*float64(pairs.Total-int64(s.Rows))/seconds/1e9)
		}
		if cluster != nil {
			cells[2], cells[3], cells[4] = milliseconds(measure.Median(cluster.endToEnd())), ratio(cluster, counts, dbscanMost), fmt.Sprint(cluster.Clusters)
		}
		if wide != nil {
			cells[5], cells[6] = milliseconds(measure.Median(wide.endToEnd())), ratio(wide, counts, wideMost)
		}
		fmt.Fprintf(b, "| %s | %s |\n", all.marked(s), strings.Join(cells, " | "))
	}
}

// ratio says how many times the counts a work takes, and whether that is met.
func ratio(m, counts *timed, most float64) string {
	if counts == nil {
		return "–"
	}
	times := measure.Median(m.endToEnd()) / measure.Median(counts.endToEnd())
	if times > most {
		return fmt.Sprintf("%.2f **missed**", times)
	}
	return fmt.Sprintf("%.2f met", times)
}

// binding says which limit binds the counts of each set.
func (all *results) binding(b *strings.Builder) {
	fmt.Fprintf(b, `
## What binds counts

Limits of an H200 as measured on one, in ms: **copies**, float32 numbers in and counts out at
%.1f GB/s; **matrix**, the products of all pairs that pruning leaves, of so many columns each,
at %.0f TFLOP/s; **epilogue**, reading their signs at %.2f · 10¹² pairs a second, beside the
products. Bytes of the card's own memory bind nothing in refining: operands stay in its cache.
Kept is the share of all pairs that pruning leaves, doubt that of the near ones that float64
decides; pairs/s is of the stage refine, in 10¹². Limits: how many times copies and the longer
of matrix and epilogue counts take end to end. The longest stage is given with its share of all
stages, and how many times its limit it takes.

| set | kept | doubt | columns | pairs/s | copies | matrix | epilogue | refine | × limits | longest stage |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
`, linkRate/1e9, matrixRate/1e12, epilogueRate/1e12)
	for _, s := range all.Sets {
		if row := s.limitRow(); row != "" {
			fmt.Fprintln(b, row)
		}
	}
}

// stageLines lists the stages of each work.
func (all *results) stageLines(b *strings.Builder) {
	b.WriteString("\n## Stages\n\nOf one more run, in ms, the longest first, each waited for, which takes time itself; how\noften if more than once.\n\n| set | work | stages |\n|---|---|---|\n")
	for _, s := range all.Sets {
		for _, name := range works() {
			if m := s.done(name); m != nil && len(m.Stages) > 0 {
				fmt.Fprintf(b, "| %s | %s | %s |\n", all.marked(s), name, m.stages())
			}
		}
	}
}

// beside compares peers with ours.
func (all *results) beside(b *strings.Builder) {
	if len(all.Peers) == 0 {
		return
	}
	b.WriteString("\n## Beside other programs\n\nBuilt of their public sources, on the same card and data. Seconds as they report them, reading\nfiles left out, their index included. They give lists of neighbours to the host, so the\ncolumn of pairs is like with like. Difference is that of their total from the exact one.\n")
	b.WriteString("\n| set | program | seconds | difference | × our counts | asked | × our pairs | asked |\n|---|---|--:|--:|--:|---|--:|---|\n")
	for _, p := range all.Peers {
		s := all.find(p.Set)
		if p.Failed != "" || s == nil {
			fmt.Fprintf(b, "| %s | %s | %s | – | – | – | – | – |\n", p.Set, p.Name, p.Failed)
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %.2f | %s | %s | %s |\n", p.Set, p.Name, p.Seconds, p.difference(s),
			p.times(s.done(countsWork), p.Floor), p.times(s.done(pairsWork), p.PairsFloor))
	}
	for _, p := range all.Peers {
		if p.Note != "" {
			fmt.Fprintf(b, "\n* %s, %s: %s", p.Name, p.Set, p.Note)
		}
	}
}

// times returns two cells: how many times ours the peer took, and what is asked.
func (p peer) times(ours *timed, floor float64) string {
	if ours == nil {
		return "– | –"
	}
	times, asked := p.Seconds/measure.Median(ours.endToEnd()), "–"
	switch {
	case floor > 0 && times < floor:
		asked = fmt.Sprintf("%v **missed**", floor)
	case floor > 0:
		asked = fmt.Sprintf("%v met", floor)
	}
	return fmt.Sprintf("%.0f | %s", times, asked)
}

// difference says how far a peer's total is from the exact one.
func (p peer) difference(s *set) string {
	switch d := p.Total - s.Want; {
	case p.Total == 0:
		return "not told"
	case d == 0:
		return "none"
	default:
		return fmt.Sprintf("%+d", d)
	}
}

// milliseconds writes seconds as milliseconds with three digits.
func milliseconds(seconds float64) string {
	switch ms := 1e3 * seconds; {
	case ms >= 99.95:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 9.995:
		return fmt.Sprintf("%.1f", ms)
	default:
		return fmt.Sprintf("%.2f", ms)
	}
}
