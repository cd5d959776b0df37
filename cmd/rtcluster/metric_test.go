package main

import (
	"context"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// euclideanEngine has one metric only.
type euclideanEngine struct{ join.Engine }

func (euclideanEngine) Name() string { return "cuda" }

func (e euclideanEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if err := pts.Metric().OnlyEuclidean(); err != nil {
		return nil, err
	}
	return e.Engine.Index(ctx, pts)
}

// TestEngineWithoutMetric asks an engine for what it has not: exit 5. Metrics that
// are Euclidean between transformed rows are served by every engine.
func TestEngineWithoutMetric(t *testing.T) {
	in := writeFile(t, "in.csv", "x,y\n0.5,1\n9,2\n4,4\n1,9\n3,3\n")
	right := cpu.New(cpu.Options{Threads: 1})
	tests := []struct {
		name, engine string
		more         []string
		code         int
	}{
		{"euclidean", "cuda", nil, exitOK},
		{"cosine", "cuda", []string{"--metric", "cosine"}, exitOK},
		{"mahalanobis", "cuda", []string{"--metric", "mahalanobis"}, exitOK},
		{"manhattan", "cuda", []string{"--metric", "manhattan"}, exitEngine},
		{"chebyshev", "cuda", []string{"--metric", "chebyshev"}, exitEngine},
		{"box", "cuda", []string{"--box", "10,10"}, exitEngine},
		{"manhattan, auto", "auto", []string{"--metric", "manhattan"}, exitOK},
		{"box, auto", "auto", []string{"--box", "10,10"}, exitOK},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp(right, euclideanEngine{right})
			args := []string{"dbscan", in, "-c", "x,y", "-e", "1", "-m", "2", "--engine", test.engine}
			a.mustRun(t, test.code, append(args, test.more...)...)
			if test.code == exitEngine && !strings.Contains(a.stderr.String(), "rtcluster: engine cuda: ") {
				t.Errorf("got the message %q, want one that names the engine", a.stderr.String())
			}
		})
	}
}
