// Package catalog reads the tables that astronomers keep catalogs in, FITS binary
// tables, VOTable and ECSV, row by row, and writes FITS.
//
//	r, err := catalog.Open(file, catalog.FITS, "")
//	row := make([]catalog.Value, len(r.Columns))
//	for err == nil {
//		err = r.Next(row) // io.EOF after the last row
//	}
//
// Files are read once, from the start to the end, and never held: memory is a row,
// and what a header may have at most. What is wrong with a file is an error that
// says where, in words to stand behind the name of the file: "has no table", "is cut
// off". Nothing in a file makes it panic, or take memory that the file does not fill.
//
// # FITS
//
// The first table is read, or the extension of a number (the primary HDU is 0) or of
// a name. Integers keep their types, those with TZERO for unsigned ones too;
// with another TZERO or TSCAL they are doubles, each product and sum rounded once. Of
// complex values, TSCAL is for both parts and TZERO for the real one.
// TNULL is null, and so is a logical value that is neither T nor F. Text ends before
// a NUL byte or blanks at its end, and must be UTF-8. A column of k values is k
// columns name_1 to name_k, a complex one name_re and name_im, and bits are k
// logical columns. Arrays of varying length are left out, and compressed tables
// refused. In ASCII tables, a number of blanks is null. Units are TUNIT, UCDs TUCD,
// descriptions TCOMM or the comment of TTYPE.
//
// # VOTable
//
// The first table that has data is read, else the first without, or the one of a number
// (from 1) or of a name or ID; TABLEDATA, BINARY and BINARY2 that stand in the file. An
// empty TD is null, and so is what VALUES names. Arrays of one size become columns as in
// FITS; those of varying size stay text as they stand in TABLEDATA, and are refused in
// binary, as is a TD in base64.
//
// A document is read to its end: one that is cut off behind the rows, has others than
// nrows of TABLE, or ends in a QUERY_STATUS of ERROR is an error after the last row, and
// OVERFLOW, by which a server says that there are more rows, is a warning.
//
// # ECSV
//
// The header says the types, units and descriptions, and UCDs in meta; an empty field is
// null, and so is one of a column whose mask, another column, says so: as astropy writes
// with serialize_method='data_mask'. Masks are not columns of the table.
// Arrays of one size become columns as in FITS; those of varying size, and objects, are
// the JSON that stands there, as text.
package catalog
