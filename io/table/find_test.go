package table_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// TestFind looks for files in a folder of many.
func TestFind(t *testing.T) {
	dir := textFiles(t,
		"a.csv", "", "b.CSV.gz", "", "c.txt", "", "_x.csv", "", ".y.csv", "", "d/a/e.parquet", "", "d/a/x.csv", "", "d/a/a/x.csv", "",
		"d/_tmp/z.csv", "", "d/w[1].tsv", "", "empty/readme", "", "list", "# names\na.csv\n\n d \n", "lists", "@list\n",
		"blank", "\n# no\n")
	t.Chdir(dir)
	if err := os.Symlink("..", "d/a/up"); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := os.Symlink("d", "link"); err != nil {
		t.Fatal(err)
	}
	all := "a.csv b.CSV.gz"
	below := "d/a/a/x.csv d/a/e.parquet d/a/x.csv d/w[1].tsv"
	tests := []struct {
		name   string
		list   string
		format string
		want   string // paths; or an error
		err    error
	}{
		{"files in their order", "c.txt a.csv _x.csv -", "", "c.txt a.csv _x.csv -", nil},
		{"folder with a link upwards", "d", "", "is a link to a folder above it", nil},
		{"pattern", "*", "", "is a link to a folder above it", nil},
		{"pattern of files", "*.csv", "", "a.csv", nil},
		{"pattern of hidden files", "_*", "", "_x.csv", nil},
		{"pattern in any folder", "**/*.csv", "", "a.csv d/a/a/x.csv d/a/x.csv", nil},
		{"pattern through links", "link/a/*.csv", "", "link/a/x.csv", nil},
		{"several stars", "**/a/**/*.csv", "", "d/a/a/x.csv d/a/x.csv", nil},
		{"stars at the end", "d/a/**", "", "is a link to a folder above it", nil},
		{"stars alone", "d/a/a/**", "", "d/a/a/x.csv", nil},
		{"folders by pattern", "d/[a]/?", "", "d/a/a/x.csv", nil},
		{"a name that looks like a pattern", "d/w[1].tsv", "", "d/w[1].tsv", nil},
		{"slash at the end", "d/*/a/", "", "d/a/a/x.csv", nil},
		{"up", "d/../*.gz", "", "b.CSV.gz", nil},
		{"no match", "*.fits", "", "", table.ErrNoInput},
		{"no folder", "none/*.csv", "", "", table.ErrNoInput},
		{"no such file", "none.csv", "", "", os.ErrNotExist},
		{"no pattern", "d/[a", "", "", table.ErrPattern},
		{"empty folder", "empty", "", "", table.ErrNoInput},
		{"empty folder, any name", "empty", "csv", "empty/readme", nil},
		{"twice", "a.csv ./a.csv", "", "", table.ErrTwice},
		{"twice by a pattern", "a.csv *.csv", "", "", table.ErrTwice},
		{"list", "@list", "", "is a link to a folder above it", nil},
		{"list of lists", "@lists", "", "", os.ErrNotExist},
		{"blank list", "@blank", "", "", table.ErrNoInput},
		{"no list", "@none", "", "", os.ErrNotExist},
		{"list from standard input", "@-", "", all, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found, err := table.Find(strings.Fields(test.list), test.format, strings.NewReader(strings.ReplaceAll(all, " ", "\n")))
			if err != nil {
				if test.err != nil && !errors.Is(err, test.err) || test.err == nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("got the error %v, want %v or %s", err, test.err, test.want)
				}
				return
			}
			var got []string
			for _, in := range found.Inputs {
				got = append(got, filepath.ToSlash(in.Path))
			}
			if strings.Join(got, " ") != test.want || test.err != nil {
				t.Errorf("got %q, want %q, %v", got, test.want, test.err)
			}
		})
	}
	if err := os.Remove("d/a/up"); err != nil {
		t.Fatal(err)
	}
	found, err := table.Find([]string{"d"}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range found.Inputs {
		got = append(got, in.Path)
	}
	if strings.Join(got, " ") != below || len(found.Skipped) != 0 {
		t.Errorf("got %q, skipped %q, want %q", got, found.Skipped, below)
	}
	if found.Inputs[0].Name != "a/a/x.csv" {
		t.Errorf("got the name %q below the folder", found.Inputs[0].Name)
	}
}
