package main

import (
	"fmt"
	"strings"

	"rtcluster/epsilon"
)

// epsAccount is what `rtcluster eps` tells of a table, as JSON and as text.
type epsAccount struct {
	Inputs      []reportInput `json:"inputs"`
	Rows        int64         `json:"rows"`
	Used        int64         `json:"rows_used"`
	Columns     []string      `json:"columns"`
	Metric      string        `json:"metric"`
	Unit        string        `json:"distance_unit,omitempty"` // deg or cosine, absent for that of the coordinates
	K           int           `json:"k"`
	MinSamples  int           `json:"min_samples"`
	Measured    int           `json:"rows_measured"`
	Seed        uint64        `json:"seed"`
	Infinite    int           `json:"infinite"` // k-distances that overflow
	Curve       []curvePoint  `json:"curve"`    // at each hundredth of the rows; empty without rows
	Suggestions []suggested   `json:"suggestions"`

	title, rowsText string
	curve           *epsilon.Curve // nil without rows
}

// curvePoint says that a share of the rows has k-distances up to Distance.
type curvePoint struct {
	Share    float64   `json:"share"`
	Distance jsonFloat `json:"distance"`
}

func newEpsAccount(j *job, opt *epsOptions, s *source) *epsAccount {
	counts := s.rowCounts()
	return &epsAccount{
		Inputs: j.report.Inputs, Rows: counts.Rows, Used: counts.Used, Columns: s.columns, Metric: opt.Metric.Metric,
		Unit: opt.Metric.radius(0).Unit, K: opt.K, MinSamples: opt.MinSamples, Seed: opt.Run.Seed,
		Curve: []curvePoint{}, Suggestions: []suggested{},
		title: fmt.Sprintf("%s, %s; coordinates: %s", shown(s.path), plural(counts.Used, "row", "rows"),
			columnsText(s.columns, &opt.Input, &opt.Metric)+s.found),
	}
}

// measured takes the curve.
func (a *epsAccount) measured(s *epsSearch) {
	a.curve, a.rowsText = s.curve, s.measured()
	a.Measured, a.Infinite = len(s.curve.Distances), len(s.curve.Distances)-s.curve.Finite()
	const parts = 100
	for i := range parts + 1 {
		share := float64(i) / parts
		a.Curve = append(a.Curve, curvePoint{Share: share, Distance: jsonFloat(s.curve.At(share))})
	}
}

// text is the account for people.
func (a *epsAccount) text() string {
	var text strings.Builder
	text.WriteString(a.title + "\n\n")
	if a.curve == nil {
		text.WriteString("no rows, so there is no curve and no eps\n")
		return text.String()
	}
	fmt.Fprintf(&text, "k-distances: to the %s nearest other row%s, of %s\n", ordinal(a.K), inUnit(a.Unit), a.rowsText)
	a.curveText(&text)
	fmt.Fprintf(&text, "\neps for min-samples %d, and what dbscan makes of it:\n", a.MinSamples)
	lines := [][]string{{"rule", "eps", "clusters", "core", "border", "noise", "largest"}}
	for i := range a.Suggestions {
		lines = append(lines, a.Suggestions[i].cells())
	}
	writeCells(&text, lines, 1)
	text.WriteString("\n")
	for _, s := range a.Suggestions {
		fmt.Fprintf(&text, "%s: %s%s\n", s.rule(), s.arcText(), s.Reason)
		if s.RedFlag != "" {
			fmt.Fprintf(&text, "%s: RED FLAG: %s\n", s.rule(), s.RedFlag)
		}
	}
	return text.String()
}

func inUnit(unit string) string {
	if unit == degreeUnit {
		return " in degrees"
	}
	return ""
}

// curveText is some points of the curve.
func (a *epsAccount) curveText(text *strings.Builder) {
	shares, distances := []string{"share of rows"}, []string{"k-distance"}
	for _, share := range []float64{0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1} {
		shares = append(shares, percent(share))
		distances = append(distances, fmt.Sprintf("%.4g", a.curve.At(share)))
	}
	shares[1], shares[len(shares)-1] = "least", "greatest"
	writeCells(text, [][]string{shares, distances}, 1)
	if a.Infinite > 0 {
		fmt.Fprintf(text, "%s of these distances overflow: no rule suggests so large an eps\n", grouped(a.Infinite))
	}
}

// rule is the rule as it is typed.
func (u *ruleUsed) rule() epsRule { return epsRule{Name: u.Rule, Value: u.Value} }

// rule is the rule as it is typed.
func (s *suggested) rule() string { return epsRule{Name: s.Rule, Value: s.Value}.String() }

// cells are what a line of the text shows of a suggestion.
func (s *suggested) cells() []string {
	if s.Eps == nil {
		return []string{s.rule(), "none"}
	}
	c := s.Clusters
	return []string{s.rule(), s.radius.String(), grouped(c.Clusters), grouped(c.Core), grouped(c.Border), grouped(c.Noise), grouped(c.Largest)}
}

// arcText is a small angle in minutes or seconds of arc, before the reason.
func (s *suggested) arcText() string {
	if s.EpsUnit != degreeUnit || !(*s.Eps < 1) {
		return ""
	}
	if *s.Eps < 1./60 {
		return fmt.Sprintf("%.6g arcsec; ", 3600**s.Eps)
	}
	return fmt.Sprintf("%.6g arcmin; ", 60**s.Eps)
}
