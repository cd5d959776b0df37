package chart

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Format is the format of a picture.
type Format string

// The formats.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

// FormatOf is the format that the name of a file asks for by its ending.
func FormatOf(path string) (Format, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg", ".png":
		return Format(ext[1:]), nil
	}
	return "", fmt.Errorf("%q: end its name in .svg or .png, which says what to draw", path)
}
