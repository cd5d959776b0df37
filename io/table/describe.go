package table

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Summary is what Describe tells of a column.
type Summary struct {
	Column

	Values            int64 // that are there, infinite ones too
	Nulls, NaNs, Infs int64 // NaN is no value

	// Min and Max are the least and the greatest value, of numbers among the
	// finite ones and printed in full; of texts by their bytes, the first 64. They
	// are empty where there is none, and for nested values.
	Min, Max string

	// Numbers says that the values were taken as numbers. Mean and SD, the
	// standard deviation of all values (n, not n-1, below the sum), are of the
	// finite ones; NaN if there are none.
	Numbers  bool
	Mean, SD float64

	// Distinct is how many different values there are: exactly up to 4096, else
	// within 2 % or so.
	Distinct int64
	Exact    bool
}

// Describe reads the table once and sums up each column. Memory is 100 KiB a
// column at most. What is missing, NaN and infinite in CSV is told by its words in all
// columns, also in those of text.
func (t *Table) Describe(ctx context.Context) ([]Summary, error) {
	all := t.Columns()
	places := upTo(len(all))
	tallies, to := make([]*tally, len(all)), make([]taker, len(all))
	for i, c := range all {
		tallies[i] = newTally(c)
		to[i] = tallies[i]
	}
	if err := t.body.describe(ctx, places, to); err != nil {
		return nil, err
	}
	list := make([]Summary, len(all))
	for i, c := range all {
		list[i] = tallies[i].summary(c)
	}
	return list, nil
}

// newTally decides how the values of a column are taken.
func newTally(c Column) *tally {
	t := &tally{numbers: c.Numeric || c.Type == "int64" || c.Type == "double", ordered: true}
	switch {
	case strings.HasPrefix(c.Type, "decimal"):
		t.numbers = true
	case strings.HasPrefix(c.Type, "list"), c.Type == "map", c.Type == "struct":
		t.ordered = false
	}
	return t
}

// summary turns what was gathered into what is told.
func (t *tally) summary(c Column) Summary {
	s := Summary{Column: c, Values: t.values, Nulls: t.nulls, NaNs: t.nans, Infs: t.infs, Numbers: t.numbers}
	s.Mean, s.SD = math.NaN(), math.NaN()
	s.Distinct, s.Exact = t.distinct.count()
	s.Distinct = min(s.Distinct, s.Values) // the estimate may be above it
	switch {
	case t.numbers && t.moments.n > 0:
		s.Min, s.Max, s.Mean, s.SD = t.low.text(), t.high.text(), t.moments.mean(), t.moments.sd()
	case !t.numbers:
		s.Min, s.Max = clipText(t.first), clipText(t.last)
	}
	return s
}

// clipText cuts a text that was cut already at the end of a character.
func clipText(b []byte) string {
	if len(b) < textKept {
		return string(b)
	}
	for range 3 { // at most three bytes of the last character are left over
		if utf8Valid(b) {
			break
		}
		b = b[:len(b)-1]
	}
	return string(b)
}

// describe hands on the fields of all rows.
func (c *csvFile) describe(ctx context.Context, columns []int, to []taker) error {
	var buf []byte
	return c.scan(ctx, func(row int64, r *record) error {
		for k, i := range columns {
			text := trimBlanks(r.text(i, buf))
			x, kind, _, err := c.style.parse(text)
			if err != nil { // integers beyond 2^53, and numbers beyond float64
				if x, err = strconv.ParseFloat(string(text), 64); err != nil && to[k].asNumbers() {
					return &DataError{Path: c.src.path, Column: c.names[i], Row: row, Line: r.line, Err: fmt.Errorf("%q %w", clip(text), errRange)}
				}
			}
			to[k].value(text, x, kind)
		}
		return nil
	})
}

// describe hands on the values of the columns, several at once.
func (p *parquetFile) describe(ctx context.Context, columns []int, to []taker) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	err := parallel(p.threads, len(columns), func(k int) error {
		n := p.root.children[columns[k]]
		if isFlat(n) {
			return p.describeLeaf(ctx, n, to[k])
		}
		return p.describeNested(ctx, n, to[k])
	})
	if err != nil {
		return err
	}
	return p.src.unchanged()
}

