package chart

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MostDots is how many rows of a colour are drawn as dots; of more, a raster.
const MostDots = 2000

// field holds rows at places in the unit square, (0, 0) being the lower left corner, in
// layers: noise, and the clusters of each colour. A layer counts its rows in the cells
// of a raster, and keeps the first MostDots of them.
type field struct {
	nx, ny int
	layers [1 + colors]layer
}

type layer struct {
	rows   int64
	most   uint32 // the greatest count
	dots   []dot
	counts []uint32 // by cell, row by row from below; nil without rows
}

type dot struct {
	u, v float32
	rank int32
}

// newField is for about so many rows, in a picture of that width and height. The more
// rows there are, the finer is the raster; in a coarse one, a single row is seen.
func newField(rows int64, width, height vg.Length) *field {
	cell := vg.Length(0.6)
	switch {
	case rows <= 100_000:
		cell = 1
	case rows <= 1_000_000:
		cell = 0.8
	}
	return &field{nx: int(width / cell), ny: int(height / cell)}
}

// add puts a row of a cluster of that rank, or [Noise], at a place; one outside of the
// square is not seen.
func (f *field) add(u, v float64, rank int) {
	if !(u >= 0 && u <= 1 && v >= 0 && v <= 1) {
		return
	}
	l := &f.layers[0]
	if rank >= 0 {
		l = &f.layers[1+rank%colors]
	}
	if l.counts == nil {
		l.counts = make([]uint32, f.nx*f.ny)
	}
	l.rows++
	at := min(int(v*float64(f.ny)), f.ny-1)*f.nx + min(int(u*float64(f.nx)), f.nx-1)
	if l.counts[at] < math.MaxUint32 {
		l.counts[at]++
		l.most = max(l.most, l.counts[at])
	}
	if l.rows <= MostDots {
		l.dots = append(l.dots, dot{float32(u), float32(v), int32(rank)})
	} else {
		l.dots = nil
	}
}

// drawNoise draws the rows that are in no cluster into a rectangle of the canvas.
func (f *field) drawNoise(c draw.Canvas, to vg.Rectangle) {
	switch l := &f.layers[0]; {
	case l.rows > MostDots:
		c.DrawImage(to, f.image(func(at int) color.NRGBA { return f.shade(at, 0) }))
	case l.rows > 0:
		drawDots(c, to, l.dots, f.radius()*0.8)
	}
}

// drawClusters draws the others: rasters, and over them dots, those of small clusters
// last.
func (f *field) drawClusters(c draw.Canvas, to vg.Rectangle) {
	var few []dot
	rasters := false
	for i := 1; i < len(f.layers); i++ {
		rasters = rasters || f.layers[i].rows > MostDots
		few = append(few, f.layers[i].dots...)
	}
	if rasters {
		c.DrawImage(to, f.image(f.cluster))
	}
	slices.SortStableFunc(few, func(a, b dot) int { return cmp.Compare(a.rank, b.rank) })
	drawDots(c, to, few, f.radius())
}

// radius is that of dots: the fewer rows there are in clusters, the larger.
func (f *field) radius() vg.Length {
	rows := int64(1)
	for i := 1; i < len(f.layers); i++ {
		rows += f.layers[i].rows
	}
	return vg.Length(min(2, max(1.1, 2-0.4*math.Log10(float64(rows)/50))))
}

// drawDots draws dots that are sorted by rank, one path for each cluster.
func drawDots(c draw.Canvas, to vg.Rectangle, dots []dot, r vg.Length) {
	size := to.Size()
	for len(dots) > 0 {
		rank := dots[0].rank
		var path vg.Path
		for len(dots) > 0 && dots[0].rank == rank {
			at := vg.Point{X: to.Min.X + size.X*vg.Length(dots[0].u), Y: to.Min.Y + size.Y*vg.Length(dots[0].v)}
			addMark(&path, max(0, int(rank))/colors, at, r)
			dots = dots[1:]
		}
		c.SetColor(dotColor(int(rank)))
		c.Fill(path)
	}
}

func dotColor(rank int) color.NRGBA {
	if rank < 0 {
		return noiseColor()
	}
	return clusterColor(rank)
}

// shade is the colour of a cell of a layer that is drawn as a raster: light for one
// row, and darker by the logarithm of their number.
func (f *field) shade(at, layer int) color.NRGBA {
	l := &f.layers[layer]
	count := l.counts[at]
	if count == 0 {
		return color.NRGBA{}
	}
	t := math.Log(float64(count)) / math.Log(float64(max(8, l.most)))
	if layer == 0 {
		return mixed(color.NRGBA{0xc6, 0xc6, 0xc6, 0xff}, color.NRGBA{0x50, 0x50, 0x50, 0xff}, t)
	}
	base := clusterColor(layer - 1)
	return mixed(lighter(base, 0.3), darker(base, 0.35), t)
}

// cluster is the colour of a cell by the raster that has most rows in it, of equals the
// later one, whose clusters are smaller.
func (f *field) cluster(at int) color.NRGBA {
	best, most := 0, uint32(0)
	for i := 1; i < len(f.layers); i++ {
		if l := &f.layers[i]; l.rows > MostDots && l.counts[at] > 0 && l.counts[at] >= most {
			best, most = i, l.counts[at]
		}
	}
	if best == 0 {
		return color.NRGBA{}
	}
	return f.shade(at, best)
}

// cellPixels is how many pixels wide and high a cell of an image is: some, so that
// programs that smooth images keep its edges.
const cellPixels = 4

// image draws cells.
func (f *field) image(cell func(at int) color.NRGBA) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, f.nx*cellPixels, f.ny*cellPixels))
	for y := range f.ny {
		for x := range f.nx {
			c := cell(y*f.nx + x)
			if c.A == 0 {
				continue
			}
			for dy := range cellPixels {
				for dx := range cellPixels {
					img.SetNRGBA(x*cellPixels+dx, (f.ny-1-y)*cellPixels+dy, c)
				}
			}
		}
	}
	return img
}
