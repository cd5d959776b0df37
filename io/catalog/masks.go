package catalog

import "go.yaml.in/yaml/v3"

// Masks returns which columns hide rows of which others, by YAML that astropy puts
// into Parquet: a masked column x is stored as x, with values in all rows, and
// x.mask, which is true where a value is missing. The keys are columns like x, the
// values such as x.mask.
func Masks(text string) (map[string]string, error) {
	var said struct {
		Meta yaml.Node `yaml:"meta"`
	}
	if err := yaml.Unmarshal([]byte(text), &said); err != nil {
		return nil, oneLine(err)
	}
	masks := map[string]string{}
	if parts := find(&said.Meta, "__serialized_columns__"); parts != nil {
		addMasks(masks, parts)
	}
	return masks, nil
}

// addMasks adds the masks that stand in a node or within it, beside the data that
// they are of.
func addMasks(masks map[string]string, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		data, mask := storedIn(find(n, "data")), storedIn(find(n, "mask"))
		if data != "" && mask != "" {
			masks[data] = mask
		}
	}
	for _, c := range n.Content { // those of a mapping are its keys too, which hold nothing
		addMasks(masks, c)
	}
}

// storedIn returns the column in which a part of a column is stored, or "". What has
// a unit may have its numbers one level below.
func storedIn(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if name := plainText(find(n, "name"), ""); name != "" {
		return name
	}
	return storedIn(find(n, "value"))
}
