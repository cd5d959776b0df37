package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"rtcluster/bench/internal/measure"
)

// results is all that was measured; gpu.json holds it.
type results struct {
	Host     measure.Host
	Card     string
	Driver   string
	Runs     int
	FirstUse firstUse
	Sets     []*set
	Peers    []peer `json:",omitempty"`
}

// set is what was measured on one set.
type set struct {
	source
	MinSamples   int
	Want         int64    // the sum of all counts that must come out
	Checked      *checked `json:",omitempty"` // if that was not known
	Cores        int64    // rows with MinSamples or more, by the counts
	Works        map[string]*timed
	Commit, Date string
}

// peer is what another program did on a set.
type peer struct {
	Name, Set  string
	Seconds    float64 // with its index, and without reading the file
	Total      int64   // ordered pairs, and the rows themselves
	Floor      float64 // times faster that our counts are to be
	PairsFloor float64 `json:",omitempty"` // and our pairs
	Note       string  `json:",omitempty"`
	Failed     string  `json:",omitempty"`
}

// openResults begins new results, or goes on with those of earlier calls.
func openResults(opt *options) (*results, error) {
	all := &results{}
	if opt.Add || len(opt.Sets) == 0 {
		if err := measure.ReadJSON(opt.JSON, all); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, path := range opt.Others {
		other := &results{}
		if err := measure.ReadJSON(path, other); err != nil {
			return nil, err
		}
		all.takeIn(other)
	}
	if opt.Peers == "" {
		return all, nil
	}
	all.Peers = nil
	return all, measure.ReadJSON(opt.Peers, &all.Peers)
}

// write writes both files.
func (all *results) write(opt *options) error {
	if err := measure.WriteJSON(opt.JSON, all); err != nil {
		return err
	}
	return os.WriteFile(opt.Out, []byte(all.report()), 0o644)
}

func nameOf(s *set) string { return s.Name }

// put adds a set or replaces that of the same name.
func (all *results) put(s *set) { all.Sets = measure.Put(all.Sets, s, nameOf) }

// takeIn adds what another call, a later one, measured.
func (all *results) takeIn(other *results) {
	before, peers := all.Sets, all.Peers
	*all = *other
	all.Sets = before
	for _, s := range other.Sets {
		all.put(s)
	}
	if len(all.Peers) == 0 {
		all.Peers = peers
	}
}

// find returns the set of a name, nil if there is none.
func (all *results) find(name string) *set { return measure.Find(all.Sets, name, nameOf) }

// done returns a work that was measured, or nil.
func (s *set) done(name string) *timed {
	if m := s.Works[name]; m != nil && len(m.Work) > 0 {
		return m
	}
	return nil
}

// faults says what is not as it must be.
func (s *set) faults() []string {
	var list []string
	for _, name := range works() {
		m := s.Works[name]
		switch want := s.Want; {
		case m == nil:
			continue
		case m.Failed != "":
			list = append(list, name+": "+m.Failed)
		default:
			if name == dbscanWork {
				want = s.Cores
			}
			if m.Total != want {
				list = append(list, fmt.Sprintf("%s: %d, not %d", name, m.Total, want))
			}
		}
	}
	if s.Checked != nil && s.Checked.Wrong > 0 {
		list = append(list, fmt.Sprintf("%d of %d counts differ from brute force", s.Checked.Wrong, s.Checked.Rows))
	}
	return list
}

// verdict says whether all totals are right.
func (s *set) verdict() string {
	if list := s.faults(); len(list) > 0 {
		return "**" + strings.Join(list, "; ") + "**"
	}
	return "equal"
}

// brief says for the log what a work took.
func (m *timed) brief(name string) string {
	if m.Failed != "" {
		return name + ": " + m.Failed
	}
	return fmt.Sprintf("%s: end to end %.1f ms, index %.1f ms (first %.0f and %.0f ms), total %d; stages %s", name,
		1e3*measure.Median(m.endToEnd()), 1e3*measure.Median(m.Index), 1e3*m.First[0], 1e3*m.First[1], m.Total, m.stages())
}

// driverVersion asks the driver's own tool, if it is there.
func driverVersion(ctx context.Context) string {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	text, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
