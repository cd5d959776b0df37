//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"fmt"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// Attach has the card find the least label near each query row.
func (x *index) Attach(ctx context.Context, q *join.Points, eps float64, member []bool, label, dst []int32) error {
	if err := x.checkMembers(ctx, eps, member, label); err != nil {
		return err
	}
	if err := x.check(ctx, q, eps); err != nil {
		return err
	}
	n := x.queries(q)
	if len(dst) != n {
		return fmt.Errorf("cuda: room for %d labels, there are %d query rows", len(dst), n)
	}
	report := join.ReportTo(ctx)
	if len(label) == 0 || n == 0 {
		report(join.StageAttach, 0, int64(n))
		for i := range dst {
			dst[i] = -1
		}
		report(join.StageAttach, int64(n), int64(n))
		return nil
	}
	return x.join(ctx, q, eps, func(j *joining) error {
		a, memory := attaching{joining: j, report: report}, pool{s: j.s}
		return cmp.Or(a.call(&memory, member, label, dst), memory.close())
	})
}

// attaching is the search of rows for the least label near them.
type attaching struct {
	*joining
	core        uint64         // leaves of the indexed rows: which lanes are members
	label, best *driver.Buffer // by position: of the indexed rows, and of the queries
	report      join.Progress
}

// call is Attach, of labels that the host has; memory is for as long as it takes.
func (a *attaching) call(memory *pool, member []bool, label, dst []int32) error {
	given := make([]int32, len(label))
	for i, is := range member {
		if given[i] = -1; is {
			given[i] = label[i]
		}
	}
	core, err := memory.alloc(int64(8 * a.rows.leaves))
	if err != nil {
		return err
	}
	a.core = core.Addr()
	if a.label, err = memory.alloc(int64(4 * a.rows.places())); err != nil {
		return err
	}
	if a.best, err = memory.alloc(int64(4 * a.q.places())); err != nil {
		return err
	}
	err = a.alloc(int64(4*len(given)), func(b *driver.Buffer) error {
		if err := driver.Upload(a.s, b, 0, given); err != nil {
			return err
		}
		p := kernels.Forest{Rows: a.rows.param, Given: b.Addr(), Core: a.core, Label: a.label.Addr()}
		return a.eachOf("forest", "forest_given", &p)
	})
	if err != nil {
		return err
	}
	if err := a.run(); err != nil {
		return err
	}
	end := a.stage("copy out")
	defer end()
	return a.alloc(int64(4*len(dst)), func(out *driver.Buffer) error {
		p := kernels.Forest{Rows: a.q.param, Best: a.best.Addr(), Out: out.Addr()}
		if a.self {
			p.Label = a.label.Addr()
		}
		if err := a.eachOf("label", "label_row", &p); err != nil {
			return err
		}
		return a.fetch(out, len(dst), func(from int, part []int32) { copy(dst[from:], part) })
	})
}

// run finds the labels. There are those of the members, and which rows these are.
func (a *attaching) run() error {
	rows := int64(a.q.pts.Rows())
	a.report(join.StageAttach, 0, rows)
	queries := kernels.Forest{Rows: a.q.param, Best: a.best.Addr()}
	if err := a.eachOf("label", "label_reset", &queries); err != nil {
		return err
	}
	if err := a.search(rows, queries); err != nil {
		return err
	}
	a.report(join.StageAttach, rows, rows)
	return nil
}

// search goes through all pairs of leaves of which one has rows that look for a label,
// and the other members.
func (a *attaching) search(rows int64, queries kernels.Forest) error {
	leaves := a.rows.leaves
	if !a.self {
		leaves += a.q.leaves
	}
	return a.alloc(int64(4*(leaves+a.rows.supers)), func(sets *driver.Buffer) error {
		indexed := kernels.Forest{Rows: a.rows.param, Core: a.core, Set: sets.Addr(), SuperSet: sets.Addr() + uint64(4*leaves)}
		if a.self {
			indexed.Best = queries.Best
			queries = indexed
		} else {
			queries.Set = indexed.Set + uint64(4*a.rows.leaves)
		}
		refresh := func() error { return a.eachOf("forest", "forest_open", &queries) }
		err := cmp.Or(
			refresh(),
			a.eachOf("forest", "forest_open", &indexed),
			launch(a.card, a.s, "forest", "forest_supers", a.rows.supers, kernels.Super, &indexed))
		if err != nil {
			return err
		}
		want := wanted{group: a.group(), setQ: queries.Set, setT: indexed.Set, superSetT: indexed.SuperSet, dealt: true}
		done, first := int64(0), true
		return a.joining.search(want, func(r round) error {
			w := a.work()
			w.Core, w.Label, w.Best, w.SetQ, w.SetT = a.core, a.label.Addr(), a.best.Addr(), queries.Set, indexed.Set
			if err := a.inPieces("attach", &w, r, first, refresh); err != nil {
				return err
			}
			first = false
			if done += r.tiles; done < r.total {
				a.report(join.StageAttach, int64(float64(rows)*float64(done)/float64(r.total)), rows)
			}
			return nil
		})
	})
}
