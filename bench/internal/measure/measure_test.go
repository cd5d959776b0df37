package measure_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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

func TestNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "numbers")
	want := make([]float64, 1<<16+3)
	for i := range want {
		want[i] = float64(i) / 3
	}
	if err := measure.WriteNumbers(file, want); err != nil {
		t.Fatal(err)
	}
	if got, err := measure.ReadNumbers[float64](file); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d numbers are not the %d written, error %v", len(got), len(want), err)
	}
	if err := os.WriteFile(file, []byte{0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0}, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := measure.ReadNumbers[float32](file); err != nil || !slices.Equal(got, []float64{1.5, -2}) {
		t.Errorf("got %v, error %v", got, err)
	}
	if err := os.Truncate(file, 7); err != nil {
		t.Fatal(err)
	}
	if _, err := measure.ReadNumbers[float32](file); err == nil {
		t.Error("no error for 7 bytes")
	}
}

func TestJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.json")
	var list []string
	if err := measure.ReadJSON(file, &list); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: error %v", err)
	}
	name := strings.Clone
	all := measure.Put(measure.Put(measure.Put([]string(nil), "a", name), "b", name), "a", name)
	if err := measure.WriteJSON(file, all); err != nil {
		t.Fatal(err)
	}
	if err := measure.ReadJSON(file, &list); err != nil || !slices.Equal(list, []string{"a", "b"}) {
		t.Errorf("got %q, error %v", list, err)
	}
	if got := measure.Find(list, "b", name) + measure.Find(list, "c", name); got != "b" {
		t.Errorf("found %q", got)
	}
	if err := os.WriteFile(file, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := measure.ReadJSON(file, &list); err == nil || !strings.Contains(err.Error(), "list.json") {
		t.Errorf("no JSON: error %v", err)
	}
}
