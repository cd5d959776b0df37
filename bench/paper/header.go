package paper

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"rtcluster/bench/internal/measure"
)

// Host is the machine and the program.
type Host = measure.Host

// ThisHost describes this machine and this program.
func ThisHost() Host { return measure.Machine() }

// Item is a line of a header.
type Item struct{ Key, Value string }

// Header says what was measured, where and how. It stands above every result.
type Header []Item

// NewHeader returns the header of an experiment.
func NewHeader(e *Experiment, s *Setting) Header {
	what := e.Purpose
	if e.Paper != "" {
		what = e.Paper + ": " + what
	}
	h := Header{
		{"experiment", e.Name + " (" + what + ")"},
		{"host", fmt.Sprintf("%s, %s, %.3g GiB", s.Host.Processor, plural(s.Host.Cores, "core"), s.Host.MemoryGiB)},
		{"instructions", s.Host.Instructions},
		{"card", orNone(s.Card)},
		{"program", "commit " + s.Host.Commit + ", " + s.Host.Go},
		{"date", s.Host.Date},
		{"sets", s.setsText(e)},
		{"eps", s.epsText()},
		{"engines", s.enginesText()},
		{"threads", strconv.Itoa(s.Threads)},
		{"runs", s.runsText()},
		{"seed", strconv.FormatUint(s.Seed, 10)},
	}
	for _, p := range e.Params {
		value := s.Value(p)
		if p.Word == fileWord && value != "" {
			value = filepath.Base(value)
		}
		h = append(h, Item{p.Name, orNone(value)})
	}
	return h
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return humanize.Comma(int64(n)) + " " + what
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (s *Setting) setsText(e *Experiment) string {
	names := s.Sets
	if names == nil {
		names = e.Sets
	}
	kind := "synthetic"
	if s.Read != nil {
		kind = "read from files, columns scaled to 0 to 1"
	}
	return fmt.Sprintf("%s; %s, %v of the rows", strings.Join(names, ", "), kind, s.Fraction)
}

func (s *Setting) epsText() string {
	switch {
	case s.Eps != nil:
		return joined(s.Eps)
	case s.Selectivity != nil:
		return "for a selectivity of " + joined(s.Selectivity)
	case s.Read != nil:
		return "published, else for a selectivity of " + joined(DefaultSelectivity())
	}
	return "for a selectivity of " + joined(DefaultSelectivity())
}

func (s *Setting) enginesText() string {
	var names []string
	for _, e := range s.There() {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

func (s *Setting) runsText() string {
	text := "median of " + strconv.Itoa(max(1, s.Runs))
	if s.Timeout > 0 {
		text += fmt.Sprintf(", each cut off after %v", s.Timeout)
	}
	return text
}

func joined(list []float64) string {
	var texts []string
	for _, x := range list {
		texts = append(texts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(texts, ", ")
}
