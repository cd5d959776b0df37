package outlier

import (
	"context"
	"fmt"
	"math"

	"rtcluster/join"
)

// Verify recomputes the scores of the given rows by brute force and returns nil
// if they agree bit for bit. Otherwise it returns an error that wraps
// [join.ErrVerify] and says which row differs. A row costs one scan of all rows
// for [KNN], [LDOF], [Count] and [DB], up to MinSamples for [DBSCAN], 1 + k for
// [SimplifiedLOF] and [LoOP], up to 1 + k + k² for [LOF], of which those that several
// rows need are made once, and for [ODIN] a scan for each row, which ends once k rows
// are found. For [Count], Pairs is checked too, for [DB] the flags; for [LoOP],
// Deviation, which rests on all rows, is taken as it is.
//
// It returns another error if opt is not valid, a row is out of range, or ctx
// is done.
func Verify(ctx context.Context, pts *join.Points, opt Options, res *Result, rows []int) error {
	if err := opt.check(pts.Rows()); err != nil {
		return fmt.Errorf("outlier: %w", err)
	}
	if opt.Method == Count && len(res.Scores) == pts.Rows() {
		var ordered int64
		for _, score := range res.Scores {
			ordered -= int64(score)
		}
		if ordered != 2*res.Pairs {
			return fmt.Errorf("outlier: %w: counts add up to %d, want twice the %d pairs", join.ErrVerify, ordered, res.Pairs)
		}
	}
	return verify(ctx, pts, nil, opt, res, rows)
}

// VerifyNew is [Verify] for new rows q that [Model.Score] has scored against a
// reference: rows are numbers of new rows.
func VerifyNew(ctx context.Context, reference, q *join.Points, opt Options, res *Result, rows []int) error {
	n := reference.Rows()
	if err := opt.check(0); err != nil {
		return fmt.Errorf("outlier: %w", err)
	}
	if opt.Method.Nearest() && opt.K > n {
		return fmt.Errorf("outlier: k is %d, want at most %d for a reference of %d: %w", opt.K, n, n, ErrTooFewRows)
	}
	return verify(ctx, reference, q, opt, res, rows)
}

func verify(ctx context.Context, pts, q *join.Points, opt Options, res *Result, rows []int) error {
	what, scored := "row", pts
	if q != nil {
		what, scored = "new row", q
	}
	if len(res.Scores) != scored.Rows() {
		return fmt.Errorf("outlier: %w: %d scores for %d %ss", join.ErrVerify, len(res.Scores), scored.Rows(), what)
	}
	opt.settle(pts)
	scan, err := newScanner(ctx, pts, q, &opt, res)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row < 0 || row >= scored.Rows() {
			return fmt.Errorf("outlier: %s %d to verify, want 0 to %d", what, row, scored.Rows()-1)
		}
		want, err := scan.score(ctx, row)
		if err != nil {
			return err
		}
		if got := res.Scores[row]; math.Float64bits(got) != math.Float64bits(want) {
			return fmt.Errorf("outlier: %w: %s %d has score %v, by brute force %v", join.ErrVerify, what, row, got, want)
		}
		if opt.Method == DB && opt.Fraction > 0 {
			if err := verifyFlag(scan, row, what, want); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyFlag checks the flag of a row whose score is known.
func verifyFlag(s *scanner, row int, what string, score float64) error {
	n := s.rows.Rows()
	if s.q != nil {
		n++
	}
	want := s.opt.beyondLimit(n).Outlier(score)
	if row >= len(s.res.Outlier) || s.res.Outlier[row] != want {
		return fmt.Errorf("outlier: %w: %s %d of score %v is an outlier by the definition: %v; its flag is not that", join.ErrVerify, what, row, score, want)
	}
	return nil
}
