//go:build cuda

package driver_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/gpu/internal/driver"
)

// asked is set where the test's own process is to open the first card, and say what
// comes of it.
const asked = "RTCLUSTER_TEST_OPEN"

// TestFakeDriver opens a card of a driver that does not work, as a process would that finds
// it: in a process of its own.
func TestFakeDriver(t *testing.T) {
	if os.Getenv(asked) != "" {
		_, err := driver.Open(0, driver.Options{})
		fmt.Printf("got %v; missing %t\n", err, errors.Is(err, driver.ErrMissing))
		return
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	compile := exec.Command("gcc", "-shared", "-fPIC", "-o", filepath.Join(folder, "libcuda.so.1"), filepath.Join("testdata", "fake.c"))
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	tests := []struct {
		name string
		env  string
		want string
	}{
		{"does not start", "FAKE_INIT=999", "no GPU to use: the NVIDIA driver does not start: what the driver says (error 999); nvidia-smi may tell more"},
		{"was updated", "FAKE_INIT=803", "(error 803); the driver was updated while it ran: restart the machine"},
		{"no card at the start", "FAKE_INIT=100", "no GPU to use: the driver finds no card"},
		{"no card", "FAKE_CARDS=0 FAKE_VERSION=12040", "no GPU to use: the driver finds no card"},
		{"old driver", "FAKE_CARDS=1 FAKE_VERSION=11080 FAKE_CAPABILITY=86", "no GPU to use: the driver is for CUDA 11.8 and reads no newer kernels"},
		{"old card", "FAKE_CARDS=1 FAKE_VERSION=12040 FAKE_CAPABILITY=61", "no GPU to use: card 0, NVIDIA Fake, has compute capability 6.1"},
		{"taken", "FAKE_CARDS=1 FAKE_VERSION=12040 FAKE_CAPABILITY=86 FAKE_RETAIN=46", "cuda: taking card 0: what the driver says (error 46)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestFakeDriver$")
			cmd.Env = append(os.Environ(), asked+"=1", "LD_LIBRARY_PATH="+folder)
			cmd.Env = append(cmd.Env, strings.Fields(test.env)...)
			text, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if got := string(text); !strings.Contains(got, test.want) || !strings.Contains(got, "; missing true\n") {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
