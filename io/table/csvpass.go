package table

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// chunk is a piece of the text of a file on its way through a pass, with what
// becomes of it.
type chunk struct {
	index int
	data  []byte
	line  int64         // number of its first line
	done  chan struct{} // closed once it was worked on
	err   error         // what went wrong with it

	rows   *rowReader
	offset int64 // what row numbers found here lack, known when it is merged
	first  int64 // number of its first row, or 0 while rows are not counted

	buf   []byte      // room for data
	load  loadPart    // for reading numbers
	out   csvWriter   // for writing CSV
	cells csvCells    // for writing Parquet
	types []inference // for finding the types of Parquet, one a column
}

// A pass reads all rows of a file. Chunks are worked on by several goroutines at
// once and merged in file order; if they cannot be read apart from each other,
// both are done in that order.
type pass struct {
	c      *csvFile
	serial bool
	work   func(ch *chunk) error // hands on the rows of a chunk
	merge  func(ch *chunk) error // may be nil

	total int64 // rows merged
	carry pendingBlanks
}

// run makes the pass. A file that is not what it was at the last one is
// ErrChanged.
func (p *pass) run(ctx context.Context) error {
	if err := p.c.src.unchanged(); err != nil {
		return err
	}
	p.serial = p.serial || p.c.blanksAreRows()
	in, err := p.c.reader()
	if err != nil {
		return err
	}
	starts, err := p.read(ctx, in)
	if err = errors.Join(err, in.Close()); err != nil {
		if changed := p.c.src.unchanged(); changed != nil {
			return changed // which explains it
		}
		return err
	}
	if err := p.c.src.unchanged(); err != nil {
		return err
	}
	if p.c.counted() && !slices.Equal(starts, p.c.starts) {
		return p.c.changed()
	}
	p.c.starts = starts
	return nil
}

// read cuts in into chunks and sees them through the pass. It returns the first
// row of each chunk, and the number of rows last.
func (p *pass) read(ctx context.Context, in io.Reader) ([]int64, error) {
	if _, err := io.CopyN(io.Discard, in, p.c.pre.size); err != nil {
		return nil, p.c.changed()
	}
	inner, cancel := context.WithCancel(ctx)
	workers := p.c.threads
	if p.serial {
		workers = 0
	}
	free := make(chan *chunk, workers+2)
	for range cap(free) {
		free <- &chunk{}
	}
	order, jobs := make(chan *chunk, cap(free)), make(chan *chunk, cap(free))
	var wait sync.WaitGroup
	wait.Go(func() {
		defer close(order)
		defer close(jobs)
		p.cut(inner, in, free, order, jobs)
	})
	for range workers {
		wait.Go(func() {
			for ch := range jobs {
				if ch.err = inner.Err(); ch.err == nil {
					ch.err = p.workOn(ch)
				}
				close(ch.done)
			}
		})
	}
	starts, err := p.collect(ctx, free, order)
	cancel()
	wait.Wait()
	return starts, err
}

// cut sends the chunks of in, as free ones come, in order and as jobs.
func (p *pass) cut(ctx context.Context, in io.Reader, free <-chan *chunk, order, jobs chan<- *chunk) {
	cutter := cutter{rule: p.c.rule, r: in, max: maxRecord, line: p.c.pre.lines + 1}
	for index := 0; ; index++ {
		var ch *chunk
		select {
		case ch = <-free:
		case <-ctx.Done():
			return
		}
		var err error
		ch.index, ch.err, ch.done = index, nil, make(chan struct{})
		if ch.data, ch.line, err = cutter.next(slices.Grow(ch.buf[:0], p.c.chunk)[:p.c.chunk]); errors.Is(err, io.EOF) {
			return
		}
		ch.buf = ch.data
		if err != nil {
			ch.err, ch.rows = p.c.readError(err, ch.line), nil
			close(ch.done)
			order <- ch
			return
		}
		order <- ch // never blocks: as many places as chunks
		if !p.serial {
			jobs <- ch
		}
	}
}

// workOn works on a chunk by itself.
func (p *pass) workOn(ch *chunk) error {
	if ch.rows == nil {
		ch.rows = &rowReader{c: p.c}
	}
	*ch.rows = rowReader{c: p.c, scanner: ch.rows.scanner, most: noLimit}
	if ch.first = 0; p.c.counted() {
		if ch.index+1 >= len(p.c.starts) {
			return p.c.changed()
		}
		ch.first, ch.rows.most = p.c.starts[ch.index], p.c.starts[ch.index+1]
	}
	ch.rows.row = ch.first
	ch.rows.begin(ch)
	return p.work(ch)
}

// collect merges the chunks in their order.
func (p *pass) collect(ctx context.Context, free chan<- *chunk, order <-chan *chunk) ([]int64, error) {
	starts, meter := []int64{0}, meterOf(ctx)
	shared := &rowReader{c: p.c, most: noLimit}
	if p.c.counted() {
		shared.most = p.c.rows()
	}
	for ch := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.serial && ch.err == nil {
			ch.rows, ch.first, ch.offset = shared, shared.row, 0
			shared.begin(ch)
			ch.err = p.work(ch)
		} else if !p.serial {
			<-ch.done
		}
		if err := p.add(ch); err != nil {
			return nil, err
		}
		meter.count(p.total - starts[len(starts)-1])
		starts = append(starts, p.total)
		free <- ch
	}
	return starts, ctx.Err()
}

// add merges a chunk.
func (p *pass) add(ch *chunk) error {
	if !p.serial && ch.rows != nil {
		if ch.offset = 0; !p.c.counted() {
			ch.offset = p.total
		}
		if p.carry.n > 0 && ch.rows.saw {
			return p.c.blankBetween(p.carry.line)
		}
		if ch.rows.blanks.n > 0 && p.carry.n == 0 {
			p.carry = ch.rows.blanks
		}
	}
	if ch.err != nil {
		var bad *DataError
		if errors.As(ch.err, &bad) && bad.Row >= 0 {
			bad.Row += ch.offset
		}
		return ch.err
	}
	p.total = ch.rows.row + ch.offset
	if p.merge == nil {
		return nil
	}
	return p.merge(ch)
}

// scan calls fn with all rows in order.
func (c *csvFile) scan(ctx context.Context, fn func(row int64, r *record) error) error {
	p := pass{c: c, serial: true, work: func(ch *chunk) error {
		return ch.rows.rows(func(r *record) error { return fn(ch.rows.row, r) }, nil)
	}}
	return p.run(ctx)
}
