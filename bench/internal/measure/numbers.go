package measure

import (
	"bytes"
	"os"
	"slices"
	"strconv"
)

// PeakMiB returns the greatest resident memory that this process had, 0 where
// the system doesn't say.
func PeakMiB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return statusMiB(text, "VmHWM:")
}

// statusMiB finds a line such as "VmHWM:   1024 kB".
func statusMiB(text []byte, label string) float64 {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) > 1 && string(fields[0]) == label {
			kib, err := strconv.ParseFloat(string(fields[1]), 64)
			if err == nil {
				return kib / 1024
			}
		}
	}
	return 0
}

// Median returns the middle of x, the mean of two if there are two; 0 of none.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
