//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

const (
	pieceRows = 4096 // of the input that a warp sorts, at least
	maxPieces = 2048
)

// order puts the rows in leaves: those of a kd-tree along their first axes.
func (m *maker) order() error {
	n, room := m.pts.Rows(), bucketRoom(m.c.dev.Info().Capability)
	stride := m.turn.stride()
	key, err := m.temps.alloc(int64(4 * n * stride))
	if err != nil {
		return err
	}
	err = m.c.turnLeading(m.s, m.turn, m.turn.sigma, kernels.Turn{X: m.x.Addr(), Y: key.Addr(), N: int64(n), Wide: m.param.Wide})
	if err != nil {
		return err
	}
	p := &kernels.Order{Key: key.Addr(), N: int64(n), Stride: int64(stride), Axes: int64(m.turn.lead), Room: int64(room)}
	first := len(m.temps.held)
	start := []int32{0, int32(n)}
	if m.top != nil {
		if start, err = m.sort(p); err != nil {
			return err
		}
	}
	parts, leaves := partsOf(start, room)
	m.leaves, m.supers = leaves, (leaves+kernels.Super-1)/kernels.Super
	partsAt, err := m.temps.alloc(sizeOf(parts))
	if err != nil {
		return err
	}
	row, err := m.kept.alloc(int64(4 * leaves * kernels.Leaf))
	if err != nil {
		return err
	}
	fill, err := m.kept.alloc(int64(4 * leaves))
	if err != nil {
		return err
	}
	k, err := m.c.kernel("split", "split", kernels.SplitShared+kernels.SplitRow*room)
	if err != nil {
		return err
	}
	m.param.Row, m.param.Fill = row.Addr(), fill.Addr()
	p.Parts, p.Row, p.Fill = partsAt.Addr(), row.Addr(), fill.Addr()
	return cmp.Or(
		driver.Upload(m.s, partsAt, 0, parts),
		driver.Launch(m.s, k, len(parts), kernels.SplitThreads, p),
		m.temps.free(key),
		m.temps.free(m.temps.held[first:]...))
}

// sort sorts the rows by their buckets, digit by digit of the buckets' numbers, and
// returns where each bucket starts. p.OrderIn has the order then.
func (m *maker) sort(p *kernels.Order) ([]int32, error) {
	n := m.pts.Rows()
	piece := max(pieceRows, (n+maxPieces-1)/maxPieces)
	piece = (piece + 31) / 32 * 32
	pieces := (n + piece - 1) / piece
	start := make([]int32, m.top.buckets+1)
	passes := m.top.passes()
	b := make([]*driver.Buffer, 7)
	for i, size := range []int64{
		sizeOf(m.top.nodes), sizeOf(start), int64(4 * (pieces + 1) * kernels.Digits),
		int64(4 * n), int64(4 * n), int64(4 * n), int64(min(passes-1, 1) * 4 * n),
	} {
		var err error
		if b[i], err = m.temps.alloc(size); err != nil {
			return nil, err
		}
	}
	p.Nodes, p.Start, p.Count = b[0].Addr(), b[1].Addr(), b[2].Addr()
	p.BucketOut = b[3].Addr()
	p.Pieces, p.Piece, p.CountOf = int64(pieces), int64(piece), int64(m.top.buckets)
	err := cmp.Or(
		driver.Upload(m.s, b[0], 0, m.top.nodes),
		launch(m.c, m.s, "order", "classify", blocksFor(n), kernels.OrderThreads, p))
	p.BucketIn, p.BucketOut, p.OrderOut = b[3].Addr(), b[4].Addr(), b[5].Addr()
	next := b[6].Addr()
	for pass := range passes {
		p.Shift = int64(kernels.DigitBits * pass)
		err = cmp.Or(err,
			launch(m.c, m.s, "order", "tally", pieces, 32, p),
			launch(m.c, m.s, "order", "sum", kernels.Digits/32, 32, p),
			launch(m.c, m.s, "order", "base", 1, kernels.SplitThreads, p),
			launch(m.c, m.s, "order", "place", pieces, 32, p))
		p.BucketIn, p.BucketOut = p.BucketOut, p.BucketIn
		p.OrderIn, p.OrderOut, next = p.OrderOut, next, p.OrderOut
	}
	err = cmp.Or(err,
		launch(m.c, m.s, "order", "starts", blocksFor(n+1), kernels.OrderThreads, p),
		driver.Download(m.s, start, b[1], 0))
	return start, err
}

// blocksFor is how many blocks of kernels of an order there are for n threads.
func blocksFor(n int) int { return (n + kernels.OrderThreads - 1) / kernels.OrderThreads }
