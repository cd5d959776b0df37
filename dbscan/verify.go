package dbscan

import (
	"context"
	"fmt"
	"math/big"

	"rtcluster/join"
)

// sumBits is enough for the exact sum of 2^31 float64 values: bits from 2^−1074
// to 2^1023, 31 carries and a sign.
const sumBits = 2200

// Verify recomputes the given rows of res by brute force, O(n·Dim) each, and
// returns nil if they agree. Otherwise it returns an error that wraps
// [join.ErrVerify] and says which row differs in what:
//
//   - the core flag, by the exact sum of weights, and Counts if there are any;
//   - a core row has the label of all its core neighbours;
//   - a row that is not core has the label of the border rule, and −1 if it
//     has no core neighbour.
//
// The result is to be as [Cluster] returned it, clusters neither dropped nor
// sorted. Their numbering and the totals are checked over all rows. The
// core flags of neighbours are taken from res: a wrong one is found when its
// own row is chosen, and so is a union lost between a chosen row and a
// neighbour.
//
// A union too many leaves every row in accord with its neighbours. To find it,
// clusters of chosen rows are grown by brute force, a scan for each core row,
// for as many more scans as there are chosen rows: small clusters, or all if
// all rows are chosen. In larger ones it stays unseen.
//
// It returns another error if opt is not valid, a row is out of range, or ctx
// is done.
func Verify(ctx context.Context, pts *join.Points, opt Options, res *Result, rows []int) error {
	if err := opt.check(pts.Rows()); err != nil {
		return fmt.Errorf("dbscan: %w", err)
	}
	if err := res.checkTotals(pts.Rows(), opt.Counts); err != nil {
		return fmt.Errorf("dbscan: %w: %w", join.ErrVerify, err)
	}
	grow := newGrower(pts, &opt, res, len(rows))
	for _, row := range rows {
		if row < 0 || row >= pts.Rows() {
			return fmt.Errorf("dbscan: row %d to verify, want 0 to %d", row, pts.Rows()-1)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := verifyRow(pts, &opt, res, row); err != nil {
			return fmt.Errorf("dbscan: %w: row %d %w", join.ErrVerify, row, err)
		}
		if err := grow.from(ctx, row); err != nil {
			return fmt.Errorf("dbscan: %w", err)
		}
	}
	return nil
}

// checkTotals checks what can be told from the labels and core flags alone.
func (r *Result) checkTotals(rows int, counted bool) error {
	counted = counted || r.Counts != nil
	if len(r.Labels) != rows || len(r.Core) != rows || counted && len(r.Counts) != rows {
		return fmt.Errorf("%d labels, %d core flags and %d counts for %d rows", len(r.Labels), len(r.Core), len(r.Counts), rows)
	}
	var ordered int64
	for _, c := range r.Counts {
		ordered += int64(c)
	}
	if counted && ordered != 2*r.Pairs {
		return fmt.Errorf("counts add up to %d, want twice the %d pairs", ordered, r.Pairs)
	}
	var seen Result
	for i, label := range r.Labels {
		if r.Core[i] && int(label) == seen.Clusters {
			seen.Clusters++ // a cluster's smallest core row gives it the next number
		}
		if label < noise || int(label) >= r.Clusters {
			return fmt.Errorf("row %d has label %d of %d clusters", i, label, r.Clusters)
		}
		if r.Core[i] && (label == noise || int(label) >= seen.Clusters) {
			return fmt.Errorf("core row %d has label %d, out of turn after %d clusters", i, label, seen.Clusters)
		}
	}
	seen.Labels, seen.Core = r.Labels, r.Core
	seen.tally()
	got := [4]int{r.Clusters, r.Cores, r.Borders, r.Noise}
	want := [4]int{seen.Clusters, seen.Cores, seen.Borders, seen.Noise}
	if got != want {
		return fmt.Errorf("clusters, core, border and noise rows are %v, recounted %v", got, want)
	}
	return nil
}

// neighborhood is what one brute-force scan tells about a row.
type neighborhood struct {
	count   int32      // neighbours, the row itself included
	weight  *big.Float // their exact weight
	first   int32      // smallest label of other core neighbours, or noise
	nearest join.Neighbor
	strange int32 // a core neighbour with another label than the row, or −1
}

func scan(pts *join.Points, opt *Options, res *Result, row int) neighborhood {
	near := neighborhood{weight: new(big.Float).SetPrec(sumBits), first: noise, strange: -1}
	var w big.Float
	join.Scan(pts, pts.Row(row), pts.Metric().Bound(opt.Eps), func(j int, d2 float64) {
		near.count++
		if opt.Weights == nil {
			near.weight.SetInt64(int64(near.count))
		} else {
			near.weight.Add(near.weight, w.SetFloat64(opt.Weights[j]))
		}
		if j == row || !res.Core[j] {
			return
		}
		label, this := res.Labels[j], join.Neighbor{D2: d2, Row: int32(j)}
		if label != res.Labels[row] {
			near.strange = int32(j)
		}
		if near.first == noise || this.Less(near.nearest) {
			near.nearest = this
		}
		if near.first == noise || label < near.first {
			near.first = label
		}
	})
	return near
}

// verifyRow returns how row differs from what a scan finds, or nil.
func verifyRow(pts *join.Points, opt *Options, res *Result, row int) error {
	near := scan(pts, opt, res, row)
	label, core := res.Labels[row], res.Core[row]
	if want := near.weight.Cmp(new(big.Float).SetInt64(int64(opt.MinSamples))) >= 0; core != want {
		return fmt.Errorf("has core flag %v, but its %d neighbours weigh %s, with min-samples %d",
			core, near.count, near.weight.Text('g', 17), opt.MinSamples)
	}
	if res.Counts != nil && res.Counts[row] != near.count-1 {
		return fmt.Errorf("has %d neighbours, counted %d", res.Counts[row], near.count-1)
	}
	if core {
		if near.strange >= 0 {
			return fmt.Errorf("is core with label %d, but its core neighbour %d has label %d",
				label, near.strange, res.Labels[near.strange])
		}
		return nil
	}
	want := near.first
	switch {
	case opt.Border == BorderNoise:
		want = noise
	case opt.Border == BorderNearest && want != noise:
		want = res.Labels[near.nearest.Row]
	}
	if label != want {
		return fmt.Errorf("is not core and has label %d, want %d by its core neighbours", label, want)
	}
	return nil
}
