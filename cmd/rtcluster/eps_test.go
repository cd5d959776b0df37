package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

func TestParseRule(t *testing.T) {
	for text, want := range map[string]epsRule{
		"knee":            {ruleKnee, 0},
		"quantile":        {ruleQuantile, 0},
		"quantile=1":      {ruleQuantile, 1},
		"quantile=.05":    {ruleQuantile, 0.05},
		"selectivity=1e3": {ruleSelectivity, 1000},
		"null-field=7":    {ruleNullField, 7},
	} {
		got, err := parseRule(text)
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
		if again, err := parseRule(got.String()); err != nil || again != got {
			t.Errorf("%q: written as %q, which is %+v, %v", text, got, again, err)
		}
	}
	if got, err := parseRule(" knee "); err != nil || got.Name != ruleKnee {
		t.Errorf("blanks around: got %+v, %v", got, err)
	}
	for _, text := range []string{
		"", "knees", "=1", "knee=", "knee=0.5", "quantile=", "quantile=0", "quantile=-0.5", "quantile=1.1", "quantile=nan", "quantile=x",
		"selectivity=0", "selectivity=inf", "selectivity=-2", "null-field=0", "null-field=2.5", "null-field=10001",
	} {
		if got, err := parseRule(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, got)
		}
	}
}

func TestFilledRule(t *testing.T) {
	for name, want := range map[string]float64{ruleKnee: 0, ruleQuantile: 0.9, ruleSelectivity: 6, ruleNullField: 30} {
		if got := (epsRule{Name: name}).filled(6); got.Value != want {
			t.Errorf("%s: got %v, want %v", name, got.Value, want)
		}
		if got := (epsRule{name, 0.5}).filled(6); got.Value != 0.5 {
			t.Errorf("%s=0.5: got %v", name, got.Value)
		}
	}
}

// TestDegreesAgree wants one formula for the chord of an angle in degrees, in --eps
// and where it is found.
func TestDegreesAgree(t *testing.T) {
	for _, degrees := range []float64{0, 1e-9, 1. / 3600, 0.1, 1. / 3, 59.99, 90, 179.9, 180} {
		if got, want := (radius{degrees, "deg"}).join(), epsilon.Degrees.Eps(degrees); got != want {
			t.Errorf("%v degrees: --eps joins within %v, the rules say %v", degrees, got, want)
		}
	}
}

// TestEpsAuto clusters with the eps that a rule finds, and again with what `rtcluster
// eps` prints: the labels are the same, and the report has the value to the last bit.
func TestEpsAuto(t *testing.T) {
	stars, moons := shipped+"stars.csv", shipped+"moons.csv"
	inputs := map[string][]string{
		"flat":   {stars, "-c", "x_pc,y_pc,z_pc"},
		"sky":    {stars, "--ra", "ra", "--dec", "dec"},
		"scaled": {moons, "-c", "x1,x2", "--scale", "standard"},
		"cosine": {stars, "-c", "x_pc,y_pc,z_pc", "--metric", "cosine"},
		"white":  {moons, "-c", "x1,x2", "--metric", "mahalanobis"},
		"box":    {shipped + "lattice.csv", "--box", "9,9,8", "--metric", "manhattan"},
	}
	for name, input := range inputs {
		for _, rule := range []string{"knee", "quantile", "quantile=0.05", "selectivity", "selectivity=0.3", "null-field=3"} {
			t.Run(name+"/"+rule, func(t *testing.T) {
				a := newTestApp()
				a.mustRun(t, exitOK, slices.Concat([]string{"eps"}, input, []string{"-q", "-m", "5", "--rule", rule, "--json"})...)
				var printed struct{ Suggestions []suggested }
				if err := json.Unmarshal(a.stdout.Bytes(), &printed); err != nil {
					t.Fatal(err)
				}
				s := printed.Suggestions[0]
				report := filepath.Join(t.TempDir(), "run.json")
				common := slices.Concat([]string{"dbscan"}, input, []string{"-q", "-m", "5", "--keep", "none", "--eps"})
				a.mustRun(t, exitOK, append(common, exact(*s.Eps)+strings.TrimSuffix(s.EpsUnit, cosineUnit))...)
				want := a.stdout.String()
				a.mustRun(t, exitOK, append(common, "auto", "--eps-rule", rule, "--report", report, "--verify", "20")...)
				if a.stdout.String() != want {
					t.Errorf("--eps auto gives other labels than --eps %v%s", *s.Eps, s.EpsUnit)
				}
				p := readParameters(t, report)
				if *p.Eps != *s.Eps || p.EpsUnit != s.EpsUnit {
					t.Errorf("the report says eps %v%s, want %v%s", *p.Eps, p.EpsUnit, *s.Eps, s.EpsUnit)
				}
				wantRule := ruleUsed{Rule: s.Rule, Value: s.Value, K: 4, Seed: 1, Reason: s.Reason}
				if *p.EpsRule != wantRule {
					t.Errorf("the report says %+v, want %+v", *p.EpsRule, wantRule)
				}
			})
		}
	}
}

