//go:build cuda

package cuda

import (
	"cmp"
	"fmt"
	"math"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// forest is the sets of core rows of a self-join, on the card.
type forest struct {
	*joining
	param  kernels.Forest
	memory pool

	parent, label, best, sums *driver.Buffer
	report                    join.Progress
}

// newForest takes what a forest needs. label are its positions' labels, which may hold
// something else until there are some. Who gets it frees it.
func (j *joining) newForest(label *driver.Buffer) (*forest, error) {
	if j.rows.places() > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d rows are too many to be clustered on a card", driver.ErrMemory, j.rows.pts.Rows())
	}
	f := &forest{joining: j, memory: pool{s: j.s}, label: label, report: join.ReportTo(j.ctx)}
	p, places, words := &f.param, int64(j.rows.places()), int64(j.rows.pts.Rows()+31)/32
	p.Rows, p.Eps2, p.Words, p.Label = j.rows.param, j.eps2, words, label.Addr()
	for _, b := range []struct {
		at   *uint64
		size int64
		keep **driver.Buffer
		zero bool
	}{
		{&p.Core, 8 * p.Rows.Leaves, nil, false},
		{&p.Parent, 4 * places, &f.parent, false},
		{&p.Set, 4 * p.Rows.Leaves, nil, false},
		{&p.SuperSet, 4 * p.Rows.Supers, nil, false},
		{&p.First, 4 * places, &f.best, false},
		{&p.Named, 4 * words, nil, true},
		{&p.Before, 4 * words, nil, false},
		{&p.Runs, 4 * ((words + kernels.Run - 1) / kernels.Run), nil, false},
		{&p.Sums, 8 * kernels.Sums, &f.sums, true},
	} {
		buffer, err := f.memory.alloc(b.size)
		if err == nil {
			if *b.at = buffer.Addr(); b.zero {
				err = j.s.Zero(buffer, 0, b.size)
			}
		}
		if err != nil {
			return nil, cmp.Or(err, f.free())
		}
		if b.keep != nil {
			*b.keep = buffer
		}
	}
	return f, nil
}

func (f *forest) free() error { return f.memory.close() }

// each runs a kernel over all positions.
func (f *forest) each(module, name string) error {
	return f.eachOf(module, name, &f.param)
}

func (j *joining) eachOf(module, name string, p *kernels.Forest) error {
	places := int(p.Rows.Leaves) * kernels.Leaf
	return launch(j.card, j.s, module, name, (places+kernels.ForestThreads-1)/kernels.ForestThreads, kernels.ForestThreads, p)
}

// sum downloads what has been added up.
func (f *forest) sum() (sums [kernels.Sums]int64, err error) {
	return sums, driver.Download(f.s, sums[:], f.sums, 0)
}

const (
	// aheadLeaves is how many of the next leaves a leaf is united with at first.
	aheadLeaves = 1
	// closePass is the share of ε² in which a first pass looks for pairs of leaves. It
	// leaves less to the pass over all, which pays where manyTiles pairs of leaves are
	// open, or, where that isn't known, of sets of manyLeaves.
	closePass  = 0.1
	manyTiles  = 2 << 20
	manyLeaves = 2048
	// cutTiles is how many pairs of leaves a round has, at least, to be refined in pieces.
	cutTiles = 1 << 19
)

// unite unites all core rows that are near each other, and flattens the forest.
func (f *forest) unite() error {
	rows := int64(f.rows.pts.Rows())
	f.report(join.StageComponents, 0, rows)
	end := f.stage("unite")
	leaves := f.rows.leaves
	f.param.Reach = aheadLeaves
	err := cmp.Or(
		launch(f.card, f.s, "forest", "forest_own", leaves, kernels.ForestThreads, &f.param),
		launch(f.card, f.s, "forest", "forest_ahead", leaves, kernels.ForestThreads, &f.param),
		f.flatten())
	end()
	if err == nil && (f.openTiles >= min(manyTiles, int64(f.opt.BatchPairs)) || f.openTiles == 0 && leaves >= manyLeaves) {
		err = f.pass(closePass, nil)
	}
	if err == nil {
		var done int64
		err = f.pass(1, func(r round) {
			done += r.tiles
			if done < r.total {
				f.report(join.StageComponents, int64(float64(rows)*float64(done)/float64(r.total)), rows)
			}
		})
	}
	if err == nil {
		f.report(join.StageComponents, rows, rows)
	}
	return err
}

