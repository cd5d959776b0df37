package groups

// Totals are the sums of numbers of groups, such as weights, summed in twice the
// digits of float64.
type Totals struct{ sums []moments }

// NewTotals returns the totals of groups without numbers, 0.
func NewTotals(groups int) *Totals { return &Totals{make([]moments, groups)} }

// Add adds a finite number to the total of a group.
func (t *Totals) Add(group int, x float64) { t.sums[group].add(twofold{hi: x}) }

// At returns the total of a group, infinite if it is beyond the range of float64.
func (t *Totals) At(group int) float64 { return t.sums[group].total().value() }
