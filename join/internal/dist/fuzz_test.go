package dist_test

import (
	"encoding/binary"
	"math"
	"testing"

	"rtcluster/join/internal/dist"
)

// FuzzTile takes any bits for coordinates and limits, and checks each level
// against float64 sums.
func FuzzTile(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, uint8(3), uint8(5), uint32(0x3f800000), uint32(0x40000000))
	f.Add([]byte{0, 0, 0x80, 0x7f, 0, 0, 0xc0, 0x7f}, uint8(9), uint8(1), uint32(0x7f800000), uint32(0x7f800000))
	f.Fuzz(func(t *testing.T, data []byte, dim, n uint8, sureBits, hitBits uint32) {
		d, lanes := int(dim%40)+1, make([]uint8, n%33)
		at := 0
		value := func() uint32 {
			var word [4]byte
			for i := range word {
				if len(data) > 0 {
					word[i] = data[at%len(data)]
				}
				at++
			}
			return binary.LittleEndian.Uint32(word[:])
		}
		q, b := make([]float32, d*dist.Lanes), make([]float32, d*dist.Lanes)
		for i := range q {
			q[i], b[len(b)-1-i] = math.Float32frombits(value()), math.Float32frombits(value())
		}
		for i := range lanes {
			lanes[i] = uint8(value() % dist.Lanes)
		}
		s := sums(q, b)
		for _, level := range dist.Levels() {
			restore := dist.Use(level)
			tileCase(t, "level="+level, false, q, b, s, lanes, math.Float32frombits(sureBits), math.Float32frombits(hitBits))
			restore()
		}
	})
}
