package table

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// signature spells out the type of a column, so that two columns have the same
// one exactly if their values can stand in one column. Whether the column itself
// can hold nulls does not count.
func (n *node) signature() string {
	if n.Leaf() {
		t := n.leaf.name
		if n.leaf.unit != 0 {
			t += "[" + n.leaf.unit.String()
			if n.leaf.utc {
				t += ", UTC"
			}
			t += "]"
		}
		if n.element != nil && n.element.Type.Valid {
			physical := strings.ToLower(n.element.Type.V.String())
			if n.element.Type.V == format.FixedLenByteArray {
				physical = fmt.Sprintf("fixed[%d]", n.element.TypeLength.V)
			}
			if n.leaf.class == classDecimal {
				t += " as " + physical
			}
		}
		if n.Repeated() {
			return "list of " + t
		}
		return t
	}
	var fields []string
	for _, c := range n.children {
		mark := ""
		if c.Optional() {
			mark = "?"
		}
		fields = append(fields, c.name+mark+" "+c.signature())
	}
	return n.typeName() + "{" + strings.Join(fields, ", ") + "}"
}
