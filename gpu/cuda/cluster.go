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

// Cluster keeps all on the card, by position, until there are labels: counts, which
// rows are core, their sets, and the labels that other rows find. Three numbers a row
// are enough: the labels take the room of the counts, what other rows find that of the
// first rows of sets, and labels in the order of the input that of the sets.
func (x *index) Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (join.Clustered, error) {
	var found join.Clustered
	if err := x.checkMembers(ctx, eps, core, label); err != nil {
		return found, err
	}
	if least < 1 {
		return found, fmt.Errorf("cuda: at least %d rows make a core row, want 1 or more", least)
	}
	n := int64(len(label))
	report := join.ReportTo(ctx)
	report(join.StageCounts, 0, n)
	if n == 0 {
		return found, nil
	}
	err := x.join(ctx, nil, eps, func(j *joining) error {
		return j.alloc(int64(4*j.rows.places()), func(count *driver.Buffer) error {
			if err := j.countPositions(count); err != nil {
				return err
			}
			if err := j.s.Wait(); err != nil {
				return err
			}
			report(join.StageCounts, n, n)
			f, err := j.newForest(count)
			if err != nil {
				return err
			}
			f.param.Count, f.param.Least = count.Addr(), int64(least)
			found, err = f.cluster(attach, core, label)
			return cmp.Or(err, f.free())
		})
	})
	return found, err
}

// checkMembers refuses what breaks the contract: slices with a place for each row.
func (x *index) checkMembers(ctx context.Context, eps float64, member []bool, label []int32) error {
	if n := x.rows.pts.Rows(); len(member) != n || len(label) != n {
		return fmt.Errorf("cuda: %d flags and %d labels for %d rows, want one of each for each row", len(member), len(label), n)
	}
	return x.check(ctx, nil, eps)
}

func (f *forest) cluster(attach bool, core []bool, label []int32) (found join.Clustered, err error) {
	end := f.stage("unite")
	if err := f.each("forest", "forest_count"); err != nil {
		return found, err
	}
	end()
	if err := f.unite(); err != nil {
		return found, err
	}
	end = f.stage("label")
	clusters, err := f.number()
	if err != nil {
		return found, err
	}
	end()
	coded := f.param
	coded.Out = f.parent.Addr() // the sets have labels now
	if attach && clusters > 0 {
		a := attaching{joining: f.joining, core: f.param.Core, label: f.label, best: f.best, report: f.report}
		if err := a.run(); err != nil {
			return found, err
		}
		coded.Best = f.best.Addr()
	}
	end = f.stage("copy out")
	defer end()
	if err := f.eachOf("label", "label_coded", &coded); err != nil {
		return found, err
	}
	err = f.fetch(f.parent, len(label), func(from int, part []int32) {
		core, label := core[from:from+len(part)], label[from:from+len(part)]
		for i, code := range part {
			mark := (code + 1) >> 31 // −1 of a core row: the code is −2 less the label
			core[i], label[i] = mark != 0, code^mark+mark
		}
	})
	if err != nil {
		return found, err
	}
	sums, err := f.sum()
	return join.Clustered{
		Clusters: int(clusters), Cores: int(sums[kernels.SumCores]), Noise: int(sums[kernels.SumNoise]),
		Ordered: sums[kernels.SumOrdered],
	}, err
}
