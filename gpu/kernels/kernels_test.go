package kernels_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/fresh"
	"rtcluster/gpu/kernels/shape"
)

// TestFresh fails when a source, an option or the compiler was changed and `make
// ptx` not run, or when PTX is there that nothing makes.
func TestFresh(t *testing.T) {
	var want []string
	for _, v := range fresh.Variants() {
		want = append(want, v.File())
		header, err := v.Header(os.DirFS("."))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(v.File())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), header) {
			got, _, _ := strings.Cut(string(text), ".version")
			t.Errorf("%s is stale, run make ptx: it begins with\n%swant\n%s", v.File(), got, header)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".ptx") && !slices.Contains(want, e.Name()) {
			t.Errorf("%s is made by nothing", e.Name())
		}
	}
}

var (
	entry     = regexp.MustCompile(`\.entry (\w+)\(([^)]*)\)`)
	parameter = regexp.MustCompile(`\.param \.align 8 \.b8 \w+\[(\d+)\]`)
)

// TestEntries compares what the PTX declares with what the host launches: kernels
// with one parameter, as large as its Go type.
func TestEntries(t *testing.T) {
	want := launched()
	for _, v := range fresh.Variants() {
		text, err := os.ReadFile(v.File())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "__raygen__") {
			checkPrograms(t, v.File(), string(text))
			continue
		}
		if strings.Contains(string(text), ".extern .func") {
			t.Errorf("%s calls a function that is not there", v.File())
		}
		found := entry.FindAllStringSubmatch(string(text), -1)
		if len(found) != len(want[v.Module]) {
			t.Errorf("%s has %d kernels, want %d", v.File(), len(found), len(want[v.Module]))
		}
		for _, f := range found {
			size, ok := want[v.Module][f[1]]
			got := parameter.FindAllStringSubmatch(f[2], -1)
			switch {
			case !ok:
				t.Errorf("%s has a kernel %s that nobody launches", v.File(), f[1])
			case len(got) != 1 || strings.Count(f[2], ".param") != 1:
				t.Errorf("%s: kernel %s takes %q, want one block of 8-byte fields", v.File(), f[1], f[2])
			case got[0][1] != strconv.Itoa(int(size)):
				t.Errorf("%s: the parameter of %s has %s bytes, %d in Go", v.File(), f[1], got[0][1], size)
			}
		}
	}
}

// launchParameter is what programs of OptiX read in the place of parameters.
var launchParameter = regexp.MustCompile(`\.visible \.const \.align 8 \.b8 params\[(\d+)\];`)

// checkPrograms compares the programs of OptiX with kernels.Programs, and what they read
// with its Go type. They have no parameters of their own, no shared memory and no barriers.
func checkPrograms(t *testing.T, file, text string) {
	t.Helper()
	var got []string
	for _, f := range entry.FindAllStringSubmatch(text, -1) {
		if got = append(got, f[1]); strings.TrimSpace(f[2]) != "" {
			t.Errorf("%s: program %s takes %q, want nothing", file, f[1], f[2])
		}
	}
	want := kernels.Programs()
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s has the programs %q, want %q", file, got, want)
	}
	block := launchParameter.FindAllStringSubmatch(text, -1)
	if size := strconv.Itoa(int(unsafe.Sizeof(kernels.Rays{}))); len(block) != 1 || block[0][1] != size {
		t.Errorf("%s: programs read %q, want one block of %s bytes named params", file, block, size)
	}
	for _, not := range []string{".shared", "bar.", "shfl", "vote", ".extern"} {
		if strings.Contains(text, not) {
			t.Errorf("%s has %s, which OptiX refuses or knows nothing of", file, not)
		}
	}
}

