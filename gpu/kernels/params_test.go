package kernels_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
)

// TestSizes compares the sizes that host and device share. Each stands in its source
// once, as NAME = 1 or #define NAME 1.
func TestSizes(t *testing.T) {
	for _, size := range []struct {
		file, name string
		want       float64
	}{
		{"params.cuh", "LEAF", kernels.Leaf},
		{"params.cuh", "SUPER", kernels.Super},
		{"params.cuh", "AXES", kernels.Axes},
		{"params.cuh", "ENTRY_LEAF", kernels.EntryLeaf},
		{"params.cuh", "PAGE", kernels.Page},
		{"params.cuh", "RUN", kernels.Run},
		{"rays.cuh", "SPACE", kernels.Space},
		{"rays.cuh", "DOUBTERS", kernels.Doubters},
		{"scene.cu", "THREADS", kernels.SceneThreads},
		{"boxes.cuh", "GROUP", kernels.Group},
		{"tiles.cuh", "GROUP", kernels.Group},
		{"boxes.cuh", "THREADS", kernels.SearchThreads},
		{"pack.cu", "THREADS", kernels.PackThreads},
		{"tensor.cuh", "BHEAD", shape.Head},
		{"tensor.cuh", "REACH", kernels.TensorReach},
		{"tensor.cuh", "MOST", kernels.TensorMost},
		{"integer.cuh", "HEADBYTES", shape.IntegerHead},
		{"integer.cuh", "MOST", kernels.IntegerDims},
		{"integer.cuh", "VOID", kernels.IntegerVoid},
		{"packinteger.cu", "THREADS", kernels.PackThreads},
		{"products.cuh", "PIECE", kernels.ListPiece},
		{"recheck.cu", "THREADS", kernels.RecheckThreads},
		{"recheck.cu", "PARTS", kernels.RecheckParts},
		{"tiles.cuh", "THREADS", kernels.PlainThreads},
		{"low.cuh", "LOW", kernels.LowDims},
		{"many.cuh", "STAGE", kernels.StageDims},
		{"result.cu", "THREADS", kernels.ResultThreads},
		{"forest.cu", "THREADS", kernels.ForestThreads},
		{"near.cuh", "COMPARERS", kernels.ForestThreads},
		{"label.cu", "THREADS", kernels.ForestThreads},
		{"label.cu", "SCANNERS", kernels.ScanThreads},
		{"stats.cu", "THREADS", kernels.SpanThreads},
		{"stats.cu", "CHUNK", kernels.MeanChunk},
		{"stats.cu", "PART", kernels.ProductPart},
		{"stats.cu", "TILE", kernels.ProductTile},
		{"turn.cu", "ROWS", kernels.LeadRows},
		{"turn.cu", "PERMUTE", kernels.PermuteThreads},
		{"turn.cu", "WILD", kernels.Wild},
		{"layout.cu", "THREADS", kernels.LayoutThreads},
		{"order.cu", "THREADS", kernels.OrderThreads},
		{"order.cuh", "SORT", kernels.SplitThreads},
		{"order.cu", "DIGITS", kernels.Digits},
		{"split.cu", "SHARED", kernels.SplitShared},
		{"split.cu", "ROW", kernels.SplitRow},
		{"split.cu", "MOST", kernels.SplitAxes},
		{"offset.cu", "SUPERS", kernels.SupersThreads},
	} {
		pattern := regexp.MustCompile(fmt.Sprintf(`(?:#define %[1]s |\b%[1]s = )([0-9][0-9.e]*)`, size.name))
		found := pattern.FindAllStringSubmatch(source(t, size.file), -1)
		if len(found) != 1 {
			t.Errorf("%s has %d definitions of %s, want one", size.file, len(found), size.name)
			continue
		}
		if got, err := strconv.ParseFloat(found[0][1], 64); err != nil || got != size.want {
			t.Errorf("%s: %s is %s, in Go %v", size.file, size.name, found[0][1], size.want)
		}
	}
}

// TestSums compares the order of what is added up.
func TestSums(t *testing.T) {
	names := make([]string, kernels.Sums+1)
	for name, at := range map[string]int{
		"ORDERED": kernels.SumOrdered, "CORES": kernels.SumCores, "SETS": kernels.SumSets, "NOISE": kernels.SumNoise, "SUMS": kernels.Sums,
	} {
		names[at] = name
	}
	if want := "enum Sum { " + strings.Join(names, ", ") + " };"; !strings.Contains(source(t, "params.cuh"), want) {
		t.Errorf("params.cuh lacks %q", want)
	}
}

// TestFields compares the structures that host and device share, field by field.
func TestFields(t *testing.T) {
	for _, test := range []struct {
		file, name string
		in         any
	}{
		{"params.cuh", "Rows", kernels.Rows{}},
		{"params.cuh", "Search", kernels.Search{}},
		{"params.cuh", "Item", kernels.Item{}},
		{"params.cuh", "Pair", kernels.Pair{}},
		{"params.cuh", "Work", kernels.Work{}},
		{"params.cuh", "Forest", kernels.Forest{}},
		{"rays.cuh", "Ray", kernels.Ray{}},
		{"rays.cuh", "Rays", kernels.Rays{}},
		{"rays.cuh", "Scene", kernels.Scene{}},
		{"tensor.cuh", "Operands", kernels.Operands{}},
		{"integer.cuh", "Integers", kernels.Integers{}},
		{"products.cuh", "Trial", kernels.Trial{}},
		{"result.cu", "Result", kernels.Result{}},
		{"stats.cu", "Stats", kernels.Stats{}},
		{"turn.cu", "Turn", kernels.Turn{}},
		{"layout.cu", "Layout", kernels.Layout{}},
		{"order.cuh", "Order", kernels.Order{}},
		{"order.cuh", "Node", kernels.Node{}},
		{"order.cuh", "Part", kernels.Part{}},
	} {
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(test.in)) {
			want = append(want, strings.ToLower(f.Name)+" "+f.Type.Name())
		}
		if got := fields(t, test.file, test.name); !slices.Equal(got, want) {
			t.Errorf("%s: struct %s has the fields\n%q, in Go\n%q", test.file, test.name, got, want)
		}
	}
}

var (
	comment     = regexp.MustCompile(`//.*`)
	declaration = regexp.MustCompile(`^(?:const )?(?:struct )?(unsigned long long|long long|unsigned char|\w+) ?(.*)$`)
	goType      = map[string]string{"long long": "int64", "unsigned long long": "uint64", "double": "float64", "int": "int32", "float": "float32", "Rows": "Rows"}
)

// fields returns the fields of a structure: their names in small letters, and the types
// that they are in Go.
func fields(t *testing.T, file, name string) []string {
	t.Helper()
	text := comment.ReplaceAllString(source(t, file), "")
	body := regexp.MustCompile(`(?s)\nstruct (?:__align__\(\d+\) )?` + name + ` \{(.*?)\n\};`).FindStringSubmatch(text)
	if body == nil {
		t.Fatalf("%s has no struct %s", file, name)
	}
	var all []string
	for line := range strings.SplitSeq(body[1], ";") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		parts := declaration.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("%s: struct %s: %q is not understood", file, name, line)
		}
		for field := range strings.SplitSeq(parts[2], ",") {
			field = strings.TrimSpace(field)
			kind := goType[parts[1]]
			if strings.HasPrefix(field, "*") {
				kind = "uint64"
			}
			all = append(all, strings.ToLower(strings.TrimPrefix(field, "*"))+" "+kind)
		}
	}
	return all
}

func source(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