func readParameters(t *testing.T, path string) *parameters {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Parameters parameters }
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r.Parameters
}

// TestEpsClusters wants the clusters that are told for a suggestion to be those that
// dbscan finds.
func TestEpsClusters(t *testing.T) {
	a := newTestApp()
	a.mustRun(t, exitOK, "eps", shipped+"stars.csv", "-q", "-c", "x_pc,y_pc,z_pc", "-m", "8", "--rule", "null-field,knee", "--json")
	var printed struct{ Suggestions []suggested }
	if err := json.Unmarshal(a.stdout.Bytes(), &printed); err != nil {
		t.Fatal(err)
	}
	found, knee := printed.Suggestions[0], printed.Suggestions[1]
	if found.Clusters.Clusters != 3 || found.RedFlag != "" {
		t.Errorf("the catalog has three clusters, got %+v, red flag %q", *found.Clusters, found.RedFlag)
	}
	if !strings.HasPrefix(knee.RedFlag, "one cluster holds 99.") || knee.Clusters.Clusters != 1 {
		t.Errorf("the knee joins all, got %+v, red flag %q", *knee.Clusters, knee.RedFlag)
	}
	report := filepath.Join(t.TempDir(), "run.json")
	a.mustRun(t, exitOK, "dbscan", shipped+"stars.csv", "-q", "-c", "x_pc,y_pc,z_pc", "-m", "8", "-e", exact(*found.Eps), "--report", report)
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Counts dbscanCounts }
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	want := clustered{r.Counts.Clusters, r.Counts.Core, r.Counts.Border, r.Counts.Noise, r.Counts.Largest[0].Rows}
	if *found.Clusters != want {
		t.Errorf("got %+v, dbscan finds %+v", *found.Clusters, want)
	}
}

// TestEpsIsTheSame wants the same text and plot for any engine and number of threads,
// of all rows and of a sample; another seed gives another sample.
func TestEpsIsTheSame(t *testing.T) {
	for name, args := range map[string][]string{
		"all":    {"-k", "4"},
		"sample": {"-k", "4", "--sample", "100", "--seed", "7"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			run := func(e join.Engine, args ...string) string {
				a := newTestApp(e)
				plot := filepath.Join(folder, "kdist.svg")
				a.mustRun(t, exitOK, append([]string{"eps", shipped + "moons.csv", "-q", "-c", "x1,x2", "--force", "--plot", plot}, args...)...)
				drawn, err := os.ReadFile(plot)
				if err != nil {
					t.Fatal(err)
				}
				return a.stdout.String() + string(drawn)
			}
			want := run(cpu.New(cpu.Options{Threads: 1}), args...)
			for _, e := range []join.Engine{cpu.New(cpu.Options{Threads: 5}), renamed{jointest.Brute()}} {
				if run(e, args...) != want {
					t.Errorf("engine %T writes something else", e)
				}
			}
			if run(cpu.New(cpu.Options{}), append(args, "--seed", "8")...) == want {
				t.Error("seed 8 gives the same")
			}
		})
	}
}

