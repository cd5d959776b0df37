// Package table reads tables from CSV, Parquet, FITS, VOTable and ECSV files and
// writes them back with columns added, as CSV, Parquet or FITS.
//
// A [Table] is opened once, asked for some columns as numbers ([Table.Floats]),
// and written again with new columns beside the old ones ([Table.WriteWith]):
//
//	t, err := table.Open(ctx, "stars.csv", table.ReadOptions{})
//	f, err := t.Floats(ctx, []string{"x", "y", "z"})
//	// compute labels, one a row
//	err = t.WriteWith(ctx, "out.parquet", nil, []table.Added{{Name: "cluster", Values: labels}}, table.WriteOptions{})
//
// Memory is O(numbers asked for + columns added + a batch), see [Table.ReadMemory]
// and [Table.WriteMemory]: the file is read once more for each step and never held
// whole; [Table.FloatsEach] hands the numbers on piece by piece. What is not seekable
// (standard input, pipes) is copied to a temporary file first. A file that changes
// between two reads is an error.
//
// # CSV
//
// Fields are quoted as RFC 4180 says: quotes may hold delimiters and line ends,
// a doubled quote stands for one. Blanks around a quoted field are allowed, a
// quote inside an unquoted field is text. Between runs of blanks, a quote is one
// only if it is closed in the same line. Lines end in LF or CRLF. A record may
// have up to 64 MiB. A file may be compressed with gzip or zstd, which is seen
// from its first bytes. Text is UTF-8, or UTF-16 if it begins with a byte order
// mark of that, or what [ReadOptions] says; other bytes than UTF-8 pass as they
// are. Files that are known to be something else, such as workbooks or JSON,
// are refused by name.
//
// What is not asked for is found out from the first 64 KiB or more, and told by
// [Table.Notes]:
//
//   - comments: lines that begin with #, if the first line does, or if the other
//     lines are cut evenly only without them, also with % // and ! if the first line
//     begins so; and what stands behind a # in a line,
//     if all lines are cut evenly only without that, or columns are numbers only
//     without it;
//   - the delimiter: the first of comma, tab, semicolon, bar and runs of blanks
//     that cuts the first 50 records evenly (tab first for .tsv, comma last if
//     numbers may have commas inside; a tab or a comma if Format is tsv or csv; what
//     a first line sep=; names), but not a comma if another one leaves commas in
//     numbers only, as in 1,5;2,5: that these are decimal commas has to be said;
//   - the header: the first record is one if it has text over a column of
//     numbers, or text and no numbers at all, or if it counts three columns or more
//     from 0 on over fractions, as pandas does without names. If it is none, the last
//     comment before it holds the names if it has as many fields, none of them a
//     number. A header that lacks one name over names of rows, as R writes it, is
//     completed by c1;
//   - records under the header that hold no row: everything down to a ruler of
//     dashes, as VizieR writes it; names of types, as MAST does; units of measure
//     over columns of numbers. Units are kept where the output has a place for them.
//
// Without header the columns are c1 to cd; an empty name in a header becomes cK
// for the K-th column. Names that repeat have their place behind them: two columns
// x are called x#1 and x#2, but are written as the header has them. Any column
// can be asked for by its place as #K.
//
// Blank lines before the first record and after the last are skipped. Between
// records they are an error, or rows without a value in a table of one column or
// with Ragged pad. That also fills up records that are too short, and takes empty
// fields off those that are too long; anything else is an error with its line.
//
// As a number a field is what [strconv.ParseFloat] reads, without hexadecimal
// and underscores, blanks around it allowed; with the separators that
// [ReadOptions] names, and only these. Groups of thousands must have three digits.
// These words, exactly so written, are missing values, and the option Null names
// more:
//
//	(empty)  NA  N/A  NULL  null  none  None  -  --    null
//	NaN  nan  NAN  -nan  -NaN                          not a number
//
// and these are infinite, with or without a sign: Inf inf INF Infinity infinity.
// Any other word in a column asked for is an error, as are integers that a
// float64 cannot hold exactly and numbers beyond its range.
//
// CSV to CSV is the input with fields appended to each record: every kept field,
// every comment, the lines skipped before the table and the records under the
// header pass byte for byte, in their places. Under the header the added columns
// have dashes where there is a ruler, else nothing. A header inside a comment stays
// there; a table without header gets one. So the output can be read with the same
// options as the input. What does not pass: blank lines after the first record, and
// encodings other than UTF-8, which become UTF-8. The output keeps the input's
// delimiter, unless the output is named .tsv or the input is .tsv or separated by
// blanks; a field is quoted anew only if the new delimiter needs it. Added numbers
// are written with the decimal separator of the input. Of several files as one, what
// stands before the rows is taken from the first.
//
// Text is read in chunks of whole records of 512 KiB, which one goroutine cuts
// and [ReadOptions.Threads] others parse or write, two more chunks than these at a
// time.
//
// CSV to Parquet makes a column int64, or else double, if all its fields are numbers
// or missing, and no number loses any of its value; else a string column, and a
// [Note] names the first number that would. What counts is the decimal number, not
// how it is written: a sign +, zeros at its end, exponents, blanks and the
// separators that [ReadOptions] names are not kept. An int64 column has integers
// only; -0 needs a double. A double holds a decimal if that is the shortest one
// that reads back as the double, or if it is the double rounded to as many digits
// as the decimal has; so it holds all of up to 15 digits, and what programs print
// of a double in 17 digits or more. An integer it must hold exactly. An integer
// with leading zeros (007) is taken for an identifier, and makes its column a
// string column; a decimal with them (00.5) is a number.
//
// Missing values are null in a number column; in a string column all fields are as
// they were, empty ones empty strings. A column of nothing else than missing values
// is a string column. A column with bytes that are no UTF-8 becomes binary. Comments
// and records under the header are not carried over.
//
// # Parquet
//
// Columns of integer and floating-point types at the top level are numeric;
// booleans, decimals, dates, times and nested columns are not. A string column
// can be asked for as numbers, by the rules of CSV, though it is not numeric by
// itself. Decimals, booleans, dates, timestamps and times of day can be asked for
// with a cast, see [SplitCast]: price:double, seen:epoch. Bytes cannot. In text, of
// CSV too, a cast to double takes the words true and false as 1 and 0, as booleans
// are written, and rounds integers of any size.
//
// A masked column x is two columns in the Parquet of astropy: x, with a value in
// every row, and x.mask. Where the metadata say so (table_meta_yaml, or the key
// rtcluster.masks of our own outputs), rows of x whose mask is true are missing to
// who reads numbers or describes; who writes takes both columns as they are.
//
// Only the columns asked for are read, some side by side and row groups at once,
// on [ReadOptions].Threads threads. A page's checksum is checked where it has
// one, and counts of rows, nulls and NaN are compared with what was read.
//
// Parquet to Parquet keeps types, logical types, nullability, nulls, values and
// the order of columns and rows. Where row groups have 16384 rows or more, and
// no other compression is asked for, column chunks are copied byte for byte, with
// their encodings, bounds, page indexes and filters, once they have been decoded
// to see that they are whole; of several files as one, those that have the columns
// stored as the first of them. Else encodings, row groups and compression are new:
// in memory is one row group then, of up to 1048576 rows and about 128 MiB.
// Added columns are REQUIRED, or OPTIONAL if they come with a list of which
// values are there. Key-value metadata is kept but for keys that describe the
// schema of the old file.
//
// What a file claims about itself is checked before it is believed, so that
// memory is bounded by the size of a corrupt or hostile file: it has 65536 rows for
// each of its bytes at most, and a page takes 64 MiB and 1100 times its size at most
// when it is unpacked, and 8 bytes for each of its values when it is decoded. Levels
// of nested values must fit together. What the library panics on is an error that
// names file and column.
//
// Reading a column takes three pages of it and two dictionaries, the largest that
// it has, and encoding it anew twice that. Columns are read side by side while that
// is 128 MiB and 16 times the size of the file in all, or else one after the other,
// whatever the number of threads: to CSV by way of a temporary file for the texts
// of the largest ones, a row group at a time. Of an encoded row group 160 MiB are in
// memory, the rest in a temporary file. Where pages have more than 4 KiB and 128
// times what they have packed, their column is written without a dictionary and
// bounds, which would stay until the end of the row group or file.
//
// What must be in memory in one piece may have 64 MiB and 16 times the size of the
// file: a nested row as JSON, and the bytes that a nested row has in one column
// where that is encoded anew. The values of a nested row in one column may take
// four times that, at 24 bytes each, and the pages of all fields of a nested column
// that becomes text twice that, and their levels eight times. More is an error that
// names the column.
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
// # FITS, VOTable and ECSV
//
// Such a file, also with gzip or zstd, is read once from its start to its end, and
// made a temporary Parquet file, which is what the table is then: all that is said
// of Parquet holds. What the formats have, and what of it is read, is said in package
// catalog. A table in a file of several is named file#2 or file#NAME.
//
// Units, UCDs and descriptions are in [Column], and pass to Parquet as VOParquet 1.0
// has them, a VOTable without data in the metadata; so Parquet that other programs
// wrote has them too. CSV has no place for them.
//
// FITS is written by way of a temporary Parquet file, since its header needs the
// lengths of texts, and values that stand for null, before the first row. Types,
// nulls and values stay, but for what FITS lacks: null in a float column is NaN and
// in a text empty, blanks at the end of a text are lost, and what is neither number
// nor boolean is text as in CSV. Text beyond ASCII, names of more than 68 characters
// and more than 999 columns are an error.
//
// # Several files
//
// [Find] turns folders, patterns and lists into files, and [OpenAll] opens files as
// one table: rows in the order of the files, columns matched by name. All must be
// CSV, or none; CSV files may differ in dialect and in the types found, as if
// they were one file. [Table.WriteWith] writes them as one, [Table.WriteEach] each by
// itself. A file is open only while it is read.
//
// # Output
//
// A file is written under a temporary name in the folder it will stand in,
// synced and renamed, so that either the whole file is there or none. See
// [WriteOptions] for what happens to files that exist. The temporary file of a run
// that was killed stays, without a lock, until [ClearLeftovers] removes it.
package table
