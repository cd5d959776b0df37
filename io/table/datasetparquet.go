package table

import (
	"context"
	"io"
	"maps"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// mostGroups is up to how many row groups are copied as they are. Small ones of
// many files could be more than a Parquet file can have.
const mostGroups = 1 << 14

// isNull reports whether a column can hold nothing but nulls.
func (n *node) isNull() bool { return n.Leaf() && n.leaf.class == classNull }

// child returns the first child of a name, or nil.
func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// copyParquet writes Parquet files as one. Files in large row groups are copied
// chunk by chunk where they have the columns as they are written; the rows of
// others are encoded anew, and small files share row groups.
func (d *dataset) copyParquet(ctx context.Context, out io.Writer, pl *plan, opt WriteOptions) error {
	first := d.parts[0].body.(*parquetFile)
	extra := addedNodes(pl.more(d.parts[0], 0))
	return guardWrite(d.parts[0].src.path, func() error {
		a, err := newAssembly(out)
		if err != nil {
			return err
		}
		c := &setCopy{a: a, columns: d.mergedNodes(pl), compression: opt.Compression, alone: len(d.parts) == 1}
		if opt.Compression == "" {
			c.columns = d.packAlike(c.columns, pl)
		}
		c.newSink = func(columns []*node) *sideSink {
			return newSideSink(a, newRoot(first.root.name, append(columns, extra...)), opt.Compression, first.threads)
		}
		if err := c.admit(make([]bool, newRoot("", c.columns).leaves)); err != nil {
			return err
		}
		defer c.close()
		if len(extra) > 0 {
			c.side = newSideSink(a, newRoot(first.root.name, extra), opt.Compression, first.threads)
		}
		err = d.each(ctx, pl, func(p *part, places []int, more []Added) error {
			return c.file(ctx, p.body.(*parquetFile), places, more)
		})
		if err != nil {
			return err
		}
		meta, err := c.finish()
		if err != nil {
			return err
		}
		metadata := d.commonMetadata(len(pl.own) == d.own, opt.Metadata)
		describeOutput(metadata, d.all, pl.own, pl.more(d.parts[0], 0))
		meta.KeyValueMetadata = keyValues(metadata)
		return a.finish(meta)
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
		if n := p.body.(*parquetFile).root.child(name); n != nil {
			return n
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
	a           *assembly
	columns     []*node
	newSink     func(columns []*node) *sideSink
	thin        []bool      // leaves that the last sink takes thin values of
	sinks       []*sideSink // for rows that are encoded anew; of use is the last one
	side        *sideSink   // for what stands behind copied chunks, or nil
	compression string
	alone       bool // there is one file only
}

// finish ends the row groups, and returns what the file says of itself.
func (c *setCopy) finish() (*format.FileMetaData, error) {
	if err := c.flush(); err != nil {
		return nil, err
	}
	if c.side != nil {
		if _, err := c.side.finish(); err != nil {
			return nil, err
		}
	}
	var first *format.FileMetaData
	for _, s := range c.sinks {
		meta, err := s.finish()
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = meta
		}
	}
	return first, nil
}

// close frees what is held if the file was not finished.
func (c *setCopy) close() {
	for _, s := range c.sinks {
		s.close()
	}
}

// sink is where rows that are encoded anew go.
func (c *setCopy) sink() *sideSink { return c.sinks[len(c.sinks)-1] }

// admit begins another sink if there is none that takes thin values of some leaves.
func (c *setCopy) admit(thin []bool) error {
	more := c.thin == nil
	for i, is := range thin {
		more = more || is && !c.thin[i]
	}
	if !more {
		return nil
	}
	if c.thin == nil {
		c.thin = make([]bool, len(thin))
	} else if err := c.flush(); err != nil {
		return err
	}
	for i, is := range thin {
		c.thin[i] = c.thin[i] || is
	}
	c.sinks = append(c.sinks, c.newSink(thinnedAll(c.columns, c.thin)))
	return nil
}

// file copies a file.
func (c *setCopy) file(ctx context.Context, p *parquetFile, places []int, more []Added) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	var err error
	if own := c.copied(p, places); own == nil {
		err = c.rows(ctx, p, places, more)
	} else if err = c.flush(); err == nil {
		err = newSplice(c.a, p, own, c.side).copy(ctx, more)
	}
	if err != nil {
		return err
	}
	return p.src.unchanged()
}

// copied returns the columns of a file if its chunks can be copied, else nil.
func (c *setCopy) copied(p *parquetFile, places []int) []*node {
	own := p.laidOutAs(c.columns, places, c.alone)
	if own == nil || len(c.a.groups)+len(p.meta.RowGroups) > mostGroups || !p.canSplice(own, c.compression) {
		return nil
	}
	for i, n := range c.columns {
		for k, leaf := range appendLeaves(nil, n) {
			if leaf.codec != nil && leaf.codec != p.codecOf(own[i].firstLeaf+k) {
				return nil // a column packed in several ways is refused by some readers
			}
		}
	}
	return own
}

// codecOf returns the compression of a leaf.
func (p *parquetFile) codecOf(leaf int) compress.Codec {
	return parquet.LookupCompressionCodec(p.meta.RowGroups[0].Columns[leaf].MetaData.Codec)
}

// laidOutAs returns the columns of the given places if the file has these
// columns, stored alike and in large row groups, of which a lone file may have
// just one small one. Else it returns nil.
func (p *parquetFile) laidOutAs(columns []*node, places []int, alone bool) []*node {
	groups := int64(len(p.meta.RowGroups))
	if groups == 0 || !alone && p.meta.NumRows/groups < spliceRows {
		return nil
	}
	own := make([]*node, len(places))
	for i, n := range columns {
		if places[i] >= 0 {
			own[i] = p.root.children[places[i]]
		} else if n.isNull() { // in all files, whose own is as good
			own[i] = p.root.child(n.name)
		}
		if own[i] == nil || !n.sameLayout(own[i]) {
			return nil
		}
	}
	return own
}

// packAlike gives the columns the compression that they have in the first file
// whose chunks may be copied, so that it is one for all.
func (d *dataset) packAlike(columns []*node, pl *plan) []*node {
	for _, part := range d.parts {
		p := part.body.(*parquetFile)
		own := p.laidOutAs(columns, pl.places(part), len(d.parts) == 1)
		if own == nil {
			continue
		}
		list := make([]*node, len(columns))
		for i, n := range columns {
			list[i] = n.packedAs(p, own[i])
		}
		return list
	}
	return columns
}

// packedAs returns the node with the compression of a column of a file.
func (n *node) packedAs(p *parquetFile, own *node) *node {
	packed := *n
	if n.Leaf() {
		packed.codec = p.codecOf(own.firstLeaf)
		return &packed
	}
	packed.children = make([]*node, len(n.children))
	for i, c := range n.children {
		packed.children[i] = c.packedAs(p, own.children[i])
	}
	return &packed
}

// rows encodes the rows of a file anew.
func (c *setCopy) rows(ctx context.Context, p *parquetFile, places []int, more []Added) error {
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
	if err := c.admit(p.weigh(leaves)); err != nil {
		return err
	}
	ctx = counting(ctx, len(leaves)+len(more))
	from := int64(0)
	for _, part := range p.parts(leaves, len(more)) {
		if rows := c.sink().rows; rows > 0 && part.group > 0 && rows+part.group > groupRows {
			if err := c.flush(); err != nil {
				return err
			}
		}
		if err := c.sink().copyRows(ctx, leaves, more, from, part.rows); err != nil {
			return err
		}
		from += part.rows
		if c.sink().gathered(part.rows) {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return agreeing(leaves)
}

// flush ends the row group of rows that are encoded anew.
func (c *setCopy) flush() error { return c.sink().endGroup() }
