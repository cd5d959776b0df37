package chart_test

import (
	"bytes"
	"fmt"
	"log"

	"rtcluster/io/chart"
)

// Two clusters and a row of noise. The rows are seen twice: for ranges and clusters,
// and to be drawn.
func ExampleScatter() {
	rows := [][3]float64{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}, {8, 9, 1}, {9, 9, 1}, {5, 3, chart.Noise}}
	var x, y chart.Range
	clusters := &chart.Tally{}
	for _, r := range rows {
		x.Add(r[0])
		y.Add(r[1])
		if err := clusters.Add(r[2]); err != nil {
			log.Fatal(err)
		}
	}
	s := chart.NewScatter(x, y, clusters, chart.ScatterOptions{})
	for _, r := range rows {
		s.Add(r[0], r[1], r[2])
	}
	content, err := s.Picture("six rows", "x", "y").Encode(chart.SVG)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(clusters.Clusters(), "clusters,", clusters.Noise(), "noise")
	fmt.Println(bytes.Contains(content, []byte(">0 (3)<")), bytes.Contains(content, []byte(">noise (1)<")))
	// Output:
	// 2 clusters, 1 noise
	// true true
}
