package main

import (
	"context"

	"rtcluster/io/table"
)

// This file reads tables that are not to be in memory as a whole.

// pieceBytes is how much of the coordinates of a table is read at a time: enough to
// keep all threads busy, and little beside any table that needs pieces.
const pieceBytes = 64 << 20

// pieceRows is how many rows that is of so many columns.
func pieceRows(columns int) int { return pieceBytes / (8 * max(3, columns)) }

// eachPiece calls do with the numbers of columns, piece by piece.
func (s *source) eachPiece(ctx context.Context, columns []string, do func(first int64, f *table.Floats) error) error {
	var own error
	err := s.table.FloatsEach(ctx, columns, pieceRows(len(columns)), func(first int64, f *table.Floats) error {
		own = do(first, f)
		return own
	})
	if own != nil {
		return own // which is none of reading
	}
	return readError(s.path, err)
}

// newRows are rows that are read piece by piece, to be compared with others that are
// in memory.
type newRows struct {
	*source            // the table, and once all is read its bad columns
	steps   *transform // which was fitted to the others
	nan     string     // error, drop
	most    int        // rows to be handed on at a time; 0: those of a piece

	sample  []int // rows to be verified, those ahead
	count   int64 // rows used so far
	missing bool  // coordinates that are an error: what follows is only counted
}

// newNewRows returns the rows of a table. Those of --verify are drawn from all.
func (j *job) newNewRows(s *source, steps *transform, nan string) *newRows {
	r := &newRows{source: s, steps: steps, nan: nan}
	if j.runOpt.Verify > 0 {
		r.sample = j.sample(int(s.table.Rows()))
	}
	return r
}

// each reads the rows and calls do with those used of each piece, whose points are
// ready. They are part of the rows before row end of the table.
func (r *newRows) each(ctx context.Context, j *job, do func(s *source, end int64) error) error {
	r.bad = make([]table.Bad, len(r.columns))
	for k, name := range r.columns {
		r.bad[k] = table.Bad{Column: name, FirstRow: -1}
	}
	j.clock.start("read")
	defer j.clock.stop("read")
	ctx, done := j.watchAs(ctx, stageRead, stageNewRows)
	defer done()
	err := r.eachPiece(ctx, r.columns, func(first int64, f *table.Floats) error {
		j.clock.stop("read")
		defer j.clock.start("read")
		return r.piece(first, f, do)
	})
	if err != nil {
		return err
	}
	r.bad = badColumns(r.bad)
	if r.missing {
		return r.badData(r.bad)
	}
	return nil
}

// piece hands on the rows from first on, whose numbers are in f.
func (r *newRows) piece(first int64, f *table.Floats, do func(s *source, end int64) error) error {
	bad := len(badColumns(f.Bad)) > 0
	if bad {
		addBad(r.bad, f.Bad)
		r.missing = r.missing || r.nan == "error"
	}
	if r.missing {
		return nil
	}
	most := r.most
	if most == 0 {
		most = f.Rows
	}
	for from := 0; from < f.Rows; from += most {
		to := min(from+most, f.Rows)
		part := &table.Floats{Rows: to - from, Cols: f.Cols, Data: f.Data[from*f.Cols : to*f.Cols]}
		s := &source{path: r.path, table: r.table, columns: r.columns, first: first + int64(from)}
		if bad {
			s.rows = finiteRows(part)
		}
		s.split(part, len(s.columns), -1)
		if err := r.steps.apply(s); err != nil {
			return err
		}
		if err := do(s, first+int64(to)); err != nil {
			return err
		}
		r.count += int64(s.points.Rows())
	}
	return nil
}

// sampled returns which rows of s, a part of those before row end of the table, are
// to be verified.
func (r *newRows) sampled(s *source, end int64) []int {
	var rows []int
	for i := 0; len(r.sample) > 0 && int64(r.sample[0]) < end; r.sample = r.sample[1:] {
		for i < s.points.Rows() && s.tableRow(i) < int64(r.sample[0]) {
			i++
		}
		if i < s.points.Rows() && s.tableRow(i) == int64(r.sample[0]) {
			rows = append(rows, i)
		}
	}
	return rows
}

// addBad adds the counts of a later piece.
func addBad(to, piece []table.Bad) {
	for k, b := range piece {
		sum := &to[k]
		sum.Nulls, sum.NaNs, sum.Infs = sum.Nulls+b.Nulls, sum.NaNs+b.NaNs, sum.Infs+b.Infs
		if sum.FirstRow < 0 {
			sum.FirstRow, sum.FirstLine = b.FirstRow, b.FirstLine
		}
	}
}
