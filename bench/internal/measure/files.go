package measure

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"unsafe"
)

// ReadNumbers reads a file of little-endian numbers, of nothing else.
func ReadNumbers[T float32 | float64](path string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := int64(unsafe.Sizeof(T(0)))
	if info.Size()%size != 0 {
		return nil, fmt.Errorf("%s has %d bytes, want numbers of %d bytes", path, info.Size(), size)
	}
	data := make([]float64, info.Size()/size)
	r, block := bufio.NewReader(f), make([]T, 1<<16)
	for from := 0; from < len(data); {
		part := block[:min(len(block), len(data)-from)]
		if err := binary.Read(r, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i, x := range part {
			data[from+i] = float64(x)
		}
		from += len(part)
	}
	return data, nil
}

// WriteNumbers writes little-endian numbers.
func WriteNumbers(path string, data []float64) error {
	text, err := binary.Append(make([]byte, 0, 8*len(data)), binary.LittleEndian, data)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// ReadJSON reads a file.
func ReadJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// WriteJSON writes a file that people can read, too.
func WriteJSON(path string, of any) error {
	text, err := json.MarshalIndent(of, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Put puts x in the place of what has its name, or at the end.
func Put[T any](all []T, x T, name func(T) string) []T {
	for i, old := range all {
		if name(old) == name(x) {
			all[i] = x
			return all
		}
	}
	return append(all, x)
}

// Find returns what has a name, or else nothing.
func Find[T any](all []T, wanted string, name func(T) string) (none T) {
	for _, x := range all {
		if name(x) == wanted {
			return x
		}
	}
	return none
}
