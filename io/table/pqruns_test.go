package table_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"

	"rtcluster/io/table"
)

// checkLevels compares what is found of levels with what the library decodes.
func checkLevels(t *testing.T, b []byte, n, most int) {
	t.Helper()
	first, full, runs, err := table.ReadLevels(b, n, most)
	if err != nil {
		return
	}
	code := rle.Encoding{BitWidth: bits.Len(uint(most))}
	list, err := code.DecodeLevels(nil, runs)
	if err != nil || len(list) < n {
		t.Fatalf("%x: %d levels up to %d become %d: %v", b, n, most, len(list), err)
	}
	wantFirst, wantFull := -1, 0
	for i, level := range list[:n] {
		if i == 0 {
			wantFirst = int(level)
		}
		if int(level) == most {
			wantFull++
		}
		if int(level) > most {
			t.Fatalf("%x: there is a level of %d above %d", b, level, most)
		}
	}
	if first != wantFirst || full != wantFull {
		t.Errorf("%x: %d levels up to %d: got first %d, %d full; want %d, %d", b, n, most, first, full, wantFirst, wantFull)
	}
}

// TestLevels walks over what the library encodes, of all widths and lengths.
func TestLevels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for most := 1; most <= 255; most += 1 + most/8 {
		for _, n := range []int{1, 2, 7, 8, 9, 63, 64, 65, 200} {
			list := make([]byte, n)
			for i := range list {
				if list[i] = byte(rnd.IntN(most + 1)); i > 0 && rnd.IntN(3) > 0 {
					list[i] = list[i-1]
				}
			}
			code := rle.Encoding{BitWidth: bits.Len(uint(most))}
			b, err := code.EncodeLevels(nil, list)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, err := table.ReadLevels(b, n, most); err != nil {
				t.Fatalf("%d levels up to %d: %v", n, most, err)
			}
			checkLevels(t, b, n, most)
			checkLevels(t, append(b, 0xff), n, most) // what follows is left out
		}
	}
}

func TestLevelsRefuse(t *testing.T) {
	for _, c := range []struct {
		name    string
		b       []byte
		n, most int
		want    string
	}{
		{"nothing", nil, 1, 1, "its runs are cut off"},
		{"a value that is not there", []byte{2 << 1}, 2, 1, "its runs are cut off"},
		{"a run of nothing", []byte{0, 1}, 2, 1, "one of its runs is of no values"},
		{"a run that is too long", []byte{3 << 1, 1}, 2, 1, "a run claims 3 values, 2 are left"},
		{"a run of 2^31", []byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 1}, 2, 1, "a run claims 2147483647 values, 2 are left"},
		{"packed ones that are too many", []byte{3<<1 | 1, 0, 0}, 8, 1, "a run claims 24 values, 8 are left"},
		{"packed ones of more bits that are", []byte{2<<1 | 1, 0, 0, 0}, 8, 2, "its runs are cut off"},
		{"packed ones that are cut off", []byte{2<<1 | 1, 0}, 9, 1, "its runs are cut off"},
		{"a level above the greatest", []byte{2 << 1, 3}, 2, 2, "there is a level of 3, the greatest is 2"},
		{"a packed level above it", []byte{1<<1 | 1, 0b10_10_11_00, 0}, 8, 2, "there is a level of 3, the greatest is 2"},
	} {
		if _, _, _, err := table.ReadLevels(c.b, c.n, c.most); fmt.Sprint(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	padding := []byte{1<<1 | 1, 0b00_10_01_00, 0xff} // above the greatest, but not among the four
	if first, full, _, err := table.ReadLevels(padding, 4, 2); err != nil || first != 0 || full != 1 {
		t.Errorf("padding: got %d %d %v", first, full, err)
	}
}

// FuzzLevels compares the walk with the library's decoder.
func FuzzLevels(f *testing.F) {
	f.Add([]byte{3 << 1, 1, 1<<1 | 1, 0b10110010}, uint16(9), uint8(1))
	f.Add([]byte{1<<1 | 1, 0x88, 0xc6, 0xfa}, uint16(7), uint8(6))
	f.Fuzz(func(t *testing.T, b []byte, n uint16, most uint8) {
		if most > 0 {
			checkLevels(t, b, int(n), int(most))
		}
	})
}

// TestDeltas decodes what the library encodes.
func TestDeltas(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 2))
	for _, n := range []int{0, 1, 2, 32, 33, 128, 129, 130, 1000} {
		for _, most := range []int32{1, 2, 100, 1 << 30} {
			want := make([]int32, n)
			for i := range want {
				want[i] = rnd.Int32N(most)
			}
			b, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			list, rest, err := table.WalkDeltas(append(b, "rest"...), n)
			same := slices.EqualFunc(list, want, func(a int, b int32) bool { return a == int(b) })
			if err != nil || string(rest) != "rest" || !same {
				t.Errorf("%d numbers below %d: got %d, rest %q, %v", n, most, len(list), rest, err)
			}
			if n == 0 {
				continue
			}
			for cut := range b {
				if _, _, err := table.WalkDeltas(b[:cut], n); err == nil && cut < len(b)-most8(most) {
					t.Errorf("%d numbers below %d, cut to %d of %d bytes: got no error", n, most, cut, len(b))
				}
			}
			if _, _, err := table.WalkDeltas(b, n+1); err == nil {
				t.Errorf("%d numbers, one too few: got no error", n)
			}
		}
	}
}

// most8 is how many bytes of padding a miniblock of numbers may end in.
func most8(most int32) int { return 4 * (bits.Len32(uint32(most)) + 1) }
