package kernels_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrograms runs the programs of rays.cu on the host, by a traversal that calls an
// intersection program for boxes that a ray is not in, and twice: what they find is compared
// with all pairs of boxes, and of rows, and nothing is written beyond its room.
func TestPrograms(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	program := filepath.Join(t.TempDir(), "programs")
	compile := exec.Command("g++", "-std=c++17", "-O1", "-ffp-contract=off", "-frounding-math", "-I.", "-Itestdata", "-o", program, filepath.Join("testdata", "programs.cpp"))
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text[strings.LastIndex(string(text), "; ")+1:])
	}
	for _, some := range []string{" near, ", " in doubt; ", "more than there is room for"} {
		if !strings.Contains(string(text), some) {
			t.Errorf("there was nothing of %q in\n%s", some, text)
		}
	}
}
