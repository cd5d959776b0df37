package jointest_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"rtcluster/join"
	"rtcluster/join/jointest"
)

var inf = math.Inf(1)

func TestSuiteAcceptsTheRightEngine(t *testing.T) {
	if err := jointest.FirstFault(t.Context(), &wrong{}, ""); err != nil {
		t.Error(err)
	}
}

// TestSuiteRejects plants one fault in an engine that is right without it.
func TestSuiteRejects(t *testing.T) {
	for _, test := range faults() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := jointest.FirstFault(t.Context(), test.engine, test.in)
			if err == nil {
				t.Fatal("the suite found nothing")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got fault %q, want one with %q", err, test.want)
			}
		})
	}
}

type fault struct {
	name   string
	engine *wrong
	want   string // part of the message
	in     string // the steps to run; empty: all
}

func faults() []fault {
	return slices.Concat(distanceFaults(), pairFaults(), countFaults(), nearestFaults(), listFaults(), componentFaults(), attachFaults(), weighFaults(), clusterFaults(), callFaults(), metricFaults())
}

func distanceFaults() []fault {
	return []fault{
		{"less than eps", &wrong{near: func(d2, eps float64) bool { return d2 < join.Squared(eps) }}, "eps", ""},
		{"eps in 32 bits", &wrong{near: func(d2, eps float64) bool { return d2 <= join.Squared(float64(float32(eps))) }}, "eps", ""},
		{"compares roots", &wrong{near: func(d2, eps float64) bool { return math.Sqrt(d2) <= eps }}, "eps", ""},
		{"a little slack", &wrong{near: func(d2, eps float64) bool { return d2 <= join.Squared(eps)*(1+1e-15) }}, "eps", ""},
		{"eps*eps kept finite", &wrong{near: func(d2, eps float64) bool { return d2 <= min(join.Squared(eps), math.MaxFloat64) }}, "eps", "case uniform times"},
		{"eps*eps kept above 0", &wrong{near: func(d2, eps float64) bool {
			return d2 <= max(join.Squared(eps), min(eps, math.SmallestNonzeroFloat64))
		}}, "eps", "case uniform times"},
		{"fused sums", &wrong{d2: fused}, "eps", "case uniform n="},
		{"sums backwards", &wrong{d2: backwards}, "eps", "case uniform n="},
		{"sums in pairs", &wrong{d2: inPairs}, "eps", "case uniform n="},
		{"a² + b² − 2ab", &wrong{d2: expanded}, "eps", "case uniform"},
		{"distances in 32 bits", &wrong{d2: in32Bits}, "eps", "case uniform n="},
		{"64 dimensions at most", &wrong{d2: first64}, "90 dimensions", "dim=90"},
	}
}

func pairFaults() []fault {
	edit := func(f func(x *wrongIndex, q *join.Points, eps float64, all []join.Pair) []join.Pair) *wrong {
		return &wrong{pairs: f}
	}
	return []fault{
		{"drops a pair", edit(func(_ *wrongIndex, _ *join.Points, _ float64, all []join.Pair) []join.Pair {
			return all[:max(0, len(all)-1)]
		}), "is missing", ""},
		{"drops a pair of many", edit(func(_ *wrongIndex, _ *join.Points, _ float64, all []join.Pair) []join.Pair {
			if len(all) > 200 {
				return slices.Delete(all, 133, 134)
			}
			return all
		}), "missing", "case uniform n=129"},
		{"adds a pair", edit(func(x *wrongIndex, q *join.Points, eps float64, all []join.Pair) []join.Pair {
			if last := int32(x.pts.Rows() - 1); q == nil && last > 0 && !x.within(x.pts.Row(0), x.pts.Row(int(last)), eps) {
				all = append(all, join.Pair{I: 0, J: last})
			}
			return all
		}), "beyond eps", ""},
		{"gives a pair twice", edit(func(_ *wrongIndex, _ *join.Points, _ float64, all []join.Pair) []join.Pair {
			return append(all, all[:min(1, len(all))]...)
		}), "twice", ""},
		{"gives both orders", edit(func(_ *wrongIndex, q *join.Points, _ float64, all []join.Pair) []join.Pair {
			if q == nil && len(all) > 0 {
				all = append(all, join.Pair{I: all[0].J, J: all[0].I})
			}
			return all
		}), "want I < J", ""},
		{"pairs a row with itself", edit(func(x *wrongIndex, q *join.Points, _ float64, all []join.Pair) []join.Pair {
			if q == nil && x.pts.Rows() > 0 {
				all = append(all, join.Pair{})
			}
			return all
		}), "want I < J", ""},
		{"turns A ⋈ B round", edit(func(_ *wrongIndex, q *join.Points, _ float64, all []join.Pair) []join.Pair {
			if q != nil {
				for at, p := range all {
					all[at] = join.Pair{I: p.J, J: p.I}
				}
			}
			return all
		}), "A ⋈ B", "case B larger than A"},
		{"a row beyond the end", edit(func(x *wrongIndex, _ *join.Points, _ float64, all []join.Pair) []join.Pair {
			return append(all, join.Pair{I: 0, J: int32(x.pts.Rows())})
		}), "out of range", ""},
		{"the same points are a self-join", &wrong{isSelf: func(x *wrongIndex, q *join.Points) bool {
			return q == nil || slices.Equal(q.Data(), x.pts.Data())
		}}, "A ⋈ B", "case B equal to A"},
	}
}

