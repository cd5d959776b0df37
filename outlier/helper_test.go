package outlier_test

import (
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// engines are those that every small test runs over: brute force, and the
// processor's with one thread and with several.
func engines() map[string]join.Engine {
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": cpu.New(cpu.Options{Threads: 3}),
	}
}

func score(t testing.TB, e join.Engine, pts *join.Points, opt outlier.Options) *outlier.Result {
	t.Helper()
	res, err := outlier.Score(t.Context(), jointest.Index(t, e, pts), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// verify checks res in all rows.
func verify(t *testing.T, pts *join.Points, opt outlier.Options, res *outlier.Result) {
	t.Helper()
	rows := make([]int, pts.Rows())
	for i := range rows {
		rows[i] = i
	}
	if err := outlier.Verify(t.Context(), pts, opt, res, rows); err != nil {
		t.Error(err)
	}
}

// slow skips a test that takes seconds under the race detector and has nothing
// for it that smaller tests have not.
func slow(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("too slow under the race detector")
	}
}
