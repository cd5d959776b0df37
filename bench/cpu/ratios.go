package main

import (
	"fmt"
	"math"
	"strings"

	"rtcluster/bench/internal/measure"
)

// fastest returns the fastest peer that the floor is set against, and its time;
// no name if none was measured.
func (all *results) fastest(r *result, against string) (name string, seconds float64) {
	seconds = math.Inf(1)
	for _, p := range all.Peers {
		if !r.has(p.Name) {
			continue
		}
		if against == anyPeer && p.Exact || p.Name == against {
			if t := measure.Median(r.By[p.Name].Warm); t < seconds {
				name, seconds = p.Name, t
			}
		}
	}
	return name, seconds
}

// ratios is the table of how many times faster ours is, and of the floors.
func (all *results) ratios(b *strings.Builder, rows []*result) {
	if len(all.names(rows)) == 0 {
		return
	}
	b.WriteString("\n| times faster than | the fastest exact peer | scikit-learn | its kd-tree | floors |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		ours := measure.Median(r.by(oursName).Warm)
		exact, learn := "–", [...]string{"–", "–"}
		if name, t := all.fastest(r, anyPeer); name != "" {
			exact = fmt.Sprintf("%s (%s)", digits(t/ours), name)
		}
		for i, against := range []string{sklearn, sklearnTree} {
			if name, t := all.fastest(r, against); name != "" {
				learn[i] = digits(t / ours)
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r.marked(), exact, learn[0], learn[1], all.floors(r, ours))
	}
}

// floors says for each floor of the row whether it is met.
func (all *results) floors(r *result, ours float64) string {
	var said []string
	for _, row := range allRows() {
		if row.name() != r.Row {
			continue
		}
		for _, f := range row.Floors {
			name, t := all.fastest(r, f.Against)
			if name == "" {
				said = append(said, fmt.Sprintf("%s %g×: not measured", f.Against, f.AtLeast))
				continue
			}
			said = append(said, fmt.Sprintf("%s %g×: %s", f.Against, f.AtLeast, verdict(t/ours >= f.AtLeast)))
		}
	}
	if len(said) == 0 {
		return "–"
	}
	return strings.Join(said, "; ")
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "**missed**"
}

// largeEps compares E2 at a large ε with the same at a small one.
func (all *results) largeEps(b *strings.Builder) {
	small, large := all.find("dbscan-E2-16"), all.find("dbscan-E2-5000")
	if small == nil || large == nil {
		return
	}
	t0, t1 := measure.Median(small.by(oursName).Warm), measure.Median(large.by(oursName).Warm)
	m0, m1 := small.by(oursName).PeakMiB, large.by(oursName).PeakMiB
	fmt.Fprintf(b, "\n## A large ε\n\nDBSCAN of E2 with about 5,000 neighbours a row must be no slower than with 16, and need no\nmore memory (2 %% of it are left to chance).\n\n")
	fmt.Fprintf(b, "| | 16 | 5,000 | |\n|---|---|---|---|\n| seconds | %s | %s | %s |\n| peak, MiB | %.0f | %.0f | %s |\n",
		digits(t0), digits(t1), verdict(t1 <= t0), m0, m1, verdict(m1 <= 1.02*m0))
}

// rates compares counts with a kernel that does nothing but distances.
func (all *results) rates(b *strings.Builder) {
	head := false
	for _, r := range all.ofWork(countWork) {
		kernel := kernelRate(r.Job.Dim) * float64(r.Job.Threads)
		if kernel == 0 || !strings.HasPrefix(r.short(), "G") {
			continue
		}
		if !head {
			head = true
			fmt.Fprintf(b, `
## The rate of counts

Nothing is pruned here: all n²/2 pairs over the whole time of the counts, index included.
The kernel was written by hand, in C with AVX-512, on another machine (Zen 4); counts may
take %g times its time.

| | pairs a second | the kernel's | times its time | |
|---|---|---|---|---|
`, kernelFloor)
		}
		n := float64(r.Job.Rows)
		rate := n * n / 2 / measure.Median(r.by(oursName).Warm)
		fmt.Fprintf(b, "| %s | %.3g | %.3g | %s | %s |\n", r.short(), rate, kernel, digits(kernel/rate), verdict(kernel/rate <= kernelFloor))
	}
}

// threads compares all threads with one.
func (all *results) threads(b *strings.Builder) {
	head := false
	for _, r := range append(all.ofWork(dbscanWork), all.ofWork(countWork)...) {
		if !r.has(oneThreadName) {
			continue
		}
		if !head {
			head = true
			fmt.Fprintf(b, "\n## Threads\n\nTwo threads must be %g times faster than one from %d coordinates on. Below, memory's rate may bind.\n\n", threadFloor, threadDim)
			fmt.Fprintf(b, "| seconds | one thread | %d threads | ratio | |\n|---|---|---|---|---|\n", r.Job.Threads)
		}
		one, two := measure.Median(r.by(oneThreadName).Warm), measure.Median(r.by(oursName).Warm)
		met := "–"
		if r.Job.Dim >= threadDim && r.Job.Threads == 2 {
			met = verdict(one/two >= threadFloor)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r.Row, digits(one), digits(two), digits(one/two), met)
	}
}

// memory compares peaks with the bound.
func (all *results) memory(b *strings.Builder) {
	var rows []*result
	for _, r := range all.Rows {
		if r.by(oursName).PeakMiB > 0 {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	names := all.names(rows)
	fmt.Fprintf(b, `
## Memory

Greatest resident memory, MiB, of a process that does the work once; of a peer, of its
whole process. All of ours is in it: the program, the set, the index, the result and the
Go heap with its garbage. The bound, for DBSCAN and counts, is 2.5 · n · d · 8 bytes
+ 64 bytes a row + 64 MiB. kNN and LOF keep k neighbours a row besides.

| | set | ours | bound | |%s
|---|---|---|---|---|%s
`, cells(names), strings.Repeat("---|", len(names)))
	for _, r := range rows {
		input := float64(r.Job.Rows) * float64(r.Job.Dim) * 8 / (1 << 20)
		peak := r.by(oursName).PeakMiB
		bound, met := "–", "–"
		if r.Job.Work == dbscanWork || r.Job.Work == countWork {
			limit := boundMiB(r.Job.Rows, r.Job.Dim)
			bound, met = fmt.Sprintf("%.0f", limit), verdict(peak <= limit)
		}
		fmt.Fprintf(b, "| %s | %.0f | %.0f | %s | %s |", r.Row, input, peak, bound, met)
		for _, n := range names {
			text := "–"
			if r.has(n) {
				text = fmt.Sprintf("%.0f", r.By[n].PeakMiB)
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
}

// boundMiB returns what the engine may need at the most.
func boundMiB(rows, dim int) float64 {
	return (2.5*float64(rows)*float64(dim)*8+64*float64(rows))/(1<<20) + 64
}
