package catalog

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// voStream is the text of a STREAM, up to its end and without blanks.
type voStream struct {
	b     *voBytes
	cdata bool
	done  bool
}

// newVOStream reads on behind the tag of a STREAM.
func newVOStream(b *voBytes) *voStream { return &voStream{b: b, done: b.ends("/>")} }

// Read reads characters. What it reads is not gathered, so that a STREAM may be long.
func (s *voStream) Read(p []byte) (n int, err error) {
	for n < len(p) && !s.done {
		s.b.in.renew()
		c, err := s.b.ReadByte()
		switch {
		case err != nil:
		case s.cdata && c == ']':
			s.cdata, err = false, s.expect("]>")
		case !s.cdata && c == '<':
			err = s.markup()
		case !s.cdata && c == '&':
			if c, err = s.reference(); err == nil && !blank(c) {
				p[n] = c
				n++
			}
		case !blank(c):
			p[n] = c
			n++
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return n, err
		}
	}
	if s.done && n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// blank reports whether a character is one that XML passes over.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// errStream is returned for what cannot be in a STREAM.
var errStream = errors.New("has something else than base64 in STREAM")

// expect reads what must come.
func (s *voStream) expect(text string) error {
	for i := range len(text) {
		if c, err := s.b.ReadByte(); err != nil {
			return err
		} else if c != text[i] {
			return errStream
		}
	}
	return nil
}

// markup passes over what < begins. The end of the STREAM is left to who reads tags.
func (s *voStream) markup() error {
	c, err := s.b.ReadByte()
	if err != nil {
		return err
	}
	switch c {
	case '/':
		s.done, s.b.back = true, []byte("</")
		return nil
	case '?':
		for s.b.state == inInstruction && err == nil {
			s.b.in.renew()
			_, err = s.b.ReadByte()
		}
		return err
	case '!':
	default:
		return errStream
	}
	if c, err = s.b.ReadByte(); err != nil {
		return err
	}
	if c == '[' {
		s.cdata = true
		return s.expect("CDATA[")
	}
	for c != '>' && err == nil { // a comment, of which line ends are left
		c, err = s.b.ReadByte()
	}
	return err
}

// reference reads a reference to a character behind its &.
func (s *voStream) reference() (byte, error) {
	var text []byte
	for len(text) < 8 {
		c, err := s.b.ReadByte()
		if err != nil {
			return 0, err
		}
		if c == ';' {
			break
		}
		text = append(text, c)
	}
	if len(text) > 1 && text[0] == '#' {
		number := "0" + string(text[1:]) // &#x41; is 0x41
		base := 10
		if text[1] == 'x' {
			base = 0
		}
		if n, err := strconv.ParseUint(number, base, 7); err == nil {
			return byte(n), nil
		}
	}
	return 0, fmt.Errorf("%w: &%s;", errStream, text)
}
