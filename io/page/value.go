package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// object is a JSON object in the order of its text, which maps lose.
type object []member

type member struct {
	key   string
	value any // object, []any, string, json.Number, bool or nil
}

// get is the value of a key, nil if it is not there.
func (o object) get(key string) any {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// parse reads one JSON object.
func parse(text []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := next(d)
	if err != nil {
		return nil, fmt.Errorf("page: the report: %w", err)
	}
	o, ok := v.(object)
	if !ok {
		return nil, fmt.Errorf("page: the report is no JSON object")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("page: the report goes on behind its JSON object")
	}
	return o, nil
}

// next reads a value.
func next(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			o = append(o, member{key.(string), v})
		}
		_, err = d.Token()
		return o, err
	}
	return t, nil
}
