package main

import "fmt"

// The kinds of work.
const (
	dbscanWork = "dbscan"
	countWork  = "count"
	knnWork    = "knn"
	lofWork    = "lof"
)

const (
	nearest = 20             // k of kNN and LOF
	anyPeer = "exact"        // a floor against the fastest exact peer
	sklearn = "scikit-learn" // with the algorithm that it chooses by itself

	// sklearnTree is scikit-learn told to use its kd-tree.
	sklearnTree = "scikit-learn, kd-tree"
	arborx      = "ArborX"
)

// floor is how many times faster than a peer ours has to be.
type floor struct {
	Against string // anyPeer, or the peer's name
	AtLeast float64
}

// row is one measurement: a work on a set.
type row struct {
	Set       string
	Work      string
	Neighbors int // about so many within ε of a row; 0 for kNN and LOF
	Floors    []floor
}

// name returns for example "dbscan-A2-16" or "knn-A3".
func (r row) name() string {
	if r.Neighbors == 0 {
		return r.Work + "-" + r.Set
	}
	return fmt.Sprintf("%s-%s-%d", r.Work, r.Set, r.Neighbors)
}

// allRows returns the rows in the order of the report.
func allRows() []row {
	low := []floor{{anyPeer, 4}, {sklearn, 25}}
	latent := []floor{{anyPeer, 15}, {sklearn, 60}}
	wide := []floor{{anyPeer, 60}}
	unpruned := []floor{{anyPeer, 3}}
	var rows []row
	add := func(work string, floors []floor, neighbors []int, sets ...string) {
		for _, set := range sets {
			for _, k := range neighbors {
				rows = append(rows, row{Set: set, Work: work, Neighbors: k, Floors: floors})
			}
		}
	}
	both := []int{16, 256}
	add(dbscanWork, low, both, "A2", "A3")
	add(dbscanWork, nil, both, "B3")
	add(dbscanWork, low, both, "E2")
	add(dbscanWork, nil, []int{5000}, "E2")
	add(dbscanWork, latent, both, "C8", "D18")
	add(dbscanWork, wide, both, "D90")
	add(dbscanWork, unpruned, both, "U8", "G18", "G128")
	add(countWork, []floor{{arborx, 6}}, both, "A2", "A3")
	add(countWork, []floor{{arborx, 15}}, both, "C8")
	add(countWork, nil, both, "D18", "D90", "U8", "G18", "G128")
	for _, work := range []string{knnWork, lofWork} {
		add(work, ours(work, floor{arborx, 2}), []int{0}, "A2")
		add(work, ours(work, floor{arborx, 2}, floor{sklearn, 10}), []int{0}, "A3")
		add(work, nil, []int{0}, "C8")
		add(work, []floor{{sklearn, 40}}, []int{0}, "D18")
		add(work, []floor{{sklearn, 30}}, []int{0}, "D90")
	}
	return rows
}

// ours leaves out the floors against ArborX where the work is LOF, which it
// does not have.
func ours(work string, floors ...floor) []floor {
	var kept []floor
	for _, f := range floors {
		if work != lofWork || f.Against != arborx {
			kept = append(kept, f)
		}
	}
	return kept
}

// kernelRate returns the pairs a second of a kernel written by hand on one core
// of the machine that the floors were set on, 0 where it was not measured:
// float32, AVX-512, differences. At 128 it is that of 90 coordinates, scaled.
func kernelRate(dim int) float64 {
	switch dim {
	case 18:
		return 2.49e9
	case 128:
		return 0.51e9 * 90 / 128
	}
	return 0
}

const (
	kernelFloor = 1.4 // counts may take so many times the kernel's time
	threadFloor = 1.8 // two threads against one, at threadDim coordinates or more
	threadDim   = 8
)
