package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/catalog"
)

// parquetFile is a table in a Parquet file.
type parquetFile struct {
	src     *source
	pages   io.ReaderAt               // src, where pages are read
	shell   *parquet.File             // what the library knows of it
	from    string                    // the format that it was, if it is a temporary file; else parquet
	said    map[string]catalog.Column // what its metadata says of columns
	masks   map[*node]*node           // columns that are true where others are missing, by those
	notes   []Note                    // about the file, or that which it was
	meta    *format.FileMetaData
	stats   *statsFooter
	threads int
	root    *node
	leaf    []*node   // all leaves, in order
	spare   sync.Pool // of buffers of pages, *[]byte
	budget  *budget   // of memory for pages
}

// openParquet reads the metadata of a file that begins with magic.
func openParquet(src *source, magic []byte, threads int) (*parquetFile, error) {
	switch string(magic) {
	case string(magicParquet):
	case string(magicEncrypted):
		return nil, badFile(src.path, "%w", errEncrypted)
	default:
		return nil, badFile(src.path, "begins with %q, not with \"PAR1\": it is no Parquet file", magic)
	}
	meta, stats, err := readFooter(src)
	if err != nil {
		return nil, err
	}
	mendSizes(src, meta)
	p := &parquetFile{src: src, pages: src, from: formatParquet, meta: meta, stats: stats, threads: threads, budget: newBudget(src.size)}
	err = guard(func() (err error) {
		p.shell, err = openShell(meta)
		if err == nil {
			p.root = sourceNodes(p.shell)
		}
		return err
	})
	if err != nil {
		return nil, badFile(src.path, "cannot be read as Parquet: %w", err)
	}
	p.leaf = appendLeaves(nil, p.root)
	p.said, p.masks = p.described(), p.findMasks()
	p.notes = p.maskNotes()
	return p, nil
}

// appendLeaves appends the leaves of a node in order.
func appendLeaves(list []*node, n *node) []*node {
	if n.Leaf() {
		return append(list, n)
	}
	for _, c := range n.children {
		list = appendLeaves(list, c)
	}
	return list
}

// rows returns the number of rows.
func (p *parquetFile) rows() int64 { return p.meta.NumRows }

// columns describes the columns at the top level.
func (p *parquetFile) columns() []Column {
	list := make([]Column, len(p.root.children))
	for i, n := range p.root.children {
		said := p.said[n.name]
		list[i] = Column{Name: n.name, Type: n.typeName(), Numeric: coordinate(n), Unit: said.Unit, UCD: said.UCD, Description: said.Description}
		if mask := p.masks[n]; mask != nil {
			list[i].mask = mask.name
		}
	}
	return list
}

// coordinate reports whether a column is of numbers, one a row.
func coordinate(n *node) bool { return isFlat(n) && n.leaf.numeric() }

// damaged says that the column which a leaf is part of cannot be read.
func (p *parquetFile) damaged(leaf int, err error) error {
	name := ""
	for _, n := range p.root.children {
		if leaf >= n.firstLeaf && leaf < n.firstLeaf+n.leaves {
			name = n.name
		}
	}
	return badColumn(p.src.path, name, "cannot be read: %w", err)
}

// leafReader reads the values of a leaf column, row by row, over all row groups.
type leafReader struct {
	p      *parquetFile
	leaf   int
	nested bool // rows may have several values

	group  int           // row group that is read next
	pages  parquet.Pages // of the current row group, or nil
	feed   *feed         // what they are read from
	shape  *shape        // of the values so far, nil for flat columns
	left   int64         // rows of it that are not read
	nulls  int64         // in its pages so far
	values parquet.ValueReader
	page   parquet.Page

	buf   []parquet.Value // values read
	at    int             // first of them that was not handed out
	seq   int64           // how many values were ever read
	spent []spentPage     // pages that are read to their end
}

// spentPage is a page that may be freed when the values before end, as leafReader
// counts them, are done with.
type spentPage struct {
	page parquet.Page
	end  int64
}

// newLeafReader returns a reader that stands at the first row.
func (p *parquetFile) newLeafReader(leaf int) *leafReader {
	return &leafReader{p: p, leaf: leaf, nested: p.leaf[leaf].maxRep > 0, shape: newShape(p.root, leaf)}
}

// newGroupReader returns a reader that stands at the first row of a row group.
func (p *parquetFile) newGroupReader(leaf, group int) *leafReader {
	r := p.newLeafReader(leaf)
	r.group = group
	return r
}

// close frees the pages that are held.
func (r *leafReader) close() {
	r.retire()
	r.buf, r.at = nil, 0
	r.release()
	if r.pages != nil {
		_ = r.pages.Close() // reads only
		r.feed.free()
		r.pages, r.feed = nil, nil
	}
}

// rest frees what is of no more use at the end of a row group, once the caller is
// done with its last values.
func (r *leafReader) rest() {
	if r.left == 0 {
		r.buf, r.at = nil, 0
		r.release()
	}
}

// retire marks the current page as read to its end.
func (r *leafReader) retire() {
	if r.page != nil {
		r.spent = append(r.spent, spentPage{r.page, r.seq})
	}
	r.page, r.values = nil, nil
}

