package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"rtcluster/outlier"
)

// This file has what db and dbscan take beside eps.

// withinOptions are the parameters of methods of eps.
type withinOptions struct {
	Fraction   float64 // of db; 0: no flags
	MinSamples int     // of dbscan
}

func (o *withinOptions) define(fs *pflag.FlagSet) {
	fs.Var(shareValue{&o.Fraction}, "fraction", "add is_outlier: true for rows from which this share of all rows, or more, is farther than eps (db), "+
		"as Knorr and Ng define outliers; a rule such as --top flags in place of this")
	fs.VarP(newWhole(&o.MinSamples, 0, 1), "min-samples", "m", "rows within eps, the row itself counted, that make a row core (dbscan)")
}

func takesFraction(m scoreMethod) bool   { return m.name == outlier.DB }
func takesMinSamples(m scoreMethod) bool { return m.name == outlier.DBSCAN }

// checkWithin finds what methods of eps lack beside it.
func (o *outliersOptions) checkWithin() error {
	if o.has(takesMinSamples) && o.Within.MinSamples == 0 {
		return usagef("--min-samples is missing: how many rows within eps, itself counted, make a row core, such as --min-samples 5")
	}
	return nil
}

// withinWords are these parameters as the summary has them.
func (o *outliersOptions) withinWords() []string {
	var words []string
	if o.Within.Fraction > 0 {
		words = append(words, "fraction "+exact(o.Within.Fraction))
	}
	if o.has(takesMinSamples) {
		words = append(words, fmt.Sprintf("min samples %d", o.Within.MinSamples))
	}
	return words
}

// shareValue accepts a share of the rows.
type shareValue struct{ target *float64 }

func (v shareValue) String() string {
	if v.target == nil || *v.target == 0 {
		return ""
	}
	return exact(*v.target)
}

func (v shareValue) Type() string { return "SHARE" }

func (v shareValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x < 1) {
		return fmt.Errorf("want a share of the rows, more than 0 and less than 1")
	}
	*v.target = x
	return nil
}

// defined reports whether the method itself flags rows.
func (s *scored) defined() bool { return s.settings.Fraction > 0 }

// flagDefined takes the flags of the method.
func (s *scored) flagDefined() {
	s.flags = &outlier.Flags{Outlier: s.Outlier}
	for _, is := range s.flags.Outlier {
		if is {
			s.flags.Flagged++
		}
	}
}

// kindCounts is what a report counts of dbscan.
type kindCounts struct {
	Core   int `json:"core"`
	Border int `json:"border"`
	Noise  int `json:"noise"`
}

func (s *scored) kindCounts() *kindCounts {
	if s.settings.Method != outlier.DBSCAN {
		return nil
	}
	c := &kindCounts{}
	for _, score := range s.Scores {
		switch score {
		case outlier.Core:
			c.Core++
		case outlier.Border:
			c.Border++
		default:
			c.Noise++
		}
	}
	return c
}
