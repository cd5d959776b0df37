package table

import (
	"context"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go/format"
)

// This file decides which column chunks can be copied as they are: by how they are
// laid out, and by decoding them before they are passed on.

// spliceRows is how many rows the row groups of a file must have on average for
// its column chunks to be copied as they are; smaller ones are put together.
const spliceRows = 1 << 14

// canSplice reports whether the chunks of the kept columns can be copied as they
// are: packed as is asked for, in row groups of a good size, and laid out as the
// format says. What old writers did otherwise is written anew.
func (p *parquetFile) canSplice(keep []*node, compression string) bool {
	groups := len(p.meta.RowGroups)
	rows := p.meta.NumRows
	if rows == 0 || groups > math.MaxInt16 || groups > 1 && rows/int64(groups) < spliceRows {
		return false
	}
	for _, n := range keep {
		for leaf := n.firstLeaf; leaf < n.firstLeaf+n.leaves; leaf++ {
			if !p.canSpliceLeaf(leaf, compression) {
				return false
			}
		}
	}
	return true
}

// canSpliceLeaf is canSplice for one leaf.
func (p *parquetFile) canSpliceLeaf(leaf int, compression string) bool {
	e := p.leaf[leaf].element
	if e.ConvertedType.Valid && e.ConvertedType.V == convertedNull {
		return false
	}
	for g := range p.meta.RowGroups {
		m := &p.meta.RowGroups[g].Columns[leaf].MetaData
		switch {
		case p.meta.RowGroups[g].NumRows == 0:
			continue
		case compression != "" && m.Codec != codecOf(compression).CompressionCodec(),
			e.Type.V == format.Boolean && m.DictionaryPageOffset != 0:
			return false
		}
		at := chunkStart(m)
		w := newPageWalk(p.src, m)
		h, body, err := w.next(m.NumValues)
		if err != nil {
			return false // reading it will tell what is wrong
		}
		w.pass(h, body)
		asSaid := m.DictionaryPageOffset == 0
		if w.dictionary > 0 {
			asSaid = m.DictionaryPageOffset == at && m.DataPageOffset == at+w.dictionary
		}
		if !asSaid {
			return false
		}
	}
	return true
}

// ordered reports whether the bounds of all columns are in the order of their
// types. Bounds of older files are not to be trusted.
func (p *parquetFile) ordered() bool {
	for _, o := range p.meta.ColumnOrders {
		if _, ok := o.Value.(*format.TypeDefinedOrder); !ok {
			return false
		}
	}
	return len(p.meta.ColumnOrders) == len(p.leaf)
}

// readThrough decodes chunks of row groups, to see that they are whole before
// they are passed on, and returns how many nulls each has: group by group, in the
// order of the leaves. It counts the rows of each chunk.
func (p *parquetFile) readThrough(ctx context.Context, groups, leaves []int) ([]int64, error) {
	nulls := make([]int64, len(groups)*len(leaves))
	readers := make([]*leafReader, len(nulls))
	err := parallel(p.threads, len(nulls), func(i int) error {
		group := groups[i/len(leaves)]
		leaf := leaves[i%len(leaves)]
		defer p.budget.take(p.chunkLoad(group, leaf).need())()
		r := p.newGroupReader(leaf, group)
		readers[i] = r
		defer r.close()
		meter := meterOf(ctx)
		for left := p.meta.RowGroups[group].NumRows; left > 0; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := r.step(left)
			if _, err := r.read(n); err != nil {
				return err
			}
			left -= n
			meter.count(n)
		}
		nulls[i] = r.nulls
		return nil
	})
	for i := 0; err == nil && i < len(readers); i += len(leaves) {
		err = agree(readers[i : i+len(leaves)])
	}
	return nulls, err
}

// sameLayout reports whether the chunks of another column can stand under this
// one: the values are stored alike and mean the same.
func (n *node) sameLayout(o *node) bool {
	if n.name != o.name || n.repetition != o.repetition || n.leaf != o.leaf || len(n.children) != len(o.children) {
		return false
	}
	if n.Leaf() != o.Leaf() || n.element.Type != o.element.Type || n.element.TypeLength != o.element.TypeLength {
		return false
	}
	if n.Leaf() && n.leaf.class == classBytes && !reflect.DeepEqual(n.element.LogicalType, o.element.LogicalType) {
		return false // types that this package does not tell apart
	}
	for i, c := range n.children {
		if !c.sameLayout(o.children[i]) {
			return false
		}
	}
	return true
}
