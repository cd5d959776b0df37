package dbscan_test

import (
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// engines are those that every small test runs over: brute force, which has no
// Componenter, and the processor's, with one thread and with several.
func engines() map[string]join.Engine {
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": cpu.New(cpu.Options{Threads: 3}),
	}
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
