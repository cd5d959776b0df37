package paper_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rtcluster/bench/paper"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestMain lets the tests call this program as one to be compared with.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "peer" {
		if err := peer(os.Args[2:]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "--csv" {
		profiler(os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// peer joins the rows of a file of CSV, and says that it took 1.5 s. With what "hang" it
// sleeps, with "fail" it fails, with "wrong" it finds a pair too many.
func peer(args []string) error {
	what, path := args[0], args[1]
	eps, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return err
	}
	switch what {
	case "hang":
		time.Sleep(time.Minute)
	case "fail":
		return errors.New("no card of this kind")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	var rows [][]float64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row []float64
		for field := range strings.SplitSeq(lines.Text(), ",") {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return err
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	pairs := 0
	for i, a := range rows {
		for _, b := range rows[i+1:] {
			if join.Within(a, b, join.Squared(eps)) {
				pairs++
			}
		}
	}
	if what == "wrong" {
		pairs++
	}
	fmt.Printf("reading: 9 s\njoin: 1.5e0 s\n%d pairs of %d rows\n", pairs, len(rows))
	return nil
}

// programs writes a file of --programs that calls this program.
func programs(t *testing.T, what, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peers.toml")
	text := fmt.Sprintf("[[program]]\nname = 'peer'\ncommand = ['%s', 'peer', '%s', '{file}', '{eps}']\n%s", os.Args[0], what, more)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const patterns = "seconds = 'join: ([-+.0-9e]+) s'\npairs = '([0-9]+) pairs'\ncounted = 'once'\n"

// engines are the CPU and a card that is not there.
func engines() []paper.Engine {
	return []paper.Engine{{Name: "cpu", Join: cpu.New(cpu.Options{Threads: 2})}, {Name: "cuda", Missing: errors.New("no card")}}
}

// TestCompare wants engine, brute force and another program to agree on the pairs, the time
// that the program told, and an engine that is not there to be so.
func TestCompare(t *testing.T) {
	table := measureBy(t, "compare", &paper.Setting{
		Fraction: 0.0001, Sets: []string{"uniform3"}, Selectivity: []float64{8}, Engines: engines(),
		Values: map[string]string{"programs": programs(t, "", patterns)},
	})
	if got, want := table.Cells("program"), []string{"cpu", "cuda", "brute force", "peer"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got, want := table.Cells("equal"), []string{"", "", "equal", "equal"}; !slices.Equal(got, want) {
		t.Errorf("equal is %q, want %q", got, want)
	}
	if got := table.Cells("seconds"); got[1] != "not measured" || got[3] != "1.5" {
		t.Errorf("seconds are %q", got)
	}
	if !slices.ContainsFunc(table.Notes, func(note string) bool { return strings.Contains(note, "no card") }) {
		t.Errorf("no note says why there is no card: %q", table.Notes)
	}
}

// TestPublished plants a published number that is wrong.
func TestPublished(t *testing.T) {
	s := &paper.Setting{Fraction: 0.0001, Seed: 1, Threads: 2, Engines: engines(), Values: map[string]string{"brute": "no"}}
	set, err := s.Set(t.Context(), "expo3")
	if err != nil {
		t.Fatal(err)
	}
	const eps = 0.01
	pts, err := join.NewPoints(set.Data, set.Dim)
	if err != nil {
		t.Fatal(err)
	}
	var right int64
	for i := range pts.Rows() {
		join.Scan(pts, pts.Row(i), join.Squared(eps), func(int, float64) { right++ })
	}
	for pairs, want := range map[int64]string{right: "equal", right + 1: "unequal"} {
		set.Publish(eps, pairs)
		cases, err := s.Cases(t.Context(), set)
		if err != nil || len(cases) != 1 || cases[0].Eps != eps {
			t.Fatalf("got %d cases, error %v; want that of the published eps", len(cases), err)
		}
		for _, work := range []string{"pairs", "counts"} {
			s.Values["work"] = work
			table, err := s.Contest(t.Context(), cases[0])
			if err != nil {
				t.Fatal(err)
			}
			if got := table.Cells("equal")[0]; got != want {
				t.Errorf("%s: published %d, there are %d: got %q, want %q", work, pairs, right, got, want)
			}
		}
	}
}

// TestProgram wants what other programs do to be told.
func TestProgram(t *testing.T) {
	c := &paper.Case{Set: &paper.Set{Name: "square", Data: []float64{0, 0, 0, 1, 1, 0, 1, 1}, Dim: 2}, Eps: 1} // |R| is 12
	setting := func(what, more string) *paper.Setting {
		return &paper.Setting{Engines: engines()[:1], Threads: 1, Timeout: time.Minute, Values: map[string]string{"brute": "no", "programs": programs(t, what, more)}}
	}
	for _, test := range []struct {
		name, what, more string
		equal            string
		fault            string
	}{
		{"right", "", patterns, "equal", ""},
		{"wrong", "wrong", patterns, "unequal", ""},
		{"counted otherwise", "", "pairs = '([0-9]+) pairs'", "unequal", ""},
		{"whole process", "", "", "", ""},
		{"failed", "fail", patterns, "", "no card of this kind"},
		{"says no time", "", "seconds = 'took ([0-9]+)'", "", "the pattern of seconds"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, err := setting(test.what, test.more).Contest(t.Context(), c)
			if (err != nil) != (test.fault != "") || err != nil && !strings.Contains(err.Error(), test.fault) {
				t.Fatalf("got error %v, want %q", err, test.fault)
			}
			if err == nil && table.Cells("equal")[1] != test.equal {
				t.Errorf("got %q, want %q", table.Cells("equal")[1], test.equal)
			}
		})
	}
	s := setting("hang", patterns)
	s.Timeout = 100 * time.Millisecond
	table, err := s.Contest(t.Context(), c)
	if err != nil || table.Cells("seconds")[1] != ">0.1" || !strings.HasPrefix(table.Cells("of ours")[1], ">") {
		t.Errorf("a program that hangs: got %v, error %v, want that it was cut off", table, err)
	}
}

func TestParsePrograms(t *testing.T) {
	for name, text := range map[string]string{
		"empty":       "",
		"no TOML":     "[[program",
		"no command":  "[[program]]\nname = 'a'",
		"key":         "[[program]]\nname = 'a'\ncommand = ['b']\ntime = 'c'",
		"format":      "[[program]]\nname = 'a'\ncommand = ['b']\nformat = 'hdf5'",
		"counted":     "[[program]]\nname = 'a'\ncommand = ['b']\ncounted = 'twice'",
		"no group":    "[[program]]\nname = 'a'\ncommand = ['b']\nseconds = '[0-9]+'",
		"not regular": "[[program]]\nname = 'a'\ncommand = ['b']\npairs = '('",
	} {
		if _, err := paper.ParsePrograms([]byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line", name, err)
		}
	}
	got, err := paper.ParsePrograms([]byte("[[program]]\nname = 'a'\ncommand = ['b']\n[[program]]\nname = 'c'\ncommand = ['d']\n"))
	if err != nil || len(got) != 2 || got[1].Name != "c" || got[0].Format != "csv" || got[0].Counted != "ordered, self" {
		t.Errorf("got %+v, error %v", got, err)
	}
}

// TestBruteInterrupted wants brute force to stop soon.
func TestBruteInterrupted(t *testing.T) {
	s := &paper.Setting{Fraction: 0.01, Seed: 1, Threads: 2, Engines: engines()[1:], Timeout: 10 * time.Millisecond}
	set, err := s.Set(t.Context(), "uniform3")
	if err != nil {
		t.Fatal(err)
	}
	table, err := s.Contest(t.Context(), &paper.Case{Set: set, Eps: 0.01})
	if err != nil || table.Cells("seconds")[1] != ">0.01" {
		t.Errorf("got %v, error %v, want that it was cut off", table, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Contest(ctx, &paper.Case{Set: set, Eps: 0.01}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that it was cancelled", err)
	}
}
