package catalog

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	blockSize = 2880 // of a FITS file
	cardSize  = 80   // of a line of a header

	// maxCards is how many lines a header may have.
	maxCards = 200000
)

// errCut is returned when a file ends before its table does.
var errCut = errors.New("is cut off")

// header is what a FITS header says.
type header map[string]card

// card is the value of a keyword, and the comment behind it.
type card struct {
	value, comment string
	text           bool // the value stands in quotes
}

// readHeader reads a header; io.EOF says that the file ends before it.
func readHeader(r io.Reader) (header, error) {
	h, last := header{}, ""
	block := make([]byte, blockSize)
	for cards := 0; cards < maxCards; {
		if n, err := io.ReadFull(r, block); err != nil {
			if errors.Is(err, io.EOF) && n == 0 && cards == 0 {
				return nil, io.EOF
			}
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, fmt.Errorf("%w in a header", errCut)
			}
			return nil, err
		}
		for line := range slices.Chunk(block, cardSize) {
			cards++
			if key := strings.TrimRight(string(line[:8]), " "); key == "END" {
				return h, nil
			} else if key == "CONTINUE" {
				h.extend(last, line)
			} else if last = h.add(key, line); cards == 1 && last != "SIMPLE" && last != "XTENSION" {
				return nil, fmt.Errorf("has %q where a header should begin", line[:8])
			}
		}
	}
	return nil, fmt.Errorf("has a header of more than %d lines", maxCards)
}

// add adds a line, and returns its keyword, or "" if it has no value.
func (h header) add(key string, line []byte) string {
	if key == "" || line[8] != '=' {
		return ""
	}
	if _, twice := h[key]; !twice {
		h[key] = parseCard(line[9:])
	}
	return key
}

// extend puts the text of a CONTINUE line behind a text that ends in &.
func (h header) extend(key string, line []byte) {
	c, more := h[key], parseCard(line[8:])
	if rest, ok := strings.CutSuffix(c.value, "&"); ok && c.text && more.text {
		c.value = rest + more.value
		h[key] = c
	}
}

// parseCard parses a value, and what stands behind the slash after it.
func parseCard(b []byte) card {
	s := strings.TrimSpace(string(b))
	if !strings.HasPrefix(s, "'") {
		value, comment, _ := strings.Cut(s, "/")
		return card{value: strings.TrimSpace(value), comment: strings.TrimSpace(comment)}
	}
	var text strings.Builder
	i := 1
	for ; i < len(s); i++ {
		if s[i] == '\'' {
			if i+1 == len(s) || s[i+1] != '\'' {
				break
			}
			i++
		}
		text.WriteByte(s[i])
	}
	_, comment, _ := strings.Cut(s[min(i+1, len(s)):], "/")
	return card{value: strings.TrimRight(text.String(), " "), comment: strings.TrimSpace(comment), text: true}
}

// text returns a text, or "".
func (h header) text(key string) string { return strings.TrimSpace(h[key].value) }

// size returns a whole number from 0 on that must be there.
func (h header) size(key string) (int64, error) {
	n, err := strconv.ParseInt(h[key].value, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("has the value %q of %s in a header, want a whole number from 0 on", h[key].value, key)
	}
	return n, nil
}

// sizeOr is size for a keyword that may lack.
func (h header) sizeOr(key string, lacking int64) (int64, error) {
	if _, ok := h[key]; !ok {
		return lacking, nil
	}
	return h.size(key)
}

// number returns a number, or what holds if it is lacking.
func (h header) number(key string, lacking float64) (float64, error) {
	c, ok := h[key]
	if !ok {
		return lacking, nil
	}
	x, err := strconv.ParseFloat(withE(c.value), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("has the value %q of %s, want a number", c.value, key)
	}
	return x, nil
}

// withE is a number with the exponent that FITS may write as Fortran does, as 1.5D3.
func withE(number string) string { return strings.NewReplacer("D", "E", "d", "e").Replace(number) }

// scale is what a header says of the values of a column: they are factor · stored + zero.
type scale struct{ factor, zero float64 }

// scale reads TSCAL and TZERO of column k, from 1 on.
func (h header) scale(k int) (s scale, err error) {
	if s.factor, err = h.number(fmt.Sprintf("TSCAL%d", k), 1); err != nil {
		return s, err
	}
	s.zero, err = h.number(fmt.Sprintf("TZERO%d", k), 0)
	return s, err
}

// plain reports whether values are as they are stored.
func (s scale) plain() bool { return s == scale{factor: 1} }

// of is a value, the product and the sum rounded once each.
func (s scale) of(stored float64) float64 { return float64(s.factor*stored) + s.zero }

// dataSize returns how many bytes of data stand behind the header, without filling.
func (h header) dataSize() (int64, error) {
	axes, err := h.size("NAXIS")
	if err != nil || axes == 0 {
		return 0, err
	}
	if axes > 999 {
		return 0, fmt.Errorf("has %d axes in a header", axes)
	}
	bits, err := strconv.ParseInt(h["BITPIX"].value, 10, 64)
	if err != nil || bits < -64 || bits > 64 {
		return 0, fmt.Errorf("has the value %q of BITPIX in a header", h["BITPIX"].value)
	}
	total := int64(1)
	for i := range axes {
		n, err := h.size(fmt.Sprintf("NAXIS%d", i+1))
		if err != nil {
			return 0, err
		}
		if i == 0 && n == 0 && h["GROUPS"].value == "T" {
			n = 1
		}
		if total, err = product(total, n); err != nil {
			return 0, err
		}
	}
	behind, err := h.sizeOr("PCOUNT", 0)
	if err != nil {
		return 0, err
	}
	groups, err := h.sizeOr("GCOUNT", 1)
	if err != nil {
		return 0, err
	}
	if total > math.MaxInt64-behind {
		return 0, errHuge
	}
	if total, err = product(total+behind, groups); err != nil {
		return 0, err
	}
	return product(total, max(bits, -bits)/8)
}

// errHuge is returned when a header claims more than any file has.
var errHuge = errors.New("claims more bytes in a header than a file can have")

// product multiplies sizes.
func product(a, b int64) (int64, error) {
	if a > 0 && b > (math.MaxInt64-blockSize)/a {
		return 0, errHuge
	}
	return a * b, nil
}
