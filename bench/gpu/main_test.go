package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

func TestOptions(t *testing.T) {
	for _, tc := range []struct {
		name, args, fault string
	}{
		{"none", "", ""},
		{"all", "-set A:a.f32:3:0.5:7 -set B:b:1:2 -latent 1000:3 -latent 1000:3:16 -runs 2 -budget 1 -samples 9 -works counts,pairs -add", ""},
		{"runs", "-runs 0", "-runs 0"},
		{"pattern", "-works [", "-works"},
		{"a set without ε", "-set A:a:3", "NAME:FILE:DIM:EPS"},
		{"a set without a name", "-set :a:3:1", "NAME:FILE:DIM:EPS"},
		{"an ε that is none", "-set A:a:3:x", "ParseFloat"},
		{"ε 0", "-set A:a:3:0", "EPS 0"},
		{"no dimensions", "-set A:a:0:1", "DIM 0"},
		{"latent without columns", "-latent 1000", "ROWS:DIM"},
		{"latent with too much", "-latent 1000:3:4:5", "ROWS:DIM"},
		{"too few rows", "-latent 16:3:16", "more rows"},
		{"bytes", "-bytes 1000:3 -bytes 1000:3:16", ""},
		{"bytes without columns", "-bytes 1000", "ROWS:DIM"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parseOptions(strings.Fields(tc.args), io.Discard)
			if tc.fault == "" && err != nil || tc.fault != "" && (err == nil || !strings.Contains(err.Error(), tc.fault)) {
				t.Errorf("error %v, want one with %q", err, tc.fault)
			}
		})
	}
}

