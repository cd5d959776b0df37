package catalog

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// voBytes hands the characters of a document on as UTF-8, byte by byte. Of comments it
// leaves nothing but the line ends, so that those that read on need not gather them.
type voBytes struct {
	in     *bounded
	r      io.ByteReader // in, or what decodes it
	utf16  bool          // it is decoded as UTF-16, whatever is declared
	back   []byte        // to be read next
	recent uint64        // the last 8 bytes, of the state alone
	state  voState
	depth  int // of < in a directive
	lines  int // that are left of a comment
}

// voState is between which marks bytes stand.
type voState int

const (
	inText voState = iota // and in tags
	inComment
	inCDATA
	inInstruction
	inDirective
)

// maxCommentLines is how many line ends are left of a comment.
const maxCommentLines = 1 << 20

func newVOBytes(r io.Reader) *voBytes {
	b := &voBytes{in: newBounded(r)}
	b.r = b.in
	head, _ := b.in.r.Peek(4) // an error comes again
	if e := utf16Of(head); e != nil {
		b.utf16 = true
		b.decode(e)
	}
	return b
}

// utf16Of returns the encoding of a document that begins as one in UTF-16, or nil.
func utf16Of(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	return nil
}

// decode takes what follows as text in an encoding.
func (b *voBytes) decode(e encoding.Encoding) {
	b.r = bufio.NewReader(e.NewDecoder().Reader(b.in))
}

// declared takes what follows as text in the encoding of a name. A document that can be
// read up to that name is not in UTF-16, though it may say so.
func (b *voBytes) declared(name string) error {
	if b.utf16 || strings.HasPrefix(strings.ToLower(name), "utf-16") {
		return nil
	}
	e, err := htmlindex.Get(name)
	if err == nil {
		b.decode(e)
	}
	return err
}

// Read reads a byte; who can takes ReadByte.
func (b *voBytes) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if p[0], err = b.ReadByte(); err != nil {
		return 0, err
	}
	return 1, nil
}

// ReadByte reads the next byte that is not in a comment.
func (b *voBytes) ReadByte() (byte, error) {
	for {
		if len(b.back) > 0 {
			c := b.back[0]
			b.back = b.back[1:]
			return c, nil
		}
		c, err := b.r.ReadByte()
		if err != nil {
			return 0, err
		}
		b.recent = b.recent<<8 | uint64(c)
		if b.state != inComment {
			b.mark(c)
			return c, nil
		}
		b.in.renew() // nothing is gathered
		switch {
		case b.ends("-->"):
			b.enter(inText)
			b.back = []byte("-->")
		case c == '\n' && b.lines > 0:
			b.lines--
			return c, nil
		}
	}
}

// ends reports whether a mark of up to 8 bytes was read last.
func (b *voBytes) ends(mark string) bool {
	want := uint64(0)
	for _, c := range []byte(mark) {
		want = want<<8 | uint64(c)
	}
	return b.recent<<(64-8*len(mark)) == want<<(64-8*len(mark))
}

// enter begins a state, whose end does not overlap its beginning.
func (b *voBytes) enter(s voState) { b.state, b.recent = s, 0 }

// mark sees what a byte begins or ends.
func (b *voBytes) mark(c byte) {
	switch b.state {
	case inText:
		switch {
		case c == '-' && b.ends("<!--"):
			b.enter(inComment)
			b.lines = maxCommentLines
		case c == 'A' && b.ends("<![CDATA"):
			b.enter(inCDATA)
		case c == '?' && b.ends("<?"):
			b.enter(inInstruction)
		case c == 'D' && b.ends("<!D"):
			b.enter(inDirective)
			b.depth = 1
		}
	case inCDATA:
		if c == '>' && b.ends("]]>") {
			b.enter(inText)
		}
	case inInstruction:
		if c == '>' && b.ends("?>") {
			b.enter(inText)
		}
	case inDirective:
		switch c {
		case '<':
			b.depth++
		case '>':
			if b.depth--; b.depth == 0 {
				b.enter(inText)
			}
		}
	}
}
