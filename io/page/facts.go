package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// fact is a name with what is said of it.
type fact struct {
	Name string
	Cell
}

// mostListed is how many values of a list are written out.
const mostListed = 32

// told is what a part of a report says: facts, and tables of what there are several of.
type told struct {
	Facts  []fact
	Tables []Table
}

// tell adds the members of an object; the names of nested ones begin with before.
func (t *told) tell(o object, before string, skip ...string) {
	for _, m := range o {
		if slices.Contains(skip, m.key) {
			continue
		}
		name := before + words(m.key)
		switch v := m.value.(type) {
		case object:
			t.tell(v, name+": ", skip...)
		case []any:
			t.tellList(v, name, skip)
		default:
			t.Facts = append(t.Facts, fact{name, cellOf(v)})
		}
	}
}

// tellList adds a list: a table if its elements are objects, else a fact.
func (t *told) tellList(list []any, name string, skip []string) {
	if len(list) == 0 {
		return
	}
	if _, ok := list[0].(object); !ok {
		var texts []string
		for _, v := range list[:min(len(list), mostListed)] {
			texts = append(texts, cellOf(v).Text)
		}
		if more := len(list) - mostListed; more > 0 {
			texts = append(texts, fmt.Sprintf("and %d more", more))
		}
		t.Facts = append(t.Facts, fact{name, Cell{Text: strings.Join(texts, ", ")}})
		return
	}
	table, inner := Table{Caption: name}, &told{}
	var rows []object
	for i, v := range list {
		o, _ := v.(object)
		flat := &told{}
		flat.tell(o, "", skip...)
		row := object{}
		for _, f := range flat.Facts {
			if !slices.Contains(table.Header, f.Name) {
				table.Header = append(table.Header, f.Name)
			}
			row = append(row, member{f.Name, f.Cell})
		}
		rows = append(rows, row)
		for _, below := range flat.Tables {
			below.Caption = fmt.Sprintf("%s %s: %s", name, labelOf(o, i), below.Caption)
			inner.Tables = append(inner.Tables, below)
		}
	}
	for _, row := range rows {
		cells := make([]Cell, len(table.Header))
		for i, name := range table.Header {
			cells[i], _ = row.get(name).(Cell)
		}
		table.Rows = append(table.Rows, cells)
	}
	t.Tables = append(t.Tables, table)
	t.Tables = append(t.Tables, inner.Tables...)
}

// labelOf names an element of a list: by its column if it has one, else by its place.
func labelOf(o object, i int) string {
	if name, ok := o.get("column").(string); ok {
		return name
	}
	return strconv.Itoa(i + 1)
}

// words makes a name of a key.
func words(key string) string { return strings.ReplaceAll(key, "_", " ") }

// cellOf is a value for people.
func cellOf(v any) Cell {
	switch v := v.(type) {
	case nil:
		return Cell{Text: "none"}
	case bool:
		if v {
			return Cell{Text: "yes"}
		}
		return Cell{Text: "no"}
	case json.Number:
		return numberCell(v.String())
	case string:
		return Cell{Text: v}
	}
	return Cell{Text: fmt.Sprint(v)}
}

// numberCell is a number as JSON has it: whole ones get commas, others six digits, and it
// is sorted by what it is.
func numberCell(text string) Cell {
	shown := text
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		shown = humanize.Comma(n)
	} else if x, err := strconv.ParseFloat(text, 64); err == nil {
		shown = strconv.FormatFloat(x, 'g', 6, 64)
	}
	return Cell{Text: strings.Replace(shown, "-", "−", 1), Value: text}
}
