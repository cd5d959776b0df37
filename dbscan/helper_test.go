package dbscan_test

import (
	"context"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// engines are those that every small test runs over: brute force, which has no
// faster road, and the processor's, with one thread and with several, and with fewer
// roads than it has.
func engines() map[string]join.Engine {
	e := cpu.New(cpu.Options{Threads: 3})
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": e,
		"cpu/by steps": fewer{e, func(idx join.Index) join.Index {
			c, components := idx.(join.Componenter)
			a, attaches := idx.(join.Attacher)
			if !components || !attaches {
				return idx
			}
			return struct {
				join.Index
				join.Componenter
				join.Attacher
			}{idx, c, a}
		}},
		"cpu/by pairs": fewer{e, func(idx join.Index) join.Index { return struct{ join.Index }{idx} }},
	}
}

// fewer is an engine that lacks some of the optional roads.
type fewer struct {
	join.Engine
	hide func(join.Index) join.Index
}

func (e fewer) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := e.Engine.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	return e.hide(idx), nil
}

func cluster(t testing.TB, e join.Engine, pts *join.Points, opt dbscan.Options) *dbscan.Result {
	t.Helper()
	res, err := dbscan.Cluster(t.Context(), jointest.Index(t, e, pts), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// slow skips a test that takes seconds under the race detector and has nothing
// for it that smaller tests have not.
func slow(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("too slow under the race detector")
	}
}
