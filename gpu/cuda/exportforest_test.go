//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"slices"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// What the tests of package cuda_test reach inside.

// FirstSets unites rows by what float32 shows of leaves and the next ones. It returns
// the row at each position, −1 for none, and its parent.
func FirstSets(ctx context.Context, pts *join.Points, eps float64) (row, parent []int32, err error) {
	err = withForest(ctx, pts, eps, func(f *forest) error {
		f.param.Reach = aheadLeaves
		err := cmp.Or(
			launch(f.card, f.s, "forest", "forest_own", f.rows.leaves, kernels.ForestThreads, &f.param),
			launch(f.card, f.s, "forest", "forest_ahead", f.rows.leaves, kernels.ForestThreads, &f.param),
			f.flatten())
		if err != nil {
			return err
		}
		row, parent, err = f.positions()
		return err
	})
	return row, parent, err
}

// AheadLeaves is how many leaves FirstSets looks ahead.
const AheadLeaves = aheadLeaves

// Unite unites rows by pairs of them, which are in doubt, in blocks at once.
func Unite(ctx context.Context, pts *join.Points, pairs []kernels.Pair, blocks int) (row, parent []int32, err error) {
	err = withForest(ctx, pts, 1e100, func(f *forest) error {
		at, err := f.at()
		if err != nil {
			return err
		}
		pairs := slices.Clone(pairs)
		for i, p := range pairs {
			pairs[i] = kernels.Pair{I: at[p.I], J: at[p.J]}
		}
		room := (len(pairs) + blocks - 1) / blocks
		counts := make([]uint32, blocks)
		for i := range counts {
			counts[i] = uint32(max(0, min(room, len(pairs)-i*room)))
		}
		return f.alloc(int64(8*room*blocks), func(doubt *driver.Buffer) error {
			return f.alloc(int64(4*blocks), func(doubts *driver.Buffer) error {
				w := f.work()
				w.Parent, w.Doubt, w.Doubts, w.DoubtRoom = f.param.Parent, doubt.Addr(), doubts.Addr(), int64(room)
				err := cmp.Or(
					driver.Upload(f.s, doubt, 0, pairs),
					driver.Upload(f.s, doubts, 0, counts),
					launch(f.card, f.s, "recheck", "recheck_unite", blocks*kernels.RecheckParts, kernels.RecheckThreads, &w),
					f.flatten())
				if err != nil {
					return err
				}
				row, parent, err = f.positions()
				return err
			})
		})
	})
	return row, parent, err
}

// withForest gives a forest in which each row is a set of its own.
func withForest(ctx context.Context, pts *join.Points, eps float64, do func(f *forest) error) error {
	idx, err := New(Options{}).Index(ctx, pts)
	if err != nil {
		return err
	}
	x := idx.(*index)
	err = x.join(ctx, nil, eps, func(j *joining) error {
		return j.alloc(int64(4*j.rows.places()), func(label *driver.Buffer) error {
			f, err := j.newForest(label)
			if err != nil {
				return err
			}
			return cmp.Or(f.alone(), do(f), f.free())
		})
	})
	return cmp.Or(err, x.Close())
}

func (f *forest) alone() error {
	member := make([]bool, f.rows.pts.Rows())
	for i := range member {
		member[i] = true
	}
	return f.alloc(int64(len(member)), func(flags *driver.Buffer) error {
		f.param.Member = flags.Addr()
		return cmp.Or(driver.Upload(f.s, flags, 0, member), f.each("forest", "forest_member"))
	})
}

// at returns the position of each row: labels that are scattered.
func (f *forest) at() ([]int32, error) {
	label, at := make([]int32, f.rows.places()), make([]int32, f.rows.pts.Rows())
	for i := range label {
		label[i] = int32(i)
	}
	return at, f.alloc(int64(4*len(at)), func(out *driver.Buffer) error {
		p := kernels.Forest{Rows: f.rows.param, Label: f.label.Addr(), Out: out.Addr()}
		return cmp.Or(
			driver.Upload(f.s, f.label, 0, label),
			f.eachOf("label", "label_row", &p),
			driver.Download(f.s, at, out, 0))
	})
}

func (f *forest) positions() (row, parent []int32, err error) {
	row, parent = make([]int32, f.rows.places()), make([]int32, f.rows.places())
	if err := driver.Download(f.s, parent, f.parent, 0); err != nil {
		return nil, nil, err
	}
	at, err := f.at()
	for i := range row {
		row[i] = -1
	}
	for i, position := range at {
		row[position] = int32(i)
	}
	return row, parent, err
}

// Rank returns how many bits are set before each word, and in all.
func Rank(named []uint32) (before []uint32, all int64, err error) {
	c, err := New(Options{}).open()
	if err != nil {
		return nil, 0, err
	}
	s, err := c.dev.Stream()
	if err != nil {
		return nil, 0, err
	}
	j := &joining{index: &index{card: c}, s: s}
	words := int64(len(named))
	runs := (words + kernels.Run - 1) / kernels.Run
	before = make([]uint32, words)
	sums := make([]int64, kernels.Sums)
	sizes := []int64{4 * words, 4 * words, 4 * runs, 8 * kernels.Sums}
	buffers := make([]*driver.Buffer, len(sizes))
	for i, size := range sizes {
		if buffers[i], err = s.Alloc(size); err != nil {
			return nil, 0, err
		}
	}
	p := kernels.Forest{
		Named: buffers[0].Addr(), Before: buffers[1].Addr(), Runs: buffers[2].Addr(), Sums: buffers[3].Addr(), Words: words,
	}
	err = cmp.Or(
		driver.Upload(s, buffers[0], 0, named),
		j.rank(&p),
		driver.Download(s, before, buffers[1], 0),
		driver.Download(s, sums, buffers[3], 0))
	for _, b := range buffers {
		err = cmp.Or(err, s.Free(b))
	}
	return before, sums[kernels.SumSets], cmp.Or(err, s.Close())
}
