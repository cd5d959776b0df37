package main

import (
	"math"
	"testing"
)

func TestParseSize(t *testing.T) {
	tests := []struct {
		text string
		want float64 // 0: refused
	}{
		{"4GiB", 4 << 30},
		{"1.5 MiB", 1.5 * (1 << 20)},
		{"512MB", 512e6},
		{"512mb", 512e6},
		{"2kB", 2000},
		{"1TiB", 1 << 40},
		{"2000000000", 2e9},
		{"100B", 100},
		{"", 0},
		{"GiB", 0},
		{"0", 0},
		{"-1GiB", 0},
		{"inf", 0},
		{"nan", 0},
		{"0x10MB", 0},
		{"4XB", 0},
		{"101%", 0},
		{"4 G i B", 0},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := parseSize(test.text)
			if got != test.want || (err != nil) != (test.want == 0) {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
	half, err := parseSize("50%")
	all, _ := parseSize("100%")
	if math.IsInf(totalMemory(), 1) {
		if err == nil {
			t.Error("50% of an unknown memory is no error")
		}
	} else if err != nil || half <= 0 || half*2 != all || all != totalMemory() {
		t.Errorf("got %v for 50%% and %v for 100%% of %v (%v)", half, all, totalMemory(), err)
	}
}
