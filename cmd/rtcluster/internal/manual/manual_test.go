package manual_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"rtcluster/cmd/rtcluster/internal/manual"
)

// tree is a command of every kind, and words that mean something to Markdown or roff.
func tree() *cobra.Command {
	root := &cobra.Command{Use: "tool COMMAND", Short: "Do things", Run: func(*cobra.Command, []string) {}}
	root.PersistentFlags().String("config", "", "`FILE` with a_b *c* <d> [e](f) and .dots")
	sub := &cobra.Command{
		Use: "run INPUT... [flags]", Short: "Run a_b_c", Run: root.Run,
		Long:    "Takes\n'f*' and 'night*/x_y_z'; 1 < 2, # and `code`.\n.start with a dot\n\n  kept   as it is *\n  .too\n\nLast.",
		Example: "  tool run 'a*' -k 2\n  tool run b_c_d",
	}
	sub.Flags().IntP("count", "k", 7, "how many")
	sub.Flags().Bool("force", false, "overwrite")
	hidden := &cobra.Command{Use: "secret", Hidden: true, Run: root.Run}
	root.AddCommand(sub, hidden, &cobra.Command{Use: "topic", Short: "About something", Long: "  first line\n\nText."})
	return root
}

func write(t *testing.T, date time.Time) (folder string, names []string) {
	t.Helper()
	folder = t.TempDir()
	names, err := manual.Write(tree(), folder, "tool 1.0", date)
	if err != nil {
		t.Fatal(err)
	}
	return folder, names
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestWrite(t *testing.T) {
	folder, names := write(t, time.Date(2026, 3, 31, 23, 0, 0, 0, time.FixedZone("west", -7200)))
	if want := []string{"tool.1", "tool-run.1", "tool-topic.7"}; !slices.Equal(names, want) {
		t.Fatalf("got the pages %q, want %q", names, want)
	}
	page := plainText(read(t, folder, "tool-run.1"))
	for _, want := range []string{
		`.TH "TOOL-RUN" "1" "Apr 2026" "tool 1.0" "tool manual"`,
		"tool-run - Run a_b_c", "'f*' and 'night*/x_y_z'; 1 < 2, # and `code`.", "\n  kept   as it is *\n",
		"--count=int", "how many (default 7)", "--force[=true|false]", "--config=FILE", "FILE with a_b *c* <d> [e](f) and .dots",
		"  tool run 'a*' -k 2\n  tool run b_c_d", "tool(1)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page:\n%s", want, page)
		}
	}
	if topic := read(t, folder, "tool-topic.7"); !strings.Contains(topic, `"7"`) || !strings.Contains(topic, "  first line") {
		t.Errorf("got the topic\n%s", topic)
	}
	for _, name := range names {
		if err := manual.Lint(read(t, folder, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(read(t, folder, name), "cobra") {
			t.Errorf("%s names the library", name)
		}
	}
}

// TestDeterministic wants the same bytes again, and no date but the one given.
func TestDeterministic(t *testing.T) {
	date := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	one, names := write(t, date)
	two, _ := write(t, date)
	for _, name := range names {
		if read(t, one, name) != read(t, two, name) {
			t.Errorf("%s differs the second time", name)
		}
	}
}

// TestFails wants a folder that is not there to be an error.
func TestFails(t *testing.T) {
	if _, err := manual.Write(tree(), filepath.Join(t.TempDir(), "none"), "", time.Time{}); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}

// plainText is a page as a reader sees its words.
func plainText(page string) string {
	return strings.NewReplacer(`\fB`, "", `\fI`, "", `\fR`, "", `\fP`, "", `\fC`, "", `\-`, "-", `\&`, "", `\\`, `\`).Replace(page)
}

func TestLint(t *testing.T) {
	good := ".nh\n.TH \"A\" \"1\"\n\n.SH NAME\na\n.SH SYNOPSIS\n\\fBa\\fP\n.SH DESCRIPTION\n.RS\nx\n.RE\n"
	if err := manual.Lint(good); err != nil {
		t.Errorf("of a good page: %v", err)
	}
	for _, test := range []struct{ name, old, replace, want string }{
		{"no title", ".TH \"A\" \"1\"\n", "", "no title"},
		{"late title", ".TH", "\n\n.TH", "not at the top"},
		{"no synopsis", ".SH SYNOPSIS\n", "", "the sections are NAME, DESCRIPTION"},
		{"quote", "\na\n", "\n'a\n", "takes it for a request"},
		{"dot", "\na\n", "\n.a\n", "an unknown request"},
		{"font", "\\fP", "", "a font is not closed"},
		{"block not closed", ".RE\n", "", "a block is not closed"},
		{"block not open", ".RS\n", "", "is closed that is not open"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := manual.Lint(strings.Replace(good, test.old, test.replace, 1))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
