package table

// This file estimates what reading and writing a table take in memory, from what
// is known once it is open: for those who have to keep within a limit.

const (
	// chunkRoom is what a chunk of text takes with the numbers in it, or what is
	// written of it, and cellRoom with its values for Parquet, in chunks.
	chunkRoom = 4
	cellRoom  = 14

	// numberRoom is what an encoded number takes, in bytes.
	numberRoom = 8

	// pagesRoom is about what the columns that are encoded side by side take, beside what
	// is packed: each a page, of leastPage to mostPage bytes.
	pagesRoom = 64 << 20
	leastPage = 8 << 10
	mostPage  = 256 << 10

	// columnRest is what such a column takes beside a page that is a small one.
	columnRest = 64 << 10

	// copyRoom is what copying chunks takes beside a page.
	copyRoom = 8 << 20
)

// pageRoom is how many bytes a page has, of each of so many columns.
func pageRoom(columns int) int {
	return min(max(pagesRoom/max(columns, 1), leastPage), mostPage)
}

// columnsMemory is what so many columns take while they are encoded.
func columnsMemory(columns int) int64 {
	return int64(columns) * int64(min(pageRoom(columns)+columnRest, mostPage))
}

// ReadMemory estimates how many bytes [Table.Floats] of the columns takes beside
// the numbers it returns: text or pages, and what was made of them and is not
// collected yet; of FITS, VOTable and ECSV the conversion, too. It is an estimate from above for usual files; what cannot be read
// counts as nothing, since reading it will tell.
func (t *Table) ReadMemory(columns []string) int64 {
	places, err := t.numberPlaces(columns)
	if err != nil {
		return 0
	}
	var need, converted int64
	for _, p := range t.files {
		own := places
		if len(p.places) > 0 {
			own = p.ownPlaces(places)
		}
		switch b := p.body.(type) {
		case *csvFile:
			need = max(need, b.textMemory(chunkRoom))
			if b.pack != "" && len(t.files) == 1 { // how many numbers there are was not known
				need += b.rows() * int64(len(columns)) * 8 * 5 / 4
			}
		case *parquetFile:
			need += b.unpackedMemory(own)
			if b.from != formatParquet {
				converted = max(converted, spoolMemory(len(b.root.children), b.src.size))
			}
		}
	}
	return need + converted
}

// WriteMemory estimates how many bytes writing takes beside the added columns,
// of which there are so many, with the arguments of [Table.WriteWith]. Each file is written
// by itself if path is a folder, but that takes no more.
func (t *Table) WriteMemory(path string, keep []string, added int, opt WriteOptions) int64 {
	places, err := t.kept(keep)
	if err != nil {
		return 0
	}
	var need, packed, rows int64
	format, _, known := outputFormat(path, opt)
	if format == formatFITS {
		opt.Compression = t.fitsCompression()
		rows = columnsMemory(len(places) + added) // pages of the columns side by side
	}
	for _, p := range t.files {
		own := places
		if len(p.places) > 0 {
			own = p.present(places)
		}
		parquet := format == formatParquet || format == formatFITS // by way of Parquet
		_, isParquet := p.body.(*parquetFile)
		if known != nil { // a folder: like the input
			parquet = isParquet
		}
		switch b := p.body.(type) {
		case *csvFile:
			need = max(need, b.textMemory(chunkRoom))
			if parquet {
				need = max(need, b.textMemory(cellRoom)+columnsMemory(len(own)))
				packed += b.encodedMemory(own)
			}
		case *parquetFile:
			read, encoded := b.writeMemory(own, parquet, opt.Compression)
			need, packed = max(need, read), packed+encoded
		}
		if parquet {
			packed += p.rows * int64(added) * numberRoom
		}
	}
	return need + min(packed, heldPages) + rows
}

// present returns the places of the set's columns in a file that has them.
func (p *part) present(columns []int) []int {
	var own []int
	for _, k := range columns {
		if k < len(p.places) && p.places[k] >= 0 {
			own = append(own, p.places[k])
		}
	}
	return own
}

// textMemory is what the chunks of a pass take, each so many times its text.
func (c *csvFile) textMemory(room int64) int64 {
	return min(int64(c.threads+2)*int64(c.chunk), c.textSize()+int64(c.chunk)) * room
}

// textSize is about the size of the text, unpacked.
func (c *csvFile) textSize() int64 {
	const packing = 8 // few texts are packed to less than an eighth
	if c.pack != "" {
		return packing * c.src.size
	}
	return c.src.size
}

// encodedMemory is about the size of columns as Parquet: of those not known to be
// numbers, that of their text is not known, but that of all.
func (c *csvFile) encodedMemory(columns []int) int64 {
	all := c.columns()
	for _, i := range columns {
		if !all[i].Numeric {
			return c.textSize()
		}
	}
	return min(c.textSize(), int64(len(columns))*c.rows()*numberRoom)
}

// unpackedMemory is the size of the pages of columns, which is also about what is
// left of them to be collected.
func (p *parquetFile) unpackedMemory(columns []int) int64 {
	var need int64
	for g := range p.meta.RowGroups {
		for _, leaf := range p.leavesOf(columns) {
			need += max(p.meta.RowGroups[g].Columns[leaf].MetaData.TotalUncompressedSize, 0)
		}
	}
	return need
}

// leavesOf returns the leaves of columns.
func (p *parquetFile) leavesOf(columns []int) []int {
	var leaves []int
	for _, i := range columns {
		n := p.root.children[i]
		for leaf := range n.leaves {
			leaves = append(leaves, n.firstLeaf+leaf)
		}
	}
	return leaves
}

// writeMemory is what writing columns takes: for what is read, and for what is
// encoded anew, as Parquet.
func (p *parquetFile) writeMemory(columns []int, parquet bool, compression string) (read, encoded int64) {
	var nodes []*node
	for _, i := range columns {
		nodes = append(nodes, p.root.children[i])
	}
	copied := parquet && p.canSplice(nodes, compression)
	var all, most, pages int64
	for _, leaf := range p.leavesOf(columns) {
		l := p.leafLoad(leaf)
		all += l.need()
		most = max(most, l.need())
		pages += l.page + l.dictionary
	}
	switch {
	case copied:
		return int64(p.threads)*most + copyRoom, 0
	case parquet:
		return min(writeShare*all, p.budget.most), p.unpackedMemory(columns)
	}
	return min(pages*5/4, p.budget.most) + copyRoom, 0
}
