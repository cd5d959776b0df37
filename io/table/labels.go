package table

import (
	"context"
	"fmt"
)

// Labels is a column as names of kinds of rows.
type Labels struct {
	Values []string // the different values, in the order in which they come up
	Of     []int32  // of each row, the place of its value in Values; -1 where it is missing or NaN
	Rows   []int64  // how many rows have each of Values
}

// Labels reads a column of any type, whose values become texts: those of Parquet as
// CSV gets them, those of CSV without blanks around them. A name that is unknown or
// ambiguous, and a column of more than most different values, are a *DataError. Memory
// is 4 bytes a row beside the values.
func (t *Table) Labels(ctx context.Context, column string, most int) (*Labels, error) {
	places, err := t.find([]string{column})
	if err != nil {
		return nil, err
	}
	l := &labeller{most: most, places: map[string]int32{}}
	l.labels.Of = make([]int32, 0, t.Rows())
	if err := t.body.describe(ctx, places, []taker{l}); err != nil {
		return nil, err
	}
	if l.many {
		return nil, badColumn(t.path, column, "has more than %d different values, such as %s: it does not tell kinds of rows", most, l.some())
	}
	return &l.labels, nil
}

// labeller gathers labels.
type labeller struct {
	labels Labels
	most   int
	places map[string]int32
	many   bool // there are more values than that
}

func (l *labeller) asNumbers() bool { return false }

func (l *labeller) value(text []byte, _ float64, k kind) {
	if l.many {
		return
	}
	at := int32(-1)
	if k != kindNull && k != kindNaN && string(text) != "NaN" { // numbers of Parquet come as text
		at = l.place(text)
	}
	l.labels.Of = append(l.labels.Of, at)
}

// place returns the place of a value, which is counted.
func (l *labeller) place(text []byte) int32 {
	at, known := l.places[string(text)]
	if !known {
		if l.many = len(l.places) == l.most; l.many {
			return -1
		}
		at = int32(len(l.places))
		l.places[string(text)] = at
		l.labels.Values, l.labels.Rows = append(l.labels.Values, string(text)), append(l.labels.Rows, 0)
	}
	l.labels.Rows[at]++
	return at
}

// some lists a few values for a message.
func (l *labeller) some() string {
	text := ""
	for i, v := range l.labels.Values[:min(3, len(l.labels.Values))] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", clip([]byte(v)))
	}
	return text
}
