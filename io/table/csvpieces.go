package table

import "context"

// eachFloats hands on the numbers of the columns of the given places as the chunks
// of a pass bring them.
func (c *csvFile) eachFloats(ctx context.Context, columns []int, names []string, size int, fn func(*Floats) error) error {
	if err := c.checkNumbers(columns, names); err != nil {
		return err
	}
	c.loaded = nil
	roles := c.numberRoles(columns, names)
	l := newLoader(c, roles)
	l.width = len(columns)
	hand := func() error {
		if len(l.data) == 0 {
			return nil
		}
		f := newFloats(names, len(l.data)/l.width, l.data)
		for j, i := range columns {
			f.Bad[j] = l.all[i].bad(names[j])
		}
		for _, i := range columns {
			l.all[i] = profile{looked: true}
		}
		f.spread(columns, roles)
		l.data = l.data[:0]
		return fn(f)
	}
	err := (&pass{c: c, work: l.work, merge: func(ch *chunk) error {
		for k := range ch.load.cols {
			l.all[k].add(&ch.load.cols[k], ch.offset)
		}
		if err := l.firstError(); err != nil {
			return err
		}
		if l.data = append(l.data, ch.load.values...); len(l.data)/l.width < size {
			return nil
		}
		return hand()
	}}).run(ctx)
	if err != nil {
		return err
	}
	return hand()
}

// numberRoles are the roles of columns whose numbers are asked for: a column's
// values stand where it is asked for first.
func (c *csvFile) numberRoles(columns []int, names []string) []role {
	roles := make([]role, len(c.names))
	for j, i := range columns {
		cast := c.isCast(i, names[j])
		if !roles[i].look {
			roles[i] = role{look: true, value: true, at: j, cast: cast}
		}
		roles[i].cast = roles[i].cast && cast
	}
	return roles
}

// spread copies values to the other places where their column is asked for again.
func (f *Floats) spread(columns []int, roles []role) {
	again := false
	for j, i := range columns {
		again = again || roles[i].at != j
	}
	if !again {
		return
	}
	for r := range f.Rows {
		row := f.Data[r*f.Cols : (r+1)*f.Cols]
		for j, i := range columns {
			row[j] = row[roles[i].at]
		}
	}
}
