package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseOutcome(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		seconds    []float64
		clusters   float64
		fault      string
	}{
		{name: "object", text: "reading\n{\"seconds\": [1.5, 2], \"clusters\": 7}\n", seconds: []float64{1.5, 2}, clusters: 7},
		{name: "one number", text: `{"seconds": 0.25, "clusters": 1}`, seconds: []float64{0.25}, clusters: 1},
		{name: "lines", text: "Build tree: done\nseconds 3 4\nclusters: 9\n", seconds: []float64{3, 4}, clusters: 9},
		{name: "nothing", text: "hello", fault: "no seconds"},
		{name: "empty", text: "", fault: "no seconds"},
		{name: "broken", text: `{"seconds": `, fault: "no result"},
		{name: "text", text: `{"seconds": "1"}`, fault: "no result"},
		{name: "negative", text: `{"seconds": -1}`, fault: "-1 seconds"},
		{name: "not a number", text: "seconds NaN", fault: "no result"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, err := parseOutcome(tc.text)
			if tc.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tc.fault) {
					t.Errorf("error %v, want one with %q", err, tc.fault)
				}
				return
			}
			if err != nil || !slices.Equal(out.Seconds, tc.seconds) || out.Clusters == nil || *out.Clusters != tc.clusters {
				t.Errorf("%+v, %v, want seconds %v and %v clusters", out, err, tc.seconds, tc.clusters)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	a := &outcome{Clusters: whole(5), Noise: whole(10), KDist: mean([]float64{1})}
	near := 1 + 1e-12
	if d := differences(a, &outcome{Clusters: whole(5), Cores: whole(3), KDist: &near}); d != "" {
		t.Errorf("found %q, want nothing", d)
	}
	far := 1 + 1e-6
	if d := differences(a, &outcome{Noise: whole(11), KDist: &far}); d != "noise 11, ours 10; mean k-th distance 1.000001, ours 1" {
		t.Errorf("found %q", d)
	}
}

func TestParsePeersRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text, fault string }{
		{"no name", `{"peers": [{}]}`, "name of its own"},
		{"our name", `{"peers": [{"name": "ours"}]}`, "name of its own"},
		{"unknown work", `{"peers": [{"name": "a", "commands": {"sort": ["x"]}}]}`, `no work "sort"`},
		{"no command", `{"peers": [{"name": "a", "commands": {"knn": []}}]}`, "is empty"},
		{"unknown field", `{"peers": [{"name": "a", "turn": 1}]}`, "unknown field"},
		{"pattern", `{"peers": [{"name": "a", "skip": "["}]}`, "skip"},
		{"no JSON", `peers`, "invalid"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := parsePeers([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.fault) {
				t.Errorf("error %v, want one with %q", err, tc.fault)
			}
		})
	}
}

func TestPeerCan(t *testing.T) {
	p := peer{Commands: map[string][]string{dbscanWork: {"x"}}, MinDim: 2, MaxDim: 8, Skip: "*-E2-5000"}
	for _, tc := range []struct {
		name string
		row  row
		dim  int
		want bool
	}{
		{"can", row{Set: "A2", Work: dbscanWork, Neighbors: 16}, 2, true},
		{"other work", row{Set: "A2", Work: knnWork}, 2, false},
		{"too high", row{Set: "D18", Work: dbscanWork, Neighbors: 16}, 18, false},
		{"too low", row{Set: "A2", Work: dbscanWork, Neighbors: 16}, 1, false},
		{"skipped", row{Set: "E2", Work: dbscanWork, Neighbors: 5000}, 2, false},
	} {
		if got := p.can(tc.row, tc.dim); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestFill(t *testing.T) {
	j := job{File: "w/A2.f64", Rows: 10, Dim: 2, Eps: 0.00001, MinSamples: 5, K: 20, Threads: 2, Runs: 3}
	got := j.fill([]string{"run", "--in={file}", "{n}x{d}", "{eps}", "{minpts}", "{k}", "{threads}", "{runs}", "{work}"})
	want := []string{"run", "--in=w/A2.f64", "10x2", "0.00001", "5", "20", "2", "3", "w"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStartFails(t *testing.T) {
	if _, err := start(t.Context(), []string{"/does/not/exist"}, time.Minute); err == nil {
		t.Error("no error for a program that isn't there")
	}
}
