package paper

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"rtcluster/join/axes"
)

// grid is the cells of an ε-grid that hold rows, in the order of their places.
type grid struct {
	axes   int
	places []int64 // axes for each cell
	ahead  []int64 // rows in the cells before each, and one more at the end
}

// newGrid puts rows into cells of side eps along the coordinates of greatest variance.
func newGrid(data []float64, dim, along int, eps float64) (*grid, error) {
	n := len(data) / dim
	column, variance, least := make([]float64, n), make([]float64, dim), make([]float64, dim)
	for k := range dim {
		for i := range n {
			column[i] = data[i*dim+k]
		}
		least[k], variance[k] = slices.Min(column), stat.PopVariance(column, nil)
	}
	coords := axes.ByVariance(variance)[:along]
	places := make([]int64, 0, n*along)
	for i := range n {
		for _, k := range coords {
			place, err := cellOf(data[i*dim+k], least[k], eps)
			if err != nil {
				return nil, err
			}
			places = append(places, place)
		}
	}
	rows := make([][]int64, 0, n)
	for row := range slices.Chunk(places, along) {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, slices.Compare[[]int64])
	g := &grid{axes: along}
	for i, row := range rows {
		if i == 0 || slices.Compare(row, rows[i-1]) != 0 {
			g.places, g.ahead = append(g.places, row...), append(g.ahead, int64(i))
		}
	}
	g.ahead = append(g.ahead, int64(n))
	return g, nil
}

func (g *grid) cells() int { return len(g.ahead) - 1 }

func (g *grid) at(cell int) []int64 { return g.places[cell*g.axes : (cell+1)*g.axes] }

// pairsAt returns the number of pairs of a row of each cell and one of a cell that is a
// step further along all axes but the last, and at most one either way along that.
func (g *grid) pairsAt(step []int64) (pairs int64) {
	from, to := 0, 0 // cells not before, and behind, those in question
	for cell := range g.cells() {
		place := g.at(cell)
		for from < g.cells() && compareAt(g.at(from), place, step, -1) < 0 {
			from++
		}
		for to < g.cells() && compareAt(g.at(to), place, step, 1) <= 0 {
			to++
		}
		pairs += (g.ahead[cell+1] - g.ahead[cell]) * (g.ahead[to] - g.ahead[from])
	}
	return pairs
}

// compareAt compares a place with another a step further, and last further along the last
// axis.
func compareAt(a, b, step []int64, last int64) int {
	end := len(a) - 1
	for k := range end {
		if c := cmp.Compare(a[k], b[k]+step[k]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a[end], b[end]+last)
}