// launched are the kernels that the host launches, by module, with the sizes of their
// parameters.
func launched() map[string]map[string]uintptr {
	work, search := unsafe.Sizeof(kernels.Work{}), unsafe.Sizeof(kernels.Search{})
	all := map[string]map[string]uintptr{
		"forest": {
			"forest_ahead":       unsafe.Sizeof(kernels.Forest{}),
			"forest_count":       unsafe.Sizeof(kernels.Forest{}),
			"forest_flatten":     unsafe.Sizeof(kernels.Forest{}),
			"forest_given":       unsafe.Sizeof(kernels.Forest{}),
			"forest_member":      unsafe.Sizeof(kernels.Forest{}),
			"forest_open":        unsafe.Sizeof(kernels.Forest{}),
			"forest_own":         unsafe.Sizeof(kernels.Forest{}),
			"forest_supers":      unsafe.Sizeof(kernels.Forest{}),
			"forest_thin_attach": work,
			"forest_thin_unite":  work,
		},
		"label": {
			"label_coded":  unsafe.Sizeof(kernels.Forest{}),
			"label_first":  unsafe.Sizeof(kernels.Forest{}),
			"label_mark":   unsafe.Sizeof(kernels.Forest{}),
			"label_name":   unsafe.Sizeof(kernels.Forest{}),
			"label_number": unsafe.Sizeof(kernels.Forest{}),
			"label_rank":   unsafe.Sizeof(kernels.Forest{}),
			"label_reset":  unsafe.Sizeof(kernels.Forest{}),
			"label_row":    unsafe.Sizeof(kernels.Forest{}),
			"label_scan":   unsafe.Sizeof(kernels.Forest{}),
			"label_tally":  unsafe.Sizeof(kernels.Forest{}),
		},
		"layout": {
			"box":    unsafe.Sizeof(kernels.Layout{}),
			"gather": unsafe.Sizeof(kernels.Layout{}),
			"supers": unsafe.Sizeof(kernels.Layout{}),
		},
		"offset": {"offsets": unsafe.Sizeof(kernels.Rows{}), "supers_plain": unsafe.Sizeof(kernels.Rows{})},
		"order": {
			"base":     unsafe.Sizeof(kernels.Order{}),
			"classify": unsafe.Sizeof(kernels.Order{}),
			"place":    unsafe.Sizeof(kernels.Order{}),
			"starts":   unsafe.Sizeof(kernels.Order{}),
			"sum":      unsafe.Sizeof(kernels.Order{}),
			"tally":    unsafe.Sizeof(kernels.Order{}),
		},
		"packinteger": {"pack_integers": unsafe.Sizeof(kernels.Integers{})},
		"pack":        {"pack": unsafe.Sizeof(kernels.Operands{}), "limits": unsafe.Sizeof(kernels.Operands{})},
		"recheck":     {"recheck_count": work, "recheck_list": work, "recheck_unite": work, "recheck_attach": work},
		"result":      {"complete": unsafe.Sizeof(kernels.Result{}), "deliver": unsafe.Sizeof(kernels.Result{})},
		"scene":       {"scene": unsafe.Sizeof(kernels.Scene{})},
		"search":      {"tally": search, "tally_plain": search, "fill": search, "fill_plain": search, "collect": search, "spread": search},
		"split":       {"split": unsafe.Sizeof(kernels.Order{})},
		"stats": {
			"covariance": unsafe.Sizeof(kernels.Stats{}),
			"mean":       unsafe.Sizeof(kernels.Stats{}),
			"means":      unsafe.Sizeof(kernels.Stats{}),
			"products":   unsafe.Sizeof(kernels.Stats{}),
			"span":       unsafe.Sizeof(kernels.Stats{}),
		},
		"turn": {
			"lead4":   unsafe.Sizeof(kernels.Turn{}),
			"lead8":   unsafe.Sizeof(kernels.Turn{}),
			"permute": unsafe.Sizeof(kernels.Turn{}),
			"turn":    unsafe.Sizeof(kernels.Turn{}),
		},
	}
	for _, mode := range []string{"count", "list", "unite", "attach"} {
		all["simt_"+mode] = map[string]uintptr{"simt_" + mode: work}
		all["low_"+mode] = map[string]uintptr{"low_" + mode: work}
	}
	tensor := func(t shape.Tensor) {
		all[t.Module()] = map[string]uintptr{t.Name() + "_trial": unsafe.Sizeof(kernels.Trial{})}
		for _, mode := range []string{"count", "list", "unite", "attach"} {
			all[t.Module()][t.Name()+"_"+mode] = work
		}
	}
	for steps := range shape.MostSteps {
		tensor(shape.Tensor{Steps: steps + 1})
	}
	for _, steps := range shape.IntegerSteps() {
		tensor(shape.Tensor{Steps: steps, Integers: true})
	}
	return all
}

func TestPTX(t *testing.T) {
	for _, capability := range []int{75, 80, 90, 120} {
		if text, err := kernels.PTX("recheck", capability); err != nil || !strings.Contains(text, ".entry recheck_count(") {
			t.Errorf("compute capability %d: got %d bytes and error %v", capability, len(text), err)
		}
	}
	for _, test := range []struct {
		module     string
		capability int
	}{{"recheck", 70}, {"joint", 90}} {
		if _, err := kernels.PTX(test.module, test.capability); err == nil {
			t.Errorf("module %s for compute capability %d: no error", test.module, test.capability)
		}
	}
}