// measureWith measures with an engine in the place of the card's, and returns the report
// and the log.
func measureWith(t *testing.T, e join.Engine, folder, args string) (report, said string) {
	t.Helper()
	opt, err := parseOptions(strings.Fields(args), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	opt.Out, opt.JSON = filepath.Join(folder, "gpu.md"), filepath.Join(folder, "gpu.json")
	var logged bytes.Buffer
	open := func() (*bench, error) { return &bench{engine: e, card: "a card"}, nil }
	if err := measureAll(t.Context(), opt, open, log.New(&logged, "", 0)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(opt.Out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), logged.String()
}

// line writes so many rows at 0, 1, 2, … and returns the file's name.
func line(t *testing.T, folder string, rows int) string {
	t.Helper()
	var text []byte
	for i := range rows {
		var err error
		if text, err = binary.Append(text, binary.LittleEndian, float32(i)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "line.f32")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// contains wants all of some texts in a report.
func contains(t *testing.T, report string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(report, w) {
			t.Errorf("the report lacks %q:\n%s", w, report)
		}
	}
}

// TestMeasure measures a set that is known, then a generated one beside it, then compares
// with peers without measuring.
func TestMeasure(t *testing.T) {
	folder, engine := t.TempDir(), cpu.New(cpu.Options{})
	path := line(t, folder, 100)
	report, _ := measureWith(t, engine, folder, "-runs 2 -commit first -set S2:"+path+":1:1.5:298")
	contains(t, report, "| S2 | 100 × 1 | 1.5 | 298 |", "| 30 met | 18 met | equal |", "commit first", "2 runs",
		"* Wrong totals: none.", "* Missed of what is wished: nothing.")
	report, _ = measureWith(t, engine, t.TempDir(), "-runs 1 -commit third -latent 500:2:4 "+filepath.Join(folder, "gpu.json"))
	contains(t, report, "| S2° | 100 × 1 |", "| latent 500 × 2 | 500 × 2 |")
	report, _ = measureWith(t, engine, folder, "-runs 1 -add -commit second -latent 2000:4:16")
	contains(t, report, "| S2° | 100 × 1 |", "| latent 2000 × 4 | 2000 × 4 |", "equal (1000 rows by brute force)")

	peers := filepath.Join(folder, "peers.json")
	text := `[{"Name": "slow", "Set": "S2", "Seconds": 1e6, "Total": 300, "Floor": 200, "PairsFloor": 1e99, "Note": "a note"},
		{"Name": "right", "Set": "S2", "Seconds": 0, "Total": 298, "Floor": 1}, {"Name": "broken", "Set": "S2", "Failed": "core dumped"}]`
	if err := os.WriteFile(peers, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report, _ = measureWith(t, nil, folder, "-peers "+peers)
	contains(t, report, "| S2 | slow | 1000000.00 | +2 |", "| 200 met |", "1e+99 **missed**", "| S2 | right | 0.00 | none | 0 | 1 **missed** | 0 | – |",
		"| S2 | broken | core dumped |", "slow, S2: a note", "| latent 2000 × 4 | 2000 × 4 |")
}

// TestWrongTotals has a total that is not the file's: every work is told.
func TestWrongTotals(t *testing.T) {
	folder := t.TempDir()
	report, said := measureWith(t, cpu.New(cpu.Options{}), folder, "-runs 1 -set S9:"+line(t, folder, 50)+":1:1.5:149")
	contains(t, report, "**counts: 148, not 149; pairs: 148, not 149; float64: 148, not 149**")
	contains(t, said, "counts: 148, not 149")
	contains(t, report, "* Wrong totals: S9 counts: 148, not 149; S9 pairs")
}

// TestWrongEngine has an engine whose faults brute force and the other works find.
func TestWrongEngine(t *testing.T) {
	folder := t.TempDir()
	report, _ := measureWith(t, faulty{cpu.New(cpu.Options{})}, folder, "-runs 1 -samples 500 -set S9:"+line(t, folder, 500)+":1:1.5")
	contains(t, report, "1 of 500 counts differ from brute force", "pairs: the card is lost", "dbscan: 0, not ")
}

// faulty counts row 7 once too often, gives no pairs and finds no core rows.
type faulty struct{ join.Engine }

func (f faulty) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := f.Engine.Index(ctx, pts)
	return faultyIndex{idx}, err
}

type faultyIndex struct{ join.Index }

func (f faultyIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	err := f.Index.Counts(ctx, q, eps, limit, dst)
	dst[7]++
	return err
}

func (f faultyIndex) Pairs(ctx context.Context, q *join.Points, _ float64, _ func([]join.Pair) error) error {
	if q == nil && f.Points().Rows() == 500 {
		return errors.New("the card is lost")
	}
	return nil
}

func (f faultyIndex) Cluster(ctx context.Context, _ float64, _ int32, _ bool, _ []bool, label []int32) (join.Clustered, error) {
	for i := range label {
		label[i] = -1
	}
	return join.Clustered{Noise: len(label)}, ctx.Err()
}

func TestDisturb(t *testing.T) {
	data := []float64{0, 1, -0.25, 1e30}
	disturb(data)
	for i, x := range data {
		if (float64(float32(x)) == x) != (i == 0) || fmt.Sprintf("%.12g", x) != []string{"0", "1", "-0.25", "1e+30"}[i] {
			t.Errorf("number %d is %v", i, x)
		}
	}
}

// TestBytes wants integers of which each column has the least and the greatest.
func TestBytes(t *testing.T) {
	s, err := parseBytes("500:3:8")
	if err != nil {
		t.Fatal(err)
	}
	pts, data, err := s.points()
	if err != nil || s.Name != "bytes 500 × 3" || pts.Rows() != 500 || !(s.Eps > 1) {
		t.Fatalf("%+v, error %v", s, err)
	}
	var least, most [3]int
	for i, x := range data {
		switch {
		case x != float64(uint8(x)):
			t.Fatalf("number %d is %v", i, x)
		case x == 0:
			least[i%3]++
		case x == 255:
			most[i%3]++
		}
	}
	for k := range 3 {
		if least[k] == 0 || most[k] == 0 {
			t.Errorf("column %d is 0 in %d rows, and 255 in %d", k, least[k], most[k])
		}
	}
}

func TestTypicalDistance(t *testing.T) {
	data := make([]float64, 1000)
	for i := range data {
		data[i] = float64(i) / 4
	}
	pts, err := join.NewPoints(data, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := typicalDistance(pts, 8); got != 1 {
		t.Errorf("ε %v, want 1: 4 rows on either side", got)
	}
}

// TestLimits has a set whose products bind, and then its copies.
func TestLimits(t *testing.T) {
	m := &timed{
		Index: []float64{0.010}, Work: []float64{0.006}, Total: 3_000_000,
		Stages: map[string]float64{"refine": 0.005, "search": 0.001}, Rounds: map[string]int{"refine": 2, "search": 1},
		Counts: map[string]int64{leavesCount: 2_000_000, columnsCount: 112, doubtCount: 10_000},
	}
	s := &set{source: source{Name: "A", Rows: 1_000_000, Dim: 90}, Works: map[string]*timed{countsWork: m}}
	for _, tc := range []struct {
		leaves      int64
		want, binds string
	}{
		// 1e6·91·4 bytes at 55.3e9/s are 6.58 ms; 2·112·8.192e9 operations at 645e12/s
		// 2.84 ms; 8.192e9 pairs at 6.14e12/s 1.33 ms. The stage took 5 of 6 ms.
		{2_000_000, "| 6.58 | 2.84 | 1.33 | 5.00 | 1.7 |", "refine 83 %, 1.8 × matrix rate"},
		{20_000_000, "| 6.58 | 28.4 | 13.3 | 5.00 | 0.5 |", "refine 83 %, 0.2 × matrix rate"},
	} {
		m.Counts[leavesCount] = tc.leaves
		contains(t, s.limitRow(), tc.want, tc.binds, "| 1.00 % |")
	}
	m.Stages[copyStage] = 0.0132
	contains(t, s.limitRow(), "| copy in 69 %, 2.0 × host copies |")
	delete(m.Stages, copyStage)
	if got := m.stages(); got != "refine 5.00 (2), search 1.00" {
		t.Errorf("stages %q", got)
	}
}

// TestSummary has a set that misses everything but its pairs.
func TestSummary(t *testing.T) {
	slow := func(seconds float64) *timed { return &timed{Index: []float64{0}, Work: []float64{seconds}} }
	all := &results{
		Sets: []*set{{source: source{Name: "S1"}, Works: map[string]*timed{
			countsWork: slow(0.101), pairsWork: slow(0.2), dbscanWork: slow(0.303), wideWork: slow(0.202),
		}}, {source: source{Name: "B"}}},
		Peers: []peer{{Name: "P", Set: "S1", Seconds: 10.1, Floor: 200, PairsFloor: 50}, {Name: "Q", Set: "C", Floor: 1}},
	}
	b := &strings.Builder{}
	all.summary(b)
	contains(t, b.String(),
		"* Missed of what is asked: S1 counts in 100 ms (101); S1 dbscan in 2 times the counts (3.00); S1 float64 in 1.3 times the counts (2.00); B: no counts; S1 counts 200 times as fast as P (100).",
		"* Missed of what is wished: S1 counts in 66 ms (101); S1 counts in 40 ms (101).")
	if strings.Contains(b.String(), "Q") || strings.Contains(b.String(), "pairs 50") {
		t.Errorf("what is met, or is not known, is missed:\n%s", b)
	}
}

func TestNoCard(t *testing.T) {
	opt, err := parseOptions([]string{"-latent", "1000:2", "-json", filepath.Join(t.TempDir(), "gpu.json")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	none := errors.New("there is no card")
	if err := measureAll(t.Context(), opt, func() (*bench, error) { return nil, none }, log.New(io.Discard, "", 0)); !errors.Is(err, none) {
		t.Errorf("got error %v, want that there is no card", err)
	}
}
