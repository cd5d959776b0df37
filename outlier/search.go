package outlier

import (
	"context"
	"slices"
	"sync"

	"rtcluster/join"
)

// search is a search for N, for some k, of the new rows q, or of all rows of a space if
// that is nil. Under [TiesAll] the list of a row is complete if it goes on
// beyond N, or has all that there is; a row whose last places are tied is asked again,
// with longer lists.
type search struct {
	at    *space
	q     *join.Points
	k     int
	asked int // the length of lists
}

func newSearch(at *space, q *join.Points, k int) search {
	s := search{at: at, q: q, k: k, asked: k}
	if at.ties {
		s.asked = min(k+1, at.nodes())
	}
	return s
}

// from returns the rows that have neighbours.
func (s search) from() *join.Points {
	if s.q == nil {
		return s.at.idx.Points()
	}
	return s.q
}

// others returns how many rows the engine has to find for each.
func (s search) others() int {
	if s.q == nil {
		return min(s.asked, s.at.nodes()-1)
	}
	return s.asked
}

// own returns the place of a row, or −1 if it is a new row.
func (s search) own(row int32) int32 {
	if s.q == nil {
		return row
	}
	return -1
}

// alone reports whether a row has no equals in the space: it is not in its list.
func (s search) alone(row int32) bool { return s.q != nil || s.at.count(int(row)) == 1 }

// cut cuts a list to N for a k, and reports whether it shows that this is all.
func (s search) cut(h *hood, k int) (complete bool) {
	if s.at.ties {
		return h.cut(k)
	}
	h.rows, h.d2, h.size = h.rows[:k], h.d2[:k], k
	return true
}

// found returns a list as it is, without rows that are not there.
func (s search) found(row int32, rows []int32, d2 []float64) hood {
	if end := len(rows); s.at.ties && end > 0 && rows[end-1] < 0 {
		end = slices.Index(rows, -1)
		rows, d2 = rows[:end], d2[:end]
	}
	return hood{rows: rows, d2: d2, times: s.at.times, own: s.own(row)}
}

// settle makes a list of others whole: a place of several rows is in its own list, and
// may push the last one out. It returns N, if the list shows that it is complete.
func (s search) settle(row int32, rows []int32, d2 []float64) (h hood, complete bool) {
	if !s.alone(row) {
		at := 0
		for at < len(rows) && rows[at] >= 0 && (join.Neighbor{D2: d2[at], Row: rows[at]}).Less(join.Neighbor{Row: row}) {
			at++
		}
		if at < len(rows) {
			copy(rows[at+1:], rows[at:])
			copy(d2[at+1:], d2[at:])
			rows[at], d2[at] = row, 0
		}
	}
	h = s.found(row, rows, d2)
	complete = s.cut(&h, s.k) || s.asked == s.at.nodes()
	return h, complete
}

// openRows are rows to ask again.
type openRows struct {
	mutex sync.Mutex
	rows  []int32
	err   error
}

func (o *openRows) add(row int32) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.rows = append(o.rows, row)
}

func (o *openRows) fail(err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.err == nil {
		o.err = err
	}
}

// ask looks for N of the rows until it is complete.
func (o *openRows) ask(ctx context.Context, s search, done func(row int32, h hood)) error {
	const longer = 4 // times, each time
	for o.err == nil && len(o.rows) > 0 {
		rows := o.rows
		o.rows = nil
		slices.Sort(rows)
		s.asked = min(longer*s.asked, s.at.nodes())
		near, d2 := make([]int32, s.asked), make([]float64, s.asked)
		o.err = s.at.idx.KNN(ctx, s.from().Subset(rows), s.asked, func(i int, found []join.Neighbor) error {
			if len(found) != s.asked {
				return shortList(int(rows[i]), len(found), s.asked)
			}
			join.SetList(near, d2, found)
			h := s.found(rows[i], near, d2)
			if at := slices.Index(near, rows[i]); s.q == nil && s.alone(rows[i]) && at >= 0 {
				copy(near[at:], near[at+1:])
				copy(d2[at:], d2[at+1:])
				h.rows, h.d2 = near[:len(near)-1], d2[:len(d2)-1]
			}
			if s.cut(&h, s.k) || s.asked == s.at.nodes() {
				done(rows[i], h)
			} else {
				o.rows = append(o.rows, rows[i])
			}
			return nil
		})
	}
	return o.err
}
