package catalog_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// sample returns a file of testdata, unpacked.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return content
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if content, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return content
}

// typeNames are the types as tests name them.
func typeName(t catalog.Type) string {
	return strings.Fields("bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 text")[t]
}

// columnsText returns the columns: name:type, ? if they can hold null, and what is
// said of them.
func columnsText(columns []catalog.Column) string {
	var list []string
	for _, c := range columns {
		text := c.Name + ":" + typeName(c.Type)
		if c.Nullable {
			text += "?"
		}
		if c.Described() {
			text += fmt.Sprintf("[%s|%s|%s]", c.Unit, c.UCD, c.Description)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// valueText returns a value; null is nothing.
func valueText(t catalog.Type, v catalog.Value) string {
	switch {
	case v.Null:
		return "null"
	case t == catalog.Text:
		return fmt.Sprintf("%q", v.Text)
	case t == catalog.Float32:
		return fmt.Sprint(float32(v.Float))
	case t == catalog.Float64:
		return fmt.Sprint(v.Float)
	case t == catalog.Uint64:
		return fmt.Sprint(uint64(v.Int))
	}
	return fmt.Sprint(v.Int)
}

// read returns the columns and the rows of a table, a line each.
func read(content []byte, format, pick string) (columns string, rows []string, err error) {
	r, err := catalog.Open(bytes.NewReader(content), format, pick)
	if err != nil {
		return "", nil, err
	}
	row := make([]catalog.Value, len(r.Columns))
	for {
		err := r.Next(row)
		if errors.Is(err, io.EOF) {
			return columnsText(r.Columns), rows, nil
		}
		if err != nil {
			return columnsText(r.Columns), rows, err
		}
		var list []string
		for i, v := range row {
			list = append(list, valueText(r.Columns[i].Type, v))
		}
		rows = append(rows, strings.Join(list, " "))
	}
}
