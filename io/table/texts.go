package table

import (
	"context"
	"slices"
)

// Texts reads the values of a column in some rows, counted from 0, as texts: those of
// Parquet as CSV gets them, those of CSV without blanks around them; missing ones are
// empty. A name that is unknown or ambiguous is a *DataError. All rows are read.
func (t *Table) Texts(ctx context.Context, column string, rows []int64) ([]string, error) {
	places, err := t.find([]string{column})
	if err != nil {
		return nil, err
	}
	p := &picker{want: slices.Compact(slices.Sorted(slices.Values(rows)))}
	if err := t.body.describe(ctx, places, []taker{p}); err != nil {
		return nil, err
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		if at, found := slices.BinarySearch(p.want, row); found && at < len(p.texts) {
			texts[i] = p.texts[at]
		}
	}
	return texts, nil
}

// picker keeps the values of some rows.
type picker struct {
	want  []int64 // ascending
	texts []string
	row   int64
}

func (p *picker) asNumbers() bool { return false }

func (p *picker) value(text []byte, _ float64, k kind) {
	if at := len(p.texts); at < len(p.want) && p.want[at] == p.row {
		if k == kindNull {
			text = nil
		}
		p.texts = append(p.texts, string(text))
	}
	p.row++
}
