package dbscan

import (
	"context"
	"fmt"

	"rtcluster/join"
)

// grower checks that clusters hang together, by growing them from one of their
// core rows, within a budget of scans.
type grower struct {
	pts    *join.Points
	eps2   float64
	res    *Result
	budget int
	cores  []int // core rows of each cluster; 0 once it has been checked
}

func newGrower(pts *join.Points, opt *Options, res *Result, budget int) *grower {
	g := &grower{pts: pts, eps2: pts.Metric().Bound(opt.Eps), res: res, budget: budget, cores: make([]int, res.Clusters)}
	for i, core := range res.Core {
		if core {
			g.cores[res.Labels[i]]++
		}
	}
	return g
}

// from checks the cluster of row if that is core, the cluster is not yet
// checked, and the budget allows for a scan of each of its core rows. It
// returns an error that wraps [join.ErrVerify] if some are not reached.
func (g *grower) from(ctx context.Context, row int) error {
	if !g.res.Core[row] {
		return nil
	}
	label := g.res.Labels[row]
	cores := g.cores[label]
	if cores == 0 || cores > g.budget {
		return nil
	}
	g.budget -= cores
	g.cores[label] = 0
	reached := map[int]bool{row: true}
	for visit := []int{row}; len(visit) > 0; {
		at := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		if err := ctx.Err(); err != nil {
			return err
		}
		join.Scan(g.pts, g.pts.Row(at), g.eps2, func(j int, _ float64) {
			if g.res.Core[j] && g.res.Labels[j] == label && !reached[j] {
				reached[j] = true
				visit = append(visit, j)
			}
		})
	}
	if len(reached) != cores {
		return fmt.Errorf("%w: cluster %d falls apart: %d of its %d core rows are reached from row %d",
			join.ErrVerify, label, len(reached), cores, row)
	}
	return nil
}
