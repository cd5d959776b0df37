package gpu_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rtcluster/gpu"
	"rtcluster/gpu/internal/driver"
)

// TestOpen holds for every build: either there are engines, or a line that says
// why there are none.
func TestOpen(t *testing.T) {
	engines, err := gpu.Open(gpu.Options{Threads: 1})
	cards, err2 := gpu.Cards()
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Errorf("Open says %v, Cards %v", err, err2)
	}
	switch {
	case err == nil:
		for _, e := range engines {
			d, ok := e.(gpu.Device)
			if !ok || d.Device().Name != cards[0].Name {
				t.Errorf("engine %s does not name card %v", e.Name(), cards[0])
			}
		}
		if len(engines) == 0 {
			t.Error("neither engines nor an error")
		}
		if _, err := gpu.Open(gpu.Options{Device: len(cards)}); !errors.Is(err, gpu.ErrMissing) || !strings.Contains(err.Error(), cards[0].Name) {
			t.Errorf("a card too many: got error %v, want one that lists the cards", err)
		}
	case len(engines) != 0 || len(cards) != 0:
		t.Errorf("got %d engines and %d cards with the error %v", len(engines), len(cards), err)
	case errors.Is(err, gpu.ErrNotBuilt):
		if !strings.Contains(err.Error(), "make cuda") || !strings.Contains(err.Error(), "--engine cpu") {
			t.Errorf("the error %q does not say what to do", err)
		}
	case !errors.Is(err, gpu.ErrMissing):
		t.Errorf("got error %v, want ErrNotBuilt or ErrMissing", err)
	}
}

func TestBudget(t *testing.T) {
	tests := []struct {
		opt    gpu.Options
		memory int64
		want   int64
	}{
		{gpu.Options{}, 1000, 0},
		{gpu.Options{Budget: 300}, 1000, 300},
		{gpu.Options{Share: 0.25}, 1000, 250},
		{gpu.Options{Share: 1e-9}, 1000, 1}, // a limit still
		{gpu.Options{Share: 0.25, Budget: 300}, 1000, 250},
		{gpu.Options{Share: 0.25, Budget: 200}, 1000, 200},
	}
	for _, test := range tests {
		if got := test.opt.BudgetOf(test.memory); got != test.want {
			t.Errorf("%+v on a card of %d bytes: got %d, want %d", test.opt, test.memory, got, test.want)
		}
	}
}

func TestIsFault(t *testing.T) {
	for _, err := range []error{gpu.ErrMissing, gpu.ErrLost, gpu.ErrMemory} {
		if !gpu.IsFault(fmt.Errorf("cuda: %w", err)) {
			t.Errorf("%v is no fault", err)
		}
	}
	for _, err := range []error{nil, gpu.ErrNotBuilt, errors.ErrUnsupported} {
		if gpu.IsFault(err) {
			t.Errorf("%v is a fault", err)
		}
	}
}

// TestCard wants the rates in order: tensor cores make most of it.
func TestCard(t *testing.T) {
	info := driver.Info{Ordinal: 2, Name: "NVIDIA X", Memory: 1 << 30, Capability: 75, Processors: 40, Driver: 12040}
	last := 0.0
	for _, capability := range []int{75, 80, 90} {
		info.Capability = capability
		card := gpu.NewCard(info)
		if card.Rate < 2*last || card.Rate <= 0 {
			t.Errorf("capability %d compares %g pairs a second, the one before %g", capability, card.Rate, last)
		}
		last = card.Rate
	}
	want := gpu.Card{Number: 2, Name: "NVIDIA X", Memory: 1 << 30, Free: -1, Capability: "9.0", Driver: "12.4", Rate: last}
	got := gpu.NewCard(info)
	if got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}
	line := "2: NVIDIA X, 1.0 GiB, compute capability 9.0, driver for CUDA 12.4"
	if got.String() != line {
		t.Errorf("got %q, want %q", got, line)
	}
	got.Free, got.Trouble = 1<<29, "too old"
	line = "2: NVIDIA X, 1.0 GiB (0.5 GiB free), compute capability 9.0, driver for CUDA 12.4; cannot be used: too old"
	if got.String() != line {
		t.Errorf("got %q, want %q", got, line)
	}
}
