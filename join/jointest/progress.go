package jointest

import (
	"context"
	"fmt"
	"sync"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// reports collects what an engine says of its progress.
type reports struct {
	mu     sync.Mutex
	calls  int
	stages map[join.Stage]*stageReport
}

type stageReport struct {
	total, least, most int64
	fault              error
}

func (r *reports) take(stage join.Stage, done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	s := r.stages[stage]
	if s == nil {
		s = &stageReport{total: total, least: done, most: done}
		r.stages[stage] = s
	}
	if total != s.total || done < 0 || done > total {
		s.fault = fmt.Errorf("stage %s: reported %d of %d after a total of %d", stage, done, total, s.total)
	}
	s.least, s.most = min(s.least, done), max(s.most, done)
}

// checkProgress checks that each stage reports its beginning and its end.
func checkProgress(ctx context.Context, e join.Engine) error {
	pts := must(synth.Make("uniform", 333, 3, seed))
	r := &reports{stages: map[join.Stage]*stageReport{}}
	ctx = join.WithProgress(ctx, r.take)
	err := withIndex(ctx, e, pts, func(idx join.Index) error {
		for name, call := range methods(idx, nil) {
			before := r.calls
			if err := call(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if r.calls == before {
				return fmt.Errorf("%s reported nothing", name)
			}
		}
		stages := []join.Stage{join.StageIndex, join.StageCounts, join.StagePairs, join.StageKNN}
		if _, ok := idx.(join.Componenter); ok {
			stages = append(stages, join.StageComponents)
		}
		if _, ok := idx.(join.Attacher); ok {
			stages = append(stages, join.StageAttach)
		}
		for _, stage := range stages {
			if r.stages[stage] == nil {
				return fmt.Errorf("stage %s was not reported", stage)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for stage, s := range r.stages {
		switch {
		case s.fault != nil:
			return s.fault
		case s.least != 0:
			return fmt.Errorf("stage %s: the first report is %d of %d, want 0", stage, s.least, s.total)
		case s.most != s.total:
			return fmt.Errorf("stage %s: the last report is %d of %d", stage, s.most, s.total)
		}
	}
	return nil
}
