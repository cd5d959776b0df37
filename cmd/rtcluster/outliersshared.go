package main

import (
	"os"
	"slices"

	"rtcluster/io/table"
)

// This file finds new rows that are rows of the reference, because their file is one
// of its files: such a row must not be its own neighbour. Rows of another file are
// new, whatever they hold.

// sharedFiles tells which files of new rows are files of the reference.
type sharedFiles struct {
	starts []int64 // first row of each file of the new rows
	own    []int64 // the row of the reference that it is, -1 for files that are none of it
	files  int     // how many are
	count  int64   // and their rows
}

// ownRows are rows of the reference, of those used.
type ownRows struct{ from, to int }

// newSharedFiles compares the files of two tables.
func newSharedFiles(reference, fresh *table.Table) *sharedFiles {
	type place struct {
		info  os.FileInfo
		first int64
	}
	var places []place
	first := int64(0)
	for _, f := range reference.Files() {
		if info, err := os.Stat(f.Path); err == nil && f.Path != "-" {
			places = append(places, place{info, first})
		}
		first += f.Rows
	}
	s := &sharedFiles{}
	first = 0
	for _, f := range fresh.Files() {
		own := int64(-1)
		if info, err := os.Stat(f.Path); err == nil && f.Path != "-" {
			if i := slices.IndexFunc(places, func(p place) bool { return os.SameFile(p.info, info) }); i >= 0 {
				own = places[i].first
				s.files, s.count = s.files+1, s.count+f.Rows
			}
		}
		s.starts, s.own = append(s.starts, first), append(s.own, own)
		first += f.Rows
	}
	return s
}

// rows returns the rows of the reference that the rows of s, a part of a file of the
// new rows, are; nil if they are none.
func (f *sharedFiles) rows(reference, s *source) (*ownRows, error) {
	file, _ := slices.BinarySearch(f.starts, s.first+1)
	file-- // the last that begins at or before it
	start, own := f.starts[file], f.own[file]
	if own < 0 {
		return nil, nil
	}
	at, n := int(own+s.first-start), s.points.Rows()
	if reference.rows != nil {
		at, _ = slices.BinarySearch(reference.rows, int32(at))
	}
	for i := range n {
		row := s.tableRow(i)
		if at+i >= reference.points.Rows() || reference.tableRow(at+i)-own != row-start || !slices.Equal(reference.points.Row(at+i), s.points.Row(i)) {
			return nil, inputf(s.path, "%s is not what it was when it was read for --reference: run again when nothing writes to the file", s.place(row))
		}
	}
	return &ownRows{at, at + n}, nil
}
