package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// wrongEngine is right but for one pair of rows, which it does not see.
type wrongEngine struct {
	join.Engine
	i, j int32
}

func (e wrongEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := e.Engine.Index(ctx, pts)
	return wrongIndex{idx, e.i, e.j}, err
}

type wrongIndex struct {
	join.Index
	i, j int32
}

func (x wrongIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	err := x.Index.Counts(ctx, q, eps, limit, dst)
	dst[x.i]--
	dst[x.j]--
	return err
}

func (x wrongIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	return x.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		var rest []join.Pair
		for _, p := range pairs {
			if p.I != x.i || p.J != x.j {
				rest = append(rest, p)
			}
		}
		return emit(rest)
	})
}

func (x wrongIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(int, []join.Neighbor) error) error {
	return x.Index.KNN(ctx, q, k+1, func(row int, near []join.Neighbor) error {
		var rest []join.Neighbor
		for _, n := range near {
			if row != int(x.i) || n.Row != x.j {
				rest = append(rest, n)
			}
		}
		return emit(row, rest[:min(k, len(rest))])
	})
}

// TestVerifyFindsAWrongNeighbour plants an engine that misses one pair: without
// --verify it goes unseen, with it the run fails and writes nothing.
func TestVerifyFindsAWrongNeighbour(t *testing.T) {
	in := writeFile(t, "in.csv", "x,y\n0,0\n1,0\n2,0\n0,7\n3,0\n")
	report := filepath.Join(t.TempDir(), "run.json")
	clusters := newTestApp()
	clusters.mustRun(t, exitOK, "dbscan", in, "-e", "1", "-m", "3", "--report", report)
	clustered := writeFile(t, "clustered.csv", clusters.stdout.String()) // its second core row is at 2,0
	later := writeFile(t, "later.csv", "x,y\n3,0\n1,0\n")
	tests := []struct {
		name string
		args []string
	}{
		{"predict", []string{"predict", clustered, later, "--params", report}},
		{"dbscan", []string{"dbscan", in, "-e", "1", "-m", "3"}},
		{"dbscan counts", []string{"dbscan", in, "-e", "1", "-m", "3", "--counts"}},
		{"outliers knn", []string{"outliers", in, "--method", "knn", "-k", "1"}},
		{"outliers lof", []string{"outliers", in, "--method", "lof", "-k", "2"}},
		{"outliers count", []string{"outliers", in, "--method", "count", "-e", "1"}},
		{"outliers by a reference", []string{"outliers", later, "--reference", in, "--method", "knn", "-k", "3"}},
		{"outliers by a reference, count", []string{"outliers", later, "--reference", in, "--method", "count", "-e", "2"}},
		{"outliers by themselves", []string{"outliers", in, "--reference", in, "--method", "lof,knn", "-k", "2"}},
		{"join", []string{"join", in, "-e", "1"}},
		{"join sorted", []string{"join", in, "-e", "1", "--sort"}},
		{"join counts", []string{"join", in, "-e", "1", "--counts"}},
		{"join of two", []string{"join", in, in, "-e", "1"}},
		{"join of two, counts", []string{"join", in, in, "-e", "1", "--counts"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			out := filepath.Join(folder, "out.csv")
			right := cpu.New(cpu.Options{Threads: 1})
			a := newTestApp(wrongEngine{right, 0, 1})
			a.mustRun(t, exitOK, append(test.args, "-o", out)...)
			if err := os.Remove(out); err != nil {
				t.Fatal(err)
			}
			a.mustRun(t, exitInternal, append(test.args, "-o", out, "--verify", "5")...)
			if !strings.Contains(a.stderr.String(), "rtcluster: ") || !strings.Contains(a.stderr.String(), join.ErrVerify.Error()) {
				t.Errorf("got the message %q, want one that says %q", a.stderr.String(), join.ErrVerify)
			}
			if left, _ := os.ReadDir(folder); len(left) != 0 {
				t.Errorf("the failed run left %v", left)
			}
			newTestApp(right).mustRun(t, exitOK, append(test.args, "-o", out, "--verify", "5")...)
		})
	}
}

// TestSampleIsFair looks at what --verify chooses: distinct rows in order, all
// of a small table, the same for a seed, and no row left out for ever.
func TestSampleIsFair(t *testing.T) {
	sample := func(seed uint64, n, rows int) []int {
		j := &job{runOpt: &runOptions{Seed: seed, Verify: n}}
		return j.sample(rows)
	}
	if got := sample(1, 9, 4); len(got) != 4 || got[0] != 0 || got[3] != 3 {
		t.Errorf("got %v of 4 rows, want all", got)
	}
	if got := sample(1, 3, 0); len(got) != 0 {
		t.Errorf("got %v of 0 rows", got)
	}
	seen := make([]int, 10)
	for seed := range uint64(1000) {
		got, again := sample(seed, 3, 10), sample(seed, 3, 10)
		for i, row := range got {
			if row != again[i] || i > 0 && got[i-1] >= row {
				t.Fatalf("seed %d: got %v, then %v", seed, got, again)
			}
			seen[row]++
		}
	}
	for row, n := range seen {
		if n < 240 || n > 360 { // 300 expected, deviation 14
			t.Errorf("row %d was chosen %d times of 1000, want about 300", row, n)
		}
	}
}
