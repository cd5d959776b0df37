package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/synth"
)

const (
	seed   = 1
	heaps  = 10   // places of half the rows of set heaps
	sample = 1000 // rows whose neighbours give ε
)

// set is a set of points in a file.
type set struct {
	Shape     string
	File      string
	Rows, Dim int
	Eps       float64 // the typical row has nearest neighbours within
}

// openSet returns the set, and makes it if it isn't there.
func openSet(ctx context.Context, folder, shape string, rows, dim int) (*set, error) {
	s := &set{Shape: shape, Rows: rows, Dim: dim}
	s.File = filepath.Join(folder, fmt.Sprintf("%s-%dx%d.f64", shape, rows, dim))
	about := s.File + ".json"
	if err := measure.ReadJSON(about, s); !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	data, err := makeRows(shape, rows, dim)
	if err != nil {
		return nil, err
	}
	if s.Eps, err = searchEps(ctx, data, dim); err != nil {
		return nil, err
	}
	if err := measure.WriteNumbers(s.File, data); err != nil {
		return nil, err
	}
	return s, measure.WriteJSON(about, s)
}

// readRows returns count rows of the file of a set, from a row on.
func readRows(path string, dim, from, count int) (*join.Points, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	data := make([]float64, count*dim)
	if err := binary.Read(io.NewSectionReader(f, int64(from*dim*8), int64(len(data)*8)), binary.LittleEndian, data); err != nil {
		return nil, fmt.Errorf("%s: %w: remove it and its .json, and it is made anew", path, err)
	}
	return join.NewPoints(data, dim)
}

// makeRows returns the values of a set, row by row: a shape of package synth, or
//
//	heaps      blobs, of which each second row is put on one of ten places
//	densities  three groups of equally many rows, each ten times as wide as the one
//	           before: in three coordinates, densities from 1 to a millionth
func makeRows(shape string, rows, dim int) ([]float64, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	switch shape {
	case "heaps":
		base, err := synth.Make("blobs", rows, dim, seed)
		if err != nil {
			return nil, err
		}
		for i := 1; i < rows; i += 2 {
			at := 2 * r.IntN(min(heaps, (rows+1)/2))
			copy(base.Data[i*dim:(i+1)*dim], base.Data[at*dim:(at+1)*dim])
		}
		return base.Data, nil
	case "densities":
		data := make([]float64, rows*dim)
		for i := range data {
			group := i / dim % 3
			width := math.Pow(10, float64(group))
			data[i] = float64(1000*group) + float64(width*r.NormFloat64())
		}
		return data, nil
	default:
		base, err := synth.Make(shape, rows, dim, seed)
		if err != nil {
			return nil, err
		}
		return base.Data, nil
	}
}

// searchEps returns the distance at which the typical row has so many neighbours as the
// methods of nearest rows look at, and a little more, so that no pair is at it just so:
// peers that round distances otherwise see the same pairs.
func searchEps(ctx context.Context, data []float64, dim int) (float64, error) {
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		return 0, err
	}
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		return 0, err
	}
	few := make([]int32, min(sample, pts.Rows()))
	for i := range few {
		few[i] = int32(i * (pts.Rows() / len(few)))
	}
	rows, d2 := make([]int32, len(few)*nearest), make([]float64, len(few)*nearest)
	if err := join.Lists(ctx, idx, pts.Subset(few), nearest, rows, d2); err != nil {
		return 0, err
	}
	var last []float64
	for at := nearest - 1; at < len(d2); at += nearest {
		last = append(last, d2[at])
	}
	slices.Sort(last)
	return math.Sqrt(last[len(last)/2]) * (1 + 1e-6), idx.Close()
}
