//go:build cuda

package cuda

import (
	"cmp"
	"math"

	"rtcluster/gpu/kernels"
)

const (
	// mostDoubt is the most pairs that may be put aside as doubtful in a launch, and
	// doubtShare the share of the free memory that they take.
	mostDoubt  = 256 << 20
	doubtShare = 16
	// mostEntries is the most entries that an item has, in a list of pairs listEntries,
	// so that the items which fit a slot keep all of the card at work.
	mostEntries = 512
	listEntries = 32
)

// prepare chooses the road of a join and takes what it needs.
func (j *joining) prepare() error {
	j.itemEntries, j.mostBlocks = mostEntries, math.MaxInt32
	var err error
	if j.scratch, err = j.s.Alloc(256); err != nil {
		return err
	}
	if err := j.chooseRoad(); err != nil {
		return err
	}
	if j.layout.Integers {
		return nil
	}
	if j.layout.Steps == 0 {
		return cmp.Or(j.rows.plain(j.card, j.stream), j.q.plain(j.card, j.s), j.stream.Wait())
	}
	free, err := j.dev.Memory()
	if err != nil {
		return err
	}
	room := min(mostDoubt, free/8/doubtShare, int64(j.q.places())*int64(j.rows.places()))
	for j.itemEntries > 1 && room < j.itemPairs() && free/8/4 < j.itemPairs() {
		j.itemEntries /= 2
	}
	j.perLaunch = j.mostItems()
	if j.doubt, err = j.s.Alloc(8 * max(room, j.itemPairs())); err != nil {
		return err
	}
	j.doubts, err = j.s.Alloc(int64(4 * j.tensorBlocks()))
	return err
}

// itemPairs is the most pairs that an item can have.
func (j *joining) itemPairs() int64 {
	return min(int64(j.itemEntries*j.group()*kernels.Leaf*kernels.Leaf), int64(j.q.places())*int64(j.rows.places()))
}

// release frees what prepare took.
func (j *joining) release() error {
	return cmp.Or(j.own.free(j.s), j.ownIntegers.free(j.s), j.s.Free(j.doubt), j.s.Free(j.doubts), j.s.Free(j.scratch))
}

// group is how many leaves of queries the road takes at a time.
func (j *joining) group() int {
	if j.layout.Steps > 0 {
		return j.layout.Warpgroups
	}
	return kernels.Group
}

// refine decides the pairs of a round's items, which go to a consumer: "count",
// "list", "unite" or "attach". It returns how many items it has refined: all of them,
// but in a list.
func (j *joining) refine(mode string, w *kernels.Work, r round) (int, error) {
	r.give(w)
	if r.n == 0 {
		return 0, nil
	}
	switch {
	case j.layout.Integers:
		return r.n, j.refineIntegers(mode, w, r)
	case j.layout.Steps > 0:
		return j.refineTensor(mode, w, r)
	}
	return r.n, j.refinePlain(mode, w, r)
}
