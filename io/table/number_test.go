package table_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rtcluster/io/table"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"0", 0},
		{"-0", math.Copysign(0, -1)},
		{"+7", 7},
		{"007", 7},
		{"1.5", 1.5},
		{".5", .5},
		{"5.", 5},
		{" 12 ", 12},
		{"\t3\t", 3},
		{"1e3", 1000},
		{"1E-3", .001},
		{"-2.5e+2", -250},
		{"1e-400", 0},
		{"9007199254740992", 1 << 53},
		{"9007199254740994", 1<<53 + 2},
		{"-18446744073709551616", -(1 << 64)},
		{"100000000000000000000", 1e20},
		{"9007199254740993.0", 1 << 53},
		{"9007199254740993e0", 1 << 53},
		{"82544000000000707.52", 82544000000000707.52},
		{"0.1", .1},
		{"1.7976931348623157e308", math.MaxFloat64},
		{"0000000000000000000000000000001", 1},
		{"0.00000000000000000000000000000000001", 1e-35},
		{"2.2250738585072011e-308", 2.2250738585072011e-308},
		{"4.9e-324", 5e-324},
	} {
		got, word, err := table.ParseNumber([]byte(c.text))
		if err != nil || word != "" || math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%q: got %v %q %v, want %v", c.text, got, word, err, c.want)
		}
	}
}

func TestParseWords(t *testing.T) {
	for word, list := range map[string][]string{
		"null": {"", " ", "NA", "N/A", "NULL", "null", "none", "None", "-", "--", " NA "},
		"nan":  {"NaN", "nan", "NAN", "-nan", "-NaN"},
		"inf":  {"Inf", "-Inf", "+inf", "Infinity", "-infinity", "INF"},
		"text": {
			"a", "1a", "1 2", "1,5", "0x10", "0x1p4", "1_000", "1e", "1e+", "e5", "+", "--1", "1-", "n/a", "Null", "NULLS",
			".", "1.2.3", "1e5.5", "true", "12:30", "2020-01-01", "\u00a01", "∞", "+nan", "1d5", "- 1",
		},
	} {
		for _, text := range list {
			_, got, err := table.ParseNumber([]byte(text))
			if got != word || err != nil {
				t.Errorf("%q: got %q %v, want %q", text, got, err, word)
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"9007199254740993":              "the integer 9007199254740993 is not exact",
		"-9007199254740993":             "not exact",
		"4295806720301234567":           "4295806720301234567 is not exact",
		"18446744073709551617":          "not exact",
		"+18446744073709551617":         "not exact",
		"1e309":                         `"1e309" is beyond the range`,
		"-1" + strings.Repeat("0", 400): "is beyond the range",
		"1" + strings.Repeat("0", 309):  "is beyond the range",
	} {
		if _, _, err := table.ParseNumber([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", text, err, want)
		}
	}
}

// checkParse compares a field with strconv, which decides.
func checkParse(t *testing.T, text string) {
	t.Helper()
	got, word, err := table.ParseNumber([]byte(text))
	kind, integer := table.KindOf([]byte(text))
	if kind != word {
		t.Fatalf("%q is classified %q and parsed as %q", text, kind, word)
	}
	if word != "" || strings.ContainsAny(text, " \t") {
		return
	}
	want, wantErr := strconv.ParseFloat(text, 64)
	switch {
	case wantErr != nil:
		if err == nil {
			t.Fatalf("%q: got %v, want an error", text, got)
		}
	case err != nil:
		if !integer || strconv.FormatFloat(want, 'f', -1, 64) == text && math.Abs(want) < 1<<53 {
			t.Fatalf("%q: got error %v, want %v", text, err, want)
		}
	case math.Float64bits(got) != math.Float64bits(want):
		t.Fatalf("%q: got %v, want %v", text, got, want)
	}
}

func TestParseNumberAsStrconv(t *testing.T) {
	const seed = 7
	rnd := rand.New(rand.NewPCG(seed, seed))
	for range 20000 {
		x := math.Float64frombits(rnd.Uint64())
		checkParse(t, strconv.FormatFloat(x, 'g', rnd.IntN(20)-1, 64))
		checkParse(t, strconv.FormatFloat(rnd.NormFloat64()*1e4, 'f', rnd.IntN(20), 64))
		checkParse(t, strconv.FormatInt(int64(rnd.Uint64()>>rnd.IntN(60)), 10))
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"1", "-1.5e10", "NaN", "", "1e", "0x1", "9007199254740993", "00000000000000000000001.5", "1_0"} {
		f.Add(s)
	}
	f.Fuzz(checkParse)
}

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		v    float64
		bits int
		want string
	}{
		{0, 64, "0"},
		{math.Copysign(0, -1), 64, "-0"},
		{1, 64, "1"},
		{.1, 64, "0.1"},
		{1e-6, 64, "0.000001"},
		{1e-7, 64, "1e-7"},
		{1.5e-10, 64, "1.5e-10"},
		{1e20, 64, "100000000000000000000"},
		{1e21, 64, "1e+21"},
		{-1e300, 64, "-1e+300"},
		{math.NaN(), 64, "NaN"},
		{math.Inf(1), 64, "inf"},
		{math.Inf(-1), 64, "-inf"},
		{float64(float32(.1)), 32, "0.1"},
	} {
		got := table.AppendFloat(c.v, c.bits)
		if got != c.want {
			t.Errorf("%v: got %s, want %s", c.v, got, c.want)
		}
		back, _, err := table.ParseNumber([]byte(got))
		if c.bits == 64 && (err != nil || back != c.v && !math.IsNaN(c.v)) {
			t.Errorf("%s reads back as %v %v", got, back, err)
		}
	}
}

func TestRoundHalf(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 0},
		{1, 1},
		{2049, 2048},
		{2051, 2052},
		{65504, 65504},
		{65519, 65504},
		{65520, math.Inf(1)},
		{-65520, math.Inf(-1)},
		{math.Ldexp(1, -24), math.Ldexp(1, -24)},
		{math.Ldexp(1, -26), 0},
		{math.Inf(1), math.Inf(1)},
	} {
		if got := table.RoundHalf(c.x); got != c.want {
			t.Errorf("%v: got %v, want %v", c.x, got, c.want)
		}
	}
}

func BenchmarkParseNumber(b *testing.B) {
	for _, text := range []string{"7", "12.5", "-123.4567", "66.8992810", "0.9297762042131242", "-112.53144115495104", "1.5e-7"} {
		b.Run("text="+text, func(b *testing.B) {
			field := []byte(text)
			b.SetBytes(int64(len(field)))
			for b.Loop() {
				if _, word, err := table.ParseNumber(field); word != "" || err != nil {
					b.Fatal(word, err)
				}
			}
		})
	}
}
