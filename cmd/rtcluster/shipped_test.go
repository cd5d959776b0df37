package main

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const shipped = "../../testdata/"

// TestShippedTables follows the table in testdata/README.md: the command that
// made each file makes it again, and clustering gives the expected labels.
func TestShippedTables(t *testing.T) {
	readme, err := os.ReadFile(shipped + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (\\S+\\.csv) \\|[^|]*\\| `rtcluster ([^`]*)` \\| `([^`]*)` \\|").FindAllStringSubmatch(string(readme), -1)
	if len(rows) < 5 {
		t.Fatalf("found %d tables in the README, want 5 or more", len(rows))
	}
	for _, row := range rows {
		name, maker, flags := row[1], row[2], strings.Fields(row[3])
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(shipped + name)
			if err != nil {
				t.Fatal(err)
			}
			a := newTestApp()
			checkSameTable(t, generateAgain(t, a, maker), string(want))
			labels, err := os.ReadFile(shipped + "expected/" + name)
			if err != nil {
				t.Fatal(err)
			}
			args := append([]string{"dbscan", shipped + name, "-q", "--keep", "none", "--verify", "100"}, flags...)
			a.mustRun(t, exitOK, args...)
			if a.stdout.String() != string(labels) {
				t.Errorf("rtcluster %s gives other labels than expected/%s", strings.Join(args, " "), name)
			}
		})
	}
}

// checkSameTable wants equal fields, or numbers within 1e-12: sines, which some
// shapes are made of, differ in the last digit between processors and builds.
func checkSameTable(t *testing.T, got, want string) {
	t.Helper()
	split := func(r rune) bool { return r == ',' || r == '\n' }
	gotFields, wantFields := strings.FieldsFunc(got, split), strings.FieldsFunc(want, split)
	if len(gotFields) != len(wantFields) {
		t.Fatalf("got %d fields, want %d", len(gotFields), len(wantFields))
	}
	for i, field := range gotFields {
		if field == wantFields[i] {
			continue
		}
		x, errX := strconv.ParseFloat(field, 64)
		y, errY := strconv.ParseFloat(wantFields[i], 64)
		if errX != nil || errY != nil || math.Abs(x-y) > 1e-12 {
			t.Fatalf("field %d is %s, want %s", i, field, wantFields[i])
		}
	}
}

// generateAgain runs a command of the README, which may cut the header off.
func generateAgain(t *testing.T, a *testApp, maker string) string {
	t.Helper()
	maker, cut := strings.CutSuffix(maker, " -o - \\| tail -n +2 > paper.csv")
	args := strings.Fields(maker)
	if !cut {
		args = args[:len(args)-2] // -o FILE
	}
	a.mustRun(t, exitOK, args...)
	text := a.stdout.String()
	if cut {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}
