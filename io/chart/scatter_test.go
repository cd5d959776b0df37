package chart_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"rtcluster/io/chart"
)

// TestScatterPlaces wants each row in the colour of its cluster at its place, noise in
// grey, and the legend beside the data.
func TestScatterPlaces(t *testing.T) {
	got := readSVG(t, scatter(t, []row{{0, 0, 7}, {0, 100, 7}, {100, 0, 7}, {100, 100, 2}, {50, 100, 2}, {50, 50, -1}, {1, 1, math.NaN()}}))
	largest, second, noise := got.filled(blue), got.filled(orange), got.filled(grey)
	if len(largest) != 3 || len(second) != 2 || len(noise) != 1 {
		t.Fatalf("got %d, %d and %d dots, want 3 of the largest cluster, 2 of the second, 1 of noise", len(largest), len(second), len(noise))
	}
	// The corners of the data are those of 0 and 100; discs begin at their right ends.
	left, bottom, right, top := largest[0][0], largest[0][1], largest[2][0], largest[1][1]
	const near = 1.5 // points: dots of noise are smaller
	for name, d := range map[string]float64{
		"second at the right": second[0][0] - right, "second at the top": second[0][1] - top,
		"second in the middle": second[1][0] - (left+right)/2, "noise in the middle": noise[0][0] - (left+right)/2,
		"noise half way up": noise[0][1] - (bottom+top)/2,
	} {
		if math.Abs(d) > near {
			t.Errorf("%s: off by %.2f points", name, d)
		}
	}
	if right-left < 300 || top-bottom < 200 {
		t.Errorf("the data take %.0f × %.0f points of the page", right-left, top-bottom)
	}
	for _, text := range []string{"cluster (rows)", "7 (3)", "2 (2)", "noise (1)"} {
		at, found := got.texts[text]
		if !found {
			t.Errorf("the legend lacks %q: %v", text, got.texts)
		} else if at[0] < right+10 || at[0] > got.width {
			t.Errorf("%q is at %.0f, want it right of the data, which end at %.0f", text, at[0], right)
		}
	}
	for _, text := range []string{"rows", "across", "up", "0", "100"} {
		if _, found := got.texts[text]; !found {
			t.Errorf("there is no text %q", text)
		}
	}
}

// TestScatterPixels looks at the pixels of a picture: blue where the large cluster is,
// grey where noise is, white elsewhere.
func TestScatterPixels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var rows []row
	for range 20_000 {
		rows = append(rows, row{random.Float64(), random.Float64(), 0}, row{4 + random.Float64(), random.Float64(), -1})
	}
	p := scatter(t, rows)
	if got := readSVG(t, p); got.images != 2 || len(got.filled(blue)) != 0 {
		t.Errorf("got %d rasters and %d dots, want one raster for noise and one for clusters", got.images, len(got.filled(blue)))
	}
	img := readPNG(t, p)
	count := map[string]int{}
	for y := 0.2; y < 0.85; y += 0.002 {
		for x := 0.12; x < 0.85; x += 0.002 {
			c := colorAt(img, x, y)
			r, g, b := c[1:3], c[3:5], c[5:7]
			switch {
			case c == "#FFFFFF":
				count["white"]++
			case r == g && g == b && x > 0.6:
				count["grey at the right"]++
			case r == g && g == b:
				count["grey elsewhere"]++ // the grid
			case b > r && x < 0.3:
				count["blue at the left"]++
			default:
				count["else"]++
			}
		}
	}
	if count["white"] < 20_000 || count["grey at the right"] < 5000 || count["blue at the left"] < 5000 || count["grey elsewhere"] > 5000 || count["else"] > 300 {
		t.Errorf("got %v", count)
	}
}

// TestScatterAbove wants a small cluster seen above a large one that covers it.
func TestScatterAbove(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var rows []row
	for range 50_000 {
		rows = append(rows, row{random.Float64(), random.Float64(), 5})
	}
	for range 9 {
		rows = append(rows, row{0.5, 0.5, 1})
	}
	for range 5000 {
		rows = append(rows, row{random.Float64(), random.Float64(), -1})
	}
	got := readSVG(t, scatter(t, rows))
	if dots := got.filled(orange); len(dots) != 9 || got.images != 2 {
		t.Errorf("got %d dots of the small cluster and %d rasters, want 9 and 2", len(dots), got.images)
	}
	for _, s := range got.shapes {
		if s.fill == orange && s.images != 2 {
			t.Errorf("%d of 2 rasters are below the small cluster", s.images)
		}
	}
	order := ""
	for _, s := range readSVG(t, scatter(t, []row{{0, 0, 1}, {0, 0, 2}, {0, 0, 2}, {0, 0, -1}, {1, 1, -1}})).shapes {
		for _, fill := range []string{grey, blue, orange} {
			if s.fill == fill && len(order) < 3*len(grey) {
				order += fill
			}
		}
	}
	if order != grey+blue+orange {
		t.Errorf("drawn in the order %s, want noise first and the smallest cluster last", order)
	}
}

