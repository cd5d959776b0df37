// Package table reads tables from CSV and Parquet files and writes them back
// with columns added.
//
// A [Table] is opened once, asked for some columns as numbers ([Table.Floats]),
// and written again with new columns beside the old ones ([Table.WriteWith]):
//
//	t, err := table.Open(ctx, "stars.csv", table.ReadOptions{})
//	f, err := t.Floats(ctx, []string{"x", "y", "z"})
//	// compute labels, one a row
//	err = t.WriteWith(ctx, "out.parquet", nil, []table.Added{{Name: "cluster", Values: labels}}, table.WriteOptions{})
//
// Memory is O(numbers asked for + columns added + a batch): the file is read
// once more for each step and never held whole. What is not seekable (standard
// input, pipes) is copied to a temporary file first. A file that changes
// between two reads is an error.
//
// # CSV
//
// Fields are quoted as RFC 4180 says: quotes may hold delimiters and line ends,
// a doubled quote stands for one. Blanks around a quoted field are allowed, a
// quote inside an unquoted field is text. Lines end in LF or CRLF; a byte order
// mark is skipped. Blank lines before the first record and after the last are
// skipped; between records they are an error, or rows without a value in a table
// of one column. A record may have up to 64 MiB. A file may be compressed with
// gzip or zstd, which is seen from its first bytes. The delimiter is a tab for
// .tsv; else, with the format left open, it is looked for among comma, tab,
// semicolon, bar and runs of blanks in the first lines, comma first.
//
// The first record is a header unless all its fields are numbers, or missing
// next to numbers. Without header the columns are c1 to cd; an empty name in a
// header becomes cK for the K-th column. Names that repeat are errors only where
// one is asked for by name, or where Parquet is to be written.
//
// As a number a field is what [strconv.ParseFloat] reads, without hexadecimal
// and underscores, blanks around it allowed. These words, exactly so written,
// are missing values:
//
//	(empty)  NA  N/A  NULL  null  none  None  -  --    null
//	NaN  nan  NAN  -nan  -NaN                          not a number
//
// and these are infinite, with or without a sign: Inf inf INF Infinity infinity.
// Any other word in a column asked for is an error, as are integers that a
// float64 cannot hold exactly and numbers beyond its range.
//
// CSV to CSV passes every kept field on byte for byte. The output keeps the
// input's delimiter, unless the output is named .tsv or the input is .tsv or
// separated by blanks; a field is quoted anew only if the new delimiter needs
// it. Output always has a header line.
//
// CSV to Parquet makes a column int64, or else double, if every field that is
// not empty would be printed again with the same bytes, and a string column
// otherwise. Empty fields are null in a number column and empty strings in a
// string column. A column with bytes that are no UTF-8 becomes binary.
//
// # Parquet
//
// Columns of integer and floating-point types at the top level are numeric;
// booleans, decimals, dates, times and nested columns are not. A string column
// can be asked for as numbers, by the rules of CSV, though it is not numeric by
// itself. Decimals, booleans, dates and timestamps can be asked for with a cast,
// see [SplitCast]: price:double, seen:epoch. Times of day, INT96 timestamps and
// bytes cannot.
//
// Only the columns asked for are read, some side by side and row groups at once,
// on [ReadOptions].Threads threads. A page's checksum is checked where it has
// one, and counts of rows, nulls and NaN are compared with what was read.
//
// Parquet to Parquet keeps types, logical types, nullability, nulls, values and
// the order of columns and rows. Where row groups have 16384 rows or more, and
// no other compression is asked for, column chunks are copied byte for byte, with
// their encodings, bounds, page indexes and filters, once they have been decoded
// to see that they are whole. Else encodings, row groups and compression are new.
// Added columns are REQUIRED, or OPTIONAL if they come with a list of which
// values are there. Key-value metadata is kept but for keys that describe the
// schema of the old file.
//
// What a file claims about itself is checked before it is believed, so that
// memory is bounded by the size of a corrupt file; what the library panics on is
// an error that names file and column.
//
// Parquet to CSV writes null as nothing, timestamps as RFC 3339 (without offset
// where the column has none), dates and times as ISO 8601, booleans as true and
// false, decimals in full, UUIDs with dashes, intervals as ISO 8601 durations,
// nested values as JSON, and byte arrays as text if they are UTF-8, else in
// base64.
//
// Floating-point numbers are written in the shortest form that reads back to
// the same value of their type, with an exponent below 1e-6 and from 1e21 on.
//
// # Output
//
// A file is written under a temporary name in the folder it will stand in,
// synced and renamed, so that either the whole file is there or none. See
// [WriteOptions] for what happens to files that exist.
package table
