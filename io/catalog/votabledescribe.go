package catalog

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// This file has VOTables without data, which say of the columns of a Parquet file
// what that has no place for (IVOA Note "Parquet in the VO", VOParquet 1.0).

// Describe returns what a VOTable says of the columns of its first table, which needs
// no data. Their types are not looked at.
func Describe(document string) ([]Column, error) {
	v := newVOReader(strings.NewReader(document))
	for {
		tok, err := v.token()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("has no table")
		}
		if err != nil {
			return nil, err
		}
		if start, ok := tok.(xml.StartElement); !ok || start.Name.Local != "TABLE" {
			continue
		}
		fields, _, err := v.fields()
		columns := make([]Column, len(fields))
		for i := range fields {
			columns[i] = fields[i].column
		}
		return columns, err
	}
}

// Document returns a VOTable without data that describes columns.
func Document(columns []Column) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	b.WriteString("<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n<RESOURCE>\n<TABLE>\n")
	for i := range columns {
		c := &columns[i]
		b.WriteString("<FIELD")
		attribute(&b, "name", c.Name)
		attribute(&b, "datatype", c.Type.datatype())
		if c.Type == Text {
			attribute(&b, "arraysize", "*")
		}
		attribute(&b, "unit", c.Unit)
		attribute(&b, "ucd", c.UCD)
		if c.Description == "" {
			b.WriteString("/>\n")
			continue
		}
		fmt.Fprintf(&b, ">\n<DESCRIPTION>%s</DESCRIPTION>\n</FIELD>\n", escaped(c.Description))
	}
	b.WriteString("</TABLE>\n</RESOURCE>\n</VOTABLE>\n")
	return b.String()
}

// attribute writes an attribute that is not empty.
func attribute(b *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(b, " %s=\"%s\"", name, escaped(value))
	}
}

// escaped returns a text as XML has it.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder has no errors
	return b.String()
}

// datatype is the smallest type of VOTable that has all values of a type; of the
// unsigned 64 bits, the largest of integers.
func (t Type) datatype() string {
	switch t {
	case Bool:
		return "boolean"
	case Uint8:
		return "unsignedByte"
	case Int8, Int16:
		return "short"
	case Uint16, Int32:
		return "int"
	case Uint32, Int64, Uint64:
		return "long"
	case Float32:
		return "float"
	case Float64:
		return "double"
	}
	return "char"
}
