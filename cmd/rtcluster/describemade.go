package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"rtcluster/io/table"
)

// This file has describe tell what a table that rtcluster made says of itself.

// madeBy is what the metadata of Parquet tells of the run, as JSON where it is such.
type madeBy struct {
	Version    string          `json:"version"`
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Summary    json.RawMessage `json:"summary,omitempty"`
	Inputs     json.RawMessage `json:"inputs,omitempty"`
}

// readMade returns nil for a table that says nothing, or whose files are of several
// runs. What is no JSON is left out: it was edited, and describe is to look at it.
func readMade(t *table.Table) *madeBy {
	made := &madeBy{}
	text := func(key string) string {
		value, _, err := t.KeyValue(key)
		if err != nil {
			return ""
		}
		return value
	}
	if made.Version = text(keyVersion); made.Version == "" {
		return nil
	}
	for key, to := range map[string]*json.RawMessage{keyParams: &made.Parameters, keySummary: &made.Summary, keyInputs: &made.Inputs} {
		if value := text(key); json.Valid([]byte(value)) {
			*to = json.RawMessage(value)
		}
	}
	return made
}

// text is what a person is told: what fits on a line each, and not lists of numbers.
func (m *madeBy) text() string {
	var text strings.Builder
	var made struct {
		Command string        `json:"command"`
		Inputs  []reportInput `json:"inputs"`
	}
	var summary struct {
		Counts   json.RawMessage `json:"counts"`
		Warnings []string        `json:"warnings"`
	}
	// What has another form than ours is told as far as it has it.
	_ = json.Unmarshal(m.Inputs, &made)
	_ = json.Unmarshal(m.Summary, &summary)
	line := func(label, said string) {
		if said != "" {
			fmt.Fprintf(&text, "%-11s %s\n", label, said)
		}
	}
	text.WriteString("\n")
	line("made by", strings.TrimSpace("rtcluster "+printable(m.Version)+" "+printable(made.Command)))
	for i, in := range made.Inputs {
		if i == mostListed && len(made.Inputs) > mostListed+1 {
			line("from", fmt.Sprintf("%s more", plural(len(made.Inputs)-i, "file", "files")))
			break
		}
		line("from", fmt.Sprintf("%s, %s", plainText(in.Path), plural(in.Rows, "row", "rows")))
	}
	line("parameters", plainFields(m.Parameters))
	line("counts", plainFields(summary.Counts))
	for _, warning := range summary.Warnings {
		line("warning", plainText(warning))
	}
	return text.String()
}

// mostListed is how many inputs describe names.
const mostListed = 5

// plainFields are the fields of an object that are words and numbers, or lists of
// words, in their order.
func plainFields(object json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return ""
	}
	var said []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return ""
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return ""
		}
		if text := plainValue(value); text != "" && name != "command" {
			said = append(said, fmt.Sprintf("%s %s", name, text))
		}
	}
	return plainText(strings.Join(said, "; "))
}

// plainValue is "" for what is no word, number or list of words.
func plainValue(value any) string {
	switch value := value.(type) {
	case string, bool, json.Number:
		return fmt.Sprint(value)
	case []any:
		var words []string
		for _, v := range value {
			word, ok := v.(string)
			if !ok {
				return ""
			}
			words = append(words, word)
		}
		return strings.Join(words, ", ")
	}
	return ""
}
