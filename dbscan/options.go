package dbscan

import (
	"fmt"
	"math"

	"rtcluster/join"
)

// Border says where a border row goes. The zero value means [BorderFirst].
type Border string

// The rules for border rows.
const (
	// BorderFirst takes the smallest cluster among the core neighbours.
	BorderFirst Border = "first"
	// BorderNearest takes the cluster of the nearest core neighbour; of
	// several equally near, that of the smallest row.
	BorderNearest Border = "nearest"
	// BorderNoise leaves border rows −1, as DBSCAN* does.
	BorderNoise Border = "noise"
)

// Options are the parameters of DBSCAN. Eps 0 joins equal rows only;
// MinSamples has no default.
type Options struct {
	// Eps is the greatest distance of two neighbours, in the unit of the
	// coordinates.
	Eps float64
	// MinSamples is the least total weight of the neighbours of a core row,
	// itself included; 1 or more.
	MinSamples int
	// Weights has one finite weight a row, of either sign; nil means 1 each.
	Weights []float64
	// Border is the rule for border rows.
	Border Border
	// Counts asks for the number of neighbours of every row, which forbids
	// counting to stop at MinSamples.
	Counts bool
}

// WeightError is returned, wrapped, when the weight of a row is not finite.
type WeightError struct {
	Row    int
	Weight float64
}

func (e *WeightError) Error() string {
	return fmt.Sprintf("row %d has weight %v, want a finite number; weight 0 keeps a row out of the counts", e.Row, e.Weight)
}

// check returns an error that says what is wrong with opt for a table of rows
// rows.
func (opt *Options) check(rows int) error {
	if err := join.CheckEps(opt.Eps); err != nil {
		return err
	}
	if opt.MinSamples < 1 {
		return fmt.Errorf("min-samples is %d, want 1 or more (a row counts itself)", opt.MinSamples)
	}
	if err := opt.Border.check(); err != nil {
		return err
	}
	if opt.Weights != nil && len(opt.Weights) != rows {
		return fmt.Errorf("%d weights for %d rows, want one a row", len(opt.Weights), rows)
	}
	for i, w := range opt.Weights {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return &WeightError{Row: i, Weight: w}
		}
	}
	return nil
}

// check returns an error unless b is one of the rules.
func (b Border) check() error {
	switch b {
	case "", BorderFirst, BorderNearest, BorderNoise:
		return nil
	}
	return fmt.Errorf("unknown border rule %q, want %q, %q or %q", b, BorderFirst, BorderNearest, BorderNoise)
}

// weighted reports whether some weight is not 1, so that sums of weights are
// more than counts.
func (opt *Options) weighted() bool {
	for _, w := range opt.Weights {
		if w != 1 {
			return true
		}
	}
	return false
}
