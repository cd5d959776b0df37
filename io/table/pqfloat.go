package table

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

const (
	// floatBlock is the most columns that are read side by side: their numbers
	// stand together in memory, and each holds a page.
	floatBlock = 16

	// floatJobs is how many jobs a file of few row groups is cut into, by columns.
	floatJobs = 8
)

// floats reads the columns of the given places: some columns of a row group at a
// time, on all threads. How it is cut does not depend on the number of threads,
// so that of several faults always the same one is told.
func (p *parquetFile) floats(ctx context.Context, columns []int, f *Floats) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	all, err := p.floatColumns(columns, f)
	if err != nil {
		return err
	}
	ctx = counting(ctx, len(all))
	if err := p.groupFloats(ctx, all, 0, len(p.meta.RowGroups), f); err != nil {
		return err
	}
	return p.src.unchanged()
}

// groupFloats reads the columns of row groups from to to, whose rows are those of f.
func (p *parquetFile) groupFloats(ctx context.Context, columns []floatColumn, from, to int, f *Floats) error {
	var jobs []*floatJob
	size := min(floatBlock, (len(columns)*(to-from)+floatJobs-1)/floatJobs)
	row := int64(0)
	for g := from; g < to; g++ {
		rows := p.meta.RowGroups[g].NumRows
		if rows > 0 {
			for block := range slices.Chunk(columns, size) {
				jobs = append(jobs, &floatJob{p: p, f: f, columns: slices.Clone(block), group: g, row: row, end: row + rows})
			}
		}
		row += rows
	}
	err := parallel(p.threads, len(jobs), func(i int) error { return jobs[i].run(ctx) })
	if err != nil {
		return err
	}
	for _, job := range jobs { // in order of rows
		for i := range job.columns {
			f.Bad[job.columns[i].at].add(&job.columns[i].bad)
		}
	}
	return nil
}

// eachFloats hands on the numbers of some row groups at a time.
func (p *parquetFile) eachFloats(ctx context.Context, columns []int, names []string, size int, fn func(*Floats) error) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	all, err := p.floatColumns(columns, newFloats(names, 0, nil))
	if err != nil {
		return err
	}
	ctx = counting(ctx, len(all))
	var data []float64
	base, groups := int64(0), p.meta.RowGroups
	for from := 0; from < len(groups); {
		to, rows := from, int64(0)
		for to < len(groups) && (to == from || rows+groups[to].NumRows <= int64(size)) {
			rows += groups[to].NumRows
			to++
		}
		n := int(rows) * len(names)
		data = slices.Grow(data[:0], n)[:n]
		f := newFloats(names, int(rows), data)
		if err := p.groupFloats(ctx, all, from, to, f); err != nil {
			return moveRow(err, base)
		}
		f.moveBad(base)
		if rows > 0 {
			if err := fn(f); err != nil {
				return err
			}
		}
		base, from = base+rows, to
	}
	return p.src.unchanged()
}

// moveRow counts the row of an error from an earlier row on.
func moveRow(err error, by int64) error {
	var bad *DataError
	if errors.As(err, &bad) && bad.Row >= 0 {
		bad.Row += by
	}
	return err
}

// floatColumns settles how the columns are taken as numbers.
func (p *parquetFile) floatColumns(columns []int, f *Floats) ([]floatColumn, error) {
	all := make([]floatColumn, len(columns))
	for j, i := range columns {
		n := p.root.children[i]
		cast := ""
		if asked := f.Bad[j].Column; asked != n.name {
			_, cast = SplitCast(asked)
		}
		number, err := readerOf(n, cast)
		if err != nil {
			return nil, badColumn(p.src.path, n.name, "%w", err)
		}
		all[j] = floatColumn{at: j, n: n, number: number, bad: Bad{FirstRow: -1}}
	}
	return all, nil
}

// add adds the counts of later rows.
func (b *Bad) add(c *Bad) {
	b.Nulls += c.Nulls
	b.NaNs += c.NaNs
	b.Infs += c.Infs
	if b.FirstRow < 0 {
		b.FirstRow, b.FirstLine = c.FirstRow, c.FirstLine
	}
}