func countFaults() []fault {
	edit := func(f func(x *wrongIndex, q *join.Points, limit int32, dst []int32)) *wrong { return &wrong{counts: f} }
	return []fault{
		{"counts one too many", edit(func(_ *wrongIndex, _ *join.Points, _ int32, dst []int32) {
			if len(dst) > 0 {
				dst[len(dst)-1]++
			}
		}), "Counts", ""},
		{"counts without the row itself", edit(func(_ *wrongIndex, q *join.Points, _ int32, dst []int32) {
			for i := range dst {
				if q == nil {
					dst[i]--
				}
			}
		}), "Counts", ""},
		{"counts beyond the limit", edit(func(_ *wrongIndex, _ *join.Points, limit int32, dst []int32) {
			for i := range dst {
				if dst[i] == limit {
					dst[i]++
				}
			}
		}), "limit", ""},
		{"leaves zeros unwritten", edit(func(_ *wrongIndex, _ *join.Points, _ int32, dst []int32) {
			for i := range dst {
				if dst[i] == 0 {
					dst[i] = -77
				}
			}
		}), "Counts", "case B far from A"},
		{"writes beyond the slice", edit(func(_ *wrongIndex, _ *join.Points, _ int32, dst []int32) {
			beyond(dst)
		}), "beyond the slice", ""},
	}
}

func nearestFaults() []fault {
	edit := func(f func(x *wrongIndex, q *join.Points, row, k int, all []join.Neighbor) []join.Neighbor) *wrong {
		return &wrong{nearest: f}
	}
	return []fault{
		{"breaks ties by the greater row", &wrong{less: func(a, b join.Neighbor) bool {
			return a.D2 < b.D2 || a.D2 == b.D2 && a.Row > b.Row
		}}, "KNN", ""},
		{"sorts by row", &wrong{less: func(a, b join.Neighbor) bool { return a.Row < b.Row }}, "KNN", ""},
		{"drops the first of duplicates for the row", edit(func(x *wrongIndex, q *join.Points, row, k int, all []join.Neighbor) []join.Neighbor {
			if q == nil && len(all) > 0 && all[0].D2 == 0 && int(all[0].Row) < row {
				all[0].Row = int32(row)
			}
			return all[:min(k, len(all))]
		}), "KNN", ""},
		{"one neighbour too few", edit(func(_ *wrongIndex, _ *join.Points, _, k int, all []join.Neighbor) []join.Neighbor {
			return all[:min(k-1, len(all))]
		}), "neighbours, want", ""},
		{"distances, not squares", edit(func(_ *wrongIndex, _ *join.Points, _, k int, all []join.Neighbor) []join.Neighbor {
			for at := range all {
				all[at].D2 = math.Sqrt(all[at].D2)
			}
			return all[:min(k, len(all))]
		}), "KNN", ""},
		{"distances fused, order right", edit(func(x *wrongIndex, q *join.Points, row, k int, all []join.Neighbor) []join.Neighbor {
			for at, n := range all {
				all[at].D2 = fused(x.queries(q).Row(row), x.pts.Row(int(n.Row)))
			}
			return all[:min(k, len(all))]
		}), "KNN", ""},
	}
}

func listFaults() []fault {
	edit := func(f func(k int, rows []int32, d2 []float64)) *wrong { return &wrong{lists: f} }
	// pad changes the places behind short lists.
	pad := func(row int32, square float64) *wrong {
		return edit(func(_ int, rows []int32, d2 []float64) {
			for at := range rows {
				if rows[at] < 0 {
					rows[at], d2[at] = row, square
				}
			}
		})
	}
	return []fault{
		{"lists padded with row 0", pad(0, inf), "Lists", ""},
		{"lists padded with 0 distances", pad(-1, 0), "Lists", ""},
		{"lists the other way round", edit(func(k int, rows []int32, d2 []float64) {
			for from := 0; from < len(rows); from += k {
				slices.Reverse(rows[from : from+k])
				slices.Reverse(d2[from : from+k])
			}
		}), "Lists", ""},
		{"one wrong row in many lists", edit(func(_ int, rows []int32, _ []float64) {
			if len(rows) > 3000 {
				rows[0], rows[1] = rows[1], rows[0]
			}
		}), "Lists", "laws"},
		{"lists beyond the slice", edit(func(_ int, rows []int32, _ []float64) { beyond(rows) }), "beyond a slice", ""},
		{"lists of any length", &wrong{lax: true}, "got no error", "lists"},
		{"lists deaf to the context", &wrong{apart: true}, "Lists under a cancelled context", "done"},
		{"lists without progress", &wrong{apart: true}, "Lists reported nothing", "progress"},
	}
}

