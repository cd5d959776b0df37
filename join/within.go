package join

// SquaredDistance returns Σ_k (a_k − b_k)² in float64, with the terms added in
// order and each difference, product and sum rounded once: the conversions
// forbid the compiler to fuse them. b must be at least as long as a.
func SquaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	var sum float64
	for k, x := range a {
		diff := x - b[k]
		sum += float64(diff * diff)
	}
	return sum
}

// Within reports whether a and b are neighbours: SquaredDistance(a, b) ≤ eps2,
// where eps2 is [Squared](ε). It is the one definition of nearness; engines
// must reproduce it.
func Within(a, b []float64, eps2 float64) bool {
	return SquaredDistance(a, b) <= eps2
}

// Squared returns ε·ε rounded once to float64, the bound that [Within] uses.
// It is 0 or +Inf where the product under- or overflows.
func Squared(eps float64) float64 { return float64(eps * eps) }

// Scan calls visit, in row order, for each row of pts whose measure d2 from x,
// for Euclidean points the squared distance, is at most bound: the definition of
// a query, O(Rows·Dim). Engines are verified against it. The bound of ε is
// pts.Metric().Bound(ε), for Euclidean points [Squared](ε).
func Scan(pts *Points, x []float64, bound float64, visit func(row int, d2 float64)) {
	for i := range pts.Rows() {
		if d2 := pts.metric.Measure(x, pts.Row(i)); d2 <= bound {
			visit(i, d2)
		}
	}
}
