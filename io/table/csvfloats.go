package table

import (
	"context"
	"slices"
)

// columns describes the columns as far as they were looked at.
func (c *csvFile) columns() []Column {
	list := make([]Column, len(c.names))
	for i, p := range c.profile {
		list[i].Name = c.calls[i]
		if i < len(c.units) {
			list[i].Unit = c.units[i]
		}
		if !p.looked {
			continue
		}
		list[i].Type, list[i].Numeric = "empty", p.text == nil && p.numbers > 0 || c.rows() == 0
		switch {
		case p.text != nil:
			list[i].Type = "string"
			if p.numbers > 0 || p.near {
				list[i].Fault = p.text
			}
		case p.numbers+p.nans > 0 && (p.floats || p.nans > 0):
			list[i].Type = "double"
		case p.numbers > 0:
			list[i].Type = "int64"
		}
	}
	return list
}

// checkNumbers returns the error for columns that are known to be no numbers, as
// they are asked for.
func (c *csvFile) checkNumbers(columns []int, names []string) error {
	for j, i := range columns {
		if e := c.profile[i].text; e != nil && !c.isCast(i, names[j]) {
			return e
		}
	}
	return nil
}

// isCast reports whether a column is asked for by a cast to double.
func (c *csvFile) isCast(column int, asked string) bool {
	if asked == c.calls[column] {
		return false
	}
	_, cast := SplitCast(asked)
	return cast == castDouble
}

// take fills f with the columns of the given places if the first reading has
// kept them all, and keeps them no longer.
func (c *csvFile) take(columns []int, f *Floats) (bool, error) {
	if err := c.checkNumbers(columns, f.columnNames()); err != nil {
		return false, err
	}
	if c.loaded == nil || slices.ContainsFunc(columns, func(i int) bool { return !slices.Contains(c.loaded.columns, i) }) {
		return false, nil
	}
	for j, i := range columns { // the first reading knew of no casts
		if p := &c.profile[i]; (p.text != nil || p.number != nil) && c.isCast(i, f.Bad[j].Column) {
			return false, nil
		}
	}
	if err := c.src.unchanged(); err != nil {
		return false, err
	}
	var first *DataError
	for j, i := range columns {
		p := &c.profile[i]
		if p.number != nil && (first == nil || p.number.Row < first.Row) {
			first = p.number
		}
		f.Bad[j] = p.bad(f.Bad[j].Column)
	}
	if first != nil {
		return false, first
	}
	f.Data = c.loaded.pick(columns)
	c.loaded = nil // used up, even if there was no room
	return f.Data != nil, nil
}

// pick makes the values of some columns of those loaded, in place. It returns
// nil if there is no room for that.
func (l *loaded) pick(columns []int) []float64 {
	width, from := len(columns), len(l.columns)
	switch {
	case slices.Equal(columns, l.columns):
		return l.data
	case width > from:
		return nil
	}
	at := make([]int, width)
	for j, i := range columns {
		at[j] = slices.Index(l.columns, i)
	}
	row := make([]float64, from)
	rows := len(l.data) / from
	for r := range rows {
		copy(row, l.data[r*from:])
		for j, k := range at {
			l.data[r*width+j] = row[k]
		}
	}
	return l.data[: rows*width : rows*width]
}

// floats reads the columns of the given places.
func (c *csvFile) floats(ctx context.Context, columns []int, f *Floats) error {
	kept := Floats{Bad: f.Bad}
	if done, err := c.take(columns, &kept); done || err != nil {
		copy(f.Data, kept.Data)
		meterOf(ctx).count(c.rows())
		return err
	}
	roles := c.numberRoles(columns, f.columnNames())
	l := newLoader(c, roles)
	l.width, l.into = len(columns), f.Data
	if err := (&pass{c: c, work: l.work, merge: l.merge}).run(ctx); err != nil {
		return err
	}
	for j, i := range columns {
		f.Bad[j] = l.all[i].bad(f.Bad[j].Column)
	}
	f.spread(columns, roles)
	return nil
}
