package measure_test

import (
	"errors"
	"path"
	"runtime"
	"testing"

	"rtcluster/bench/internal/measure"
)

func TestStatusMiB(t *testing.T) {
	text := []byte("VmPeak:\t 9 kB\nVmHWM:\t  2048 kB\n")
	if got := measure.StatusMiB(text, "VmHWM:"); got != 2 {
		t.Errorf("%v MiB, want 2", got)
	}
	if got := measure.StatusMiB(text, "VmSwap:"); got != 0 {
		t.Errorf("%v MiB of nothing", got)
	}
}

func TestProcessor(t *testing.T) {
	text := []byte("processor\t: 0\nmodel name\t: A B: C\nmodel name\t: D\n")
	if got := measure.Processor(text, "none"); got != "A B: C" {
		t.Errorf("processor %q", got)
	}
	if got := measure.Processor(nil, "none"); got != "none" {
		t.Errorf("processor %q of nothing", got)
	}
}

func TestMedian(t *testing.T) {
	for _, tc := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := measure.Median(tc.x); got != tc.want {
			t.Errorf("median of %v is %v", tc.x, got)
		}
	}
}

func TestThisHost(t *testing.T) {
	h := measure.ThisHost()
	if h.Cores < 1 || h.Go != runtime.Version() || h.Commit == "" || len(h.Date) != len("2006-01-02") {
		t.Errorf("this host is %+v", h)
	}
	if runtime.GOOS == "linux" && (h.MemoryGiB <= 0 || measure.PeakMiB() <= 0) {
		t.Errorf("%v GiB of memory, %v MiB in use", h.MemoryGiB, measure.PeakMiB())
	}
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		patterns, name string
		want           bool
	}{
		{"*", "counts", true},
		{"counts", "counts", true},
		{"pairs, c*s", "counts", true},
		{"pairs,count", "counts", false},
		{"", "counts", false},
	} {
		if got, err := measure.Matches(test.patterns, test.name); err != nil || got != test.want {
			t.Errorf("%q of %q: got %t, error %v, want %t", test.name, test.patterns, got, err, test.want)
		}
	}
	if _, err := measure.Matches("*,[", "counts"); !errors.Is(err, path.ErrBadPattern) {
		t.Errorf("a pattern that is none: error %v", err)
	}
}