// release frees the pages whose values the caller is done with. Values that were
// read before those in buf must not keep them.
func (r *leafReader) release() {
	first := r.seq - int64(len(r.buf)-r.at)
	if len(r.spent) > 0 {
		clear(r.buf[len(r.buf):cap(r.buf)])
	}
	r.spent = slices.DeleteFunc(r.spent, func(s spentPage) bool {
		if s.end > first {
			return false
		}
		parquet.Release(s.page)
		return true
	})
}

// read returns the values of the next n rows, which must exist in the current
// row group, or in the next one if the current is read to its end. They are
// valid until the next call.
func (r *leafReader) read(n int64) ([]parquet.Value, error) {
	var out []parquet.Value
	err := guard(func() (err error) {
		out, err = r.take(n)
		if err == nil && r.p.leaf[r.leaf].leaf.class == classText {
			err = checkText(out)
		}
		return err
	})
	if err != nil {
		return nil, r.p.damaged(r.leaf, err)
	}
	return out, nil
}

// take does the work of read.
func (r *leafReader) take(n int64) ([]parquet.Value, error) {
	r.buf = append(r.buf[:0], r.buf[r.at:]...)
	r.at = 0
	r.release()
	if r.left == 0 {
		if err := r.open(); err != nil {
			return nil, err
		}
	}
	if n > r.left {
		return nil, fmt.Errorf("%d rows asked for, %d are left", n, r.left)
	}
	last := n == r.left
	end, err := r.gather(n, last)
	if err != nil {
		return nil, err
	}
	r.left -= n
	if last {
		if err := r.finish(); err != nil {
			return nil, err
		}
	}
	r.at = end
	return r.buf[:end], nil
}

// gather reads values into buf until it holds n rows, and returns the number of
// their values. A row of a nested column is whole when the next one begins, or
// when the row group ends.
func (r *leafReader) gather(n int64, last bool) (int, error) {
	if !r.nested {
		return r.gatherFlat(int(n))
	}
	rows, i := int64(0), 0
	for {
		for ; i < len(r.buf); i++ {
			if r.buf[i].RepetitionLevel() > 0 {
				if rows == 0 {
					return 0, errors.New("its first value continues a row")
				}
				continue
			}
			if rows == n {
				if last {
					return 0, errors.New("it has more rows than the metadata say")
				}
				return i, nil
			}
			rows++
		}
		if most := 4 * r.p.bound() / valueBytes; len(r.buf) > most {
			return 0, fmt.Errorf("a row has more than %d values, which is the most in a file of this size", most)
		}
		err := r.more(valueBatch)
		if errors.Is(err, io.EOF) {
			if rows < n {
				return 0, fmt.Errorf("it ends %d rows too early", n-rows)
			}
			return i, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// gatherFlat is gather for columns with one value a row.
func (r *leafReader) gatherFlat(n int) (int, error) {
	for len(r.buf) < n {
		err := r.more(min(valueBatch, n-len(r.buf)))
		if errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("it ends %d rows too early", n-len(r.buf))
		}
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// open begins the next row group that has rows.
func (r *leafReader) open() error {
	for r.group < len(r.p.meta.RowGroups) && r.p.meta.RowGroups[r.group].NumRows == 0 {
		r.group++
	}
	if r.group == len(r.p.meta.RowGroups) {
		return io.ErrUnexpectedEOF
	}
	g := &r.p.meta.RowGroups[r.group]
	m := &g.Columns[r.leaf].MetaData
	if !r.nested && m.NumValues != g.NumRows {
		return fmt.Errorf("it has %d values in %d rows", m.NumValues, g.NumRows)
	}
	r.left, r.nulls = g.NumRows, 0
	r.feed = r.p.newFeed(m, r.leaf)
	r.pages = r.p.shell.RowGroups()[0].ColumnChunks()[r.leaf].(*parquet.FileColumnChunk).PagesFrom(r.feed)
	r.group++
	return nil
}

// finish ends a row group. Its last page stays until its values are done with.
// Nulls of nested columns are not compared: writers count them differently.
func (r *leafReader) finish() error {
	r.retire()
	if r.shape != nil {
		r.shape.end()
	}
	err := r.pages.Close()
	r.feed.free()
	r.pages, r.feed = nil, nil
	if err == nil && !r.nested {
		err = r.p.stats.of(r.group-1, r.leaf).check(r.nulls, -1)
	}
	return err
}

// more appends up to n values to buf; io.EOF says that the row group has no more.
func (r *leafReader) more(n int) error {
	if r.values == nil {
		if err := r.nextPage(); err != nil {
			return err
		}
	}
	k := len(r.buf)
	r.buf = slices.Grow(r.buf, n)[:k+n]
	n, err := r.values.ReadValues(r.buf[k:])
	r.buf = r.buf[:k+n]
	r.seq += int64(n)
	if r.shape != nil {
		if err := r.shape.add(r.buf[k:]); err != nil {
			return err
		}
	}
	if errors.Is(err, io.EOF) || err == nil && n == 0 {
		r.retire()
		return nil
	}
	return err
}

// nextPage begins a page; io.EOF says that the row group has no more.
func (r *leafReader) nextPage() error {
	if err := r.feed.next(); err != nil {
		return err
	}
	page, err := r.pages.ReadPage()
	r.feed.free()
	if err != nil {
		return err
	}
	r.page, r.values = page, page.Values()
	r.nulls += page.NumNulls()
	return nil
}
