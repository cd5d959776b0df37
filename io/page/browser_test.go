package page_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// probe clicks the heads of the first table, twice the second one, and notes what it then
// shows, and what went wrong.
const probe = `<script>
const seen = [];
window.addEventListener("error", (e) => seen.push("error " + e.message));
document.addEventListener("securitypolicyviolation", (e) => seen.push("refused " + e.blockedURI));
window.addEventListener("load", () => {
	const table = document.querySelector("table"), [name, rows] = table.querySelectorAll("th button");
	const note = () => seen.push([...table.tBodies[0].rows].map((r) => r.cells[0].textContent).join("") + " " +
		[...table.tHead.rows[0].cells].map((c) => c.getAttribute("aria-sort")).join(" "));
	for (const b of [name, rows, rows]) { b.focus(); if (document.activeElement !== b) seen.push("no focus"); b.click(); note(); }
	const img = document.querySelector("img");
	seen.push("picture " + img.naturalWidth);
	seen.push("dark " + matchMedia("(prefers-color-scheme: dark)").matches + " " + getComputedStyle(document.body).backgroundColor);
	document.documentElement.dataset.seen = seen.join("; ");
});
</script>`

// browser starts headless Chromium with a page, and returns what it writes.
func browser(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "chrome-headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium in PATH: install it to have the page opened in a browser")
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
	}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, errs.String())
	}
	return out.String(), errs.String()
}

// TestBrowser opens the page in a browser: it renders, sorts by number and by name, says
// so to screen readers, and logs nothing, in light and in dark.
func TestBrowser(t *testing.T) {
	source, _ := rendered(t, example())
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(strings.Replace(source, "<style>", probe+"<style>", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"light", []string{"--blink-settings=preferredColorScheme=1"}, "dark false rgb(255, 255, 255)"},
		{"dark", []string{"--blink-settings=preferredColorScheme=0"}, "dark true rgb(18, 22, 28)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, errs := browser(t, append(test.args, "--dump-dom", "file://"+file)...)
			if strings.Contains(errs, "CONSOLE") {
				t.Errorf("the page logs:\n%s", errs)
			}
			tree, err := html.Parse(strings.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			got, want := attribute(all(tree, "html")[0], "data-seen"), "abc ascending ; acb  ascending; bca  descending; picture 9; "+test.want
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// TestPrint prints the page.
func TestPrint(t *testing.T) {
	source, _ := rendered(t, example())
	folder := t.TempDir()
	file, pdf := filepath.Join(folder, "page.html"), filepath.Join(folder, "page.pdf")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	browser(t, "--print-to-pdf="+pdf, "file://"+file)
	content, err := os.ReadFile(pdf)
	if err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) {
		t.Errorf("got no PDF: %v", err)
	}
}
