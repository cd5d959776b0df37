package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The measures of a picture.
const (
	pageWidth  = 18 * vg.Centimeter
	pageHeight = 12 * vg.Centimeter
	leastWidth = pageHeight
	lowHeight  = 9.2 * vg.Centimeter // at least, for the legend
	pageMargin = 8                   // points
	pageDPI    = 200

	titleSize, labelSize, smallSize = 11, 9, 8.5

	// fieldWidth and fieldHeight are about those of the data in a page, by which the
	// cells of rasters are made.
	fieldWidth  = 380 * vg.Length(1)
	fieldHeight = 270 * vg.Length(1)
)

// Picture is a drawing that can be encoded.
type Picture struct {
	plot   *plot.Plot
	legend plot.Legend
	title  string
	ratio  vg.Length // of the width and the height of the data; 0: what the page has
	room   room      // around data without axes
}

// newPicture returns an empty picture in the style of the house.
func newPicture(title string) *Picture {
	p := plot.New()
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(labelSize)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font = sans(smallSize)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = 0
		for _, line := range []*draw.LineStyle{&axis.LineStyle, &axis.Tick.LineStyle} {
			line.Color, line.Width = frameColor(), vg.Points(0.6)
		}
		axis.Tick.Label.Color = frameColor()
	}
	pic := &Picture{plot: p, legend: plot.NewLegend(), title: clean(title, 200)}
	pic.legend.Top, pic.legend.Left = true, true
	pic.legend.TextStyle.Font = sans(smallSize)
	pic.legend.Padding = vg.Points(3)
	pic.legend.ThumbnailWidth = vg.Points(12)
	return pic
}

func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}
}

// label sets the names of the axes.
func (p *Picture) label(x, y string) {
	p.plot.X.Label.Text, p.plot.Y.Label.Text = clean(x, 80), clean(y, 64)
}

// note adds a line to the legend, with marks before it or none.
func (p *Picture) note(name string, marks ...plot.Thumbnailer) {
	p.legend.Add(clean(name, 34), marks...)
}

// Encode draws the picture as a file of a format: SVG with its texts as texts, or PNG
// with 200 pixels an inch. It returns an error for a format that is none.
func (p *Picture) Encode(format Format) ([]byte, error) {
	var c vg.CanvasWriterTo
	page := p.layOut()
	switch format {
	case SVG:
		c = vgsvg.New(page.width, page.height)
	case PNG:
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(page.width, page.height), vgimg.UseDPI(pageDPI))}
	default:
		return nil, fmt.Errorf("chart: unknown format %q", format)
	}
	p.draw(draw.NewCanvas(c, page.width, page.height), page)
	var written bytes.Buffer
	if _, err := c.WriteTo(&written); err != nil {
		return nil, fmt.Errorf("chart: %w", err)
	}
	if format == SVG {
		return anyFont(written.Bytes()), nil
	}
	return written.Bytes(), nil
}

// mark is a thumbnail of a legend: a dot.
type mark struct {
	color color.Color
	shape int
}

// Thumbnail implements [plot.Thumbnailer].
func (m mark) Thumbnail(c *draw.Canvas) {
	var path vg.Path
	addMark(&path, m.shape, c.Center(), 2.6)
	c.SetColor(m.color)
	c.Fill(path)
}

// clean is text for a picture: one line of runes that can be shown, and not too long.
func clean(line string, most int) string {
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "?")
	}
	runes := []rune(strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsGraphic(r) {
			return '?'
		}
		return r
	}, line))
	if len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return string(runes)
}

// smallText is the style of small grey text.
func (p *Picture) smallText() text.Style {
	style := p.plot.X.Tick.Label
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	return style
}
