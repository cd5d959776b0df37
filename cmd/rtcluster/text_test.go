package main

import (
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 22055: "22,055", 4899930000: "4,899,930,000",
		-1: "-1", -999: "-999", -1234567: "-1,234,567", -9223372036854775808: "-9,223,372,036,854,775,808",
	} {
		if got := grouped(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.000 s", 1234 * time.Microsecond: "0.001 s", 2500 * time.Millisecond: "2.50 s",
		12345 * time.Millisecond: "12.3 s", 2 * time.Hour: "7200 s",
	} {
		if got := seconds(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 1113: "1,113th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"as it is", "α Cen — B", "α Cen — B"},
		{"escape", "\x1b[31mred\x7f\n", "?[31mred??"},
		{"escape of eight bits", "a\u009b31m", "a?31m"},
		{"no UTF-8", "a\xffb", "a?b"},
		{"32 characters", strings.Repeat("é", 32), strings.Repeat("é", 32)},
		{"33 characters", strings.Repeat("é", 33), strings.Repeat("é", 29) + "..."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := printable(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPlainMessages has names and values of the data that a terminal would obey, and a
// name of two lines.
func TestPlainMessages(t *testing.T) {
	in := writeFile(t, "in.csv", "\"x\x1b]0;owned\a\ny\",z,label\n0,1,a\n1,2,\u009b31m\n2,4,b\n")
	for name, test := range map[string]struct {
		code int
		args []string
		want string
	}{
		"message": {exitData, []string{"dbscan", in, "-c", "none", "-e", "1", "-m", "2"}, `no column "none"; columns are x?]0;owned??y, z, label` + "\n"},
		"choice":  {exitOK, []string{"dbscan", in, "-e", "1", "-m", "2", "-o", in + ".out.csv"}, "coordinates are all numeric columns: x?]0;owned??y, z "},
		"summary": {exitOK, []string{"outliers", in, "-c", "z", "--method", "knn", "-k", "1", "--evaluate", "label", "--evaluate-outlier", "\u009b31m", "-o", in + ".scores.csv"}, "1 outlier (?31m)"},
		"table":   {exitOK, []string{"describe", in}, "x?]0;owned??y"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newTestApp()
			a.mustRun(t, test.code, test.args...)
			got := a.stdout.String() + a.stderr.String()
			if !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q in it", got, test.want)
			}
			if strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
				t.Errorf("there is a control character in %q", got)
			}
		})
	}
}
