package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// This file chooses among the clusterings of a table that was clustered with several
// eps, for predict.

// levelChoice is what the flags of predict say of it.
type levelChoice struct {
	Level int    // from 1; 0: not given
	Eps   string // as typed; "": not given
}

func (c levelChoice) check() error {
	if c.Level > 0 && c.Eps != "" {
		return usagef("--level and --eps both choose the clustering: give one of them")
	}
	_, length := parseRadius(c.Eps, false)
	_, angle := parseRadius(c.Eps, true)
	if c.Eps != "" && length != nil && angle != nil {
		return usageError{length}
	}
	return nil
}

// radii are the eps of the clustering, or of all that there are.
func (p *parameters) radii() []radius {
	if p.Levels == nil {
		return []radius{p.radius()}
	}
	list := make([]radius, len(p.Levels))
	for i, l := range p.Levels {
		list[i] = radius{Value: l.Eps, Unit: l.EpsUnit}
	}
	return list
}

// atLevel are the parameters of one of several clusterings, or of the only one.
func (p *parameters) atLevel(at int) *parameters {
	if p.Levels == nil {
		return p
	}
	one := *p
	one.setEps(p.radii()[at])
	one.Level, one.Levels = at+1, nil
	return &one
}

// decodeCounts reads the counts, of one clustering or of all.
func (r *recorded) decodeCounts(text []byte) error {
	if r.params.Levels == nil {
		r.counts = &dbscanCounts{}
		return json.Unmarshal(text, r.counts)
	}
	r.all = &levelsCounts{}
	if err := json.Unmarshal(text, r.all); err != nil {
		return err
	}
	if len(r.all.Levels) != len(r.params.Levels) {
		return fmt.Errorf("%s for %s", plural(len(r.all.Levels), "level", "levels"), plural(len(r.params.Levels), "eps", "eps"))
	}
	return nil
}

// choose settles which clustering is meant. From then on there is one.
func (r *recorded) choose(c levelChoice) error {
	p, radii := &r.params, r.params.radii()
	at, err := c.find(p, radii)
	if err != nil {
		return inputf(r.path, "%w", err)
	}
	if p.Levels == nil {
		return nil
	}
	*p, r.levels = *p.atLevel(at), len(radii)
	if r.all != nil {
		r.counts = &dbscanCounts{r.all.rowCounts, r.all.Levels[at].clusterCounts}
	}
	return nil
}

// find returns the place in radii of the clustering that is meant.
func (c levelChoice) find(p *parameters, radii []radius) (int, error) {
	switch {
	case c.Eps != "":
		want, err := p.metric().parse(c.Eps)
		if err != nil {
			return 0, err
		}
		at := slices.IndexFunc(radii, func(r radius) bool { return r.join() == want.join() })
		if at < 0 {
			return 0, fmt.Errorf("no clustering has eps %s: %s", want, listLevels(radii))
		}
		return at, nil
	case c.Level > len(radii):
		return 0, fmt.Errorf("there is no level %d: %s", c.Level, listLevels(radii))
	case c.Level > 0:
		return c.Level - 1, nil
	case len(radii) > 1:
		return 0, fmt.Errorf("%s: choose by --level or --eps", listLevels(radii))
	}
	return 0, nil
}

// listLevels says which clusterings there are.
func listLevels(radii []radius) string {
	if len(radii) == 1 {
		return fmt.Sprintf("there is one clustering, with eps %s", radii[0])
	}
	texts := make([]string, len(radii))
	for i, r := range radii {
		texts[i] = fmt.Sprintf("%d (eps %s)", i+1, r)
	}
	return fmt.Sprintf("there are %d clusterings, the levels %s", len(radii), strings.Join(texts, ", "))
}

// column is the name of a column that dbscan added, for the clustering that was
// chosen.
func (r *recorded) column(name string) string {
	return r.params.Prefix + levelName(name, r.params.Level-1, r.levels)
}

// epsText tells the eps that new rows go by, and which of several it is.
func (r *recorded) epsText() string {
	text := r.params.radius().String()
	if r.levels > 0 {
		text += fmt.Sprintf(" (level %d of %d)", r.params.Level, r.levels)
	}
	return text
}
