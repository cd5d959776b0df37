package table

import (
	"context"
	"io"
	"maps"

	"github.com/parquet-go/parquet-go/format"
)

// isNull reports whether a column can hold nothing but nulls.
func (n *node) isNull() bool { return n.Leaf() && n.leaf.class == classNull }

// copyParquet writes Parquet files as one. Small files share row groups.
func (d *dataset) copyParquet(ctx context.Context, out io.Writer, pl *plan, opt WriteOptions) error {
	columns := d.mergedNodes(pl)
	first := d.parts[0].body.(*parquetFile)
	extra := addedNodes(pl.more(d.parts[0], 0))
	metadata := d.commonMetadata(len(pl.own) == d.own, opt.Metadata)
	return guardWrite(d.parts[0].src.path, func() error {
		all := append(append([]*node{}, columns...), extra...)
		c := &setCopy{columns: columns, sink: newParquetSink(out, newRoot(first.root.name, all), metadata, opt.Compression, first.threads)}
		err := d.each(ctx, pl, func(p *part, places []int, more []Added) error {
			return c.file(ctx, p.body.(*parquetFile), places, more)
		})
		if err != nil {
			return err
		}
		return c.sink.finish()
	})
}

// mergedNodes are the columns of the files as they are written: those of the
// first file that has them, OPTIONAL where some file has or needs nulls.
func (d *dataset) mergedNodes(pl *plan) []*node {
	list := make([]*node, len(pl.own))
	for i, k := range pl.own {
		optional := false
		for _, p := range d.parts {
			if p.places[k] < 0 {
				optional = true
				continue
			}
			n := p.body.(*parquetFile).root.children[p.places[k]]
			optional = optional || n.Optional()
			if list[i] == nil {
				list[i] = n
			}
		}
		if list[i] == nil {
			list[i] = d.nullNode(d.all[k].Name)
		}
		if optional && list[i].Required() {
			n := *list[i]
			n.repetition = format.Optional
			list[i] = &n
		}
	}
	return list
}

// nullNode is the column of a name that holds nothing but nulls in all files.
func (d *dataset) nullNode(name string) *node {
	for _, p := range d.parts {
		for _, n := range p.body.(*parquetFile).root.children {
			if n.name == name {
				return n
			}
		}
	}
	return newNode(name, String, true) // not reached: some file has it
}

// commonMetadata is what all files say of themselves alike, and what is added to
// it.
func (d *dataset) commonMetadata(allColumns bool, added map[string]string) map[string]string {
	first := d.parts[0].body.(*parquetFile)
	common := keptMetadata(first.meta.KeyValueMetadata, allColumns, nil)
	for _, p := range d.parts[1:] {
		other := keptMetadata(p.body.(*parquetFile).meta.KeyValueMetadata, allColumns, nil)
		maps.DeleteFunc(common, func(k, v string) bool {
			text, ok := other[k]
			return !ok || text != v
		})
	}
	maps.Copy(common, added)
	return common
}

// setCopy copies files into one.
type setCopy struct {
	sink    *parquetSink
	columns []*node
	group   int64 // rows in the current row group
	mark    int64 // size when it began
}

// file copies the rows of a file.
func (c *setCopy) file(ctx context.Context, p *parquetFile, places []int, more []Added) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	var leaves []leafSource
	for i, n := range c.columns {
		for k := range n.leaves {
			leaf := leafSource{}
			if places[i] >= 0 {
				own := p.root.children[places[i]]
				leaf.reader = p.newLeafReader(own.firstLeaf + k)
				defer leaf.reader.close()
				if n.Optional() && own.Required() {
					leaf.deeper = 1
				}
			}
			leaves = append(leaves, leaf)
		}
	}
	from := int64(0)
	for _, rows := range p.planGroups(leaves, len(more)) {
		if c.group > 0 && c.group+rows > groupRows {
			if err := c.flush(); err != nil {
				return err
			}
		}
		if err := c.sink.copyRows(ctx, leaves, more, from, rows); err != nil {
			return err
		}
		from += rows
		c.group += rows
		if c.group >= groupRows || c.sink.size()-c.mark >= groupBytes {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return p.src.unchanged()
}

// flush ends a row group.
func (c *setCopy) flush() error {
	if err := c.sink.flush(); err != nil {
		return err
	}
	c.group, c.mark = 0, c.sink.size()
	return nil
}
