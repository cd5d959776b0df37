package table

import (
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// This file checks the statistics of column chunks against the values read. The
// library does not tell a count that is absent from one of 0, nor does it know
// the count of NaN, so both are taken from the footer once more.

// chunkCounts is what a column chunk claims to hold, where it does.
type chunkCounts struct {
	Nulls thrift.Null[int64] `thrift:"3,optional"`
	NaNs  thrift.Null[int64] `thrift:"9,optional"`
}

type statsChunk struct {
	MetaData statsMetaData `thrift:"3,optional"`
}

type statsMetaData struct {
	Statistics chunkCounts `thrift:"12,optional"`
}

type statsGroup struct {
	Columns thrift.Slice[statsChunk] `thrift:"1,optional"`
}

type statsFooter struct {
	RowGroups thrift.Slice[statsGroup] `thrift:"4,optional"`
}

// readCounts returns the counts by row group and leaf. Statistics are no part of
// the data: those that cannot be read are taken as absent.
func readCounts(footer []byte) *statsFooter {
	s := new(statsFooter)
	err := guard(func() error { return thrift.Unmarshal(new(thrift.CompactProtocol), footer, s) })
	if err != nil {
		return new(statsFooter)
	}
	return s
}

// of returns the counts of a chunk.
func (s *statsFooter) of(group, leaf int) chunkCounts {
	if group >= len(s.RowGroups) || leaf >= len(s.RowGroups[group].Columns) {
		return chunkCounts{}
	}
	return s.RowGroups[group].Columns[leaf].MetaData.Statistics
}

// check compares the counts with what was read; nans is negative if NaN were not
// counted.
func (c chunkCounts) check(nulls, nans int64) error {
	if c.Nulls.Valid && c.Nulls.V != nulls {
		return fmt.Errorf("its statistics say %d nulls, there are %d", c.Nulls.V, nulls)
	}
	if c.NaNs.Valid && nans >= 0 && c.NaNs.V != nans {
		return fmt.Errorf("its statistics say %d NaN, there are %d", c.NaNs.V, nans)
	}
	return nil
}
