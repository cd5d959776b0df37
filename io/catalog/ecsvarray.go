package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ecsvTypes are the types of ECSV, of columns and of elements of arrays.
var ecsvTypes = map[string]Type{
	"bool": Bool, "int8": Int8, "int16": Int16, "int32": Int32, "int64": Int64, "uint8": Uint8, "uint16": Uint16, "uint32": Uint32,
	"uint64": Uint64, "float16": Float32, "float32": Float32, "float64": Float64, "float128": Text, "complex64": Text, "complex128": Text,
	"complex256": Text, "string": Text,
}

// ecsvArray says how the fields of a column are arrays, as JSON: of which type, shape
// and number of elements. The shape of other columns is nil, their size 1.
type ecsvArray struct {
	of    Type
	shape []int
	size  int
}

// arrayOf reads the subtype of a column of texts, such as float64[2,3]. Objects are no
// such arrays, nor are arrays of varying size, which have the size null.
func arrayOf(t Type, subtype string) ecsvArray {
	none, a := ecsvArray{of: t, size: 1}, ecsvArray{size: 1}
	word, sizes, _ := strings.Cut(subtype, "[")
	sizes, closed := strings.CutSuffix(sizes, "]")
	of, known := ecsvTypes[word]
	if t != Text || !closed || !known || of == Text && word != "string" {
		return none
	}
	a.of = of
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || n < 1 || n > maxColumns/a.size {
			return none
		}
		a.size *= n
		a.shape = append(a.shape, n)
	}
	return a
}

// errShape is about an array of another shape than the header says.
var errShape = errors.New("is no array of the shape that the header says")

// arrayText is what is left of an array as JSON, but with NaN and Infinity.
type arrayText struct{ rest string }

// each calls fn with the elements of an array in order, the last index running
// fastest.
func (a *arrayText) each(shape []int, fn func(word string) error) error {
	if len(shape) == 0 {
		word, ok := a.word()
		if !ok {
			return errShape
		}
		return fn(word)
	}
	for i := range shape[0] {
		mark := byte(',')
		if i == 0 {
			mark = '['
		}
		if !a.skip(mark) {
			return errShape
		}
		if err := a.each(shape[1:], fn); err != nil {
			return err
		}
	}
	if !a.skip(']') {
		return errShape
	}
	return nil
}

// skip takes a mark and blanks before it off.
func (a *arrayText) skip(mark byte) bool {
	a.rest = strings.TrimLeft(a.rest, " ")
	ok := a.rest != "" && a.rest[0] == mark
	if ok {
		a.rest = a.rest[1:]
	}
	return ok
}

// word takes an element off, a text with its quotes.
func (a *arrayText) word() (word string, ok bool) {
	a.rest = strings.TrimLeft(a.rest, " ")
	i, quoted := 0, strings.HasPrefix(a.rest, `"`)
	for ; i < len(a.rest); i++ {
		switch c := a.rest[i]; {
		case quoted && c == '\\':
			i++
		case quoted && c == '"' && i > 0:
			word, a.rest = a.rest[:i+1], a.rest[i+1:]
			return word, true
		case !quoted && strings.IndexByte(",[] ", c) >= 0:
			word, a.rest = a.rest[:i], a.rest[i:]
			return word, word != ""
		}
	}
	return "", false
}

// array reads a field that holds an array into the values of its columns.
func (t *ecsvTable) array(of *ecsvArray, field Value, row []Value) error {
	if field.Null {
		for i := range row {
			row[i] = Value{Null: true}
		}
		return nil
	}
	text := string(field.Text)
	a, i := arrayText{text}, 0
	err := a.each(of.shape, func(word string) (err error) {
		row[i], err = t.element(of.of, word)
		i++
		return err
	})
	if err == nil && strings.TrimLeft(a.rest, " ") != "" {
		err = errShape
	}
	if errors.Is(err, errShape) {
		return fmt.Errorf("%.40q %w", text, err)
	}
	return err
}

// element reads an element of an array.
func (t *ecsvTable) element(of Type, word string) (v Value, err error) {
	if word == "null" {
		return Value{Null: true}, nil
	}
	if of != Text {
		return parseWord(of, word)
	}
	var text string
	if err := json.Unmarshal([]byte(word), &text); err != nil {
		return v, fmt.Errorf("%.40q is no text in JSON", word)
	}
	return t.text(text), nil
}
