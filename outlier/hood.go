package outlier

// hood is the neighbours N of a row by rank, with their squared distances. They are
// rows, or places where rows are equal.
type hood struct {
	rows []int32
	d2   []float64
	size int // |N|, in rows

	times []int32 // how many rows there are at each place, nil for one
	own   int32   // the row's own place, where it is no neighbour itself, or −1
}

// weight returns how many rows of N the one of rank r stands for.
func (h *hood) weight(r int) int {
	switch j := h.rows[r]; {
	case h.times == nil:
		return 1
	case j == h.own:
		return int(h.times[j]) - 1
	default:
		return int(h.times[j])
	}
}

// sum adds up a term of each row of N, by rank, where m equal rows are one term
// times m.
func (h *hood) sum(term func(r int) float64) float64 {
	var s float64
	if h.times == nil { // as below, but quick
		for r := range h.rows {
			s += term(r)
		}
		return s
	}
	for r := range h.rows {
		s += float64(float64(h.weight(r)) * term(r))
	}
	return s
}

// at returns the rank of row r of N, where m equal rows are m.
func (h *hood) at(r int) int {
	rank := 0
	for r -= h.weight(0); r >= 0; r -= h.weight(rank) {
		rank++
	}
	return rank
}

// cut keeps of a longer list the k nearest rows, and of all that is as near as the
// k-th. It reports whether the list shows that this is all: by one that is farther.
func (h *hood) cut(k int) (complete bool) {
	end := 0
	for h.size = 0; end < len(h.rows) && (h.size < k || h.d2[end] == h.d2[end-1]); end++ {
		h.size += h.weight(end)
	}
	complete = end < len(h.rows)
	h.rows, h.d2 = h.rows[:end], h.d2[:end]
	return complete
}