// renamed passes an engine off as the processor's.
type renamed struct{ join.Engine }

func (renamed) Name() string { return "cpu" }

func TestPlotPNG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kdist.png")
	newTestApp().mustRun(t, exitOK, "eps", shipped+"stars.csv", "-q", "--ra", "ra", "--dec", "dec", "--plot", path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	colors := map[[3]uint32]bool{}
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			r, g, b, _ := image.At(x, y).RGBA()
			colors[[3]uint32{r, g, b}] = true
		}
	}
	if size := image.Bounds().Size(); size.X != 1417 || size.Y != 945 || len(colors) < 20 {
		t.Errorf("got %v with %d colours", size, len(colors))
	}
}

// TestCurvePoints wants a point of the JSON for each hundredth of the rows.
func TestCurvePoints(t *testing.T) {
	distances := make([]float64, 200)
	for i := range distances {
		distances[i] = float64(i + 1)
	}
	curve := &epsilon.Curve{Distances: distances, Rows: len(distances)}
	var a epsAccount
	a.measured(&epsSearch{curve: curve})
	if len(a.Curve) != 101 || a.Curve[0] != (curvePoint{0, 1}) || a.Curve[25] != (curvePoint{0.25, 50}) || a.Curve[100] != (curvePoint{1, 200}) {
		t.Errorf("got %d points, %v", len(a.Curve), a.Curve)
	}
}

func TestEpsFlags(t *testing.T) {
	plain := epsOptions{
		Paths: []string{"in.csv"}, Sample: measureAtMost,
		Input: plainInput(), Metric: metricOptions{Metric: "euclidean"}, Run: plainRun(),
	}
	full := plain
	full.K, full.MinSamples, full.Sample, full.JSON = 3, 5, 10, true
	full.Output = outputOptions{Plot: "k.svg", Force: true}
	full.rules = []string{"knee", "quantile=0.5"}
	full.Rules = []epsRule{{ruleKnee, 0}, {ruleQuantile, 0.5}, {ruleSelectivity, 2}}
	full.Selectivity, full.Run.Seed = 2, 9
	tests := []struct {
		name string
		args []string
		want epsOptions
	}{
		{"least", []string{"in.csv"}, plain},
		{"all", []string{
			"in.csv", "-k", "3", "--minPts", "5", "--rule", "knee,quantile=0.5", "--selectivity", "2", "--sample", "10",
			"--json", "--plot", "k.svg", "--force", "--seed", "9",
		}, full},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *epsOptions
			parse(t, newEpsCmd(newTestApp().app, func(_ context.Context, _ *app, o *epsOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

// TestEpsK wants k and min-samples to follow from each other, and both from the
// number of columns, two for a position on the sky.
func TestEpsK(t *testing.T) {
	stars := shipped + "stars.csv"
	tests := []struct {
		args          []string
		k, minSamples int
	}{
		{[]string{"-c", "x_pc"}, 3, 4},
		{[]string{"-c", "x_pc,y_pc,z_pc"}, 5, 6},
		{[]string{"--ra", "ra", "--dec", "dec"}, 3, 4},
		{[]string{"-c", "x_pc", "-m", "9"}, 8, 9},
		{[]string{"-c", "x_pc", "-k", "9"}, 9, 10},
		{[]string{"-c", "x_pc", "-k", "9", "-m", "3"}, 9, 3},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			a := newTestApp()
			a.mustRun(t, exitOK, append([]string{"eps", stars, "-q", "--json", "--rule", "quantile"}, test.args...)...)
			var got epsAccount
			if err := json.Unmarshal(a.stdout.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.K != test.k || got.MinSamples != test.minSamples {
				t.Errorf("got k %d, min-samples %d, want %d, %d", got.K, got.MinSamples, test.k, test.minSamples)
			}
		})
	}
}
