package paper

import (
	"context"
	"fmt"
	"math"

	"rtcluster/io/chart"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// This file has experiment prune: how many distance computations an index saves against
// brute force, which computes that of each row from each, n² in all. It depends on no
// machine, but for pairs of boxes that float32 cannot tell from ε.

// gridAxes are the coordinates that the grid of GDS-Join has cells along.
const gridAxes = 6

func prune() Experiment {
	return Experiment{
		Name: "prune", Paper: "Table VI", Purpose: "distance computations that an index saves, by its axes and their number, and by a grid",
		Sets: paperSets(),
		Examples: []string{
			"rtcluster bench prune --fraction 0.0005 --selectivity 16",
			"rtcluster bench prune --set msd,susy --fraction 0.002 --timeout 10m -o prune",
		},
		Run: runPrune,
	}
}

// pruning is what became of n² pairs.
type pruning struct {
	distances int64 // pairs that are to be measured
	within    int64 // pairs that boxes decided to be within ε
	pairs     int64 // |R|
}

func runPrune(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	if err := s.NeedCPU("prune"); err != nil {
		return nil, nil, err
	}
	t := &Table{Columns: []string{"set", "rows", "coordinates", "eps", "index", "axes", "distances", "saved %", "within %", "pairs"}}
	t.Note("Distances are those computed, of n² by brute force, each row with each and itself. Saved are the others; within are those of them which boxes decided to be within eps. No index can save more than 1 − |R|/n² without deciding pairs that are within.")
	t.Note("Index grid %d: cells of side eps along the %d coordinates of greatest variance; each row is measured against those of its own and the adjacent cells, as in GDS-Join. The other indexes are trees whose leaves of 32 rows have boxes; a query row is measured against the rows of each leaf whose box is within eps of it.", gridAxes, gridAxes)
	drawn := newPerCase(false)
	err := s.eachCase(ctx, paperSets(), func(c *Case) error {
		drawn.begin(c)
		add := func(index string, axes int, p *pruning) {
			n2 := float64(c.Rows()) * float64(c.Rows())
			var distances, saved, within any
			if p != nil {
				distances, saved = p.distances, 100*(1-float64(p.distances)/n2)
				drawn.add(fmt.Sprintf("%s, %d axes", index, axes), saved.(float64), false)
				if index != "grid" {
					within = 100 * float64(p.within) / n2
				}
			}
			var pairs any
			if p != nil {
				pairs = known(p.pairs)
			}
			s.say("%s, index %s along %d axes: %s %% saved", c, index, axes, forPeople(saved))
			t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, index, axes, distances, saved, within, pairs)
		}
		for _, basis := range []cpu.Basis{cpu.BasisVariance, cpu.BasisPCA, cpu.BasisLowest, cpu.BasisRandom} {
			for _, axes := range treeAxes(c.Dim) {
				p, err := s.pruneByTree(ctx, c, cpu.Options{Threads: s.Threads, Basis: basis, Seed: s.Seed, IndexDims: axes})
				if err != nil {
					return err
				}
				add(string(basis), axes, p)
			}
		}
		p, err := s.pruneByGrid(ctx, c)
		if err == nil {
			add("grid", min(gridAxes, c.Dim), p)
		}
		return err
	})
	if err != nil {
		return t, nil, err
	}
	picture, err := drawn.lines.Picture("prune: distance computations saved", "set and selectivity", "% of brute force")
	return t, picture, err
}

// treeAxes are the numbers of axes that are tried: 3 as on RT cores, and all.
func treeAxes(dim int) []int {
	if dim <= 3 {
		return []int{dim}
	}
	return []int{3, dim}
}

// pruneByTree joins the rows with themselves as if with others, so that each row is a
// query against all. It returns nil if that was cut off.
func (s *Setting) pruneByTree(ctx context.Context, c *Case, opt cpu.Options) (*pruning, error) {
	pts, err := join.NewPoints(c.Data, c.Dim)
	if err != nil {
		return nil, err
	}
	p := &pruning{}
	_, over, err := s.once(ctx, func(ctx context.Context) error {
		idx, err := cpu.New(opt).Index(ctx, pts)
		if err != nil {
			return err
		}
		defer func() { _ = idx.Close() }() // it holds nothing but memory
		counts := make([]int32, pts.Rows())
		w := newWatch()
		if err := idx.Counts(w.watch(ctx), pts, c.Eps, 0, counts); err != nil {
			return err
		}
		for _, n := range counts {
			p.pairs += int64(n)
		}
		e := w.effort[join.StageCounts]
		p.distances, p.within = e.Refined, e.Accepted
		return nil
	})
	if err != nil || over {
		return nil, err
	}
	return p, nil
}

// pruneByGrid counts the pairs of rows in the same cell or in adjacent ones. It returns nil
// if that was cut off.
func (s *Setting) pruneByGrid(ctx context.Context, c *Case) (*pruning, error) {
	p := &pruning{}
	_, over, err := s.once(ctx, func(ctx context.Context) (err error) {
		p.distances, err = gridPairs(ctx, c.Data, c.Dim, min(gridAxes, c.Dim), c.Eps)
		return err
	})
	if err != nil || over {
		return nil, err
	}
	return p, nil
}

// gridPairs returns the number of ordered pairs of rows, each with itself among them, whose
// cells are the same or adjacent, along the axes coordinates of greatest variance: that of
// x is ⌊(x − least) / eps⌋.
func gridPairs(ctx context.Context, data []float64, dim, axes int, eps float64) (int64, error) {
	g, err := newGrid(data, dim, axes, eps)
	if err != nil {
		return 0, err
	}
	var pairs int64
	// Cells are in the order of their places, the first axis first. What is adjacent to
	// one along the last axis stands together, and for a given step along the others
	// moves on with it.
	step := make([]int64, axes)
	for i := range axes - 1 {
		step[i] = -1
	}
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		pairs += g.pairsAt(step)
		k := axes - 2
		for ; k >= 0 && step[k] == 1; k-- {
			step[k] = -1
		}
		if k < 0 {
			return pairs, nil
		}
		step[k]++
	}
}

// mostCells bounds the number of cells along an axis, whose places are exact below it.
const mostCells = 1 << 53

func cellOf(x, least, eps float64) (int64, error) {
	place := math.Floor((x - least) / eps)
	if !(place < mostCells) {
		return 0, &SettingError{fmt.Sprintf("eps %v is too small for a grid over the range of the coordinates: raise it", eps)}
	}
	return int64(place), nil
}
