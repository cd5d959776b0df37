package driver_test

import (
	"errors"
	"strings"
	"testing"

	"rtcluster/gpu/internal/driver"
)

func TestPick(t *testing.T) {
	good := driver.WithPools(driver.Info{Name: "NVIDIA A", Capability: 75, Driver: 12010})
	list := []driver.Info{good, good, good, good}
	for i := range list {
		list[i].Ordinal = i
	}
	list[1].Driver = 12000
	list[2].Capability = 70
	list[3] = driver.Info{Ordinal: 3, Name: "NVIDIA V", Capability: 90, Driver: 13000}
	tests := []struct {
		number int
		want   string // of the error, empty for none
	}{
		{0, ""},
		{1, "no GPU to use: the driver is for CUDA 12.0 and reads no newer kernels, these take one for CUDA 12.1 (version 530) or later: update the driver"},
		{2, "no GPU to use: card 2, NVIDIA A, has compute capability 7.0, the kernels take 7.5 or more"},
		{3, "no GPU to use: card 3, NVIDIA V, has no memory pools"},
		{4, "no GPU to use: there is no card 4, only 0 (NVIDIA A), 1 (NVIDIA A), 2 (NVIDIA A), 3 (NVIDIA V)"},
		{-1, "no GPU to use: there is no card -1"},
	}
	for _, test := range tests {
		got, err := driver.Pick(list, test.number)
		switch {
		case test.want == "" && (err != nil || got != list[test.number]):
			t.Errorf("card %d: got %v, %v", test.number, got, err)
		case test.want == "":
		case !errors.Is(err, driver.ErrMissing) || !strings.HasPrefix(err.Error(), test.want):
			t.Errorf("card %d: got error %v, want %s", test.number, err, test.want)
		}
	}
}
