//go:build cuda

package optix_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/optix"
)

// tried is set where the test's own process is to make all calls, and say what comes of it.
const tried = "RTCLUSTER_TEST_TRY"

// calls are all of them, as fake.c writes them down.
const calls = `query 87 0 384
context (nil) log 0 level 0 validation 0
cache in /some/folder
cache 0x100 1
module 0x100 registers 0 optimization 0 debug 0 bound 0 payloads 0 log 4096 ptx .version
  motion 0 graph 1 carried 2 attributes 2 exceptions 0 parameter params primitives 1 micromaps 0
groups 5 options 0
  kind 0x2421 flags 0: 0x200 __raygen__leaves, 0 none, 0 none
  kind 0x2421 flags 0: 0x200 __raygen__rows, 0 none, 0 none
  kind 0x2422 flags 0: 0x200 __miss__nothing, 0 none, 0 none
  kind 0x2424 flags 0: 0 none, 0 none, 0x200 __intersection__leaves
  kind 0x2424 flags 0: 0 none, 0x200 __anyhit__rows, 0x200 __intersection__rows
pipeline of 5, first 0x300, depth 1
  motion 0 graph 1 carried 2 attributes 2 exceptions 0 parameter params primitives 1 micromaps 0
stack of 0x300 in 0x400
stack of 0x301 in 0x400
stack of 0x302 in 0x400
stack of 0x303 in 0x400
stack of 0x304 in 0x400
stack 0x400 0 0 4100 depth 1
record 0 0
record 1 1
record 2 2
record 3 3
record 4 4
sizes
  flags 5 operation 0x2161 motion 0; 1 input of type 0x2142: 7 boxes at 0x1000 by 0, flags 2, 1 record, offsets 0 first 0
got {output:1000 build:200 refit:30}
build on 0x600 in 0x2000 200 to 0x3000 1000 emit (nil) 0
  flags 5 operation 0x2161 motion 0; 1 input of type 0x2142: 7 boxes at 0x1000 by 0, flags 2, 1 record, offsets 0 first 0
scene 0x500
build on 0x600 in 0x2000 200 to 0x3000 1000 emit (nil) 0
  flags 5 operation 0x2162 motion 0; 1 input of type 0x2142: 7 boxes at 0x1000 by 0, flags 2, 1 record, offsets 0 first 0
scene 0x500
launch 0x400 on 0x600 of 0x4000 472: 9 1 1
  raygen 0x5000 exception 0 miss 0x5040 32 1 hit 0x5060 32 1 callables 0 0 0
launch 0x400 on 0x600 of 0x4000 472: 9 1 1
  raygen 0x5020 exception 0 miss 0x5040 32 1 hit 0x5080 32 1 callables 0 0 0
got no error
`

// TestCalls has a library that writes down what it is handed take all calls, and fail in
// each of them, in a process of its own.
func TestCalls(t *testing.T) {
	if os.Getenv(tried) != "" {
		if err := optix.Try(".version", "/some/folder"); err != nil {
			fmt.Printf("got %v; missing %t\n", err, errors.Is(err, driver.ErrMissing))
		} else {
			fmt.Println("got no error")
		}
		os.Exit(0)
	}
	folder := t.TempDir()
	compile(t, "-shared", "-fPIC", "-Wno-unused", "-o", filepath.Join(folder, "libnvoptix.so.1"), filepath.Join("testdata", "fake.c"))
	child := func(t *testing.T, env ...string) string {
		t.Helper()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestCalls$")
		cmd.Env = append(append(os.Environ(), tried+"=1"), env...)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return string(text)
	}
	library := "LD_LIBRARY_PATH=" + folder
	if got := child(t, library); got != calls {
		t.Errorf("got the calls\n%s\nwant\n%s", got, calls)
	}
	for slot, call := range map[int]string{
		2: "taking the card", 6: "keeping what is compiled", 12: "compiling programs: Fake error: a line of the log", 18: "grouping programs",
		20: "asking for the stack", 21: "linking programs", 23: "setting the stack", 24: "asking for the size of a scene", 25: "building a scene",
		38: "making a record", 39: "following rays",
	} {
		got := child(t, library, fmt.Sprintf("FAKE_FAIL=%d", slot))
		if lines := strings.Split(strings.TrimSpace(got), "\n"); !strings.HasPrefix(lines[len(lines)-1], "got optix: "+call) ||
			!strings.HasSuffix(lines[len(lines)-1], "(OPTIX_ERROR_FAKE, error 7001); missing true") {
			t.Errorf("where call %d fails: got\n%s\nwant an error of %s at the end", slot, got, call)
		}
		if closed := slot > 2 && slot < 24 || slot == 38; strings.Contains(got, "destroy 0x100") != closed {
			t.Errorf("where call %d fails: got\n%s\nwant the context given back: %t", slot, got, closed)
		}
	}
	if got := child(t, library, "FAKE_FAIL=7"); !strings.Contains(got, "cache 0x100 0\n") || !strings.HasSuffix(got, "got no error\n") {
		t.Errorf("a folder that cannot be used: got\n%s\nwant no cache, and no error", got)
	}
	if got := child(t, library, "FAKE_QUERY=7801"); !strings.Contains(got, "got no OptiX on this machine: the driver is older than OptiX 8.0") {
		t.Errorf("an old library: got\n%s", got)
	}
	if got := child(t, "LD_LIBRARY_PATH="+t.TempDir()); !strings.Contains(got, "missing true") && optix.Available() != nil {
		t.Errorf("no library: got\n%s", got)
	}
}