// floatColumn is a column that is read as numbers.
type floatColumn struct {
	at     int // column of the Floats
	n      *node
	number numberReader
	r      *leafReader
	mask   *maskReader
	bad    Bad

	nulls, nans int64 // as they are stored, whatever the mask hides
}

// floatJob reads some columns of one row group.
type floatJob struct {
	p        *parquetFile
	f        *Floats
	columns  []floatColumn
	group    int
	row, end int64 // of the row group
}

// run reads the columns side by side, a batch of rows at a time, or one after the
// other where their pages are too large for that.
func (j *floatJob) run(ctx context.Context) error {
	total, needs := int64(0), make([]int64, len(j.columns))
	for i := range j.columns {
		needs[i] = j.p.chunkLoad(j.group, j.columns[i].n.firstLeaf).need()
		if mask := j.p.masks[j.columns[i].n]; mask != nil {
			needs[i] += j.p.chunkLoad(j.group, mask.firstLeaf).need()
		}
		total += needs[i]
	}
	if total <= j.p.budget.most/2 {
		if err := j.read(ctx, j.columns, total); err != nil {
			return err
		}
	} else {
		for i := range j.columns {
			if err := j.read(ctx, j.columns[i:i+1], needs[i]); err != nil {
				return err
			}
		}
	}
	for i := range j.columns {
		c := &j.columns[i]
		if !floatingPoint(c.n.leaf.class) {
			continue // there are no NaN, or they are text
		}
		if err := j.p.stats.of(j.group, c.n.firstLeaf).check(c.nulls, c.nans); err != nil {
			return badColumn(j.p.src.path, c.n.name, "%w", err)
		}
	}
	return nil
}

// read reads some of the columns side by side, whose pages need so much memory.
func (j *floatJob) read(ctx context.Context, columns []floatColumn, need int64) error {
	defer j.p.budget.take(need)()
	meter := meterOf(ctx)
	for i := range columns {
		c := &columns[i]
		c.r, c.mask = j.p.newGroupReader(c.n.firstLeaf, j.group), j.p.newMaskReader(c.n, j.group)
		defer c.r.close()
		defer c.mask.done()
	}
	for row := j.row; row < j.end; row += valueBatch {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(j.end-row, valueBatch)
		for i := range columns {
			if err := columns[i].read(j, row, n); err != nil {
				return err
			}
		}
		meter.count(n * int64(len(columns)))
	}
	return nil
}

// read reads n rows from row on.
func (c *floatColumn) read(j *floatJob, row, n int64) error {
	values, err := c.r.read(n)
	if err != nil {
		return err
	}
	if err := c.mask.next(n); err != nil {
		return err
	}
	stride := j.f.Cols
	data := j.f.Data[int(row)*stride+c.at:]
	for i := range values {
		x, k, err := c.number(&values[i])
		switch k {
		case kindNull:
			c.nulls++
		case kindNaN:
			c.nans++
		}
		if c.mask.hides(i) {
			x, k, err = math.NaN(), kindNull, nil
		}
		if err != nil {
			return &DataError{Path: j.p.src.path, Column: c.n.name, Row: row + int64(i), Err: err}
		}
		if k != kindNumber {
			c.bad.note(k, row+int64(i), 0)
		}
		data[i*stride] = x
	}
	return nil
}

// magnitude returns |i|.
func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// signed returns the value of a column of signed integers.
func signed(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// unsigned returns the value of a column of unsigned integers.
func unsigned(v parquet.Value) uint64 {
	if v.Kind() == parquet.Int32 {
		return uint64(v.Uint32())
	}
	return v.Uint64()
}

// integerText returns an integer in digits.
func integerText(v parquet.Value, c class) string {
	if c == classUint {
		return strconv.FormatUint(unsigned(v), 10)
	}
	return strconv.FormatInt(signed(v), 10)
}
