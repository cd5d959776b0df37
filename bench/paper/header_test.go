package paper_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"rtcluster/bench/paper"
)

// TestHeader wants host, card, commit, date and all parameters, and of a file its name alone.
func TestHeader(t *testing.T) {
	e, _ := paper.Find("compare")
	s := &paper.Setting{
		Engines: engines(), Threads: 3, Fraction: 0.25, Selectivity: []float64{64}, Runs: 5, Timeout: time.Minute, Seed: 9,
		Card: "0: a card, driver for CUDA 12.4", Values: map[string]string{"programs": "/home/someone/peers.toml", "work": "counts"},
		Host: paper.Host{Processor: "A processor", Cores: 8, MemoryGiB: 31.5, Go: "go1.26", Commit: "0123456789", Date: "2026-01-02", Instructions: "AVX2"},
	}
	var text strings.Builder
	if err := (&paper.Table{}).WriteText(&text, paper.NewHeader(&e, s)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"compare (Tables IV, V: ", "A processor, 8 cores, 31.5 GiB\n", "AVX2\n", "0: a card, driver for CUDA 12.4\n", "commit 0123456789, go1.26\n",
		"2026-01-02\n", "wec, msd", "synthetic, 0.25 of the rows\n", "for a selectivity of 64\n", "median of 5, each cut off after 1m0s\n",
		"programs      peers.toml\n", "brute         yes\n", "work          counts\n", "seed          9\n", "threads       3\n", "engines       cpu\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the header has not %q:\n%s", want, text.String())
		}
	}
}

// TestNeedCPU wants variants refused for another engine that was asked for, and only then.
func TestNeedCPU(t *testing.T) {
	s := &paper.Setting{Engines: engines()}
	if err := s.NeedCPU("height"); err != nil {
		t.Errorf("nobody asked for an engine: error %v", err)
	}
	s.Asked = true
	if err := s.NeedCPU("height"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("engine cuda: error %v, want that it is not supported", err)
	}
}
