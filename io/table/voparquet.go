package table

import (
	"rtcluster/io/catalog"
)

// Keys of the metadata by which a Parquet file describes its columns, as VOParquet
// 1.0 has them: the content is a VOTable without data.
const (
	voVersionKey = "IVOA.VOTable-Parquet.version"
	voContentKey = "IVOA.VOTable-Parquet.content"
	voVersion    = "1.0"

	// astropyKey is where astropy says it, as the header of ECSV.
	astropyKey = "table_meta_yaml"
)

// described takes what the metadata of a file says of its columns. What cannot be
// read, or is about other columns, says nothing.
func (p *parquetFile) described() map[string]catalog.Column {
	var list []catalog.Column
	for _, kv := range p.meta.KeyValueMetadata {
		var err error
		switch {
		case kv.Key == voContentKey:
			list, err = catalog.Describe(kv.Value)
		case kv.Key == astropyKey && list == nil:
			list, err = catalog.DescribeYAML(kv.Value)
		}
		if err != nil {
			list = nil
		}
	}
	said := make(map[string]catalog.Column, len(list))
	for _, c := range list {
		said[c.Name] = c
	}
	return said
}

// addDescriptions adds to metadata what is said of columns, if anything is.
func addDescriptions(metadata map[string]string, columns []catalog.Column) {
	for i := range columns {
		if columns[i].Described() {
			metadata[voVersionKey], metadata[voContentKey] = voVersion, catalog.Document(columns)
			return
		}
	}
}

// describeOutput adds to metadata what is said of the columns that are kept of a
// table, beside added ones.
func describeOutput(metadata map[string]string, all []Column, keep []int, added []Added) {
	var list []catalog.Column
	for _, i := range keep {
		list = append(list, all[i].catalog())
	}
	for i := range added {
		list = append(list, catalog.Column{Name: added[i].Name, Type: added[i].fieldType().catalog()})
	}
	addDescriptions(metadata, list)
	describeMasks(metadata, all, keep)
}

// catalog is the column as package catalog has it.
func (c *Column) catalog() catalog.Column {
	t, known := map[string]catalog.Type{
		"boolean": catalog.Bool, "int8": catalog.Int8, "int16": catalog.Int16, "int32": catalog.Int32, "int64": catalog.Int64,
		"uint8": catalog.Uint8, "uint16": catalog.Uint16, "uint32": catalog.Uint32, "uint64": catalog.Uint64,
		"float16": catalog.Float32, "float": catalog.Float32, "double": catalog.Float64,
	}[c.Type]
	if !known {
		t = catalog.Text
	}
	return catalog.Column{Name: c.Name, Type: t, Unit: c.Unit, UCD: c.UCD, Description: c.Description}
}

// catalog is the type as package catalog has it.
func (t FieldType) catalog() catalog.Type {
	switch t {
	case Int64:
		return catalog.Int64
	case Float64:
		return catalog.Float64
	case Bool:
		return catalog.Bool
	}
	return catalog.Text
}
