package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// outcome is what a process that was measured says.
type outcome struct {
	Seconds  seconds  `json:"seconds"` // of each time the work was done, loading excluded
	Clusters *float64 `json:"clusters,omitempty"`
	Noise    *float64 `json:"noise,omitempty"`
	Cores    *float64 `json:"cores,omitempty"`
	Pairs    *float64 `json:"pairs,omitempty"` // unordered, of different rows
	KDist    *float64 `json:"kdist,omitempty"` // mean distance to the k-th other row
	LOF      *float64 `json:"lof,omitempty"`   // mean score
	PeakMiB  float64  `json:"peak_mib,omitempty"`
}

// seconds is one number or several.
type seconds []float64

// UnmarshalJSON reads a number or a list of numbers.
func (s *seconds) UnmarshalJSON(text []byte) error {
	var one float64
	if err := json.Unmarshal(text, &one); err == nil {
		*s = seconds{one}
		return nil
	}
	var several []float64
	if err := json.Unmarshal(text, &several); err != nil {
		return err
	}
	*s = several
	return nil
}

// parseOutcome reads an outcome from what a process printed: a JSON object on
// the last line, or lines of key and value anywhere.
func parseOutcome(text string) (*outcome, error) {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if !strings.HasPrefix(last, "{") {
		last = keyValues(text)
	}
	out := &outcome{}
	if err := json.Unmarshal([]byte(last), out); err != nil {
		return nil, fmt.Errorf("printed no result: %w", err)
	}
	if len(out.Seconds) == 0 {
		return nil, fmt.Errorf("printed no seconds, but %.200q", last)
	}
	for _, s := range out.Seconds {
		if !(s >= 0) {
			return nil, fmt.Errorf("printed %v seconds", s)
		}
	}
	return out, nil
}

// keyValues makes a JSON object of the lines that are a word and numbers.
func keyValues(text string) string {
	object := map[string]any{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		values := make([]float64, len(words)-1)
		var err error
		for i := range values {
			if values[i], err = strconv.ParseFloat(words[i+1], 64); err != nil {
				break
			}
		}
		switch key := strings.TrimSuffix(words[0], ":"); {
		case err != nil:
		case len(values) == 1:
			object[key] = values[0]
		default:
			object[key] = values
		}
	}
	line, err := json.Marshal(object)
	if err != nil { // a NaN or an infinity
		return err.Error()
	}
	return string(line)
}

// differences says in what two outcomes of the same work differ; empty if they
// agree in all that both say. Means may differ by rounding.
func differences(a, b *outcome) string {
	var said []string
	compare := func(name string, x, y *float64, tolerance float64) {
		if x != nil && y != nil && !(abs(*x-*y) <= tolerance*abs(*x)) {
			said = append(said, fmt.Sprintf("%s %s, ours %s", name, number(*y), number(*x)))
		}
	}
	compare("clusters", a.Clusters, b.Clusters, 0)
	compare("noise", a.Noise, b.Noise, 0)
	compare("cores", a.Cores, b.Cores, 0)
	compare("pairs", a.Pairs, b.Pairs, 0)
	compare("mean k-th distance", a.KDist, b.KDist, 1e-9)
	compare("mean LOF", a.LOF, b.LOF, 1e-9)
	return strings.Join(said, "; ")
}

func abs(x float64) float64 { return max(x, -x) }

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
