package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rtcluster/bench/internal/measure"
	"rtcluster/join"
	"rtcluster/join/synth"
)

// source is where the rows of a set come from.
type source struct {
	Name      string
	File      string `json:"-"` // empty: generated
	Rows      int    // of generated ones
	Dim       int
	Eps       float64 // 0: found, of generated ones
	Neighbors int     // for that
	Bytes     bool    `json:",omitempty"` // generated ones are rounded to integers from 0 to 255
	Total     int64   // 0: not known
}

// parseFile reads NAME:FILE:DIM:EPS[:TOTAL].
func parseFile(text string) (source, error) {
	part := strings.Split(text, ":")
	if len(part) < 4 || len(part) > 5 || part[0] == "" || part[1] == "" {
		return source{}, errors.New("want NAME:FILE:DIM:EPS or NAME:FILE:DIM:EPS:TOTAL")
	}
	s := source{Name: part[0], File: part[1]}
	var errs [3]error
	s.Dim, errs[0] = strconv.Atoi(part[2])
	s.Eps, errs[1] = strconv.ParseFloat(part[3], 64)
	if len(part) == 5 {
		s.Total, errs[2] = strconv.ParseInt(part[4], 10, 64)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return s, err
	}
	if s.Dim < 1 || s.Total < 0 || !(s.Eps > 0) {
		return s, fmt.Errorf("DIM %d, EPS %v, TOTAL %d: the first two must be above 0, the last not below", s.Dim, s.Eps, s.Total)
	}
	return s, nil
}

// parseLatent reads ROWS:DIM[:NEIGHBORS].
func parseLatent(text string) (source, error) {
	s := source{Neighbors: 256}
	format, into := "%d:%d", []any{&s.Rows, &s.Dim}
	if strings.Count(text, ":") == 2 {
		format, into = "%d:%d:%d", append(into, &s.Neighbors)
	}
	if _, err := fmt.Sscanf(text+";", format+";", into...); err != nil {
		return s, errors.New("want ROWS:DIM or ROWS:DIM:NEIGHBORS")
	}
	if s.Dim < 1 || s.Neighbors < 1 || s.Rows <= s.Neighbors {
		return s, fmt.Errorf("ROWS %d, DIM %d, NEIGHBORS %d: want 1 or more, and more rows than neighbors", s.Rows, s.Dim, s.Neighbors)
	}
	s.Name = fmt.Sprintf("latent %d × %d", s.Rows, s.Dim)
	return s, nil
}

// parseBytes is parseLatent for rows of bytes.
func parseBytes(text string) (source, error) {
	s, err := parseLatent(text)
	s.Name, s.Bytes = fmt.Sprintf("bytes %d × %d", s.Rows, s.Dim), true
	return s, err
}

// points makes or reads the rows, and finds ε if it isn't given.
func (s *source) points() (*join.Points, []float64, error) {
	var data []float64
	if s.File != "" {
		var err error
		if data, err = measure.ReadNumbers[float32](s.File); err != nil {
			return nil, nil, err
		}
	} else {
		set, err := synth.Make("latent", s.Rows, s.Dim, 1)
		if err != nil {
			return nil, nil, err
		}
		data = set.Data
		for i, x := range data { // from 0 to 1
			if data[i] = float64(float32(x)); s.Bytes {
				data[i] = math.Round(255 * x)
			}
		}
	}
	pts, err := join.NewPoints(data, s.Dim)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if s.Rows = pts.Rows(); s.Eps == 0 {
		s.Eps = typicalDistance(pts, s.Neighbors)
	}
	return pts, data, nil
}

// typicalDistance returns the distance, rounded to 4 digits, that the typical row has
// to its k-th other row: the median of some rows.
func typicalDistance(pts *join.Points, k int) float64 {
	rows := spread(pts.Rows(), 100)
	far := make([]float64, len(rows))
	inParallel(len(rows), func(i int) {
		var near []float64 // at least the k + 1 nearest so far, the row itself among them
		most := math.Inf(1)
		join.Scan(pts, pts.Row(rows[i]), most, func(_ int, d2 float64) {
			if d2 > most {
				return
			}
			if near = append(near, d2); len(near) > 4*k+4 {
				slices.Sort(near)
				near = near[:k+1]
				most = near[k]
			}
		})
		slices.Sort(near)
		far[i] = math.Sqrt(near[k])
	})
	slices.Sort(far)
	eps, err := strconv.ParseFloat(strconv.FormatFloat(far[len(far)/2], 'g', 4, 64), 64)
	if err != nil {
		return far[len(far)/2] // not reached: what was printed can be read
	}
	return eps
}

// spread returns so many different rows of n, or all, at about equal distances.
func spread(n, rows int) []int {
	rows = min(rows, n)
	out := make([]int, rows)
	for i := range out {
		out[i] = int(int64(i) * int64(n) / int64(rows))
	}
	return out
}

// disturb makes numbers that are no float32 numbers of all but 0, by the last bit.
func disturb(data []float64) {
	for i, x := range data {
		if x != 0 {
			data[i] = math.Float64frombits(math.Float64bits(x) ^ 1)
		}
	}
}
