package table

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// assembler writes nested values as JSON from the values of their leaves. It
// follows the levels as Dremel does (Melnik et al. 2010,
// doi:10.14778/1920841.1920886): a definition level below a node's own says that
// the node, or one above it, is not there; a repetition level equal to a node's
// own says that another element of it follows.
type assembler struct {
	first  int // number of the leaf that values[0] is of
	values [][]parquet.Value
	at     []int // next value of each leaf
	text   []byte
	most   int // bytes after which nothing more is appended
}

// newAssembler returns an assembler of the leaves of a column.
func newAssembler(n *node) *assembler {
	return &assembler{first: n.firstLeaf, values: make([][]parquet.Value, n.leaves), at: make([]int, n.leaves)}
}

// load gives the values of a batch of rows of one of the leaves.
func (a *assembler) load(k int, values []parquet.Value) {
	a.values[k], a.at[k] = values, 0
}

// peek returns the next value of the first leaf of a node.
func (a *assembler) peek(n *node) (parquet.Value, bool) {
	k := n.firstLeaf - a.first
	if n.leaves == 0 || a.at[k] >= len(a.values[k]) {
		return parquet.Value{}, false
	}
	return a.values[k][a.at[k]], true
}

// missing reports whether a node is not there, and passes over it.
func (a *assembler) missing(n *node) bool {
	v, ok := a.peek(n)
	if ok && v.DefinitionLevel() >= n.maxDef {
		return false
	}
	for k := n.firstLeaf - a.first; k < n.firstLeaf-a.first+n.leaves; k++ {
		a.at[k]++
	}
	return true
}

// appendNode appends what a node holds in the next row or element.
func (a *assembler) appendNode(dst []byte, n *node) []byte {
	switch {
	case n.leaves == 0:
		return append(dst, "{}"...) // a struct without fields
	case n.Repeated():
		return a.appendElements(dst, n, n)
	case n.Optional() && a.missing(n):
		return append(dst, "null"...)
	}
	return a.appendPresent(dst, n)
}

// appendPresent appends one value of a node that is there.
func (a *assembler) appendPresent(dst []byte, n *node) []byte {
	switch {
	case n.Leaf():
		v, _ := a.peek(n)
		a.at[n.firstLeaf-a.first]++
		return a.appendLeaf(dst, v, n.leaf)
	case n.isList() && len(n.children) == 1 && n.children[0].Repeated():
		return a.appendElements(dst, n.children[0], listElement(n))
	case n.isMap() && len(n.children) == 1 && n.children[0].Repeated() && len(n.children[0].children) == 2:
		return a.appendPairs(dst, n.children[0])
	}
	dst = append(dst, '{')
	for i, c := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, c.name)
		dst = append(dst, ':')
		dst = a.appendNode(dst, c)
	}
	return append(dst, '}')
}

// listElement returns what is an element of a list: the only child of the
// repeated group, but for old writers that repeated the element itself.
func listElement(list *node) *node {
	repeated := list.children[0]
	old := repeated.Leaf() || len(repeated.children) != 1 || repeated.name == "array" || repeated.name == list.name+"_tuple"
	if old {
		return repeated
	}
	return repeated.children[0]
}

// appendElements appends all elements of a repeated node.
func (a *assembler) appendElements(dst []byte, repeated, element *node) []byte {
	if a.missing(repeated) {
		return append(dst, "[]"...)
	}
	dst = append(dst, '[')
	for more := true; more && len(dst) <= a.most; more = a.follows(repeated) {
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		if element == repeated {
			dst = a.appendPresent(dst, element)
		} else {
			dst = a.appendNode(dst, element)
		}
	}
	return append(dst, ']')
}

// follows reports whether another element of a repeated node comes next.
func (a *assembler) follows(repeated *node) bool {
	v, ok := a.peek(repeated)
	return ok && v.RepetitionLevel() == repeated.maxRep
}

// appendPairs appends a map as an object, its keys as strings.
func (a *assembler) appendPairs(dst []byte, pair *node) []byte {
	if a.missing(pair) {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for more := true; more && len(dst) <= a.most; more = a.follows(pair) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		start := len(dst)
		dst = a.appendNode(dst, pair.children[0])
		if dst[start] != '"' {
			key := string(dst[start:])
			dst = appendString(dst[:start], key)
		}
		dst = append(dst, ':')
		dst = a.appendNode(dst, pair.children[1])
	}
	return append(dst, '}')
}

// appendLeaf appends a value as JSON: numbers and booleans bare, all else as
// strings.
func (a *assembler) appendLeaf(dst []byte, v parquet.Value, t leafType) []byte {
	if len(dst) > a.most {
		return dst
	}
	if v.IsNull() {
		return append(dst, "null"...)
	}
	switch t.class {
	case classBool, classInt, classUint, classDecimal:
		return appendValue(dst, v, t)
	case classFloat, classDouble, classHalf:
		if _, k, _ := floatingReader(t.class)(&v); k == kindNumber {
			return appendValue(dst, v, t)
		}
	}
	a.text = appendValue(a.text[:0], v, t)
	return a.appendText(dst, a.text)
}

// appendText appends text, which may be long, as a JSON string.
func (a *assembler) appendText(dst, text []byte) []byte {
	const piece = 64 << 10
	dst = append(dst, '"')
	for len(text) > 0 && len(dst) <= a.most {
		n := min(len(text), piece)
		for n < len(text) && n > piece-utf8.UTFMax && !utf8.RuneStart(text[n]) {
			n--
		}
		at := len(dst)
		dst = appendString(dst, string(text[:n]))
		dst = append(dst[:at], dst[at+1:len(dst)-1]...)
		text = text[n:]
	}
	return append(dst, '"')
}

// appendString appends a JSON string.
func appendString(dst []byte, s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return append(dst, `""`...) // strings never fail
	}
	return append(dst, b...)
}
