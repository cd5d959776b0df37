package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rtcluster/io/table"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// allScores are arguments that ask for every method.
func allScores() []string {
	return []string{"--method", strings.Join(methodNames(anyMethod), ","), "-k", "4,9", "-e", "0.8", "-m", "4", "--fraction", "0.9"}
}

// lattice is a table of rows on a coarse lattice, many of them equal and tied, and
// one of ten without an x.
func lattice(rows int, seed uint64) string {
	points := jointest.Lattice(rows, 2, 7, seed)
	var text strings.Builder
	text.WriteString("name,x,y\n")
	for i := range rows {
		x := fmt.Sprint(points[2*i])
		if i%10 == 3 {
			x = ""
		}
		fmt.Fprintf(&text, "%d,%s,%v\n", i, x, points[2*i+1])
	}
	return text.String()
}

// writeParts writes a table as so many files of a folder, in order.
func writeParts(t *testing.T, content string, parts int) (folder string, files []string) {
	t.Helper()
	folder = t.TempDir()
	header, rest, _ := strings.Cut(content, "\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	for part := range parts {
		some := lines[part*len(lines)/parts : (part+1)*len(lines)/parts]
		path := filepath.Join(folder, fmt.Sprintf("%d.csv", part))
		if err := os.WriteFile(path, []byte(header+"\n"+strings.Join(some, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return folder, files
}

// TestReferenceIsInput scores a table by itself, and files of a folder by the folder:
// rows have the scores of a run without a reference, to the byte, in every method.
func TestReferenceIsInput(t *testing.T) {
	const rows, parts = 300, 4
	folder, files := writeParts(t, lattice(rows, 5), parts)
	parquet := filepath.Join(t.TempDir(), "all.parquet")
	a := newTestApp()
	a.mustRun(t, exitOK, "outliers", folder, "-c", "x", "--method", "count", "-e", "1", "--nan", "drop", "--keep", "name,x,y", "-o", parquet)
	for _, ties := range []string{"k", "all"} {
		args := append([]string{"outliers", "-c", "x,y", "--nan", "drop", "--scale", "standard", "--keep", "name", "--ties", ties}, allScores()...)
		a.mustRun(t, exitOK, append(args, folder)...)
		_, plain, _ := strings.Cut(a.stdout.String(), "\n")
		told := warnings(a)
		if len(told) < 3 {
			t.Fatalf("ties %s: got the warnings %q, want some of duplicates", ties, told)
		}
		for name, inputs := range map[string][]string{
			"folder": {folder, folder}, "files": slices.Concat([]string{folder}, files),
			"other order": {folder, files[3], files[1]}, "Parquet": {parquet, parquet},
		} {
			t.Run(ties+"/"+name, func(t *testing.T) {
				a.mustRun(t, exitOK, append(append(args, "--verify", "20", "--reference"), inputs...)...)
				want := plain
				if name == "other order" {
					lines := strings.SplitAfter(plain, "\n")
					want = strings.Join(slices.Concat(lines[225:300], lines[75:150]), "")
				}
				if name != "other order" && !slices.Equal(warnings(a), told) {
					t.Errorf("got the warnings %q, want %q", warnings(a), told)
				}
				if _, got, _ := strings.Cut(a.stdout.String(), "\n"); got != want {
					t.Errorf("got other scores than without a reference\n%s", a.stderr.String())
				}
			})
		}
	}
}

// warnings are those of the last run.
func warnings(a *testApp) []string {
	lines := strings.Split(a.stderr.String(), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "rtcluster: warning: ") })
}

// TestReferencePieces has the reference in several files, and new rows in others: the
// scores are those of one file each, and of new rows that come one by one.
func TestReferencePieces(t *testing.T) {
	reference, fresh := lattice(200, 1), lattice(90, 2)
	references, _ := writeParts(t, reference, 7)
	news, _ := writeParts(t, fresh, 4)
	one, other := writeFile(t, "reference.csv", reference), writeFile(t, "new.csv", fresh)
	a := newTestApp()
	for _, ties := range []string{"k", "all"} {
		args := append([]string{"outliers", "-c", "x,y", "--nan", "drop", "--scale", "robust", "--ties", ties}, allScores()...)
		a.mustRun(t, exitOK, append(args, other, "--reference", one, "--verify", "90")...)
		want := a.stdout.String()
		if n := strings.Count(want, ",,\n"); n != 9 {
			t.Fatalf("%d rows without scores, want 9", n)
		}
		a.mustRun(t, exitOK, append(args, news, "--reference", references)...)
		if got := a.stdout.String(); got != want {
			t.Errorf("ties %s: several files have other scores than one", ties)
		}
		lines := strings.SplitAfter(want, "\n")
		for _, row := range []int{0, 44, 89} {
			alone := writeFile(t, "row.csv", strings.SplitAfter(fresh, "\n")[0]+strings.SplitAfter(fresh, "\n")[row+1])
			a.mustRun(t, exitOK, append(args, alone, "--reference", one)...)
			if got := a.stdout.String(); got != lines[0]+lines[row+1] {
				t.Errorf("ties %s: row %d alone has other scores: got %s, want %s", ties, row, got, lines[row+1])
			}
		}
	}
}

// TestNewRows hands on rows in parts of any size, without those dropped, and draws the
// same rows to be verified.
func TestNewRows(t *testing.T) {
	path := writeFile(t, "new.csv", lattice(50, 3))
	tab, err := table.Open(t.Context(), path, table.ReadOptions{Format: "auto", Header: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tab.Close() }()
	for _, most := range []int{0, 1, 3, 10, 49, 50, 51} {
		j := &job{app: newTestApp().app, runOpt: &runOptions{Verify: 20, Seed: 4}}
		j.clock = newStopwatch(j.now)
		r := j.newNewRows(&source{path: path, table: tab, columns: []string{"x", "y"}}, &transform{scale: "none", metric: "euclidean", norm: join.Euclidean}, "drop")
		r.most = most
		sample := slices.Clone(r.sample)
		var used, verified []int
		err := r.each(t.Context(), j, func(s *source, end int64) error {
			if most > 0 && s.points.Rows() > most || end-s.first > 50 {
				t.Errorf("most %d: got %d rows at once", most, s.points.Rows())
			}
			for _, i := range r.sampled(s, end) {
				verified = append(verified, int(s.tableRow(i)))
			}
			for i := range s.points.Rows() {
				used = append(used, int(s.tableRow(i)))
			}
			r.take(s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		for row := range 50 {
			if row%10 != 3 {
				want = append(want, row)
			}
		}
		taken := make([]int, len(r.rows))
		for i, row := range r.rows {
			taken[i] = int(row)
		}
		sample = slices.DeleteFunc(sample, func(row int) bool { return row%10 == 3 })
		if !slices.Equal(used, want) || !slices.Equal(taken, want) || !slices.Equal(verified, sample) || len(verified) < 10 {
			t.Errorf("most %d: got rows %v, noted %v, want %v; verified %v, want %v", most, used, taken, want, verified, sample)
		}
	}
}

func TestInPlaces(t *testing.T) {
	tests := []struct {
		name  string
		rows  []int32
		total int64
		want  []float64
	}{
		{"all", nil, 3, []float64{1, 2, 3}},
		{"holes", []int32{1, 2, 5}, 7, []float64{0, 1, 2, 0, 0, 3, 0}},
		{"first", []int32{0, 1, 2}, 4, []float64{1, 2, 3, 0}},
		{"last", []int32{2, 3, 4}, 5, []float64{0, 0, 1, 2, 3}},
	}
	for _, tc := range tests {
		for _, room := range []int64{3, tc.total, tc.total + 5} {
			values := make([]float64, 3, room)
			copy(values, []float64{1, 2, 3})
			for i := range values[3:room] {
				values[3:room][i] = 99 // which is not to be seen
			}
			got := inPlaces(values, tc.rows, tc.total)
			if !slices.Equal(got, tc.want) {
				t.Errorf("%s, room for %d: got %v, want %v", tc.name, room, got, tc.want)
			}
			if inside := &got[0] == &values[0]; inside != (room >= tc.total || tc.rows == nil) {
				t.Errorf("%s, room for %d: in place is %v", tc.name, room, inside)
			}
		}
	}
}

// TestReferenceChanges has a file that is written to between its two readings.
func TestReferenceChanges(t *testing.T) {
	points := func(data ...float64) *join.Points { return jointest.Points(t, 1, data...) }
	reference := &source{path: "r.csv", points: points(1, 2, 5)}
	shared := &sharedFiles{starts: []int64{0, 4}, own: []int64{-1, 0}}
	tab, err := table.Open(t.Context(), writeFile(t, "in.csv", "x\n1\n"), table.ReadOptions{Format: "auto", Header: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tab.Close() }()
	tests := []struct {
		name  string
		first int64
		rows  []int32
		data  []float64
		want  *ownRows // nil for an error
	}{
		{"as it was", 4, nil, []float64{1, 2, 5}, &ownRows{0, 3}},
		{"its end", 5, nil, []float64{2, 5}, &ownRows{1, 3}},
		{"another value", 4, nil, []float64{1, 3, 5}, nil},
		{"longer", 4, nil, []float64{1, 2, 5, 6}, nil},
		{"a hole", 4, []int32{0, 2}, []float64{1, 2}, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := shared.rows(reference, &source{path: "r.csv", table: tab, first: tc.first, rows: tc.rows, points: points(tc.data...)})
			if tc.want == nil {
				if err == nil || exitCode(err) != exitData || !strings.Contains(err.Error(), "is not what it was when it was read for --reference") {
					t.Errorf("got %v, want an error of the data", err)
				}
			} else if err != nil || got == nil || *got != *tc.want {
				t.Errorf("got %v, %v, want %v", got, err, tc.want)
			}
		})
	}
	if got, err := shared.rows(reference, &source{first: 3, points: points(7)}); got != nil || err != nil {
		t.Errorf("rows of another file: got %v, %v", got, err)
	}
}
