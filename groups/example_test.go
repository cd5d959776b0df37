package groups_test

import (
	"fmt"
	"log"

	"rtcluster/groups"
	"rtcluster/join"
)

// Two groups of rows, in a box that is 10 long along the first coordinate: group 1
// crosses its end.
func ExampleSummary() {
	s, err := groups.NewSummary(2, 2, []float64{10, 0})
	if err != nil {
		log.Fatal(err)
	}
	rows, labels := [][]float64{{3, 1}, {9.5, 7}, {5, 3}, {0.5, 7}}, []int{0, 1, 0, 1}
	for i, x := range rows {
		s.Add(labels[i], x)
	}
	for group := range 2 {
		fmt.Println(group, s.Rows(group), s.At(group, 0), s.At(group, 1))
	}
	// Output:
	// 0 2 {4 1 3 5} {2 1 1 3}
	// 1 2 {0 0.5 9.5 0.5} {7 0 7 7}
}

// A group of three positions about a place on the equator.
func ExampleSky() {
	positions, labels := []float64{359.5, 0, 0.5, 0, 0, 0}, []int32{0, 0, 0}
	xyz, err := join.UnitVectors(positions)
	if err != nil {
		log.Fatal(err)
	}
	unit, err := join.NewPoints(xyz, 3)
	if err != nil {
		log.Fatal(err)
	}
	s, err := groups.NewSky(1, labels, unit)
	if err != nil {
		log.Fatal(err)
	}
	for i, label := range labels {
		s.Add(int(label), positions[2*i], positions[2*i+1])
	}
	p := s.At(0)
	fmt.Printf("centre %.1f %.1f, radius %.3f, right ascension from %.1f to %.1f\n", p.RA, p.Dec, p.Radius, p.LowRA, p.HighRA)
	// Output:
	// centre 0.0 0.0, radius 0.500, right ascension from 359.5 to 0.5
}
