package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rtcluster/io/chart"
)

// The colours that tests look for.
const (
	blue   = "#0072B2" // of the largest cluster
	orange = "#E69F00"
	grey   = "#A6A6A6" // noise
	red    = "#D55E00"
)

// shape is a filled path of an SVG: where its parts begin, y growing upwards.
type shape struct {
	fill   string
	starts [][2]float64
	images int // rasters below it
}

// svg is what tests see of a picture.
type svg struct {
	shapes []shape
	texts  map[string][2]float64 // place by text
	images int
	width  float64
}

var start = regexp.MustCompile(`M([-0-9.e]+),([-0-9.e]+)`)

// readSVG draws a picture, which must be well-formed.
func readSVG(t *testing.T, p *chart.Picture) *svg {
	t.Helper()
	content := encode(t, p, chart.SVG)
	got := &svg{texts: map[string][2]float64{}}
	d := xml.NewDecoder(bytes.NewReader(content))
	var at [2]float64
	text := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attrs := map[string]string{}
			for _, a := range e.Attr {
				attrs[a.Name.Local] = a.Value
			}
			text = e.Name.Local == "text"
			switch e.Name.Local {
			case "svg":
				got.width = number(t, strings.TrimSuffix(attrs["width"], "pt"))
			case "image":
				got.images++
			case "text":
				at = [2]float64{number(t, attrs["x"]), -number(t, attrs["y"])}
			case "path":
				s := shape{images: got.images}
				if _, rest, found := strings.Cut(attrs["style"], "fill:#"); found && !strings.Contains(attrs["style"], "stroke:") {
					s.fill = "#" + rest[:6]
				}
				for _, m := range start.FindAllStringSubmatch(attrs["d"], -1) {
					s.starts = append(s.starts, [2]float64{number(t, m[1]), number(t, m[2])})
				}
				got.shapes = append(got.shapes, s)
			}
		case xml.CharData:
			if text {
				got.texts[string(e)] = at
				text = false
			}
		}
	}
}

// filled are the starts of the shapes of a colour that are in the data, not in the
// legend.
func (s *svg) filled(color string) [][2]float64 {
	var all [][2]float64
	for _, shape := range s.shapes {
		if shape.fill == color && len(shape.starts) > 0 && shape.starts[0][0] < s.legendLeft() {
			all = append(all, shape.starts...)
		}
	}
	return all
}

// legendLeft is where the texts of the legend begin, less their marks.
func (s *svg) legendLeft() float64 {
	for text, at := range s.texts {
		if text == "cluster (rows)" || text == "rows (number)" || strings.HasPrefix(text, "noise (") {
			return at[0] - 15
		}
	}
	return s.width
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func encode(t *testing.T, p *chart.Picture, format chart.Format) []byte {
	t.Helper()
	content, err := p.Encode(format)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func readPNG(t *testing.T, p *chart.Picture) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(encode(t, p, chart.PNG)))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// colorAt is the colour of a pixel at shares of the width and of the height from below.
func colorAt(img image.Image, x, y float64) string {
	size := img.Bounds().Size()
	r, g, b, _ := img.At(int(x*float64(size.X)), int((1-y)*float64(size.Y))).RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
}

// tally counts labels.
func tally(t *testing.T, labels ...float64) *chart.Tally {
	t.Helper()
	all := &chart.Tally{}
	for _, l := range labels {
		if err := all.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// row is a row to be drawn.
type row struct{ x, y, label float64 }

// scatter draws rows.
func scatter(t *testing.T, rows []row) *chart.Picture {
	t.Helper()
	return scatterWith(t, rows, chart.ScatterOptions{})
}

// scatterWith draws rows over axes of some kind; those that a logarithmic one lacks are not in
// its range.
func scatterWith(t *testing.T, rows []row, opt chart.ScatterOptions) *chart.Picture {
	t.Helper()
	var x, y chart.Range
	all := &chart.Tally{}
	for _, r := range rows {
		if !(opt.LogX && r.x <= 0 || opt.LogY && r.y <= 0) {
			x.Add(r.x)
			y.Add(r.y)
		}
		if err := all.Add(r.label); err != nil {
			t.Fatal(err)
		}
	}
	s := chart.NewScatter(x, y, all, opt)
	for _, r := range rows {
		s.Add(r.x, r.y, r.label)
	}
	return s.Picture("rows", "across", "up")
}
