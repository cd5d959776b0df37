package outlier_test

import (
	"fmt"
	"testing"

	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// FuzzScores compares all methods with definitions for small points on a lattice,
// where ties and equal rows are common; the first byte says how many coordinates
// there are and what k is, and a new row stands at the end.
func FuzzScores(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 3, 3, 9})
	f.Add([]byte{1, 0, 0, 0, 1, 1, 0, 1, 1, 5, 5, 5, 6, 9, 2, 2, 3})
	f.Add([]byte{13, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 2, 200, 100, 7, 7})
	f.Add([]byte{9, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0, 4, 0, 4, 4, 4, 4, 4, 4})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) == 0 || len(bytes) > 120 {
			return
		}
		dim, k := int(bytes[0]%4)+1, int(bytes[0]/4%8)+1
		n := (len(bytes)-1)/dim - 1
		if n <= k {
			return
		}
		var data []float64
		for _, b := range bytes[1 : 1+(n+1)*dim] {
			data = append(data, float64(b))
		}
		pts, q := jointest.Points(t, dim, data[:n*dim]...), jointest.Points(t, dim, data[n*dim:]...)
		e := cpu.New(cpu.Options{Threads: 1})
		var opts []outlier.Options
		for _, m := range outlier.Methods() {
			if m.Nearest() && !(m == outlier.LDOF && k == 1) {
				opts = append(opts, outlier.Options{Method: m, K: k, Engine: e}, outlier.Options{Method: m, K: k, Ties: outlier.TiesAll, Engine: e})
			}
		}
		m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
		if err != nil {
			t.Fatal(err)
		}
		scored, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, opt := range opts {
			compareWithPlain(t, fmt.Sprintf("method %s, k %d, ties %s", opt.Method, k, opt.Ties), pts, q, opt, m.Results()[i], scored[i])
		}
	})
}