// flatten finds the roots of all core rows, and which leaves, and superleaves, have one
// only.
func (f *forest) flatten() error {
	return cmp.Or(
		f.each("forest", "forest_flatten"),
		launch(f.card, f.s, "forest", "forest_supers", f.rows.supers, kernels.Super, &f.param))
}

// pass unites rows of the leaves that may be as near as a share of ε² allows.
func (f *forest) pass(share float64, done func(r round)) error {
	closer := *f.joining
	closer.eps2 *= share
	p := &f.param
	want := wanted{group: f.group(), setQ: p.Set, setT: p.Set, superSetT: p.SuperSet, dealt: true}
	first := true
	return closer.search(want, func(r round) error {
		w := f.work()
		w.Core, w.Parent, w.SetQ, w.SetT = p.Core, p.Parent, p.Set, p.Set
		if err := f.inPieces("unite", &w, r, first, f.flatten); err != nil {
			return err
		}
		first = false
		if done != nil {
			done(r)
		}
		return nil
	})
}

// pieces are the hands of a round after which there is a cut: what a few have united is
// left out of the others. Small batches are cut small.
func (j *joining) pieces(r round) []int {
	if r.tiles < min(cutTiles, int64(j.opt.BatchPairs)) {
		return []int{hands}
	}
	return []int{1, 4, hands}
}

// inPieces refines a round piece by piece, each without the pairs of leaves that do not
// matter any more; all of the first piece of the first round do. refresh finds out, on
// the card, which do.
func (j *joining) inPieces(mode string, w *kernels.Work, r round, first bool, refresh func() error) error {
	from := 0
	for _, hand := range j.pieces(r) {
		to := before(hand, r.n)
		if from == to {
			continue
		}
		if err := j.ctx.Err(); err != nil {
			return err
		}
		part := r.part(from, to-from)
		var err error
		if from > 0 || !first {
			err = j.thin(mode, w, part)
		}
		if err == nil {
			_, err = j.refine(mode, w, part)
		}
		if err == nil {
			err = refresh()
		}
		if err = cmp.Or(err, j.s.Wait()); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// thin drops the entries of a round's items that do not matter.
func (j *joining) thin(mode string, w *kernels.Work, r round) error {
	defer j.stage(mode)()
	r.give(w)
	blocks := (int(w.ItemCount)*32 + kernels.ForestThreads - 1) / kernels.ForestThreads
	return launch(j.card, j.s, "forest", "forest_thin_"+mode, blocks, kernels.ForestThreads, w)
}

// number labels core rows with the numbers of their sets, in the order of the first
// rows of these, and returns how many sets there are.
func (f *forest) number() (int64, error) {
	err := cmp.Or(
		f.each("label", "label_first"),
		f.each("label", "label_mark"),
		f.rank(&f.param),
		f.each("label", "label_number"))
	if err != nil {
		return 0, err
	}
	sums, err := f.sum()
	return sums[kernels.SumSets], err
}

// rank counts the bits before each word of those that name sets.
func (j *joining) rank(p *kernels.Forest) error {
	runs := int((p.Words + kernels.Run - 1) / kernels.Run)
	return cmp.Or(
		launch(j.card, j.s, "label", "label_tally", runs, kernels.ForestThreads, p),
		launch(j.card, j.s, "label", "label_scan", 1, kernels.ScanThreads, p),
		launch(j.card, j.s, "label", "label_rank", runs, kernels.ForestThreads, p))
}
