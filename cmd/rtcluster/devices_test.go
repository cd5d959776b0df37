package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rtcluster/gpu"
)

// TestDevices lists cards, and says why there is none or why one is of no use.
func TestDevices(t *testing.T) {
	card := func(number int, free int64, trouble string) gpu.Card {
		return gpu.Card{
			Number: number, Name: "NVIDIA Fake", Memory: 80 << 30, Free: free,
			Capability: "9.0", Driver: "12.4", Trouble: trouble,
		}
	}
	missing := fmt.Errorf("%w: no NVIDIA driver on this machine: libcuda.so.1: cannot open", gpu.ErrMissing)
	none := fmt.Errorf("%w: libnvoptix.so.1: cannot open", gpu.ErrMissing)
	tests := []struct {
		name  string
		cards []gpu.Card
		err   error
		want  string // of the lines of cuda
		ready bool
		optix error
		line  string // of optix
	}{
		{
			"two cards",
			[]gpu.Card{card(0, 79<<30, ""), card(1, -1, "no GPU to use: taken")},
			nil,
			"cuda    ready  0: NVIDIA Fake, 80.0 GiB (79.0 GiB free), compute capability 9.0, driver for CUDA 12.4\n" +
				"               1: NVIDIA Fake, 80.0 GiB, compute capability 9.0, driver for CUDA 12.4; cannot be used: no GPU to use: taken\n",
			true,
			nil,
			"optix   ready  on the cards of cuda; ",
		},
		{
			"a card without OptiX",
			[]gpu.Card{card(0, 79<<30, "")},
			nil,
			"cuda    ready    0: NVIDIA Fake, 80.0 GiB (79.0 GiB free), compute capability 9.0, driver for CUDA 12.4\n",
			true,
			none,
			"optix   missing  no GPU to use: libnvoptix.so.1: cannot open\n",
		},
		{
			"none of use",
			[]gpu.Card{card(0, -1, "too old")},
			nil,
			"cuda    missing  no card can be used, see below\n" +
				"                 0: NVIDIA Fake, 80.0 GiB, compute capability 9.0, driver for CUDA 12.4; cannot be used: too old\n",
			false,
			nil,
			"optix   missing  no card can be used, see cuda\n",
		},
		{"no driver", nil, missing, "cuda    missing  no GPU to use: no NVIDIA driver on this machine: libcuda.so.1: cannot open\n", false, none, "optix   missing  no GPU to use: no NVIDIA driver on this machine: libcuda.so.1: cannot open\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp()
			a.cards = func() ([]gpu.Card, error) { return test.cards, test.err }
			a.optix = func() error { return test.optix }
			a.mustRun(t, exitOK, "devices")
			if got := a.stdout.String(); !strings.Contains(got, "\n"+test.want+test.line) {
				t.Errorf("got\n%s\nwant in it\n%s%s", got, test.want, test.line)
			}
			a.mustRun(t, exitOK, "devices", "--json")
			var got struct{ Engines []engineState }
			if err := json.Unmarshal(a.stdout.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			cuda := got.Engines[1]
			if cuda.Engine != "cuda" || cuda.Ready != test.ready || (cuda.Missing == "") != test.ready || len(cuda.Cards) != len(test.cards) {
				t.Errorf("got %+v", cuda)
			}
			if optix := got.Engines[2]; optix.Engine != "optix" || optix.Ready != (test.ready && test.optix == nil) || (optix.Missing == "") != optix.Ready {
				t.Errorf("got %+v", optix)
			}
			for i, card := range cuda.Cards {
				if card != test.cards[i] {
					t.Errorf("got %+v, want %+v", card, test.cards[i])
				}
			}
		})
	}
}
