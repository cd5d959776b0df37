package dist_test

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"rtcluster/join/internal/dist"
)

// This file finds what guard bands cannot: reads outside a slice. Each slice
// lies at the end or at the start of pages that are mapped, so that the first
// byte read beyond them faults.

// paged returns a copy of x that ends where mapped memory ends (atEnd), or
// begins where it begins.
func paged[T any](t *testing.T, x []T, atEnd bool) []T {
	t.Helper()
	var zero T
	size, page := len(x)*int(unsafe.Sizeof(zero)), syscall.Getpagesize()
	inner := (size + page - 1) / page * page
	if inner == 0 {
		return nil
	}
	m, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatalf("map pages: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Errorf("unmap pages: %v", err)
		}
	})
	for _, wall := range [][]byte{m[:page], m[page+inner:]} {
		if err := syscall.Mprotect(wall, syscall.PROT_NONE); err != nil {
			t.Fatalf("protect a page: %v", err)
		}
	}
	at := page
	if atEnd {
		at += inner - size
	}
	y := unsafe.Slice((*T)(unsafe.Pointer(&m[at])), len(x)) // unsafe: mapped bytes are aligned for T, and hold no pointers.
	copy(y, x)
	return y
}

func TestNoReadOutside(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, atEnd := range []bool{false, true} {
			for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 23, 31, 32} {
				t.Run(fmt.Sprintf("n=%d/atEnd=%t", n, atEnd), func(t *testing.T) {
					defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
					atPages(t, n, atEnd)
				})
			}
		}
	})
}

// downFrom returns the numbers from n−1 down to 0.
func downFrom(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(n - 1 - i)
	}
	return all
}

// atPages calls everything with n rows or coordinates.
func atPages(t *testing.T, n int, atEnd bool) {
	f32 := func(n int) []float32 { return paged(t, make([]float32, n), atEnd) }
	f64 := func(n int) []float64 { return paged(t, make([]float64, n), atEnd) }
	u32 := func(n int) []uint32 { return paged(t, make([]uint32, n), atEnd) }
	i32 := func(n int) []int32 { return paged(t, make([]int32, n), atEnd) }
	q, b := f32(n*dist.Lanes), f32(n*dist.Lanes)
	lanes := paged(t, make([]uint8, n), atEnd)
	dist.Shift(q, b, f32(n))
	dist.MinMax(f32(n), f32(n), q)
	dist.Near(q, f32(2*n), 1)
	dist.NearEach(q, f32(2*n), (*[dist.Lanes]float32)(f32(dist.Lanes)))
	dist.Tile(u32(n), u32(n), q, lanes, b, 1, 2)
	dist.Distances(f32(n*dist.Lanes), u32(n), q, lanes, b, f32(n))
	dist.Squares(f64(n), f64(3), f64(3*n), paged(t, downFrom(n), atEnd))
	dist.Squares(f64(9), f64(n), f64(9*n), paged(t, downFrom(9), atEnd))
	dist.Gap2(f64(2*n), f64(2*n))
	dist.Reach2(f64(2*n), f64(2*n))
	dist.AddBits(i32(dist.Lanes), 7)
	for m := 1; m <= n; m++ {
		dist.Rotate(f64(3*m), f64(3*n), f64(n), f64(n*m), 3, m)
	}
	dist.Cut(f32(n), 1, 1)
	dist.Cut(f32(n), 1, n)
	for i := range lanes {
		lanes[i] = uint8(n - 1 - i)
	}
	for _, mask := range []uint32{0, 1, 0xffff, 0xffff0000, math.MaxUint32} {
		// All lists are full, or will be: the last begins Lanes before the end.
		hits := paged(t, slices.Repeat([]uint32{mask}, n), atEnd)
		dist.Append(f32(n*dist.Lanes), i32(n*dist.Lanes), i32(n), dist.Lanes, lanes, b, hits, 0)
	}
	for _, limit := range []float32{-1, 0} {
		dist.Keep(f32(n), i32(n), limit)
	}
	dist.Ranks(i32(n), f64(n))
	for _, pivot := range []float32{-1, 0} {
		dist.Partition([][]float32{f32(n), f32(n)}, i32(n), [][]float32{f32(n), f32(n)}, i32(n), 1, pivot, true)
	}
}
