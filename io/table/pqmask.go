package table

import (
	"encoding/json"
	"strings"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/catalog"
)

// This file reads masked columns as astropy writes them: x has a value in every row,
// and a boolean column x.mask is true where that means nothing. Such rows of x are
// read as missing. Both columns are written as they are, and since what astropy says
// of them does not pass, it is said again under a key of our own.

// masksKey is where our own files have the masks of columns, as JSON: {"x":"x.mask"}.
const masksKey = "rtcluster.masks"

// findMasks returns which columns at the top level have a mask, and which that is.
// What the metadata say of other columns, or cannot be read, says nothing.
func (p *parquetFile) findMasks() map[*node]*node {
	said := map[string]string{}
	for _, kv := range p.meta.KeyValueMetadata {
		var err error
		switch kv.Key {
		case masksKey:
			err = json.Unmarshal([]byte(kv.Value), &said)
		case astropyKey:
			said, err = catalog.Masks(kv.Value)
		}
		if err != nil {
			said = nil
		}
	}
	masks := map[*node]*node{}
	for name, by := range said {
		n, mask := p.root.child(name), p.root.child(by)
		if n != nil && mask != nil && isFlat(n) && isFlat(mask) && mask.leaf.class == classBool {
			masks[n] = mask
		}
	}
	return masks
}

// isFlat reports whether a column has one value a row.
func isFlat(n *node) bool { return n.Leaf() && !n.Repeated() }

// maskNotes tells which columns are read with a mask.
func (p *parquetFile) maskNotes() []Note {
	var list []Column
	for _, c := range p.columns() {
		if c.mask != "" {
			list = append(list, c)
		}
	}
	if list == nil {
		return nil
	}
	return []Note{{Loud: true, Text: "read as missing where a mask beside them (" + list[0].mask + ") is true, as the metadata say: " + listNames(list) +
		"; outputs have both columns as they are, so keep both"}}
}

// describeMasks adds to metadata which of the columns that are kept are masks of
// others.
func describeMasks(metadata map[string]string, all []Column, keep []int) {
	kept := map[string]bool{}
	for _, i := range keep {
		kept[all[i].Name] = true
	}
	masks := map[string]string{}
	for _, i := range keep {
		if by := all[i].mask; by != "" && kept[by] {
			masks[all[i].Name] = by
		}
	}
	if len(masks) == 0 {
		return
	}
	var text strings.Builder
	_ = json.NewEncoder(&text).Encode(masks) // names are text
	metadata[masksKey] = strings.TrimSpace(text.String())
}

// maskReader reads the mask of a column beside it. Nil is that of a column without
// one.
type maskReader struct {
	*leafReader
	values []parquet.Value
}

// newMaskReader returns a reader of the mask of a column that begins at a row group,
// or nil.
func (p *parquetFile) newMaskReader(n *node, group int) *maskReader {
	mask := p.masks[n]
	if mask == nil {
		return nil
	}
	return &maskReader{leafReader: p.newGroupReader(mask.firstLeaf, group)}
}

// next reads the mask of the next n rows.
func (m *maskReader) next(n int64) (err error) {
	if m != nil {
		m.values, err = m.read(n)
	}
	return err
}

// hides reports whether row i of those is missing.
func (m *maskReader) hides(i int) bool {
	return m != nil && !m.values[i].IsNull() && m.values[i].Boolean()
}

// done frees what is held.
func (m *maskReader) done() {
	if m != nil {
		m.close()
	}
}
