package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"path/filepath"
)

// set is what stands in the JSON file beside the values of a set.
type set struct {
	Name       string          `json:"name"`
	File       string          `json:"file"` // in the same folder
	Rows       int             `json:"n"`
	Dim        int             `json:"d"`
	MinSamples int             `json:"minpts"`
	Eps        map[int]float64 `json:"eps"` // by mean number of neighbours
}

// openSet reads what is known of the recipe's set in the folder, and makes the
// set if it isn't there.
func openSet(ctx context.Context, folder string, r recipe, log *log.Logger) (*set, error) {
	s := &set{Name: r.Name, Rows: r.Rows, Dim: r.Dim, MinSamples: r.MinSamples, Eps: map[int]float64{}}
	base := fmt.Sprintf("%s-%d", r.Name, r.Rows)
	s.File = base + ".f64"
	about := filepath.Join(folder, base+".json")
	text, err := os.ReadFile(about)
	if err == nil {
		if err := json.Unmarshal(text, s); err != nil {
			return nil, fmt.Errorf("%s: %w; remove it, and it is made anew", about, err)
		}
		return s, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	log.Printf("making %s", base)
	data := r.draw()
	if err := writeValues(filepath.Join(folder, s.File), data); err != nil {
		return nil, err
	}
	if s.Eps, err = searchEps(ctx, data, r.Dim, r.Neighbors); err != nil {
		return nil, fmt.Errorf("ε of set %s: %w", r.Name, err)
	}
	text, err = json.MarshalIndent(s, "", " ")
	if err != nil {
		return nil, err
	}
	return s, os.WriteFile(about, append(text, '\n'), 0o644)
}

// writeValues writes little-endian float64 values.
func writeValues(path string, data []float64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	var b [8]byte
	for _, x := range data {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	return w.Flush()
}

// readValues reads what writeValues wrote; there must be exactly n values.
func readValues(path string, n int) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != int64(n)*8 {
		return nil, fmt.Errorf("%s has %d bytes, want %d values of 8: remove it and its .json, and it is made anew", path, info.Size(), n)
	}
	data := make([]float64, n)
	r := bufio.NewReaderSize(f, 1<<16)
	var b [8]byte
	for i := range data {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		data[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
	}
	return data, nil
}
