package table

import (
	"runtime"
	"sync"

	"github.com/parquet-go/parquet-go/format"
)

// This file bounds what the pages of a file take in memory. How large a page is
// when it is unpacked says little about the size of the file: a few hundred bytes
// can be 60 MiB of zeros, in each of thousands of columns. So each piece of work on
// some columns finds out first what it will hold, by the headers of the pages, and
// waits until there is room for all of that in the file's budget.

const (
	// budgetBase and budgetRatio are the budget of a file: so many bytes, and so
	// many for each of its own. A good file hardly ever waits.
	budgetBase  = 128 << 20
	budgetRatio = 16

	// writeShare is how much more than reading a column encoding it takes.
	writeShare = 2

	// largePart is which part of the budget is a large one.
	largePart = 8

	// valueLoad is what a value in a page has at most beside its bytes when it is
	// decoded: levels, and a number in the place of a difference.
	valueLoad = 8

	// thinBase and thinRatio say which values are thin: those of a page that is
	// larger than thinBase and packed more than that.
	thinBase  = 4 << 10
	thinRatio = 128
)

// budget hands out bytes of memory.
type budget struct {
	lock  sync.Mutex
	freed sync.Cond
	most  int64
	left  int64
}

// newBudget returns the budget for a file of so many bytes.
func newBudget(size int64) *budget {
	b := &budget{most: budgetBase + budgetRatio*size}
	b.left, b.freed.L = b.most, &b.lock
	return b
}

// take waits until there are n bytes left, or all of them if n is more, and
// returns what gives them back. Who holds some must not take more.
func (b *budget) take(n int64) (give func()) {
	n = min(n, b.most)
	b.lock.Lock()
	for b.left < n {
		b.freed.Wait()
	}
	b.left -= n
	b.lock.Unlock()
	return func() {
		b.lock.Lock()
		b.left += n
		b.lock.Unlock()
		b.freed.Broadcast()
		b.collect(n)
	}
}

// collect has n bytes collected at once, which are of no more use, if that is a
// large part of the budget: else as much again would be added to them.
func (b *budget) collect(n int64) {
	if n >= b.most/largePart {
		runtime.GC()
	}
}

// load is what the pages of a column chunk, or of several, take in memory.
type load struct {
	page, dictionary int64 // bytes of the largest, unpacked
	values           int64 // the most in a page
	thin             bool  // long values may be packed to next to nothing
}

// need is about what reading takes: the page unpacked, as the library has it, and
// the one before, which the library keeps.
func (l load) need() int64 { return 3*(l.page+valueLoad*l.values) + 2*l.dictionary }

// merge makes l the load of reading one chunk or another.
func (l *load) merge(o load) {
	l.page, l.dictionary, l.values = max(l.page, o.page), max(l.dictionary, o.dictionary), max(l.values, o.values)
	l.thin = l.thin || o.thin
}

// chunkLoad walks over the page headers of a chunk. Of faults, reading it will
// tell.
func (p *parquetFile) chunkLoad(group, leaf int) load {
	m := &p.meta.RowGroups[group].Columns[leaf].MetaData
	w := newPageWalk(p.src, m)
	l := load{}
	for w.values < m.NumValues {
		h, body, err := w.next(m.NumValues)
		if err != nil {
			break
		}
		l.merge(pageLoad(h))
		w.pass(h, body)
	}
	return l
}

// leafLoad is the load of reading a leaf, one chunk after the other.
func (p *parquetFile) leafLoad(leaf int) load {
	l := load{}
	for g := range p.meta.RowGroups {
		l.merge(p.chunkLoad(g, leaf))
	}
	return l
}

// pageLoad is the load of one page.
func pageLoad(h *format.PageHeader) load {
	plain, packed := int64(h.UncompressedPageSize), int64(h.CompressedPageSize)
	thin := plain > thinBase+thinRatio*packed
	code := format.Plain
	switch h.Type {
	case format.DictionaryPage:
		return load{dictionary: plain + valueLoad*int64(h.DictionaryPageHeader.V.NumValues), thin: thin}
	case format.DataPage:
		code = h.DataPageHeader.V.Encoding
	case format.DataPageV2:
		code = h.DataPageHeaderV2.V.Encoding
	}
	n := pageValuesOf(h)
	l := load{page: plain, values: n, thin: thin && !inDictionary(code)}
	if code == format.DeltaByteArray { // see pageValues.prefixes
		l.page += min(pageBase+pageRatio*packed, n*plain)
	}
	if code == format.DeltaBinaryPacked {
		l.thin = l.thin || valueLoad*n > thinBase+thinRatio*packed
	}
	return l
}

// bound is the most bytes that what has to be in memory in one piece may have: a
// row's values in one column, where they are encoded, or a nested row as text.
func (p *parquetFile) bound() int { return int(pageBase + budgetRatio*p.src.size) }
