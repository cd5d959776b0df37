//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/kernels"
)

// Most and least pairs that may be put aside as doubtful in a round, and the share of
// the free memory that they take. What finds no room is decided at once.
const (
	mostDoubt  = 64 << 20
	leastDoubt = 1 << 14
	doubtShare = 16
)

// prepare chooses the road of a join and takes what it needs.
func (j *joining) prepare() error {
	var err error
	if j.scratch, err = j.s.Alloc(256); err != nil {
		return err
	}
	if err := j.chooseRoad(); err != nil {
		return err
	}
	if j.a == nil {
		return cmp.Or(j.rows.plain(j.card, j.stream), j.q.plain(j.card, j.s), j.stream.Wait())
	}
	free, err := j.dev.Memory()
	if err != nil {
		return err
	}
	blocks := int64(j.tensorBlocks())
	room := max(leastDoubt, min(mostDoubt, free/8/doubtShare))
	j.doubtRoom = (room + blocks - 1) / blocks
	if j.doubt, err = j.s.Alloc(8 * j.doubtRoom * blocks); err != nil {
		return err
	}
	j.doubts, err = j.s.Alloc(4 * blocks)
	return err
}

// release frees what prepare took.
func (j *joining) release() error {
	return cmp.Or(j.own.free(j.s), j.s.Free(j.doubt), j.s.Free(j.doubts), j.s.Free(j.scratch))
}

// group is how many leaves of queries the road takes at a time.
func (j *joining) group() int {
	if j.a != nil {
		return j.b.layout.Warpgroups
	}
	return plainGroup
}

// refine decides the pairs of a round's items, which go to a consumer: "count",
// "list", "unite" or "attach".
func (j *joining) refine(mode string, w *kernels.Work, r round) error {
	w.Items, w.ItemCount, w.Entries, w.Group = r.items, int64(r.n), r.entries, int64(j.group())
	if r.n == 0 {
		return nil
	}
	j.tally("pairs of leaves", r.tiles)
	if j.a != nil {
		return j.refineTensor(mode, w, r)
	}
	return j.refinePlain(mode, w, r)
}
