package catalog

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds of a header, whose parts each take some hundred bytes as soon as they are read.
const (
	maxYAML      = 4 << 20 // bytes
	maxYAMLParts = 1 << 18
)

// errLongYAML is returned for more.
var errLongYAML = fmt.Errorf("has a header of more than %d MiB or %d parts, as commas, colons and lines part it: leave meta out of it", maxYAML>>20, maxYAMLParts)

// ecsvHeader is what is used of a header.
type ecsvHeader struct {
	delimiter string
	columns   []Column
	arrays    []ecsvArray // one a column
	masks     []ecsvMask
	places    map[string]int // of columns, by their names
}

// ecsvMask is a column that says where another one is null, both by their places.
type ecsvMask struct{ data, mask int }

// DescribeYAML returns what YAML says of the columns of a table, such as the header of
// ECSV, or what astropy puts into Parquet.
func DescribeYAML(text string) ([]Column, error) {
	h, err := parseYAML([]byte(text))
	return h.columns, err
}

// Masks returns which columns say where which others are null, by YAML that astropy puts
// into Parquet: the keys are columns, the values their masks.
func Masks(text string) (map[string]string, error) {
	h, err := parseYAML([]byte(text))
	if err != nil {
		return nil, err
	}
	masks := map[string]string{}
	for _, m := range h.masks {
		masks[h.columns[m.data].Name] = h.columns[m.mask].Name
	}
	return masks, nil
}

// parseYAML understands a header.
func parseYAML(text []byte) (h ecsvHeader, err error) {
	parts := 0
	for _, c := range text {
		if strings.IndexByte(",:-[{\n", c) >= 0 {
			parts++
		}
	}
	if len(text) > maxYAML || parts > maxYAMLParts {
		return h, errLongYAML
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return h, fmt.Errorf("has a header that cannot be read as YAML: %w", oneLine(err))
	}
	if len(document.Content) == 0 {
		return h, errNoColumns
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return h, fmt.Errorf("has a header without keys, in line %d: want datatype, under which the columns are", root.Line)
	}
	h.delimiter = plainText(find(root, "delimiter"), "")
	list := find(root, "datatype")
	switch {
	case list == nil, list.Tag == "!!null", list.Kind == yaml.SequenceNode && len(list.Content) == 0:
		return h, errNoColumns
	case list.Kind != yaml.SequenceNode:
		return h, fmt.Errorf("has a header whose datatype is no list of columns, in line %d", list.Line)
	case len(list.Content) > maxColumns:
		return h, fmt.Errorf("claims %d columns, more than the %d that can be read", len(list.Content), maxColumns)
	}
	h.places = map[string]int{}
	for i, n := range list.Content {
		c, err := ecsvColumn(unaliased(n))
		if err != nil {
			return h, err
		}
		h.columns = append(h.columns, c)
		h.arrays = append(h.arrays, arrayOf(c.Type, plainText(find(unaliased(n), "subtype"), "")))
		h.places[c.Name] = i
	}
	if meta := find(root, "meta"); meta != nil {
		if serialized := find(meta, "__serialized_columns__"); serialized != nil {
			return h, h.findMasks(serialized)
		}
	}
	return h, nil
}

// errNoColumns is returned for a header without datatype.
var errNoColumns = errors.New("has a header that names no columns")

// ecsvColumn reads what the header says of a column.
func ecsvColumn(n *yaml.Node) (Column, error) {
	if n.Kind != yaml.MappingNode {
		return Column{}, fmt.Errorf("has something else than a column in its header, in line %d: want such as {name: x, datatype: float64}", n.Line)
	}
	is := func(key string) string { return plainText(find(n, key), "") }
	c := Column{Name: is("name"), Nullable: true, Unit: plainText(find(n, "unit"), "unit"), Description: is("description")}
	if c.Name == "" {
		return c, fmt.Errorf("has a column without a name in its header, in line %d", n.Line)
	}
	var known bool
	if c.Type, known = ecsvTypes[is("datatype")]; !known {
		return c, fmt.Errorf("column %s: its datatype %q is none of ECSV, in line %d of the header", c.Name, is("datatype"), n.Line)
	}
	if meta := find(n, "meta"); meta != nil {
		c.UCD = plainText(find(meta, "ucd"), "")
	}
	return c, nil
}

// findMasks finds the columns that are in two parts, data and mask, as astropy writes them
// with serialize_method='data_mask': at any depth under what it says of its columns.
func (h *ecsvHeader) findMasks(n *yaml.Node) error {
	for _, deeper := range n.Content {
		if err := h.findMasks(deeper); err != nil {
			return err
		}
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	data, mask := h.place(find(n, "data")), find(n, "mask")
	if data < 0 || mask == nil {
		return nil
	}
	m := h.place(mask)
	if m < 0 || h.columns[m].Type != Bool {
		return fmt.Errorf("has a header that says, in line %d, that a mask tells where column %s is null, and there is no such column of bool", mask.Line, h.columns[data].Name)
	}
	h.masks = append(h.masks, ecsvMask{data, m})
	return nil
}

// place returns the place of the column that is named under name, or -1.
func (h *ecsvHeader) place(n *yaml.Node) int {
	if n != nil && n.Kind == yaml.MappingNode {
		if i, ok := h.places[plainText(find(n, "name"), "")]; ok {
			return i
		}
	}
	return -1
}

// unaliased returns a node, in place of a reference to it.
func unaliased(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// plainText returns a scalar, or that under a key of a mapping, as units have it.
func plainText(n *yaml.Node, key string) string {
	if n == nil {
		return ""
	}
	if n.Kind == yaml.MappingNode {
		n = find(n, key)
	}
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// find returns the value of a key in a mapping, or in a list of mappings, or nil.
func find(n *yaml.Node, key string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if strings.EqualFold(n.Content[i].Value, key) {
				return unaliased(n.Content[i+1])
			}
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind == yaml.MappingNode {
				if found := find(item, key); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// oneLine is an error of YAML. Of those of its grammar, it counts lines from 0.
func oneLine(err error) error {
	text := strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: ")
	if strings.HasPrefix(text, "line ") {
		text = "near " + text
	}
	return errors.New(text)
}
