package main

import (
	"fmt"
	"strings"

	"rtcluster/bench/internal/measure"
)

// summary says first what is wrong and what is missed.
func (all *results) summary(b *strings.Builder) {
	var wrong, missed, wished []string
	for _, s := range all.Sets {
		for _, fault := range s.faults() {
			wrong = append(wrong, s.Name+" "+fault)
		}
		m, w := s.misses()
		missed, wished = append(missed, m...), append(wished, w...)
	}
	for _, p := range all.Peers {
		missed = append(missed, all.slowBeside(p)...)
	}
	line := func(name, none string, list []string) {
		if len(list) == 0 {
			list = []string{none}
		}
		fmt.Fprintf(b, "* %s: %s.\n", name, strings.Join(list, "; "))
	}
	b.WriteString("\n")
	line("Wrong totals", "none", wrong)
	line("Missed of what is asked", "nothing", missed)
	line("Missed of what is wished", "nothing", wished)
}

// misses says which times of a set are longer than asked, and which than wished.
func (s *set) misses() (asked, wished []string) {
	counts := s.done(countsWork)
	if counts == nil {
		return []string{s.Name + ": no counts"}, nil
	}
	seconds := measure.Median(counts.endToEnd())
	t, _ := targetOf(s.Name)
	late := func(list []string, most float64) []string {
		if most > 0 && 1e3*seconds > most {
			return append(list, fmt.Sprintf("%s counts in %v ms (%s)", s.Name, most, milliseconds(seconds)))
		}
		return list
	}
	asked = late(asked, t.Floor)
	wished = late(late(wished, t.Goal), t.Further)
	for _, other := range []struct {
		name string
		most float64
	}{{dbscanWork, dbscanMost}, {wideWork, wideMost}} {
		if m := s.done(other.name); m != nil {
			if times := measure.Median(m.endToEnd()) / seconds; times > other.most {
				asked = append(asked, fmt.Sprintf("%s %s in %v times the counts (%.2f)", s.Name, other.name, other.most, times))
			}
		}
	}
	return asked, wished
}

// slowBeside says where a peer is not as much slower than ours as is asked.
func (all *results) slowBeside(p peer) (list []string) {
	s := all.find(p.Set)
	if s == nil || p.Failed != "" {
		return nil
	}
	for _, side := range []struct {
		name  string
		floor float64
	}{{countsWork, p.Floor}, {pairsWork, p.PairsFloor}} {
		if m := s.done(side.name); m != nil {
			if times := p.Seconds / measure.Median(m.endToEnd()); times < side.floor {
				list = append(list, fmt.Sprintf("%s %s %v times as fast as %s (%.0f)", s.Name, side.name, side.floor, p.Name, times))
			}
		}
	}
	return list
}
