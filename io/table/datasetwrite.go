package table

import (
	"context"
	"errors"
	"io"
	"slices"
)

// floats reads the columns of the given places file by file.
func (d *dataset) floats(ctx context.Context, columns []int, f *Floats) error {
	base := 0
	for _, p := range d.parts {
		n := int(p.rows)
		sub := newFloats(f.columnNames(), n, f.Data[base*f.Cols:(base+n)*f.Cols])
		if err := p.use(func() error { return d.floatsOf(ctx, p, columns, sub) }); err != nil {
			return err
		}
		for j := range f.Bad {
			f.Bad[j].merge(&sub.Bad[j], p.src.path, int64(base))
		}
		base += n
	}
	return nil
}

// merge adds the counts of a file whose rows begin at base.
func (b *Bad) merge(file *Bad, path string, base int64) {
	b.Nulls += file.Nulls
	b.NaNs += file.NaNs
	b.Infs += file.Infs
	if b.FirstRow < 0 && file.FirstRow >= 0 {
		b.Path, b.FileRow = path, file.FirstRow
		b.FirstRow, b.FirstLine = base+file.FirstRow, file.FirstLine
	}
}

// floatsOf reads the columns of one file: straight into f, or, if it does not
// have them all, by way of a matrix of those that it has.
func (d *dataset) floatsOf(ctx context.Context, p *part, columns []int, f *Floats) error {
	var places, to []int
	for j, k := range columns {
		if k < d.own && p.places[k] >= 0 {
			places, to = append(places, p.places[k]), append(to, j)
		}
	}
	if len(places) == len(columns) {
		return p.body.floats(ctx, places, f)
	}
	if len(places) > 0 {
		own := &Floats{Rows: f.Rows, Cols: len(places), Data: make([]float64, f.Rows*len(places)), Bad: make([]Bad, len(places))}
		for i, j := range to {
			own.Bad[i] = f.Bad[j]
		}
		if err := p.body.floats(ctx, places, own); err != nil {
			return err
		}
		for i, j := range to {
			f.Bad[j] = own.Bad[i]
			for row := range f.Rows {
				f.Data[row*f.Cols+j] = own.Data[row*own.Cols+i]
			}
		}
	}
	if len(places) == 0 {
		meterOf(ctx).count(p.rows)
	}
	for j, k := range columns {
		c := constant{null: true}
		switch {
		case k >= d.own:
			c = d.extra[k-d.own].constantOf(p)
		case p.places[k] >= 0:
			continue
		}
		if err := c.floatsOf(p.src.path, j, f); err != nil {
			return err
		}
	}
	return nil
}

// plan is what is written of each file: columns of its own, then extra ones, then
// what is added.
type plan struct {
	own   []int // places in the set
	extra []*extra
	added []Added // values for all files
}

// planOf parts the columns of the files from the extra ones.
func (d *dataset) planOf(keep []int, added []Added) plan {
	pl := plan{added: added}
	for _, k := range keep {
		if k < d.own {
			pl.own = append(pl.own, k)
		} else {
			pl.extra = append(pl.extra, &d.extra[k-d.own])
		}
	}
	return pl
}

// places returns the places of the planned columns in a file; -1 where it lacks
// one.
func (pl *plan) places(p *part) []int {
	list := make([]int, len(pl.own))
	for i, k := range pl.own {
		list[i] = p.places[k]
	}
	return list
}

// more is what is added to a file whose rows begin at base: extra columns, and
// its share of the added ones.
func (pl *plan) more(p *part, base int64) []Added {
	var list []Added
	for _, e := range pl.extra {
		list = append(list, Added{Name: e.name, Values: e.constantOf(p)})
	}
	for _, a := range pl.added {
		list = append(list, a.part(base, base+p.rows))
	}
	return list
}

// part returns rows from to to of an added column.
func (a *Added) part(from, to int64) Added {
	share := Added{Name: a.Name}
	switch v := a.Values.(type) {
	case []int64:
		share.Values = v[from:to]
	case []int32:
		share.Values = v[from:to]
	case []float64:
		share.Values = v[from:to]
	case []bool:
		share.Values = v[from:to]
	default:
		share.Values = a.Values
	}
	if a.Valid != nil {
		share.Valid = a.Valid[from:to:to]
		if share.Valid == nil {
			share.Valid = []bool{}
		}
	}
	return share
}

// each calls fn for every file, which is open meanwhile, with what to write of
// it.
func (d *dataset) each(ctx context.Context, pl *plan, fn func(p *part, places []int, more []Added) error) error {
	base := int64(0)
	for _, p := range d.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.use(func() error { return fn(p, pl.places(p), pl.more(p, base)) }); err != nil {
			return err
		}
		base += p.rows
	}
	return nil
}

// writeCSV writes one header and the rows of all files. The first file decides
// the delimiter.
func (d *dataset) writeCSV(ctx context.Context, w *csvWriter, keep []int, added []Added) error {
	pl := d.planOf(keep, added)
	begun := false
	return d.each(ctx, &pl, func(p *part, places []int, more []Added) error {
		if !begun {
			begun = true
			if err := d.writeHeader(w, p, &pl, places, more); err != nil {
				return err
			}
		}
		switch body := p.body.(type) {
		case *csvFile:
			return body.writeRows(ctx, w, places, more)
		case *parquetFile:
			return body.writeRows(ctx, w, places, more)
		}
		return errors.ErrUnsupported
	})
}

// writeHeader writes the header line: that of the first file, where it has all
// the columns.
func (d *dataset) writeHeader(w *csvWriter, first *part, pl *plan, places []int, more []Added) error {
	file, ok := first.body.(*csvFile)
	if ok {
		w.delim = file.outputDelim(w)
		if !slices.Contains(places, -1) {
			return file.writeHeader(w, places, more, file.whole(w, places))
		}
	}
	w.names(names(d.all, pl.own))
	w.addedNames(more)
	return w.end(newline)
}

// writeParquet writes all files as one.
func (d *dataset) writeParquet(ctx context.Context, out io.Writer, keep []int, added []Added, opt WriteOptions) error {
	pl := d.planOf(keep, added)
	list := append(names(d.all, pl.own), addedNames(pl.more(d.parts[0], 0))...)
	if err := validName(d.parts[0].src.path, list); err != nil {
		return err
	}
	if _, ok := d.parts[0].body.(*parquetFile); ok {
		return d.copyParquet(ctx, out, &pl, opt)
	}
	return d.convertCSV(ctx, out, &pl, opt)
}

// addedNames returns the names of added columns.
func addedNames(added []Added) []string {
	list := make([]string, len(added))
	for i, a := range added {
		list[i] = a.Name
	}
	return list
}
