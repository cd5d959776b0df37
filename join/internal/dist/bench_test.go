package dist_test

import (
	"fmt"
	"testing"

	"rtcluster/join/internal/dist"
)

// benchAtLevels runs f once for each level of the machine.
func benchAtLevels(b *testing.B, f func(b *testing.B)) {
	b.Helper()
	for _, level := range dist.Levels() {
		b.Run("level="+level, func(b *testing.B) {
			defer dist.Use(level)()
			f(b)
		})
	}
}

// perSecond reports a rate, n of what a round.
func perSecond(b *testing.B, n int, what string) {
	b.Helper()
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), what+"/s")
}

var benchDims = []int{2, 3, 8, 18, 90}

// allLanes names every row of a block.
func allLanes() []uint8 {
	lanes := make([]uint8, dist.Lanes)
	for i := range lanes {
		lanes[i] = uint8(i)
	}
	return lanes
}

func BenchmarkTile(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			r, _ := seeded("bench/dim=", dim)
			x, y := block(r, dim, kinds[2], false), block(r, dim, kinds[2], false)
			s := sums(x, y)
			for _, n := range []int{5, dist.Lanes} {
				for _, share := range []string{"none", "all"} {
					limit := inf32
					if share == "none" {
						limit = float32(s[0][0]) * 1e-3
					}
					b.Run(fmt.Sprintf("dim=%d/lanes=%d/hits=%s", dim, n, share), func(b *testing.B) {
						hits, sure, lanes := make([]uint32, n), make([]uint32, n), allLanes()[:n]
						for b.Loop() {
							dist.Tile(hits, sure, x, lanes, y, limit/2, limit)
						}
						perSecond(b, n*dist.Lanes, "pairs")
					})
				}
			}
		}
	})
}

func BenchmarkDistances(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d/lanes=32", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				x, y := block(r, dim, kinds[2], false), block(r, dim, kinds[2], false)
				dst, hits, limits, lanes := make([]float32, 32*32), make([]uint32, 32), make([]float32, 32), allLanes()
				for i := range limits {
					limits[i] = inf32
				}
				for b.Loop() {
					dist.Distances(dst, hits, x, lanes, y, limits)
				}
				perSecond(b, 32*32, "pairs")
			})
		}
	})
}

func BenchmarkNear(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				x, box := block(r, dim, kinds[2], false), make([]float32, 2*dim)
				var mask uint32
				for b.Loop() {
					mask |= dist.Near(x, box, inf32)
				}
				perSecond(b, dist.Lanes, "rows")
			})
		}
	})
}

func BenchmarkNearEach(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				x, box, limits := block(r, dim, kinds[2], false), make([]float32, 2*dim), limitsInTurn(inf32, 1)
				var mask uint32
				for b.Loop() {
					mask |= dist.NearEach(x, box, &limits)
				}
				perSecond(b, dist.Lanes, "rows")
			})
		}
	})
}

func BenchmarkGaps(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				low, box, dst := block(r, dim, kinds[2], false), make([]float32, 2*dim), make([]float32, dist.Lanes)
				var mask uint32
				for b.Loop() {
					mask |= dist.Gaps(dst, low, low, box, inf32)
				}
				perSecond(b, dist.Lanes, "boxes")
			})
		}
	})
}

func BenchmarkRows(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				const n = 1 << 18 // beyond the nearest caches
				src, order := make([]float64, n*dim), r.Perm(n)
				rows, dst := make([]int32, n), make([]float64, dist.Lanes*dim)
				for i, row := range order {
					rows[i] = int32(row)
				}
				at := 0
				for b.Loop() {
					next := (at + dist.Lanes) % n
					dist.Rows(dst, src, rows[at:at+dist.Lanes], rows[next:next+dist.Lanes], dim)
					at = next
				}
				perSecond(b, dist.Lanes, "rows")
			})
		}
	})
}

func BenchmarkSquares(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				const n, many = 1 << 12, 24
				src, rows, dst := make([]float64, n*dim), make([]int32, n), make([]float64, many)
				for i, row := range r.Perm(n) {
					rows[i] = int32(row)
				}
				at := 0
				for b.Loop() {
					dist.Squares(dst, src[:dim], src, rows[at:at+many])
					at = (at + many) % (n - many)
				}
				perSecond(b, many*dim, "terms")
			})
		}
	})
}

func BenchmarkBounds(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				x, box := make([]float64, dist.Lanes*dim), make([]float64, 2*dim)
				for b.Loop() {
					dist.Bounds(box, x, dim)
				}
				perSecond(b, dist.Lanes, "rows")
			})
		}
	})
}

func BenchmarkShift(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				x, by := block(r, dim, kinds[2], false), make([]float32, dim)
				b.SetBytes(int64(8 * len(x)))
				for b.Loop() {
					dist.Shift(x, x, by)
				}
			})
		}
	})
}