// TestScatterIsTheSame wants the same bytes for the same rows.
func TestScatterIsTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var rows []row
	for i := range 6000 {
		rows = append(rows, row{random.NormFloat64(), random.NormFloat64(), float64(i%12 - 1)})
	}
	for _, format := range []chart.Format{chart.SVG, chart.PNG} {
		first := encode(t, scatter(t, rows), format)
		if !bytes.Equal(first, encode(t, scatter(t, rows), format)) {
			t.Errorf("%s: the second picture differs", format)
		}
	}
}

// TestScatterMemory wants rows not to take memory, however many there are.
func TestScatterMemory(t *testing.T) {
	all := &chart.Tally{}
	for _, label := range []float64{-1, 0, 1, 2} {
		if err := all.AddRows(label, 1e6); err != nil {
			t.Fatal(err)
		}
	}
	s := chart.NewScatter(chart.Range{Min: 0, Max: 1, Count: 2}, chart.Range{Min: 0, Max: 1, Count: 2}, all, chart.ScatterOptions{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 4_000_000 {
		u := float64(i%1999) / 1999
		s.Add(u, 1-u, float64(i%4-1))
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("4 million rows took %d bytes", taken)
	}
}

func TestScatterFewRows(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name string
		rows []row
		dots int
	}{
		{"none", nil, 0},
		{"one", []row{{3, 4, 0}}, 1},
		{"equal", []row{{3, 4, 0}, {3, 4, 0}}, 2},
		{"nearly equal, far from 0", []row{{1e9, 0, 0}, {1e9 + 1e-7, 0, 0}}, 2},
		{"large", []row{{-1e300, 1e300, 0}, {1e300, -1e300, 0}}, 2},
		{"tiny", []row{{5e-324, 0, 0}, {0, 5e-324, 0}}, 2},
		{"a coordinate is missing", []row{{1, 2, 0}, {nan, 3, 0}, {2, 3, 0}, {2, math.Inf(1), 0}}, 2},
		{"all labels are missing", []row{{1, 2, nan}}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := scatter(t, test.rows)
			if got := readSVG(t, p); len(got.filled(blue)) != test.dots {
				t.Errorf("got %d dots, want %d", len(got.filled(blue)), test.dots)
			}
			readPNG(t, p)
		})
	}
}

// TestScatterUnplaced adds rows of clusters that no row counted has.
func TestScatterUnplaced(t *testing.T) {
	all := &chart.Tally{}
	if err := all.Add(2); err != nil {
		t.Fatal(err)
	}
	s := chart.NewScatter(chart.Range{Min: 0, Max: 1, Count: 1}, chart.Range{Min: 0, Max: 1, Count: 1}, all, chart.ScatterOptions{})
	s.Add(math.NaN(), 0, 7)
	s.Add(0, math.Inf(-1), 7)
	s.Add(0.5, 0.5, 2)
	if got := readSVG(t, s.Picture("", "x", "y")); len(got.filled(blue)) != 1 {
		t.Errorf("got %d dots, want 1", len(got.filled(blue)))
	}
}

func TestRangeCheck(t *testing.T) {
	for _, r := range []chart.Range{{Min: 0, Max: 1e301, Count: 2}, {Min: -2e300, Max: 0, Count: 2}} {
		if r.Check() == nil {
			t.Errorf("%+v passes", r)
		}
	}
	if err := (&chart.Range{Min: -1e300, Max: 1e300, Count: 2}).Check(); err != nil {
		t.Error(err)
	}
}

// TestLegendOfMany wants a legend that ends, however many clusters there are.
func TestLegendOfMany(t *testing.T) {
	var rows []row
	for i := range 1000 {
		rows = append(rows, row{float64(i % 100), float64(i % 7), float64(i % 100)})
	}
	got := readSVG(t, scatter(t, rows))
	if _, found := got.texts["and 82 more"]; !found {
		t.Errorf("got %v", got.texts)
	}
	for text, at := range got.texts {
		if text != "up" && (at[1] < 0 || at[0] < 0 || at[0] > got.width) { // which is turned
			t.Errorf("%q is outside of the page, at %v", text, at)
		}
	}
}

