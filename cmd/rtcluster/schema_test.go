package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rtcluster/docs"
)

// This file holds reports to their published schema: those of all tests, for each
// run of the command by a script checks its own, see checkedMain.

const draft = "https://json-schema.org/draft/2020-12/schema"

// checkedMain is main, and checks the report if there is one.
func checkedMain() {
	args := os.Args[1:]
	code := interruptible(newApp(), args)
	if err := checkReport(args, os.Getenv); code == exitOK && err != nil {
		fmt.Fprintln(os.Stderr, "the report is not as docs/report.schema.json wants it:", err)
		code = 99
	}
	os.Exit(code)
}

// checkReport checks the report that a command line has written.
func checkReport(args []string, getenv func(string) string) error {
	path := getenv("RTCLUSTER_REPORT")
	for i, arg := range args {
		if value, joined := strings.CutPrefix(arg, "--report="); joined {
			path = value
		} else if arg == "--report" && i+1 < len(args) {
			path = args[i+1]
		}
	}
	text, err := os.ReadFile(path)
	if path == "" || err != nil { // of a dry run, or of another command
		return nil
	}
	return valid(text)
}

// valid checks a report, and wants no field that the schema does not have.
func valid(text []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(docs.ReportSchema()))
	if err != nil {
		return err
	}
	closed(doc, "")
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		return err
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		return err
	}
	report, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(report)
}

// closed has the objects of a schema refuse other fields, but for what others build on.
func closed(schema any, name string) {
	switch schema := schema.(type) {
	case map[string]any:
		if _, has := schema["properties"]; has && schema["type"] == "object" && name != "rowCounts" {
			schema["unevaluatedProperties"] = false
		}
		for key, value := range schema {
			closed(value, key)
		}
	case []any:
		for _, value := range schema {
			closed(value, "")
		}
	}
}

// TestSchemaIsOne checks the schema by the schema of schemas.
func TestSchemaIsOne(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(docs.ReportSchema()))
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.(map[string]any)["$schema"]; got != draft {
		t.Errorf("got the schema %v, want %s", got, draft)
	}
	c := jsonschema.NewCompiler()
	meta, err := c.Compile(draft)
	if err != nil {
		t.Fatal(err)
	}
	if err := meta.Validate(doc); err != nil {
		t.Error(err)
	}
}

// TestReportsRefused changes a report so that the schema refuses it.
func TestReportsRefused(t *testing.T) {
	in, path := writeFile(t, "in.csv", "x\n0\n1\n3\n"), t.TempDir()+"/run.json"
	newTestApp().mustRun(t, exitOK, "dbscan", in, "-c", "x", "-e", "1", "-m", "2", "-q", "--report", path)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, from, to string }{
		{"another version", `"schema_version": 2`, `"schema_version": 3`},
		{"a new field", `"version"`, `"moon": 1, "version"`},
		{"a new field among counts", `"noise"`, `"moon": 1, "noise"`},
		{"a new field among parameters", `"border"`, `"moon": 1, "border"`},
		{"a field that is missing", `"rows_used": 3,`, ``},
		{"counts of another command", `"command": "dbscan",`, `"command": "join",`},
		{"text for a number", `"threads": `, `"threads": "all", "t": `},
		{"fewer rows than none", `"noise": 1`, `"noise": -1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(string(good), test.from, test.to, 1)
			if bad == string(good) {
				t.Fatalf("%s is not in %s", test.from, good)
			}
			if valid([]byte(bad)) == nil {
				t.Errorf("accepted: %s", bad)
			}
		})
	}
	if err := valid(good); err != nil {
		t.Error(err)
	}
}

// TestReportLogged holds the report that a machine reads in the messages to the schema.
func TestReportLogged(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n3\n")
	a := newTestApp()
	a.mustRun(t, exitOK, "dbscan", in, "-c", "x", "-e", "1", "-m", "2", "--log-format", "json", "-o", "-")
	messages := lines(&a.stderr)
	var last struct {
		Msg    string
		Report json.RawMessage
	}
	if err := json.Unmarshal([]byte(messages[len(messages)-1]), &last); err != nil || last.Msg != "summary" {
		t.Fatalf("got the last message %q (%v)", messages[len(messages)-1], err)
	}
	if err := valid(last.Report); err != nil {
		t.Error(err)
	}
}

// TestSchemaComplete wants the schema to know each field that a report may have, those
// too that no test writes.
func TestSchemaComplete(t *testing.T) {
	text := string(docs.ReportSchema())
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(kind reflect.Type) {
		switch kind.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(kind.Elem())
		case reflect.Struct:
			if seen[kind] {
				return
			}
			seen[kind] = true
			for f := range kind.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				if name != "" && !strings.Contains(text, fmt.Sprintf("%q: {", name)) {
					t.Errorf("the schema has no %s, which is in %v", name, kind)
				}
				visit(f.Type)
			}
		}
	}
	for _, v := range []any{report{}, dbscanCounts{}, levelsCounts{}, predictCounts{}, joinCounts{}, epsCounts{}, outlierCounts{}} {
		visit(reflect.TypeOf(v))
	}
}

// TestMadeBy has describe tell what a table says of its run.
func TestMadeBy(t *testing.T) {
	in, out := writeFile(t, "in.csv", "x,y\n0,1\n1,1\n3,5\n"), t.TempDir()+"/out.parquet"
	a := newTestApp()
	a.mustRun(t, exitOK, "dbscan", in, "-c", "x,y", "-e", "1", "-m", "2", "-q", "-o", out)
	a.mustRun(t, exitOK, "describe", out)
	for _, want := range []string{
		"\nmade by     rtcluster " + version() + " dbscan\n", "\nfrom        " + in + ", 3 rows\n",
		"\nparameters  columns x, y; nan error; ", "; eps 1; min_samples 2; border first", "\ncounts      rows 3; rows_used 3; rows_dropped 0; clusters 1; core 2; ",
	} {
		if !strings.Contains(a.stdout.String(), want) {
			t.Errorf("got %s\nwant %q in it", a.stdout.String(), want)
		}
	}
	a.mustRun(t, exitOK, "describe", out, "--json")
	var told struct {
		Made struct {
			Version    string
			Parameters parameters
			Inputs     struct{ Inputs []reportInput }
			Summary    struct{ Counts struct{ Clusters int } }
		} `json:"made_by"`
	}
	if err := json.Unmarshal(a.stdout.Bytes(), &told); err != nil {
		t.Fatal(err)
	}
	if got := told.Made; got.Version != version() || *got.Parameters.Eps != 1 || len(got.Inputs.Inputs) != 1 || got.Summary.Counts.Clusters != 1 {
		t.Errorf("got %+v", got)
	}
	a.mustRun(t, exitOK, "describe", in)
	if strings.Contains(a.stdout.String(), "made by") {
		t.Errorf("got %s of a table that nobody made", a.stdout.String())
	}
}
