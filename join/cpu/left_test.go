package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestAttachLeavesRows attaches rows that spread along all axes alike, with a few in
// each leaf that find no member, or none with the smallest label, until the end.
func TestAttachLeavesRows(t *testing.T) {
	const n, dim, eps = 2600, 16, 3.9
	rng := rand.New(rand.NewPCG(4, 16))
	data := make([]float64, n*dim)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	pts := jointest.Points(t, dim, data...)
	near := make([][]int32, n)
	for i := range n {
		for j := range n {
			if join.Within(pts.Row(i), pts.Row(j), join.Squared(eps)) {
				near[i] = append(near[i], int32(j))
			}
		}
	}
	for _, labels := range []int{1, 2, 40} {
		for _, least := range []int{6, 60} {
			t.Run(fmt.Sprintf("labels=%d/least=%d", labels, least), func(t *testing.T) {
				member, label, dst := make([]bool, n), make([]int32, n), make([]int32, n)
				for i := range n {
					member[i], label[i] = len(near[i]) >= least, int32(i*i%labels)
				}
				idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 3}), pts)
				if err := idx.(join.Attacher).Attach(t.Context(), nil, eps, member, label, dst); err != nil {
					t.Fatal(err)
				}
				noise := 0
				for i := range n {
					want := smallestNear(near[i], member, label)
					if member[i] {
						want = label[i]
					}
					if dst[i] != want {
						t.Fatalf("row %d, a member %t: label %d, want %d", i, member[i], dst[i], want)
					}
					if want < 0 {
						noise++
					}
				}
				if least == 60 && (noise < n/100 || noise > n/2) {
					t.Errorf("%d of %d rows have no member near them, want some", noise, n)
				}
			})
		}
	}
}

func smallestNear(near []int32, member []bool, label []int32) int32 {
	smallest := int32(-1)
	for _, j := range near {
		if member[j] && (smallest < 0 || label[j] < smallest) {
			smallest = label[j]
		}
	}
	return smallest
}
