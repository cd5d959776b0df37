package join

// DiameterBound returns what the measures of two rows are at most, of one set of
// points or of several with the same metric: that of the farthest corners of the box
// around all rows, and 0 without rows. It is no larger than need be by the box alone:
// along a coordinate that wraps, no way is longer than half of its length.
//
// Rounding takes nothing from it, since it is monotone: a difference of two rows is
// at most that of the corners, and so is each step of [Norm.Add].
func DiameterBound(sets ...*Points) float64 {
	var low, high []float64
	for _, p := range sets {
		for i := range p.Rows() {
			if low == nil {
				low, high = append(low, p.Row(i)...), append(high, p.Row(i)...)
			}
			for k, x := range p.Row(i) {
				low[k], high[k] = min(low[k], x), max(high[k], x)
			}
		}
	}
	measure := 0.0
	for k := range low {
		metric, wide := sets[0].Metric(), high[k]-low[k]
		if length := metric.Period(k); length > 0 {
			wide = min(wide, length/2)
		}
		measure = metric.Norm.Add(measure, wide)
	}
	return measure
}
