package table

import (
	"context"
	"io"
)

// convertCSV writes CSV files as one of Parquet, each column with the type that
// its fields in all files allow.
func (d *dataset) convertCSV(ctx context.Context, out io.Writer, pl *plan, opt WriteOptions) error {
	ctx = counting(ctx, 2)
	columns, err := d.inferTypes(ctx, pl)
	if err != nil {
		return err
	}
	return guardWrite(d.parts[0].src.path, func() error {
		b, err := newCSVBatch(out, columns, pl.more(d.parts[0], 0), opt, d.parts[0].body.(*csvFile).threads)
		if err != nil {
			return err
		}
		defer b.sink.close()
		b.describe(d.all, pl.own, pl.more(d.parts[0], 0))
		err = d.each(ctx, pl, func(p *part, places []int, more []Added) error {
			return b.file(ctx, p.body.(*csvFile), places, more)
		})
		if err != nil {
			return err
		}
		return b.finish()
	})
}

// inferTypes reads all files for the types of the columns. Those that a file
// lacks can hold nulls.
func (d *dataset) inferTypes(ctx context.Context, pl *plan) ([]*node, error) {
	found := make([]inference, len(pl.own))
	lacking := make([]bool, len(pl.own))
	err := d.each(ctx, pl, func(p *part, places []int, _ []Added) error {
		for k, i := range places {
			lacking[k] = lacking[k] || i < 0
		}
		return p.body.(*csvFile).infer(ctx, places, found)
	})
	if err != nil {
		return nil, err
	}
	columns := make([]*node, len(pl.own))
	for k, i := range pl.own {
		columns[k] = found[k].node(d.all[i].Name, lacking[k])
	}
	d.notes = append(d.notes, textNotes(columns, found, len(d.parts) > 1)...)
	return columns, nil
}
