package table

import (
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// node is a node of a Parquet schema. It serves as parquet.Node for writing,
// because parquet.Group sorts its fields by name, and it knows what reading
// nested values needs.
type node struct {
	name       string
	id         int
	typ        parquet.Type
	repetition format.FieldRepetitionType
	encoding   encoding.Encoding
	codec      compress.Codec // nil: the writer's
	unbounded  bool           // of a leaf: written without bounds
	children   []*node

	element   *format.SchemaElement // nil for columns of our own
	leaf      leafType              // of a leaf
	firstLeaf int                   // number of the first leaf in it, among all leaves
	leaves    int                   // how many leaves it has
	maxDef    int                   // definition level if it is there
	maxRep    int                   // repetition level of a further element
}

// thinned returns the node as it is written where its values may be long and packed
// to next to nothing, by a mark for each of its leaves: without a dictionary and
// bounds, of which the library would hold one for each page.
func (n *node) thinned(thin []bool) *node {
	if !slices.Contains(thin, true) {
		return n
	}
	c := *n
	if n.Leaf() {
		k := n.typ.Kind()
		c.encoding = &parquet.Plain
		c.unbounded = n.unbounded || k == parquet.ByteArray || k == parquet.FixedLenByteArray
		if k == parquet.ByteArray {
			c.typ = longType{n.typ}
		}
		return &c
	}
	c.children = make([]*node, len(n.children))
	for i, child := range n.children {
		c.children[i], thin = child.thinned(thin[:child.leaves]), thin[child.leaves:]
	}
	return &c
}

// thinnedAll is thinned for columns, with the marks of all their leaves.
func thinnedAll(columns []*node, thin []bool) []*node {
	list := make([]*node, len(columns))
	for i, n := range columns {
		list[i], thin = n.thinned(thin[:n.leaves]), thin[n.leaves:]
	}
	return list
}

// The methods of parquet.Field.

func (n *node) ID() int                     { return n.id }
func (n *node) String() string              { return n.name }
func (n *node) Type() parquet.Type          { return n.typ }
func (n *node) Optional() bool              { return n.repetition == format.Optional }
func (n *node) Repeated() bool              { return n.repetition == format.Repeated }
func (n *node) Required() bool              { return n.repetition == format.Required }
func (n *node) Leaf() bool                  { return n.children == nil }
func (n *node) Encoding() encoding.Encoding { return n.encoding }
func (n *node) Compression() compress.Codec { return n.codec }
func (n *node) Name() string                { return n.name }

// Fields returns the children in order.
func (n *node) Fields() []parquet.Field {
	fields := make([]parquet.Field, len(n.children))
	for i, c := range n.children {
		fields[i] = c
	}
	return fields
}

// GoType is not used: rows are written as columns, not as Go values.
func (n *node) GoType() reflect.Type { return reflect.TypeFor[any]() }

// Value is not used either.
func (n *node) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// sourceNodes returns the root of a file's schema.
func sourceNodes(f *parquet.File) *node {
	w := nodeWalk{elements: f.Metadata().Schema}
	root := w.walk(f.Root(), 0, 0)
	root.repetition = format.Required
	return root
}

// nodeWalk goes through the columns of a file and their schema elements, which
// stand in the same depth-first order.
type nodeWalk struct {
	elements []format.SchemaElement
	next     int
	leaf     int
}

func (w *nodeWalk) walk(c *parquet.Column, def, rep int) *node {
	root := w.next == 0
	e := &w.elements[w.next]
	w.next++
	n := &node{
		name: e.Name, id: int(e.FieldID), typ: newSourceType(c.Type(), e), repetition: format.Required,
		element: e, firstLeaf: w.leaf,
	}
	switch {
	case root:
	case c.Optional():
		n.repetition = format.Optional
		def++
	case c.Repeated():
		n.repetition = format.Repeated
		def++
		rep++
	}
	n.maxDef, n.maxRep = def, rep
	if c.Leaf() {
		n.leaf = leafTypeOf(e)
		n.encoding, n.unbounded = writeEncoding(c.Encoding(), e), unordered(e)
		w.leaf++
	} else {
		n.children = make([]*node, 0, len(c.Columns()))
		for _, child := range c.Columns() {
			n.children = append(n.children, w.walk(child, def, rep))
		}
	}
	n.leaves = w.leaf - n.firstLeaf
	return n
}

// writeEncoding is the encoding that a column is written in: a dictionary where
// the source had one, else plain values, which every reader knows. Some writers
// claim dictionaries of booleans, which readers refuse.
func writeEncoding(source encoding.Encoding, e *format.SchemaElement) encoding.Encoding {
	if source != nil && e.Type.V != format.Boolean {
		switch source.Encoding() {
		case parquet.PlainDictionary.Encoding(), parquet.RLEDictionary.Encoding():
			return &parquet.RLEDictionary
		}
	}
	return &parquet.Plain
}

// FieldType is the type of a column of a new table.
type FieldType int

// The types of columns of new tables.
const (
	Int64 FieldType = iota
	Float64
	Bool
	String
	rawBytes // of CSV columns that are no UTF-8
)

// newNode is a column of our own.
func newNode(name string, t FieldType, optional bool) *node {
	n := &node{name: name, leaves: 1, encoding: &parquet.Plain}
	switch t {
	case Int64:
		n.typ, n.encoding = parquet.Int64Type, &parquet.RLEDictionary
	case Float64:
		n.typ = parquet.DoubleType
	case Bool:
		n.typ = parquet.BooleanType
	case String:
		n.typ, n.encoding = parquet.String().Type(), &parquet.RLEDictionary
	default:
		n.typ, n.encoding = parquet.ByteArrayType, &parquet.RLEDictionary
	}
	n.repetition = format.Required
	if optional {
		n.repetition, n.maxDef = format.Optional, 1
	}
	return n
}

// newRoot is the root of a schema with these columns.
func newRoot(name string, columns []*node) *node {
	leaves := 0
	for _, c := range columns {
		leaves += c.leaves
	}
	return &node{name: name, typ: parquet.Group{}.Type(), repetition: format.Required, children: columns, leaves: leaves}
}

// isList and isMap tell annotated groups, by either kind of annotation.
func (n *node) isList() bool {
	_, ok := n.annotation().(*format.ListType)
	return ok || n.converted(deprecated.List)
}

func (n *node) isMap() bool {
	_, ok := n.annotation().(*format.MapType)
	return ok || n.converted(deprecated.Map) || n.converted(deprecated.MapKeyValue)
}

func (n *node) annotation() format.LogicalTypeValue {
	if n.element == nil {
		return nil
	}
	return n.element.LogicalType.Value
}

func (n *node) converted(t deprecated.ConvertedType) bool {
	return n.element != nil && n.element.ConvertedType.Valid && n.element.ConvertedType.V == t
}

// typeName is the type of a column for people.
func (n *node) typeName() string {
	switch {
	case n.Leaf() && n.Repeated():
		return "list of " + n.leaf.name
	case n.Leaf():
		return n.leaf.name
	case n.isList() || n.Repeated():
		return "list"
	case n.isMap():
		return "map"
	}
	return "struct"
}
