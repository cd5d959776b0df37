package jointest_test

import (
	"slices"

	"rtcluster/join"
)

// This file has the faults of what clusters are made of.

func componentFaults() []fault {
	return []fault{
		{"members joined through others", &wrong{labels: func(member []bool, dst []int32) {
			for i := 2; i < len(dst); i++ {
				if member[i] && member[i-2] && !member[i-1] {
					dst[i] = dst[i-2]
				}
			}
		}}, "Components", ""},
		{"labels by the greatest row", &wrong{labels: func(_ []bool, dst []int32) {
			most := map[int32]int32{}
			for i, label := range dst {
				most[label] = int32(i)
			}
			for i, label := range dst {
				if label >= 0 {
					dst[i] = most[label]
				}
			}
		}}, "Components", ""},
		{"others labelled", &wrong{labels: func(member []bool, dst []int32) {
			for i := range dst {
				if !member[i] {
					dst[i] = 0
				}
			}
		}}, "Components", ""},
	}
}

func attachFaults() []fault {
	return []fault{
		{"the first member's label", &wrong{better: func(_, best int32) bool { return best < 0 }}, "Attach", ""},
		{"the greatest label", &wrong{better: func(found, best int32) bool { return found > best }}, "Attach", ""},
		{"the labels of other rows", &wrong{strangers: true}, "Attach", ""},
		{"no label", &wrong{better: func(int32, int32) bool { return false }}, "Attach", ""},
	}
}

func clusterFaults() []fault {
	return []fault{
		{"clusters counted from 1", &wrong{cluster: func(_ []bool, label []int32, _ *join.Clustered) {
			for i := range label {
				if label[i] >= 0 {
					label[i]++
				}
			}
		}}, "Cluster at eps", ""},
		{"a core row taken for another", &wrong{cluster: func(core []bool, label []int32, _ *join.Clustered) {
			for i := range core {
				if core[i] && label[i] > 0 {
					core[i] = false
					return
				}
			}
		}}, "Cluster at eps", ""},
		{"noise left as it was", &wrong{cluster: func(_ []bool, label []int32, _ *join.Clustered) {
			for i := range label {
				if label[i] < 0 {
					label[i] = 0
				}
			}
		}}, "Cluster at eps", ""},
		{"pairs counted once", &wrong{cluster: func(_ []bool, _ []int32, all *join.Clustered) { all.Ordered /= 2 }}, "Cluster at eps", ""},
		{"noise not counted", &wrong{cluster: func(_ []bool, _ []int32, all *join.Clustered) { all.Noise = 0 }}, "Cluster at eps", ""},
		{"a clustering of any length", &wrong{lax: true}, "clustered with room for too few cores", "clustering"},
	}
}

func weighFaults() []fault {
	// each asks a faulty sum of the weights about each row.
	each := func(reached func(w *join.Weights, i int, near []int) bool) *wrong {
		return &wrong{weigh: func(x *wrongIndex, eps float64, w *join.Weights, dst []bool) {
			for i := range dst {
				var near []int
				for j := range dst {
					if x.within(x.pts.Row(i), x.pts.Row(j), eps) {
						near = append(near, j)
					}
				}
				dst[i] = reached(w, i, near)
			}
		}}
	}
	add := func(w *join.Weights, rows []int, until func(sum []uint64) bool) bool {
		sum := make([]uint64, w.Words())
		for _, j := range rows {
			if join.AddWords(sum, w.Row(j)); until(sum) {
				break
			}
		}
		return w.Reached(sum)
	}
	never := func([]uint64) bool { return false }
	return []fault{
		{"stops at the threshold whatever the signs", each(func(w *join.Weights, _ int, near []int) bool {
			return add(w, near, w.Reached)
		}), "Weigh", ""},
		{"weighs without the row itself", each(func(w *join.Weights, i int, near []int) bool {
			return add(w, slices.DeleteFunc(near, func(j int) bool { return j == i }), never)
		}), "Weigh", ""},
		{"adds up the lowest words only", each(func(w *join.Weights, _ int, near []int) bool {
			sum := make([]uint64, w.Words())
			for _, j := range near {
				join.AddWords(sum[:1], w.Row(j))
			}
			return w.Reached(sum)
		}), "Weigh", ""},
		{"leaves rows unwritten", &wrong{weigh: func(_ *wrongIndex, _ float64, _ *join.Weights, dst []bool) {
			for i := range dst {
				dst[i] = i%2 == 0
			}
		}}, "Weigh", ""},
		{"one wrong row of many", &wrong{weigh: func(_ *wrongIndex, _ float64, _ *join.Weights, dst []bool) {
			if len(dst) > 300 {
				dst[len(dst)/2] = !dst[len(dst)/2]
			}
		}}, "by its pairs", "laws"},
		{"weights of any length", &wrong{lax: true}, "took weights with too few weights", "weights"},
	}
}
