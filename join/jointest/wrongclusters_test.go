package jointest_test

import (
	"context"
	"errors"
	"slices"

	"rtcluster/join"
)

// This file has the faster roads to clusters of the engine with faults.

func (x *wrongIndex) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	return x.stage(ctx, join.StageComponents, func() error {
		for i := range dst {
			dst[i] = -1
		}
		for first := range dst {
			if member[first] && dst[first] < 0 {
				x.flood(first, int32(first), eps, member, dst)
			}
		}
		if x.labels != nil {
			x.labels(member, dst)
		}
		return nil
	})
}

func (x *wrongIndex) Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (all join.Clustered, err error) {
	n := x.pts.Rows()
	if len(core) != n || len(label) != n || least < 1 {
		if x.lax {
			return all, nil
		}
		return all, errors.New("a clustering of another length, or of no rows")
	}
	if err := join.CheckEps(eps); err != nil {
		return all, err
	}
	return all, x.stage(ctx, join.StageCounts, func() error {
		counts, names := make([]int32, n), make([]int32, n)
		for i := range n {
			for j := range n {
				counts[i] += int32(one(x.within(x.pts.Row(i), x.pts.Row(j), eps)))
			}
			core[i], names[i] = counts[i] >= least, -1
			all.Ordered += int64(min(counts[i], least) - 1)
		}
		for i := range n {
			if core[i] && names[i] < 0 {
				x.flood(i, int32(all.Clusters), eps, core, names)
				all.Clusters++
			}
		}
		for i := range n {
			label[i] = names[i]
			if attach && !core[i] {
				label[i] = x.attached(x.pts.Row(i), eps, core, names)
			}
			all.Cores += one(core[i])
			all.Noise += one(label[i] < 0)
		}
		if x.cluster != nil {
			x.cluster(core, label, &all)
		}
		return nil
	})
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Attach takes the smallest label, unless a fault is planted.
func (x *wrongIndex) Attach(ctx context.Context, q *join.Points, eps float64, member []bool, label, dst []int32) error {
	if err := x.check(q); err != nil {
		return err
	}
	return x.stage(ctx, join.StageAttach, func() error {
		label := slices.Clone(label)
		for i := range dst {
			switch {
			case q != nil && !x.strangers:
				dst[i] = x.attached(q.Row(i), eps, member, label)
			case q == nil && member[i]:
				dst[i] = label[i]
			default:
				dst[i] = x.attached(x.pts.Row(i%x.pts.Rows()), eps, member, label)
			}
		}
		return nil
	})
}

func (x *wrongIndex) attached(row []float64, eps float64, member []bool, label []int32) int32 {
	best := int32(-1)
	for j, found := range label {
		if !member[j] || !x.within(row, x.pts.Row(j), eps) {
			continue
		}
		replaces := best < 0 || found < best
		if x.better != nil {
			replaces = x.better(found, best)
		}
		if replaces {
			best = found
		}
	}
	return best
}

func (x *wrongIndex) flood(i int, label int32, eps float64, member []bool, dst []int32) {
	dst[i] = label
	for j := range dst {
		if member[j] && dst[j] < 0 && x.within(x.pts.Row(i), x.pts.Row(j), eps) {
			x.flood(j, label, eps, member, dst)
		}
	}
}
