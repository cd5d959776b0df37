package main

import (
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"rtcluster/join"
)

// TestTablesLogged runs commands with a line for each step of a clock that is a minute
// further whenever it is looked at: reading and writing are among the stages.
func TestTablesLogged(t *testing.T) {
	a := newTestApp()
	folder := t.TempDir()
	in, out, labels := filepath.Join(folder, "in.parquet"), filepath.Join(folder, "out.csv"), filepath.Join(folder, "labels.parquet")
	a.mustRun(t, exitOK, "generate", "uniform", "-n", "3000", "-d", "1", "-o", in)
	a.now = newTicker(time.Minute).now
	steps := func(args ...string) []string {
		t.Helper()
		a.mustRun(t, exitOK, append(args, "--threads", "1", "--progress", "log", "--force")...)
		var list []string
		for _, l := range lines(&a.stderr) {
			if m := regexp.MustCompile("^rtcluster: (read|new rows|write): (?:[0-9]+ %, [0-9,]+ of|done,) [0-9,]+ rows").FindString(l); m != "" {
				list = append(list, strings.TrimPrefix(m, "rtcluster: "))
			}
		}
		return list
	}
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"Parquet to CSV", []string{"dbscan", in, "-c", "x1", "-e", "0.0001", "-m", "3", "-o", out}, []string{
			"read: 34 %, 1,024 of 3,000 rows", "read: 68 %, 2,048 of 3,000 rows", "read: done, 3,000 rows",
			"write: 34 %, 1,024 of 3,000 rows", "write: 68 %, 2,048 of 3,000 rows", "write: done, 3,000 rows",
		}},
		{"CSV, whose numbers are read once, to Parquet", []string{"dbscan", out, "-c", "x1", "-e", "0.0001", "-m", "3", "--prefix", "again_", "-o", labels}, []string{
			"write: 50 %, 1,500 of 3,000 rows", "write: done, 3,000 rows",
		}},
		{"new rows, after three columns of the clustered ones", []string{"predict", labels, in, "-o", out}, []string{
			"read: 11 %, 341 of 3,000 rows", "read: 22 %, 682 of 3,000 rows", "read: 33 %, 1,000 of 3,000 rows",
			"read: 44 %, 1,341 of 3,000 rows", "read: 56 %, 1,682 of 3,000 rows", "read: 66 %, 2,000 of 3,000 rows",
			"read: 78 %, 2,341 of 3,000 rows", "read: 89 %, 2,682 of 3,000 rows", "read: done, 3,000 rows",
			"new rows: 34 %, 1,024 of 3,000 rows", "new rows: 68 %, 2,048 of 3,000 rows", "new rows: done, 3,000 rows",
			"write: 34 %, 1,024 of 3,000 rows", "write: 68 %, 2,048 of 3,000 rows", "write: done, 3,000 rows",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := steps(test.args...); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q\n%s", got, test.want, &a.stderr)
			}
		})
	}
}

// TestLogDisplayTurns has another stage between the reports of one: that goes on.
func TestLogDisplayTurns(t *testing.T) {
	clock, out := newClock(), &strings.Builder{}
	d := newLogDisplay(newLogger(out, "text", 0), clock.now)
	for _, done := range []int64{0, 10, 20, 30, 40} {
		d.report(stageNewRows, done, 40)
		clock.move(time.Second)
		d.report(join.StageKNN, 0, 7)
		clock.move(2 * time.Second)
		d.report(join.StageKNN, 7, 7)
	}
	want := "rtcluster: knn: done, 7 rows in 2.00 s\n" +
		"rtcluster: new rows: 50 %, 20 of 40 rows, about 6.00 s left\n" +
		"rtcluster: knn: done, 7 rows in 2.00 s\n" +
		"rtcluster: new rows: done, 40 rows in 12.0 s\n" +
		"rtcluster: knn: done, 7 rows in 2.00 s\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestBarDisplayTurns does so with bars: the time of one goes on from its beginning.
func TestBarDisplayTurns(t *testing.T) {
	d := newBarDisplay(&strings.Builder{})
	defer d.close()
	d.report(stageNewRows, 0, 40)
	begun := d.begun[stageNewRows]
	d.report(join.StageKNN, 0, 7)
	d.report(join.StageKNN, 7, 7)
	d.report(stageNewRows, 20, 40)
	if d.begun[stageNewRows] != begun || d.bar == nil || d.done != 20 {
		t.Errorf("began at %v, has done %d; want %v and 20", d.begun[stageNewRows], d.done, begun)
	}
	d.report(stageNewRows, 40, 40)
	if len(d.begun) > 0 || d.bar != nil {
		t.Errorf("got stages %v, want none that is open", d.begun)
	}
}

// TestDisplayShared sees that who asks for a display while there is one gets that, and
// that it is closed by the last.
func TestDisplayShared(t *testing.T) {
	a := newTestApp()
	j, err := a.start("dbscan", &runOptions{Engine: "cpu", Progress: "none", LogFormat: "text"}, &outputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	outer, inner := j.display(), j.display()
	if outer != inner {
		t.Error("two displays at once")
	}
	inner.close()
	if j.screen.users != 1 {
		t.Error("closed by one of two")
	}
	outer.close()
	if again := j.display(); again == outer {
		t.Error("a display that was closed comes again")
	}
}

// TestWritingOnTerminal sees that rows which are printed on a terminal have no bar among
// them; an interruption tells how far they are all the same.
func TestWritingOnTerminal(t *testing.T) {
	a := newTestApp()
	a.isTerminal = func(any) bool { return true }
	a.getenv = func(name string) string { return map[string]string{"TERM": "xterm"}[name] }
	j, err := a.start("dbscan", &runOptions{Engine: "cpu", Progress: "auto", LogFormat: "text"}, &outputOptions{Path: "-"})
	if err != nil {
		t.Fatal(err)
	}
	in := writeFile(t, "in.csv", "x\n1\n2\n")
	s, err := openSource(t.Context(), j, []string{in}, &inputOptions{Columns: []string{"x"}, NaN: "error"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("closed")
	a.out = writerFunc(func([]byte) (int, error) { return 0, full })
	if err := j.writeTable(t.Context(), s, nil, nil); !errors.Is(err, full) {
		t.Fatalf("got error %v, want %v", err, full)
	}
	if j.screen != nil && j.screen.users > 0 || strings.Contains(a.stderr.String(), "write") {
		t.Errorf("got a display: %q", a.stderr.String())
	}
	if far := j.clock.far["write"]; far.total != 2 {
		t.Errorf("got %+v, want 2 rows in all", far)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// writerFunc is a function that takes what is written.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
