package optix_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLayout compares what abi.h declares with the layout that OptiX 8.0 has on 64-bit
// machines, in bytes.
func TestLayout(t *testing.T) {
	const want = `ContextOptions 24
ContextOptions.logLevel 16
ModuleOptions 40
ModuleOptions.bound 16
ModuleOptions.payloads 32
PipelineOptions 40
PipelineOptions.graph 4
PipelineOptions.carried 8
PipelineOptions.attributes 12
PipelineOptions.parameter 24
PipelineOptions.primitives 32
GroupDescription 56
GroupDescription.of.one.module 8
GroupDescription.of.one.entry 16
GroupDescription.of.hit.anyModule 24
GroupDescription.of.hit.any 32
GroupDescription.of.hit.crossModule 40
GroupDescription.of.hit.cross 48
GroupOptions 8
StackSizes 28
BuildInput 1032
BuildInput.of 8
CustomPrimitives.n 8
CustomPrimitives.stride 12
CustomPrimitives.flags 16
CustomPrimitives.records 24
CustomPrimitives.offsets 32
CustomPrimitives.first 48
BuildOptions 20
BuildOptions.operation 4
BuildOptions.motionKeys 8
BuildOptions.motionBegin 12
BufferSizes 24
BindingTable 64
BindingTable.miss 16
BindingTable.missStride 24
BindingTable.hit 32
BindingTable.hitStride 40
BindingTable.callables 48
`
	program := filepath.Join(t.TempDir(), "layout")
	compile(t, "-I.", "-o", program, filepath.Join("testdata", "layout.c"))
	got, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		have, expected := strings.Split(string(got), "\n"), strings.Split(want, "\n")
		for i := range expected {
			if i >= len(have) || have[i] != expected[i] {
				t.Fatalf("line %d: got %q, want %q", i+1, have[min(i, len(have)-1)], expected[i])
			}
		}
		t.Fatalf("got %d lines, want %d", len(have), len(expected))
	}
}

// compile runs the C compiler, without which it skips the test.
func compile(t *testing.T, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	if text, err := exec.Command("gcc", append([]string{"-std=gnu11", "-Wall", "-Werror"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