func TestTexts(t *testing.T) {
	s := chart.NewScatter(chart.Range{}, chart.Range{}, &chart.Tally{}, chart.ScatterOptions{})
	got := readSVG(t, s.Picture("a <b> & \x01\xff", `"x"'`, "a name that is so long that nobody would ever want to read it along an axis"))
	for _, want := range []string{"a <b> & ??", `"x"'`, "a name that is so long that nobody would ever want to read it..."} {
		if _, found := got.texts[want]; !found {
			t.Errorf("there is no %q among %v", want, got.texts)
		}
	}
}

// TestScatterAxes wants a square of rows to be one where axes are equal, a strip to fill the page
// nevertheless, and flipped and logarithmic axes to have rows at their values.
func TestScatterAxes(t *testing.T) {
	corners := func(wide, high float64) []row { return []row{{1, 1, 0}, {1 + wide, 1, 0}, {1, 1 + high, 0}} }
	tests := []struct {
		name         string
		opt          chart.ScatterOptions
		rows         []row
		across, over float64 // the second is right of the first, by so much of what the third is above
	}{
		{"a square", chart.ScatterOptions{Equal: true}, corners(5, 5), 1, 1},
		{"a high one", chart.ScatterOptions{Equal: true}, corners(5, 10), 1, 0.5},
		{"a wide one", chart.ScatterOptions{Equal: true}, corners(30, 10), 1, 3},
		{"flipped", chart.ScatterOptions{Equal: true, FlipX: true, FlipY: true}, corners(5, 5), -1, 1},
		{"a strip", chart.ScatterOptions{Equal: true}, corners(100, 1), 1, 0},
		{"free", chart.ScatterOptions{}, corners(5, 5), 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := scatterWith(t, test.rows, test.opt)
			dots := readSVG(t, p).filled(blue)
			across, up := dots[1][0]-dots[0][0], dots[2][1]-dots[0][1]
			if across*test.across < 70 || up*test.across < 70 {
				t.Errorf("the others are %v right of the first and %v above", across, up)
			}
			if ratio := across / up; test.over > 0 && !near(ratio/test.over, 1, 0.005) || test.over == 0 && !near(ratio, 1.4, 0.3) {
				t.Errorf("the ratio is %v, want %v", ratio, test.over)
			}
			readPNG(t, p)
		})
	}
	got := readSVG(t, scatterWith(t, []row{{1, 0.01, 0}, {10, 1, 0}, {100, 100, 0}, {0, 1, 0}, {-3, 1, 0}}, chart.ScatterOptions{LogX: true, LogY: true, FlipY: true}))
	dots := got.filled(blue)
	if len(dots) != 3 || !near(dots[1][0]-dots[0][0], dots[2][0]-dots[1][0], 0.1) || !near(dots[1][1]-dots[0][1], dots[2][1]-dots[1][1], 0.1) || dots[1][1] > dots[0][1] {
		t.Errorf("got dots at %v", dots)
	}
	if got.texts["0.01"][1] < got.texts["100"][1] {
		t.Errorf("0.01 is below 100: %v", got.texts)
	}
}

// TestTextLengths wants every text to say how long it is, so that another font does not move it,
// and long ones to stay within their axis and page.
func TestTextLengths(t *testing.T) {
	s := chart.NewScatter(chart.Range{Min: 0, Max: 1, Count: 2}, chart.Range{Min: 0, Max: 1, Count: 2}, &chart.Tally{}, chart.ScatterOptions{})
	long := strings.Repeat("wide W ", 30)
	svg := string(encode(t, s.Picture(long, long, long), chart.SVG))
	texts := regexp.MustCompile(`<text textLength="([0-9.]+)" lengthAdjust="spacingAndGlyphs" x="([-0-9.e]+)"`).FindAllStringSubmatch(svg, -1)
	if n := strings.Count(svg, "<text"); len(texts) != n || n < 10 {
		t.Fatalf("%d of %d texts have a length", len(texts), n)
	}
	for _, text := range texts {
		if length := number(t, text[1]); length > 500 || number(t, text[2])+length > 512 {
			t.Errorf("a text of %v points begins at %s", length, text[2])
		}
	}
	up := regexp.MustCompile(`textLength="([0-9.]+)"[^>]*>wide`).FindAllStringSubmatch(svg, -1)
	if length := number(t, up[1][1]); length > 300 {
		t.Errorf("the name of the y axis has %v points", length)
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]chart.Format{"a.svg": chart.SVG, "b/c.PNG": chart.PNG} {
		if got, err := chart.FormatOf(path); err != nil || got != want {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
	for _, path := range []string{"", "a", "a.pdf", "svg", ".png.gz"} {
		if got, err := chart.FormatOf(path); err == nil {
			t.Errorf("%q: got %q, want an error", path, got)
		}
	}
	if _, err := scatter(t, nil).Encode("pdf"); err == nil {
		t.Error("pdf is encoded")
	}
}
