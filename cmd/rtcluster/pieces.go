package main

import (
	"context"

	"rtcluster/io/table"
)

// This file reads tables that are not to be in memory as a whole.

// pieceBytes is how much of the coordinates of a table is read at a time: enough to
// keep all threads busy, and little beside any table that needs pieces.
const pieceBytes = 64 << 20

// eachPiece calls do with the numbers of columns, piece by piece.
func (s *source) eachPiece(ctx context.Context, columns []string, do func(first int64, f *table.Floats) error) error {
	var own error
	rows := pieceBytes / (8 * max(3, len(columns)))
	err := s.table.FloatsEach(ctx, columns, rows, func(first int64, f *table.Floats) error {
		own = do(first, f)
		return own
	})
	if own != nil {
		return own // which is none of reading
	}
	return readError(s.path, err)
}
