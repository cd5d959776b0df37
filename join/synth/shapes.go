package synth

import "math"

const (
	blobGroups      = 8
	blobBackground  = 0.1  // share of rows
	moonNoise       = 0.05 // deviation in every column
	latentMost      = 6    // hidden dimensions
	latentGroups    = 50   // at most
	latentGroupRows = 20   // rows that a group has at least, on average
	latentNoise     = 0.02 // deviation in every column, against ~1 of the signal
)

// blobs puts groups of deviation 1 at random places of the cube [−10, 10]^dim,
// with background rows uniform in the same cube.
func (g *generator) blobs() {
	const half = 10
	centers := make([]float64, blobGroups*g.dim)
	for i := range centers {
		centers[i] = g.between(-half, half)
	}
	g.set.Labels = make([]int32, g.n)
	for i := range g.n {
		row := g.row(i)
		if g.Float64() < blobBackground {
			g.set.Labels[i] = -1
			for k := range row {
				row[k] = g.between(-half, half)
			}
			continue
		}
		group := g.IntN(blobGroups)
		g.set.Labels[i] = int32(group)
		for k := range row {
			row[k] = g.normal(centers[group*g.dim+k], 1)
		}
	}
}

// moons draws two half circles of radius 1, the second turned over and moved
// so that each reaches into the other. Further columns hold noise only.
//
//	 .-''-.
//	/  \   \   /
//	    '-..-'
func (g *generator) moons() {
	g.set.Labels = make([]int32, g.n)
	for i := range g.n {
		row := g.row(i)
		sin, cos := math.Sincos(float64(math.Pi * g.Float64()))
		if group := g.IntN(2); group == 1 {
			g.set.Labels[i] = 1
			sin, cos = 0.5-sin, 1-cos
		}
		row[0], row[1] = cos, sin
		for k := range row {
			row[k] = g.normal(row[k], moonNoise)
		}
	}
}

// latent draws groups of several sizes and widths in a few hidden dimensions,
// maps them by one random linear map into all columns and adds a little noise
// there. Much data of many columns looks like this: few directions matter, and
// no column shows them alone.
func (g *generator) latent() {
	hidden := min(g.dim, latentMost)
	groups := min(latentGroups, max(1, g.n/latentGroupRows))
	embedding := g.normals(hidden * g.dim)
	centers := g.normals(hidden * groups)
	widths := make([]float64, groups)
	for i := range widths {
		widths[i] = g.between(0.02, 0.2)
	}
	g.set.Labels = make([]int32, g.n)
	z := make([]float64, hidden)
	for i := range g.n {
		group := int(float64(groups) * float64(g.Float64()*g.Float64())) // low numbers are drawn more often
		g.set.Labels[i] = int32(group)
		for h := range z {
			z[h] = g.normal(centers[group*hidden+h], widths[group])
		}
		row := g.row(i)
		for k := range row {
			row[k] = g.normal(0, latentNoise)
			for h, v := range z {
				row[k] += float64(v * embedding[h*g.dim+k])
			}
		}
	}
	g.scaleColumns()
}

func (g *generator) normals(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = g.NormFloat64()
	}
	return x
}

// scaleColumns maps each column to [0, 1], a constant one to 0.
func (g *generator) scaleColumns() {
	for k := range g.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range g.n {
			low, high = min(low, g.row(i)[k]), max(high, g.row(i)[k])
		}
		width := high - low
		if width == 0 {
			width = 1
		}
		for i := range g.n {
			g.row(i)[k] = (g.row(i)[k] - low) / width
		}
	}
}

// lattice takes the first n points of the integer lattice with the least side
// that holds them, the first column running fastest, in shuffled order.
func (g *generator) lattice() {
	side := max(1, int(math.Pow(float64(g.n), 1/float64(g.dim)))-1)
	for math.Pow(float64(side), float64(g.dim)) < float64(g.n) {
		side++
	}
	for i, at := range g.Perm(g.n) {
		row := g.row(i)
		for k := range row {
			row[k] = float64(at % side)
			at /= side
		}
	}
}

// duplicates draws about √n distinct rows, uniform in [0, 1)^dim, and repeats
// them.
func (g *generator) duplicates() {
	distinct := int(math.Sqrt(float64(g.n)))
	rows := make([]float64, distinct*g.dim)
	for i := range rows {
		rows[i] = g.Float64()
	}
	g.set.Labels = make([]int32, g.n)
	for i := range g.n {
		group := 0
		if g.IntN(2) == 1 {
			group = g.IntN(distinct)
		}
		g.set.Labels[i] = int32(group)
		copy(g.row(i), rows[group*g.dim:])
	}
}

// equal draws one row, uniform in [0, 1)^dim, and repeats it.
func (g *generator) equal() {
	g.set.Labels = make([]int32, g.n)
	first := make([]float64, g.dim)
	for k := range first {
		first[k] = g.Float64()
	}
	for i := range g.n {
		copy(g.row(i), first)
	}
}
