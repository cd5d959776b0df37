package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// This file lays out a page and draws it:
//
//	┌──────────────────────────────┐
//	│     title                    │
//	│  ┌─────────────────┐ legend  │   the title over the data, the legend beside them;
//	│  │ data            │ ....    │   where the data have a ratio, the page is narrower
//	│  └─────────────────┘         │   or lower
//	│     axis                     │
//	└──────────────────────────────┘

// room is what lies around a rectangle.
type room struct{ left, bottom, right, top vg.Length }

// page is where things are.
type page struct {
	width, height      vg.Length
	title              text.Style
	lines              string       // of the title
	plot, data, legend vg.Rectangle // the plot with its axes, what is in them, and the legend
}

// layOut finds the places of everything.
func (p *Picture) layOut() *page {
	g := p.place(pageWidth, pageHeight)
	if p.ratio == 0 {
		return g
	}
	wide, high := p.spare(g)
	g = p.place(max(leastWidth, pageWidth-wide), max(lowHeight, pageHeight-high))
	wide, high = p.spare(g) // what the legend and the title want nevertheless
	g.plot.Max.X -= wide
	g.plot.Min.Y += high
	g.data = p.data(g.plot)
	return g
}

// spare is by how much data are too wide or too high for their ratio.
func (p *Picture) spare(g *page) (wide, high vg.Length) {
	size := g.data.Size()
	return max(0, size.X-size.Y*p.ratio), max(0, size.Y-size.X/p.ratio)
}

// place finds the places in a page of that size.
func (p *Picture) place(width, height vg.Length) *page {
	const m = vg.Length(pageMargin)
	g := &page{width: width, height: height, title: p.plot.Title.TextStyle}
	g.title.Font = sans(titleSize)
	inside := vg.Rectangle{Min: vg.Point{X: m, Y: m}, Max: vg.Point{X: width - m, Y: height - m}}
	g.lines = fitted(&g.title, p.title, inside.Size().X)
	inside.Max.Y -= g.title.Height(g.lines) + 8
	legend := p.legend.Rectangle(draw.Canvas{Rectangle: inside}).Size().X
	g.plot, g.legend = inside, inside
	g.legend.Min.X -= legend - inside.Size().X
	g.plot.Max.X -= legend + m
	g.data = p.data(g.plot)
	for axis, length := range map[*plot.Axis]vg.Length{&p.plot.X: g.data.Size().X, &p.plot.Y: g.data.Size().Y} {
		axis.Label.Text = fitted(&axis.Label.TextStyle, axis.Label.Text, length)
	}
	return g
}

// data is where data are in a plot: within the axes, or within what has room around.
func (p *Picture) data(of vg.Rectangle) vg.Rectangle {
	return p.inside(p.plot.DataCanvas(draw.Canvas{Canvas: &recorder.Canvas{}, Rectangle: of}).Rectangle)
}

// inside is a rectangle less the room in it.
func (p *Picture) inside(r vg.Rectangle) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: r.Min.X + p.room.left, Y: r.Min.Y + p.room.bottom},
		Max: vg.Point{X: r.Max.X - p.room.right, Y: r.Max.Y - p.room.top},
	}
}

// fitted is text that is no longer than that: in a smaller size if need be, and then cut.
func fitted(style *text.Style, lines string, length vg.Length) string {
	const least = 7
	if width := style.Width(lines); width > length {
		style.Font.Size = max(least, style.Font.Size*length/width)
	}
	all := strings.Split(lines, "\n")
	for i, line := range all {
		for runes := []rune(line); style.Width(all[i]) > length+0.01 && len(runes) > 1; {
			runes = runes[:len(runes)-1]
			all[i] = strings.TrimRight(string(runes), " ") + "…"
		}
	}
	return strings.Join(all, "\n")
}

// draw draws everything in its place.
func (p *Picture) draw(c draw.Canvas, g *page) {
	c.SetColor(color.White)
	c.Fill(c.Path())
	within := func(r vg.Rectangle) draw.Canvas { return draw.Canvas{Canvas: c.Canvas, Rectangle: r} }
	p.plot.Draw(within(g.plot))
	p.legend.Draw(within(g.legend))
	half := g.title.Width(g.lines) / 2
	x := (g.data.Min.X + g.data.Max.X) / 2
	x = max(pageMargin+half, min(x, g.width-pageMargin-half))
	c.FillText(g.title, vg.Point{X: x, Y: g.height - pageMargin}, g.lines)
}

// anyFont makes an SVG look the same in programs that lack the font: another without serifs is
// taken, and its glyphs are made as wide as the text was when it was laid out.
func anyFont(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"))
	style := text.Style{Handler: plot.DefaultTextHandler}
	texts := svgText()
	return texts.ReplaceAllFunc(svg, func(element []byte) []byte {
		parts := texts.FindSubmatch(element)
		size, err := strconv.ParseFloat(string(parts[2]), 64)
		if err != nil {
			return element
		}
		style.Font = sans(size)
		width := style.Width(html.UnescapeString(string(parts[3]))).Points()
		return fmt.Appendf(nil, `<text textLength="%.2f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`, width, parts[1], parts[3])
	})
}

// svgText matches a text with its attributes, the size of its font, and what is written.
func svgText() *regexp.Regexp {
	return regexp.MustCompile(`<text([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)
}
