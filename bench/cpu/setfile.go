package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"path/filepath"

	"rtcluster/bench/internal/measure"
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
	err := measure.ReadJSON(about, s)
	if err == nil {
		return s, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; remove it, and it is made anew", err)
	}
	log.Printf("making %s", base)
	data := r.draw()
	if err := measure.WriteNumbers(filepath.Join(folder, s.File), data); err != nil {
		return nil, err
	}
	if s.Eps, err = searchEps(ctx, data, r.Dim, r.Neighbors); err != nil {
		return nil, fmt.Errorf("ε of set %s: %w", r.Name, err)
	}
	return s, measure.WriteJSON(about, s)
}

// readValues reads the values of a set; there must be exactly n values.
func readValues(path string, n int) ([]float64, error) {
	data, err := measure.ReadNumbers[float64](path)
	if err == nil && len(data) != n {
		err = fmt.Errorf("%s has %d values, want %d", path, len(data), n)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: remove it and its .json, and it is made anew", err)
	}
	return data, nil
}
