package table

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// SetOptions says how to read several files as one table.
type SetOptions struct {
	ReadOptions

	// UnionByName takes the columns of all files, in the order in which they come
	// up, and fills those that a file lacks with nulls. Without it all files must
	// have the same columns.
	UnionByName bool

	// FilenameColumn, unless empty, is the name of a column to be added with the
	// path of each row's file.
	FilenameColumn string

	// NoPartitions makes no columns of folders k=v.
	NoPartitions bool
}

// OpenAll opens files as one table: the rows of the first, then those of the
// next, and so on. Columns are matched by name, in the order of the first file.
// After them come the partitions of the inputs (int64 if every value is a whole
// number as it is printed, else string), unless the files have columns of that
// name, and then the column of file names. Partitions and file names are not
// numeric by themselves, but whole numbers can be asked for as numbers.
//
// All files must be CSV, or none. Types of Parquet columns must agree, but
// for nullability; a column of nulls agrees with all. Files are held open only
// while they are read.
func OpenAll(ctx context.Context, inputs []Input, opt SetOptions) (*Table, error) {
	if len(inputs) == 0 {
		return nil, errors.New("table: no input files given")
	}
	t := &Table{path: inputs[0].Path}
	opt.oneOfMany = len(inputs) > 1
	before := int64(0)
	if counted := opt.Counted; counted != nil {
		opt.Counted = func(rows int64, kept int) error { return counted(before+rows, kept) }
	}
	for _, in := range inputs {
		if opt.NoPartitions {
			in.Partitions = nil
		}
		one, err := Open(ctx, in.Path, opt.ReadOptions)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		p := one.files[0]
		p.in = in
		before += p.rows
		t.files = append(t.files, p)
		if len(inputs) > 1 {
			err = p.src.park()
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	if len(inputs) == 1 && len(t.files[0].in.Partitions) == 0 && opt.FilenameColumn == "" {
		t.path, t.body = t.files[0].src.path, t.files[0].body
		return t, nil
	}
	d, err := newDataset(t.files, opt)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.body = d
	return t, nil
}

// part is one file of a table.
type part struct {
	in     Input
	src    *source
	body   body
	rows   int64
	places []int // of the set's columns in this file; -1 where it lacks one
}

// use calls fn with the file open.
func (p *part) use(fn func() error) error {
	if err := p.src.resume(); err != nil {
		return err
	}
	return errors.Join(fn(), p.src.park())
}

// dataset is a table in several files.
type dataset struct {
	parts []*part
	count int64
	own   int      // the first columns are those of the files
	all   []Column // of the files, then of the extras
	extra []extra
	notes []Note // about all files together
}

// rows returns the number of rows of all files.
func (d *dataset) rows() int64 { return d.count }

// columns returns the columns of the files, then the extra ones.
func (d *dataset) columns() []Column { return d.all }

// newDataset sees that the files agree.
func newDataset(parts []*part, opt SetOptions) (*dataset, error) {
	d := &dataset{parts: parts}
	for _, p := range parts {
		if err := sameFormat(parts[0], p); err != nil {
			return nil, err
		}
		d.count += p.rows
	}
	if err := d.match(opt.UnionByName); err != nil {
		return nil, err
	}
	d.mergeTypes()
	if err := d.findPartitions(opt.UnionByName); err != nil {
		return nil, err
	}
	return d, d.addFilenames(opt.FilenameColumn)
}

// sameFormat wants all files to be CSV, or none, since others have types: the values of one as the
// other has them would be a guess.
func sameFormat(first, p *part) error {
	_, a := first.body.(*parquetFile)
	_, b := p.body.(*parquetFile)
	if a == b {
		return nil
	}
	return badFile(p.src.path, "is %s, but %s is %s: name files of one kind, or convert some", p.kind(), first.src.path, first.kind())
}

// kind is the format of a file for messages.
func (p *part) kind() string {
	file, ok := p.body.(*parquetFile)
	if !ok {
		return "CSV"
	}
	return map[string]string{formatParquet: "Parquet", formatFITS: "FITS", formatVOTable: "VOTable", formatECSV: "ECSV"}[file.from]
}

// match finds the columns of the set in each file.
func (d *dataset) match(union bool) error {
	first := d.parts[0]
	d.all = slices.Clone(first.body.columns())
	firstNames := columnNameList(d.all)
	place := make(map[string]int, len(d.all))
	source := make([]*part, len(d.all)) // the first file with a column
	for i, c := range d.all {
		place[c.Name], source[i] = i, first
	}
	for _, p := range d.parts {
		list := p.body.columns()
		names := columnNameList(list)
		if twice := duplicate(names); twice != "" || len(place) < len(d.all) {
			if union && len(d.parts) > 1 {
				return badColumn(p.src.path, twice, "names repeat, so that files cannot be matched by them; leave out --union-by-name")
			}
			if err := sameNames(first, p, firstNames, names); err != nil {
				return err
			}
			p.places = upTo(len(names))
			continue
		}
		p.places = slices.Repeat([]int{-1}, len(d.all))
		for i, c := range list {
			k, known := place[c.Name]
			switch {
			case !known && !union:
				return badColumn(p.src.path, c.Name, "is not in %s; --union-by-name would fill it with nulls there", first.src.path)
			case !known:
				k = len(d.all)
				place[c.Name] = k
				d.all, source, p.places = append(d.all, c), append(source, p), append(p.places, -1)
			}
			p.places[k] = i
		}
		if err := d.checkPart(p, source, union); err != nil {
			return err
		}
	}
	for _, p := range d.parts { // those before a column came up lack it
		for len(p.places) < len(d.all) {
			p.places = append(p.places, -1)
		}
	}
	d.own = len(d.all)
	return nil
}

// checkPart sees that a file has all columns, and of the types that the others
// have them.
func (d *dataset) checkPart(p *part, source []*part, union bool) error {
	for k, i := range p.places {
		if i < 0 {
			if !union {
				return badColumn(p.src.path, d.all[k].Name, "is missing, but %s has it; --union-by-name would fill it with nulls", d.parts[0].src.path)
			}
			continue
		}
		file, ok := p.body.(*parquetFile)
		if !ok {
			continue // the fields of CSV are text, and agree
		}
		if file.root.children[i].isNull() {
			p.places[k] = -1 // holds nothing
			continue
		}
		other := source[k].body.(*parquetFile)
		at := source[k].places[k]
		if at < 0 { // nulls only, so that this file is the first to tell
			source[k], d.all[k] = p, file.columns()[i]
			continue
		}
		if a, b := file.root.children[i].signature(), other.root.children[at].signature(); a != b {
			return badColumn(p.src.path, d.all[k].Name, "is of type %s, but in %s of type %s; cast one of them", a, source[k].src.path, b)
		}
	}
	return nil
}

// sameNames wants the same names in the same order, since they repeat.
func sameNames(first, p *part, want, got []string) error {
	if len(want) != len(got) {
		return badFile(p.src.path, "has %d columns, %s has %d, and names that repeat cannot be matched", len(got), first.src.path, len(want))
	}
	for i := range want {
		if want[i] != got[i] {
			return badColumn(p.src.path, got[i], "stands where %s has %q, and names that repeat cannot be matched otherwise", first.src.path, want[i])
		}
	}
	return nil
}

// mergeTypes settles what the columns of CSV are over all files: as if they were
// one file. Those of Parquet agree already.
func (d *dataset) mergeTypes() {
	if _, ok := d.parts[0].body.(*parquetFile); ok {
		return
	}
	for k := range d.all {
		c := &d.all[k]
		seen, text := false, false
		c.Type, c.Fault = "empty", nil
		for _, p := range d.parts {
			if p.places[k] < 0 || p.rows == 0 {
				continue
			}
			own := p.body.columns()[p.places[k]]
			seen = seen || own.Numeric
			c.Fault = cmp.Or(c.Fault, own.Fault)
			text = text || own.Type == "string"
			c.Type = widerType(c.Type, own.Type)
		}
		c.Numeric = seen && !text || d.count == 0
	}
}

// widerType is the type of a column whose values are of one type here and of the
// other there.
func widerType(a, b string) string {
	switch {
	case a == "empty" || a == b:
		return b
	case b == "empty":
		return a
	case a == "string" || b == "string":
		return "string"
	}
	return "double"
}

// columnNameList returns the names of columns.
func columnNameList(list []Column) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	return names
}

// upTo returns 0 to n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
