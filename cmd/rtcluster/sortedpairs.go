package main

import (
	"context"
	"slices"

	"rtcluster/join"
)

// sortBudget is how many pairs --sort holds at once: 128 MiB of keys.
const sortBudget = 16 << 20

// sortBatch is how many sorted pairs are handed on at once.
const sortBatch = 8 << 10

// sortedPairs calls emit with the pairs that idx.Pairs gives, ordered by I, then
// J. It needs no temporary file: it counts the neighbours of every row first,
// and then asks for the pairs of one block of rows after another, blocks that
// have at most budget pairs, or else are a single row, whose pairs are no more
// than there are rows.
//
// Two blocks of a self-join both look at a pair across them, so that it costs
// the counts and twice the pairs; where all fit at once, the pairs once.
func sortedPairs(ctx context.Context, idx join.Index, q *join.Points, eps float64, budget int, emit func([]join.Pair) error) error {
	queries := q
	if q == nil {
		queries = idx.Points()
	}
	counts := make([]int32, queries.Rows())
	if err := idx.Counts(ctx, q, eps, 0, counts); err != nil {
		return err
	}
	var keys []uint64 // of a block, in the same memory for all
	rest := 0
	for _, count := range counts {
		rest += int(count)
	}
	for from := 0; from < len(counts); {
		to, pairs := from+1, int(counts[from])
		for to < len(counts) && pairs+int(counts[to]) <= budget {
			pairs += int(counts[to])
			to++
		}
		if keys = keys[:0]; cap(keys) < pairs {
			keys = make([]uint64, 0, min(max(pairs, budget), rest))
		}
		rest -= pairs
		collect := func(batch []join.Pair) error {
			for _, p := range batch {
				if i := int32(from) + p.I; q != nil || i < p.J {
					keys = append(keys, uint64(i)<<32|uint64(p.J))
				}
			}
			return nil
		}
		if err := idx.Pairs(ctx, block(queries, q, from, to), eps, collect); err != nil {
			return err
		}
		if err := emitSorted(ctx, keys, emit); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// block returns rows from..to−1 of the queries as query points: q itself if
// they are all, which keeps a self-join one.
func block(queries, q *join.Points, from, to int) *join.Points {
	if to-from == queries.Rows() {
		return q
	}
	rows := make([]int32, to-from)
	for i := range rows {
		rows[i] = int32(from + i)
	}
	return queries.Subset(rows)
}

// stageSort is sorting pairs and handing them on.
const stageSort join.Stage = "sort"

// sortRun is how many pairs are sorted at once, between looks at the context: a few
// hundredths of a second's work.
const sortRun = 512 << 10

// emitSorted hands on pairs packed as I·2³² + J, in order. They are sorted in runs, which
// are merged as they are handed on, so that an interruption need not wait for all.
func emitSorted(ctx context.Context, keys []uint64, emit func([]join.Pair) error) error {
	progress, done, total := join.ReportTo(ctx), int64(0), int64(len(keys))
	progress(stageSort, 0, total)
	var m merger
	for run := range slices.Chunk(keys, sortRun) {
		if err := ctx.Err(); err != nil {
			return err
		}
		slices.Sort(run)
		m.runs = append(m.runs, run)
	}
	for i := len(m.runs)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	batch := make([]join.Pair, 0, min(sortBatch, len(keys)))
	for done < total {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch = batch[:0]
		for len(batch) < sortBatch && len(m.runs) > 0 {
			key := m.next()
			batch = append(batch, join.Pair{I: int32(key >> 32), J: int32(uint32(key))})
		}
		if err := emit(batch); err != nil {
			return err
		}
		done += int64(len(batch))
		progress(stageSort, done, total)
	}
	return nil
}

// merger merges sorted runs, none of them empty: a heap by their first keys.
type merger struct{ runs [][]uint64 }

// next takes the least key away.
func (m *merger) next() uint64 {
	first := m.runs[0]
	if len(first) > 1 {
		m.runs[0] = first[1:]
	} else {
		last := len(m.runs) - 1
		m.runs[0] = m.runs[last]
		m.runs = m.runs[:last]
	}
	m.sink(0)
	return first[0]
}

// sink moves run i down to its place.
func (m *merger) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.runs); child++ {
			if m.runs[child][0] < m.runs[least][0] {
				least = child
			}
		}
		if least == i {
			return
		}
		m.runs[i], m.runs[least] = m.runs[least], m.runs[i]
		i = least
	}
}
