package main

import (
	"math/rand/v2"
	"slices"
)

// sample returns the rows that --verify asks for.
func (j *job) sample(rows int) []int { return sampleRows(rows, j.runOpt.Verify, j.runOpt.Seed) }

// sampleRows returns rows at random: distinct, in order, the same for the same
// seed. It is Floyd's method (Bentley and Floyd 1987, doi:10.1145/30401.315746),
// whose memory is that of the sample.
func sampleRows(rows, n int, seed uint64) []int {
	random := rand.New(rand.NewPCG(seed, 0))
	n = min(n, rows)
	taken := make(map[int]bool, n)
	for i := rows - n; i < rows; i++ {
		row := random.IntN(i + 1)
		if taken[row] {
			row = i
		}
		taken[row] = true
	}
	sample := make([]int, 0, n)
	for row := range taken {
		sample = append(sample, row)
	}
	slices.Sort(sample)
	return sample
}
