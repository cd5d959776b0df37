//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

const (
	// plainBlocks is how many blocks a processor gets: as many as it has room for, or more,
	// which find nothing left.
	plainBlocks = 4

	// plainPiece is how many squares a launch adds up, at most: a tenth of a second or
	// so, so that a join can be cancelled.
	plainPiece = 1 << 40
)

// refinePlain refines a round by float32 differences, and the predicate: mode is
// "count", "list", "unite" or "attach", and w has what the mode needs.
func (j *joining) refinePlain(mode string, w *kernels.Work, r round) error {
	defer j.stage("refine")()
	p := *w // of each piece
	dim := j.rows.pts.Dim()
	name := "simt_" + mode
	if dim <= kernels.LowDims {
		name = "low_" + mode
	}
	kernel, err := j.kernel(name, name, plainShared(dim, r.group))
	if err != nil {
		return err
	}
	pieces := int(min(1+r.tiles*kernels.Leaf*kernels.Leaf*int64(dim)/plainPiece, int64(r.n)))
	return j.alloc(int64(4*pieces), func(cursors *driver.Buffer) error {
		if err := j.s.Zero(cursors, 0, cursors.Size()); err != nil {
			return err
		}
		for i := range pieces {
			from, to := i*r.n/pieces, (i+1)*r.n/pieces
			p.Items, p.ItemCount, p.Cursor = r.items+uint64(16*from), int64(to-from), cursors.Addr()+uint64(4*i)
			blocks := min(plainBlocks*j.dev.Info().Processors, to-from)
			if err := driver.Launch(j.s, kernel, blocks, kernels.PlainThreads, &p); err != nil {
				return err
			}
			if pieces == 1 {
				return nil
			}
			if err := cmp.Or(j.s.Wait(), j.ctx.Err()); err != nil {
				return err
			}
		}
		return nil
	})
}

// plainShared is the shared memory for the rows of queries, in bytes: of all leaves of a
// group, or of one, or a part of it.
func plainShared(dim, group int) int {
	quads := (dim + 3) / 4
	switch {
	case dim <= kernels.LowDims || group*quads*4 <= kernels.StageDims:
		quads *= group
	case dim > kernels.StageDims:
		quads = kernels.StageDims / 4
	}
	return quads * kernels.Leaf * 16
}