// describeLeaf hands on the values of a flat column.
func (p *parquetFile) describeLeaf(ctx context.Context, n *node, t taker) error {
	need := p.leafLoad(n.firstLeaf).need()
	if mask := p.masks[n]; mask != nil {
		need += p.leafLoad(mask.firstLeaf).need()
	}
	defer p.budget.take(need)()
	r, mask := p.newLeafReader(n.firstLeaf), p.newMaskReader(n, 0)
	defer r.close()
	defer mask.done()
	var buf []byte
	return p.batches(ctx, func(rows int64) error {
		values, err := r.read(rows)
		if err != nil {
			return err
		}
		if err := mask.next(rows); err != nil {
			return err
		}
		for i := range values {
			v := &values[i]
			if v.IsNull() || mask.hides(i) {
				t.value(nil, 0, kindNull)
				continue
			}
			buf = appendValue(buf[:0], *v, n.leaf)
			x, k := kindOfValue(*v, n.leaf, buf, t.asNumbers())
			t.value(buf, x, k)
		}
		return nil
	})
}

// kindOfValue returns what a value is as a number, if it is one.
func kindOfValue(v parquet.Value, leaf leafType, text []byte, numbers bool) (float64, kind) {
	if !numbers {
		return 0, kindText
	}
	var x float64
	switch leaf.class {
	case classInt:
		x = float64(signed(v))
	case classUint:
		x = float64(unsigned(v))
	case classFloat:
		x = float64(v.Float())
	case classDouble:
		x = v.Double()
	case classHalf:
		x = half(v)
	default: // decimals
		x, _ = strconv.ParseFloat(string(text), 64) // beyond float64 it is infinite
	}
	_, k, _ := floating(x)
	return x, k
}

// describeNested hands on the values of a nested column as JSON.
func (p *parquetFile) describeNested(ctx context.Context, n *node, t taker) error {
	need, err := p.textNeed(n)
	if err != nil {
		return err
	}
	defer p.budget.take(need)()
	c := p.newCellReader(n)
	defer c.close()
	var buf []byte
	return p.batches(ctx, func(rows int64) error {
		if err := c.next(rows); err != nil {
			return err
		}
		return guard(func() (err error) {
			for range rows {
				if buf, err = c.append(buf[:0]); err != nil {
					return badFile(p.src.path, "%w", err)
				}
				k := kindText
				if len(buf) == 0 {
					k = kindNull
				}
				t.value(buf, 0, k)
			}
			return nil
		})
	})
}

// batches calls fn with numbers of rows that lie in one row group each, over all
// rows.
func (p *parquetFile) batches(ctx context.Context, fn func(rows int64) error) error {
	for g := range p.meta.RowGroups {
		for left := p.meta.RowGroups[g].NumRows; left > 0; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(left, valueBatch)
			if err := fn(n); err != nil {
				return err
			}
			left -= n
		}
	}
	return nil
}

// describe hands on the values of all files, one after the other.
func (d *dataset) describe(ctx context.Context, columns []int, to []taker) error {
	for _, p := range d.parts {
		var places []int
		var some []taker
		for k, i := range columns {
			switch {
			case i >= d.own:
				d.extra[i-d.own].constantOf(p).describe(p.rows, to[k])
			case p.places[i] < 0:
				constant{null: true}.describe(p.rows, to[k])
			default:
				places, some = append(places, p.places[i]), append(some, to[k])
			}
		}
		if err := p.use(func() error { return p.body.describe(ctx, places, some) }); err != nil {
			return err
		}
	}
	return nil
}

// describe hands on a value that stands in so many rows.
func (c constant) describe(rows int64, t taker) {
	x, k, _ := c.number()
	if !c.integer && k != kindNull {
		k = kindText
	}
	for range rows {
		t.value([]byte(c.text), x, k)
	}
}
