package paper

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
)

// sampleRows is of how many rows the neighbours are counted to find an ε.
const sampleRows = 1000

// Case is a set and an ε.
type Case struct {
	*Set
	Eps    float64
	Wanted float64 // the selectivity that ε was searched for; 0 if it was given
	Pairs  int64   // the published |R|, 0 if there is none
}

// String is the case in a few words.
func (c *Case) String() string {
	return fmt.Sprintf("%s, eps %s", c.Set, strconv.FormatFloat(c.Eps, 'g', -1, 64))
}

// Name is the case on the axis of a picture.
func (c *Case) Name() string {
	if c.Wanted > 0 {
		return c.Set.Name + " " + strconv.FormatFloat(c.Wanted, 'g', -1, 64)
	}
	return c.Set.Name + " " + strconv.FormatFloat(c.Eps, 'g', 4, 64)
}

// Cases returns the ε that a set is joined with, the smallest first. A selectivity that
// the set has not rows enough for is left out.
func (s *Setting) Cases(ctx context.Context, set *Set) ([]*Case, error) {
	var list []*Case
	switch {
	case s.Eps != nil:
		for _, eps := range s.Eps {
			list = append(list, &Case{Set: set, Eps: eps, Pairs: set.known(eps)})
		}
	case s.Selectivity == nil && len(set.published) > 0:
		for _, p := range set.published {
			list = append(list, &Case{Set: set, Eps: p.eps, Pairs: set.known(p.eps)})
		}
	default:
		wanted := s.Selectivity
		if wanted == nil {
			wanted = DefaultSelectivity()
		}
		var err error
		if list, err = s.search(ctx, set, wanted); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b *Case) int { return cmp.Compare(a.Eps, b.Eps) })
	return list, nil
}

// known returns the published |R| for an ε, 0 if there is none of these rows.
func (d *Set) known(eps float64) int64 {
	for _, p := range d.published {
		if p.eps == eps && d.whole {
			return p.pairs
		}
	}
	return 0
}

// search finds the ε that give some selectivities, by a sample of rows.
func (s *Setting) search(ctx context.Context, set *Set, wanted []float64) ([]*Case, error) {
	wanted = slices.DeleteFunc(slices.Clone(wanted), func(z float64) bool {
		few := z > float64(set.Rows()-1)
		if few {
			s.say("%s: left out selectivity %v, which so few rows cannot have", set, z)
		}
		return few
	})
	if len(wanted) == 0 {
		return nil, &SettingError{fmt.Sprintf("%s: the selectivities are more than it has other rows: raise --fraction, or lower --selectivity", set)}
	}
	pts, err := join.NewPoints(set.Data, set.Dim)
	if err != nil {
		return nil, &DataError{set.Name, err.Error()}
	}
	found, err := measure.SearchEps(ctx, pts, sampleOf(set.Rows(), s.Seed), wanted)
	if err != nil {
		return nil, err
	}
	var list []*Case
	for i, f := range found {
		s.say("%s: eps %v for a selectivity of %v; the sample has %.4g, with a standard error of %.2g", set, f.Eps, wanted[i], f.Mean, f.Err)
		list = append(list, &Case{Set: set, Eps: f.Eps, Wanted: wanted[i]})
	}
	return list, nil
}

// sampleOf returns different rows of n at random, in order, or all if there are few.
func sampleOf(n int, seed uint64) []int32 {
	rng := rand.New(rand.NewPCG(seed, 0xd1342543de82ef95)) // any constant: one stream a seed
	var rows []int32
	// Each row is taken with the chance that fills the sample (Knuth, The Art of Computer
	// Programming, 3.4.2, algorithm S).
	for i := range n {
		if left := sampleRows - len(rows); float64(n-i)*rng.Float64() < float64(left) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
