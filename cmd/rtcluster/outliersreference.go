package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rtcluster/join"
	"rtcluster/outlier"
)

// This file scores new rows against a reference: novelty. The reference is in memory,
// and so are the scores; the new rows are read piece by piece.

// novelty is the work of `rtcluster outliers --reference`.
type novelty struct {
	*job
	opt       *outliersOptions
	scores    []*scored
	reference *source
	new       *newRows
	keep      []string
	labels    *truth // of the new rows; nil without --evaluate
	model     *outlier.Model
	shared    *sharedFiles
}

// scoreNew scores the inputs against --reference.
func (j *job) scoreNew(ctx context.Context, opt *outliersOptions, scores []*scored) (err error) {
	n := &novelty{job: j, opt: opt, scores: scores}
	defer func() { err = errors.Join(err, n.close()) }()
	if err := n.read(ctx); err != nil {
		return err
	}
	if opt.Dry.Run {
		return n.dryRun(ctx)
	}
	if err := n.withIndex(ctx, n.reference.points, n.run); err != nil {
		return err
	}
	n.lineDropped(n.new.source, n.new.rowCounts().Dropped)
	counts := &referenceCounts{rowCounts: n.reference.rowCounts(), Shared: n.shared.count}
	if n.shared.count > 0 {
		n.line("shared", "%s of the reference itself: each is left out of its own neighbours", plural(n.shared.count, "row is", "rows are"))
	}
	if err := n.labels.use(n.new.source, len(scores[0].Scores)); err != nil {
		return err
	}
	return j.writeScores(ctx, opt, &scoredTable{source: n.new.source, keep: n.keep, scores: scores, labels: n.labels, reference: counts})
}

// run scores the reference itself, and then all new rows.
func (n *novelty) run(ctx context.Context, idx join.Index) (err error) {
	total := n.new.table.Rows()
	if err := needMemory(shown(n.new.path)+": its scores", 8, float64(len(n.scores)), float64(total)); err != nil {
		return err
	}
	if n.model, err = outlier.Fit(ctx, idx, allSettings(n.scores)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.model.Close()) }()
	for i, score := range n.scores {
		score.reference = n.model.Results()[i]
		score.Result = &outlier.Result{Scores: make([]float64, 0, total)}
	}
	return n.new.each(ctx, n.job, func(s *source, end int64) error { return n.piece(ctx, s, end) })
}

// piece scores the rows of a piece, all of one file. Those of a file of the reference
// have the reference's own scores.
func (n *novelty) piece(ctx context.Context, s *source, end int64) error {
	own, err := n.shared.rows(n.reference, s)
	if err != nil {
		return err
	}
	var results []*outlier.Result
	if own == nil {
		if results, err = n.model.Score(ctx, s.points); err != nil {
			return err
		}
	}
	if err := n.verifyPiece(ctx, s, results, own, n.new.sampled(s, end)); err != nil {
		return err
	}
	n.new.take(s)
	for i, score := range n.scores {
		var part *outlier.Result
		if own != nil {
			part = score.ofReference(own)
		} else {
			part = results[i]
		}
		score.Scores = append(score.Scores, part.Scores...)
		score.Duplicates += part.Duplicates
		score.Outlier = append(score.Outlier, part.Outlier...)
		score.Pairs += part.Pairs
	}
	return nil
}

// ofReference is the result of rows of the reference.
func (s *scored) ofReference(rows *ownRows) *outlier.Result {
	part := s.reference.Part(rows.from, rows.to)
	if s.settings.Method == outlier.Count {
		for _, score := range part.Scores {
			part.Pairs -= int64(score)
		}
	}
	return part
}

// take takes note of which rows of s, the next part of the table, are used.
func (r *newRows) take(s *source) {
	if s.rows == nil && r.rows == nil {
		return
	}
	if r.rows == nil { // all so far are used
		r.rows = make([]int32, s.first, r.table.Rows())
		for i := range r.rows {
			r.rows[i] = int32(i)
		}
	}
	for i := range s.points.Rows() {
		r.rows = append(r.rows, int32(s.tableRow(i)))
	}
}

// verifyPiece recomputes rows of a piece by brute force.
func (n *novelty) verifyPiece(ctx context.Context, s *source, results []*outlier.Result, own *ownRows, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	n.clock.start("verify")
	defer n.clock.stop("verify")
	for i, score := range n.scores {
		var err error
		if own != nil {
			all := slices.Clone(rows)
			for k := range all {
				all[k] += own.from
			}
			err = outlier.Verify(ctx, n.reference.points, score.settings, score.reference, all)
		} else {
			err = outlier.VerifyNew(ctx, n.reference.points, s.points, score.settings, results[i], rows)
		}
		if err != nil {
			return fmt.Errorf("%s, rows from %d on: %w", shown(s.path), s.first, score.named(err, len(n.scores)))
		}
	}
	n.report.Verified += len(rows)
	return nil
}

// close closes the tables.
func (n *novelty) close() error {
	var err error
	if n.reference != nil {
		err = n.reference.close()
	}
	if n.new != nil {
		err = errors.Join(err, n.new.close())
	}
	return err
}