func metricFaults() []fault {
	as := func(change func(m *join.Metric)) *wrong {
		return &wrong{as: func(m join.Metric) join.Metric { change(&m); return m }}
	}
	return []fault{
		{"every norm is Euclidean", as(func(m *join.Metric) { m.Norm = join.Euclidean }), "manhattan", "metric"},
		{"chebyshev is manhattan", as(func(m *join.Metric) { m.Norm = min(m.Norm, join.Manhattan) }), "chebyshev", "metric"},
		{"boxes do not wrap", as(func(m *join.Metric) { m.Box = nil }), "wrapped", "metric"},
		{"open coordinates wrap", as(func(m *join.Metric) {
			if m.Box != nil {
				m.Box = slices.Repeat(m.Box[:1], len(m.Box))
			}
		}), "half open", "metric"},
		{"bounds of manhattan are squared", &wrong{near: func(d2, eps float64) bool { return d2 <= join.Squared(eps) }}, "manhattan", "metric"},
		{"takes queries under another metric", &wrong{anyMetric: true}, "took query points", "metric"},
	}
}

func callFaults() []fault {
	return []fault{
		{"deaf to the context", &wrong{deaf: true}, "cancelled context", ""},
		{"careless of emit's errors", &wrong{careless: true}, "want the error of emit", ""},
		{"goes on after emit's error", &wrong{insists: true}, "times more after its error", ""},
		{"overlapping calls of emit", &wrong{overlaps: true}, "overlapped", ""},
		{"returns too early", &wrong{late: true}, "", ""},
		{"never reports the end", &wrong{silent: true}, "last report", ""},
		{"changes the points", &wrong{spoils: true}, "were changed", ""},
	}
}

// beyond writes one place after the end of dst, as faulty assembly could.
func beyond(dst []int32) {
	if len(dst) > 0 {
		unsafe.Slice(&dst[0], len(dst)+1)[len(dst)] = 1 // the suite keeps a guard there
	}
}

func TestGate(t *testing.T) {
	overlap, late := jointest.GateFaults()
	if overlap == nil || !strings.Contains(overlap.Error(), "overlapped") {
		t.Errorf("overlapping calls: got %v", overlap)
	}
	if late == nil || !strings.Contains(late.Error(), "after the join") {
		t.Errorf("a call after the end: got %v", late)
	}
}

// TestFuzzedBytesReject checks that the fuzz target can find a fault at all, under
// each metric that its bytes choose.
func TestFuzzedBytesReject(t *testing.T) {
	as := func(change func(m *join.Metric)) *wrong {
		return &wrong{as: func(m join.Metric) join.Metric { change(&m); return m }}
	}
	euclidean := as(func(m *join.Metric) { m.Norm = join.Euclidean })
	open := as(func(m *join.Metric) { m.Box = nil })
	points := "\x00\x00\x01\x00\x02\x00\x01\x01\x07\x07\x06\x01"
	tests := []struct {
		name, head string
		engine     *wrong
	}{
		{"euclidean", "\x01\x00\x01\x00\x01\x00", &wrong{near: func(d2, eps float64) bool { return d2 < join.Squared(eps) }}},
		{"manhattan", "\x01\x08\x01\x00\x03\x00", euclidean},
		{"chebyshev", "\x01\x10\x01\x00\x03\x00", euclidean},
		{"box", "\x01\x18\x01\x00\x01\x00", open},
		{"box that is open along a coordinate", "\x09\x18\x01\x00\x01\x00", open},
		{"manhattan in a box", "\x01\x20\x01\x00\x01\x00", open},
		{"chebyshev in a box", "\x01\x28\x01\x00\x01\x00", open},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := []byte(test.head + points)
			if err := jointest.CheckBytes(t.Context(), jointest.Brute(), data); err != nil {
				t.Error(err)
			}
			if err := jointest.CheckBytes(t.Context(), test.engine, data); err == nil {
				t.Error("nothing found wrong with the engine")
			}
		})
	}
}
