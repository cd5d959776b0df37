package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"rtcluster/io/chart"
	"rtcluster/outlier"
)

// This file finds the limit of flagged scores that a histogram shows.

// limitLine is the limit by which a score's rows are flagged; at NaN if there is none.
func (s *scored) limitLine(cut *cutOptions) chart.Line {
	switch {
	case s.flags == nil:
		return noLimit()
	case cut.given():
		return lineOfLimit(s.limit.Score, s.limit.Inclusive)
	default:
		return lineOfLimit(s.settings.Fraction, true)
	}
}

func noLimit() chart.Line { return chart.Line{At: math.NaN()} }

// lineOfLimit names a limit; an infinite one cannot be drawn.
func lineOfLimit(at float64, inclusive bool) chart.Line {
	switch {
	case notFinite(at):
		return noLimit()
	case inclusive:
		return chart.Line{Name: fmt.Sprintf("flagged from %.6g on", at), At: at}
	default:
		return chart.Line{Name: fmt.Sprintf("flagged above %.6g", at), At: at}
	}
}

// recordedLimit is the limit of a column of scores that the run recorded that wrote them,
// in the report that was named or in the metadata; at NaN if neither tells it.
func (p *plotting) recordedLimit(column string) chart.Line {
	var counts struct {
		Scores []struct {
			Column string
			Method outlier.Method
			Flags  *struct {
				Limit     json.RawMessage // absent: by the method's definition
				Inclusive bool
			}
		}
	}
	if len(p.counts) == 0 || json.Unmarshal(p.counts, &counts) != nil {
		return noLimit()
	}
	for _, s := range counts.Scores {
		switch {
		case s.Column != column || s.Flags == nil:
		case len(s.Flags.Limit) > 0:
			if limit, err := strconv.ParseFloat(strings.Trim(string(s.Flags.Limit), `"`), 64); err == nil {
				return lineOfLimit(limit, s.Flags.Inclusive)
			}
		case s.Method == outlier.DB && p.params != nil && p.params.Fraction > 0:
			return lineOfLimit(p.params.Fraction, true)
		}
	}
	return noLimit()
}
