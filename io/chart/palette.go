package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// colors is how many colours clusters have. That of rank r, by size, is r modulo
// colors, and r / colors tells the shape of its dots.
const colors = 7

// clusterColor is one of the colours that M. Okabe and K. Ito chose for all kinds of
// colour vision (Color Universal Design, 2008), without black and yellow, which are
// too near to the text and to the paper. Neighbours in rank differ in lightness, too.
func clusterColor(rank int) color.NRGBA {
	return [colors]color.NRGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x00, 0x9e, 0x73, 0xff}, // bluish green
		{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x88, 0x22, 0x55, 0xff}, // wine, by P. Tol, in the place of yellow
	}[rank%colors]
}

// The greys: of noise, of the grid, and of frames and small text.
func noiseColor() color.NRGBA { return color.NRGBA{0xa6, 0xa6, 0xa6, 0xff} }
func gridColor() color.NRGBA  { return color.NRGBA{0xe2, 0xe2, 0xe2, 0xff} }
func frameColor() color.NRGBA { return color.NRGBA{0x55, 0x55, 0x55, 0xff} }

// lighter mixes a colour with white: by 0 not at all, by 1 it is white.
func lighter(c color.NRGBA, by float64) color.NRGBA {
	return mixed(c, color.NRGBA{0xff, 0xff, 0xff, 0xff}, by)
}

// darker mixes a colour with black.
func darker(c color.NRGBA, by float64) color.NRGBA {
	return mixed(c, color.NRGBA{0, 0, 0, 0xff}, by)
}

func mixed(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// shapes is how many shapes dots have.
const shapes = 5

// addMark adds the outline of a dot to a path: disc, square, triangle, rhomb and cross,
// of about the same area.
func addMark(path *vg.Path, shape int, at vg.Point, r vg.Length) {
	polygon := func(points ...[2]float64) {
		for i, p := range points {
			to := vg.Point{X: at.X + r*vg.Length(p[0]), Y: at.Y + r*vg.Length(p[1])}
			if i == 0 {
				path.Move(to)
			} else {
				path.Line(to)
			}
		}
		path.Close()
	}
	switch shape % shapes {
	case 0:
		path.Move(vg.Point{X: at.X + r, Y: at.Y})
		path.Arc(at, r, 0, 2*math.Pi)
		path.Close()
	case 1:
		polygon([2]float64{-0.9, -0.9}, [2]float64{0.9, -0.9}, [2]float64{0.9, 0.9}, [2]float64{-0.9, 0.9})
	case 2:
		polygon([2]float64{-1.25, -0.8}, [2]float64{1.25, -0.8}, [2]float64{0, 1.4})
	case 3:
		polygon([2]float64{0, -1.3}, [2]float64{1.3, 0}, [2]float64{0, 1.3}, [2]float64{-1.3, 0})
	case 4:
		const a, b = 0.42, 1.35
		polygon([2]float64{-a, -b}, [2]float64{a, -b}, [2]float64{a, -a}, [2]float64{b, -a}, [2]float64{b, a}, [2]float64{a, a},
			[2]float64{a, b}, [2]float64{-a, b}, [2]float64{-a, a}, [2]float64{-b, a}, [2]float64{-b, -a}, [2]float64{-a, -a})
	}
}
