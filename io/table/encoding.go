package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

var (
	bomUTF8    = []byte{0xef, 0xbb, 0xbf}
	bomUTF16LE = []byte{0xff, 0xfe}
	bomUTF16BE = []byte{0xfe, 0xff}
)

// Encodings of text in ReadOptions.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
)

// knownEncodings is what messages list.
const knownEncodings = "auto, utf-8, utf-16, utf-16le, utf-16be, latin1, latin9 and windows-1252"

// findEncoding returns the encoding of text from the option or the byte order
// mark that it may begin with, and why.
func findEncoding(option string, begin []byte) (name, why string, err error) {
	name = strings.ToLower(option)
	switch name {
	case "", formatAuto:
		switch {
		case bytes.HasPrefix(begin, bomUTF16LE):
			return encodingUTF16LE, "its byte order mark says so", nil
		case bytes.HasPrefix(begin, bomUTF16BE):
			return encodingUTF16BE, "its byte order mark says so", nil
		}
		return encodingUTF8, "", nil
	case "utf8":
		name = encodingUTF8
	case "utf-16", "utf16": // the mark decides, without one it is big endian (RFC 2781)
		name = encodingUTF16BE
		if bytes.HasPrefix(begin, bomUTF16LE) {
			name = encodingUTF16LE
		}
	case "utf16le", "utf16be":
		name = "utf-" + strings.TrimPrefix(name, "utf")
	case "iso-8859-1":
		name = "latin1"
	case "iso-8859-15":
		name = "latin9"
	case "cp1252":
		name = "windows-1252"
	}
	if _, known := decoding(name); !known && name != encodingUTF8 {
		return "", "", fmt.Errorf("%w of text %q; known are %s", ErrFormat, option, knownEncodings)
	}
	return name, "it was asked for", nil
}

// decoding returns how an encoding other than UTF-8 is decoded. A byte order mark
// is no part of the text.
func decoding(name string) (e encoding.Encoding, known bool) {
	switch name {
	case encodingUTF16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), true
	case encodingUTF16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), true
	case "latin1":
		return charmap.ISO8859_1, true
	case "latin9":
		return charmap.ISO8859_15, true
	case "windows-1252":
		return charmap.Windows1252, true
	}
	return nil, false
}

// decode returns text in UTF-8.
func decode(r io.Reader, name string) io.Reader {
	if e, known := decoding(name); known {
		return e.NewDecoder().Reader(r)
	}
	return r
}
