package catalog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ecsvHeader is what is used of the header.
type ecsvHeader struct {
	Delimiter string      `yaml:"delimiter"`
	Datatype  []yaml.Node `yaml:"datatype"`
}

// ecsvTable is an ECSV table that is being read.
type ecsvTable struct {
	columns []Column
	in      *bounded
	csv     *csv.Reader
	rows    int64
	arena   []byte
}

// openECSV reads the header and the line of names.
func openECSV(r io.Reader) (*Reader, error) {
	t := &ecsvTable{in: newBounded(r)}
	text, err := t.header()
	if err != nil {
		return nil, err
	}
	delimiter, columns, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	t.columns = columns
	t.csv = csv.NewReader(t.in)
	t.csv.Comma, t.csv.Comment, t.csv.TrimLeadingSpace = ' ', '#', true
	switch delimiter {
	case ",":
		t.csv.Comma, t.csv.TrimLeadingSpace = ',', false
	case "", " ":
	default:
		return nil, fmt.Errorf("has the delimiter %q; ECSV knows a blank and a comma", delimiter)
	}
	t.csv.FieldsPerRecord, t.csv.ReuseRecord = len(t.columns), true
	return &Reader{Columns: t.columns, next: t.next}, t.names()
}

// DescribeYAML returns what YAML says of the columns of a table, such as the header of
// ECSV, or what astropy puts into Parquet.
func DescribeYAML(text string) ([]Column, error) {
	_, columns, err := parseYAML([]byte(text))
	return columns, err
}

// parseYAML returns the delimiter and the columns that a header names.
func parseYAML(text []byte) (delimiter string, columns []Column, err error) {
	var h ecsvHeader
	if err := yaml.Unmarshal(text, &h); err != nil {
		return "", nil, fmt.Errorf("has a header that cannot be read as YAML: %w", oneLine(err))
	}
	if len(h.Datatype) == 0 {
		return "", nil, errors.New("has a header that names no columns")
	}
	if len(h.Datatype) > maxColumns {
		return "", nil, fmt.Errorf("claims %d columns, more than the %d that can be read", len(h.Datatype), maxColumns)
	}
	for i := range h.Datatype {
		c, err := ecsvColumn(&h.Datatype[i])
		if err != nil {
			return "", nil, err
		}
		columns = append(columns, c)
	}
	return h.Delimiter, columns, nil
}

// header returns the YAML of the header, without the marks of comments.
func (t *ecsvTable) header() ([]byte, error) {
	var text []byte
	for first := true; ; first = false {
		head, err := t.in.r.Peek(1)
		if err != nil || head[0] != '#' {
			if errors.Is(err, io.EOF) {
				return nil, errors.New("has a header, and no line of names behind it")
			}
			return text, err
		}
		line, err := t.line()
		if err != nil {
			return nil, err
		}
		line = bytes.TrimPrefix(line[1:], []byte(" "))
		if !first && !bytes.HasPrefix(line, []byte("---")) {
			text = append(text, line...)
		}
	}
}

// line reads a line; all that are read by it have maxPiece bytes at most.
func (t *ecsvTable) line() ([]byte, error) {
	var line []byte
	for {
		c, err := t.in.ReadByte()
		if errors.Is(err, io.EOF) {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
		if line = append(line, c); c == '\n' {
			return line, nil
		}
	}
}

// ecsvColumn reads what the header says of a column.
func ecsvColumn(n *yaml.Node) (Column, error) {
	var said struct {
		Name        string    `yaml:"name"`
		Datatype    string    `yaml:"datatype"`
		Subtype     string    `yaml:"subtype"`
		Description string    `yaml:"description"`
		Unit        yaml.Node `yaml:"unit"`
		Meta        yaml.Node `yaml:"meta"`
	}
	if err := n.Decode(&said); err != nil {
		return Column{}, fmt.Errorf("has a column in its header that cannot be read, in line %d: %w", n.Line, oneLine(err))
	}
	t, known := map[string]Type{
		"bool": Bool, "int8": Int8, "int16": Int16, "int32": Int32, "int64": Int64, "uint8": Uint8, "uint16": Uint16, "uint32": Uint32,
		"uint64": Uint64, "float16": Float32, "float32": Float32, "float64": Float64, "float128": Text, "complex64": Text, "complex128": Text,
		"complex256": Text, "string": Text,
	}[said.Datatype]
	if !known || said.Name == "" {
		return Column{}, fmt.Errorf("column %s: its datatype %q is none of ECSV", said.Name, said.Datatype)
	}
	c := Column{Name: said.Name, Type: t, Nullable: true, Unit: plainText(&said.Unit, "unit"), Description: said.Description}
	c.UCD = plainText(find(&said.Meta, "ucd"), "")
	return c, nil
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
				return n.Content[i+1]
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

// oneLine is an error of YAML, of which the first line is enough.
func oneLine(err error) error {
	text := strings.ReplaceAll(err.Error(), "\n ", "")
	return errors.New(strings.ReplaceAll(text, "\n", " "))
}

// names compares the line of names with the header.
func (t *ecsvTable) names() error {
	t.in.renew()
	record, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("has a header, and no line of names behind it")
	}
	if err != nil {
		return fmt.Errorf("has a line of names that is not as its header says: %w", err)
	}
	for i, name := range record {
		if name != t.columns[i].Name {
			return fmt.Errorf("has the name %q in the line of names where its header has %q", name, t.columns[i].Name)
		}
	}
	return nil
}

// next reads a row.
func (t *ecsvTable) next(row []Value) error {
	t.in.renew()
	record, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("row %d (counted from 0): %w", t.rows, err)
	}
	t.arena = t.arena[:0]
	for i, text := range record {
		c := &t.columns[i]
		switch {
		case text == "":
			row[i] = Value{Null: true}
		case c.Type == Text:
			at := len(t.arena)
			t.arena = append(t.arena, text...)
			row[i] = Value{Text: t.arena[at:]}
		default:
			if row[i], err = parseWord(c.Type, strings.TrimSpace(text)); err != nil {
				return fmt.Errorf("column %s, row %d (counted from 0): %w", c.Name, t.rows, err)
			}
		}
	}
	t.rows++
	return nil
}