func BenchmarkMinMax(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, dim := range benchDims {
			b.Run(fmt.Sprintf("dim=%d", dim), func(b *testing.B) {
				r, _ := seeded("bench/dim=", dim)
				x, low, high := block(r, dim, kinds[2], false), make([]float32, dim), make([]float32, dim)
				b.SetBytes(int64(4 * len(x)))
				for b.Loop() {
					dist.MinMax(low, high, x)
				}
			})
		}
	})
}

func BenchmarkRotate(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, s := range []struct{ d, m int }{{8, 8}, {18, 18}, {90, 3}, {90, 90}, {128, 128}} {
			b.Run(fmt.Sprintf("d=%d/m=%d", s.d, s.m), func(b *testing.B) {
				const rows = 1024
				dst, x := make([]float64, rows*s.m), make([]float64, rows*s.d)
				center, axes := make([]float64, s.d), make([]float64, s.d*s.m)
				for b.Loop() {
					dist.Rotate(dst, x, center, axes, rows, s.m)
				}
				perSecond(b, rows, "rows")
				perSecond(b, 2*rows*s.d*s.m, "flop")
			})
		}
	})
}

func BenchmarkBoxes(b *testing.B) {
	calls := []struct {
		name string
		f    func(a, b []float64) float64
	}{{"gap", dist.Gap2}, {"reach", dist.Reach2}}
	benchAtLevels(b, func(b *testing.B) {
		for _, call := range calls {
			for _, dim := range append([]int{4}, benchDims...) {
				b.Run(fmt.Sprintf("of=%s/dim=%d", call.name, dim), func(b *testing.B) {
					r, _ := seeded("bench/dim=", dim)
					x, y := drawBox(r, dim, false), drawBox(r, dim, false)
					var s float64
					for b.Loop() {
						s += call.f(x, y)
					}
					perSecond(b, 1, "boxes")
				})
			}
		}
	})
}

func BenchmarkAddBits(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		counts := make([]int32, dist.Lanes)
		for b.Loop() {
			dist.AddBits(counts, 0x12345678)
		}
		perSecond(b, 1, "masks")
	})
}

func BenchmarkPartition(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, arrays := range []int{2, 3} {
			for _, n := range []int{100, 1000, 10_000, 1_000_000} {
				b.Run(fmt.Sprintf("arrays=%d/n=%d", arrays, n), func(b *testing.B) { benchPartition(b, arrays, n) })
			}
		}
	})
}

func BenchmarkCut(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, n := range []int{31, 64, 128, 255, 1024} {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				r, _ := seeded("bench/n=", n)
				x := make([]float32, n)
				for i := range x {
					x[i] = float32(r.NormFloat64())
				}
				for b.Loop() {
					dist.Cut(x, n/2, n/2)
				}
				perSecond(b, n, "values")
			})
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, hits := range []int{0, 2, 8, dist.Lanes} {
			b.Run(fmt.Sprintf("hits=%d", hits), func(b *testing.B) {
				const room = 128
				r, _ := seeded("bench/hits=", hits)
				x, ids, counts := make([]float32, dist.Lanes*room), make([]int32, dist.Lanes*room), make([]int32, dist.Lanes)
				src, masks, lanes := block(r, dist.Lanes, kinds[2], false), make([]uint32, dist.Lanes), allLanes()
				for i := range masks {
					for _, j := range r.Perm(dist.Lanes)[:hits] {
						masks[i] |= 1 << j
					}
				}
				for b.Loop() {
					clear(counts)
					dist.Append(x, ids, counts, room, lanes, src, masks, 0)
				}
				perSecond(b, dist.Lanes, "lists")
			})
		}
	})
}

func BenchmarkKeep(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, n := range []int{31, 84, 164, 1024} {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				r, _ := seeded("bench/n=", n)
				from, x, ids := make([]float32, n), make([]float32, n), make([]int32, n)
				for i := range from {
					from[i] = float32(r.NormFloat64())
				}
				for b.Loop() {
					copy(x, from)
					dist.Keep(x, ids, 0)
				}
				perSecond(b, n, "values")
			})
		}
	})
}

func BenchmarkRanks(b *testing.B) {
	benchAtLevels(b, func(b *testing.B) {
		for _, n := range []int{5, 20, 100, 500} {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				r, _ := seeded("bench/n=", n)
				x, ranks := make([]float64, n), make([]int32, n)
				for i := range x {
					x[i] = r.NormFloat64()
				}
				for b.Loop() {
					dist.Ranks(ranks, x)
				}
				perSecond(b, n, "values")
			})
		}
	})
}

// benchPartition parts rows at the middle of each key array in turn, so that
// every round finds them in a new order.
func benchPartition(b *testing.B, arrays, n int) {
	r, _ := seeded("bench/n=", n)
	ids, scratchIDs := make([]int32, n), make([]int32, n)
	var keys, scratch [][]float32
	for range arrays {
		key := make([]float32, n)
		for i := range key {
			key[i] = r.Float32()
		}
		keys, scratch = append(keys, key), append(scratch, make([]float32, n))
	}
	axis := 0
	for b.Loop() {
		dist.Partition(keys, ids, scratch, scratchIDs, axis, 0.5, false)
		axis = (axis + 1) % arrays
	}
	perSecond(b, n, "rows")
}
