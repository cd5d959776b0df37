package page_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"rtcluster/io/page"
)

const hostile = `</script><script>alert("x")</script>'"><img src=http://evil.example/x onerror=alert(1)>`

const report = `{"schema_version":2,"version":"v1","command":"dbscan","args":["dbscan"],
"inputs":[{"path":"HOSTILE","bytes":21,"rows":1234567}],
"parameters":{"command":"dbscan","columns":["HOSTILE","y"],"eps":0.1,"min_samples":3},
"engine":"cpu","threads":2,
"counts":{"rows":1234567,"levels":[{"level":1,"most":[{"cluster":7,"holds":2}]},{"level":2}],"largest_clusters":[{"cluster":0,"rows":5}]},
"warnings":["mind HOSTILE"],"seconds":{"total":1.5,"read":0.25}}`

// example is a page in which names are hostile.
func example() *page.Page {
	quoted := strings.ReplaceAll(hostile, `"`, `\"`)
	return &page.Page{
		Title: "run of " + hostile, Command: "rtcluster dbscan '" + hostile + "'",
		Report:   []byte(strings.ReplaceAll(report, "HOSTILE", quoted)),
		Pictures: []page.Picture{{SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`), Caption: hostile, Alt: hostile}},
		Tables: []page.Table{{
			Caption: "clusters of " + hostile, Header: []string{hostile, "rows"}, Instead: "largest_clusters",
			Rows: [][]page.Cell{{{Text: "b"}, page.Number(900)}, {{Text: "a"}, page.Number(-1000)}, {{Text: "c"}, page.Number(20)}},
		}},
	}
}

// rendered is a page, and its tree.
func rendered(t *testing.T, p *page.Page) (string, *html.Node) {
	t.Helper()
	text, err := p.Render()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), tree
}

// all are the elements of a name.
func all(tree *html.Node, name string) []*html.Node {
	var found []*html.Node
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// TestHostile sees that names remain texts: no element, no attribute and no address is
// made of them.
func TestHostile(t *testing.T) {
	_, tree := rendered(t, example())
	if got := len(all(tree, "script")); got != 1 {
		t.Errorf("got %d scripts, want the page's own", got)
	}
	for n := range tree.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
			if slices.Contains([]string{"src", "href", "action", "srcset"}, a.Key) && !strings.HasPrefix(a.Val, "data:") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("%s reaches for %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	for _, name := range []string{"title", "h1", "figcaption", "dd", "code", "th", "caption"} {
		if !slices.ContainsFunc(all(tree, name), func(n *html.Node) bool { return strings.Contains(text(n), hostile) }) {
			t.Errorf("no %s shows the hostile name as it is", name)
		}
	}
	if img := all(tree, "img"); len(img) != 1 || attribute(img[0], "alt") != hostile {
		t.Errorf("got %d images, want one whose alternative is the hostile name", len(img))
	}
}

// TestBalanced sees that each element that is opened is closed in its place, which a
// parser would mend silently.
func TestBalanced(t *testing.T) {
	source, _ := rendered(t, example())
	void := []string{"meta", "link", "img", "br"}
	var open []string
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("left open: %q", open)
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !slices.Contains(void, string(name)) {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> where %q are open", name, open)
			}
			open = open[:len(open)-1]
		}
	}
}

// TestFacts sees that the page tells what the report does.
func TestFacts(t *testing.T) {
	_, tree := rendered(t, example())
	facts := map[string]string{}
	for _, div := range all(tree, "dt") {
		facts[text(div)] = text(div.NextSibling)
	}
	for name, want := range map[string]string{"rows": "1,234,567", "eps": "0.1", "min samples": "3", "engine": "cpu", "version": "v1"} {
		if facts[name] != want {
			t.Errorf("%s: got %q, want %q", name, facts[name], want)
		}
	}
	var captions []string
	for _, c := range all(tree, "caption") {
		captions = append(captions, text(c))
	}
	want := []string{"clusters of " + hostile, "levels", "levels 1: most", "inputs", "seconds by stage"}
	if !slices.Equal(captions, want) {
		t.Errorf("got tables %q, want %q", captions, want)
	}
	ids := map[string]bool{}
	for n := range tree.Descendants() {
		id := attribute(n, "id")
		if ids[id] {
			t.Errorf("two elements are called %q", id)
		}
		ids[id] = id != ""
	}
	for _, th := range all(tree, "th") {
		if attribute(th, "scope") != "col" || th.FirstChild == nil || th.FirstChild.Data != "button" {
			t.Errorf("head %q is no column with a button", text(th))
		}
	}
	for _, a := range all(tree, "a") {
		if !ids[strings.TrimPrefix(attribute(a, "href"), "#")] {
			t.Errorf("link %q leads nowhere", attribute(a, "href"))
		}
	}
}

// TestBadReports sees that what is no report is an error.
func TestBadReports(t *testing.T) {
	for name, report := range map[string]string{"empty": "", "list": "[]", "cut": `{"a":[1`, "two": "{} {}"} {
		t.Run(name, func(t *testing.T) {
			if _, err := (&page.Page{Report: []byte(report)}).Render(); err == nil {
				t.Error("got no error")
			}
		})
	}
}
