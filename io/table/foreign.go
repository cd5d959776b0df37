package table

import "bytes"

// foreignFormat says what a file is by its first bytes, if these are of a kind that
// people have tables in and that is neither Parquet nor text of fields; else "".
func foreignFormat(b []byte) string {
	for _, f := range []struct{ magic, is string }{
		{"PK\x03\x04", "a ZIP archive or a workbook of Excel or the like: save the table as CSV"},
		{"\xd0\xcf\x11\xe0", "a workbook of old Excel: save the table as CSV"},
		{"BZh", "compressed by bzip2: unpack it, or compress it by gzip or zstd"},
		{"\xfd7zXZ\x00", "compressed by xz: unpack it, or compress it by gzip or zstd"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"},
		{"\x04\x22\x4d\x18", "compressed by LZ4: unpack it, or compress it by gzip or zstd"},
		{"\x1f\x9d", "compressed by compress: unpack it, or compress it by gzip or zstd"},
		{"\x89HDF\r\n", "an HDF5 file: convert it to Parquet or CSV"},
		{"ARROW1", "an Arrow file (Feather): convert it to Parquet"},
		{"FEA1", "an old Feather file: convert it to Parquet"},
		{"\x93NUMPY", "a NumPy array: convert it to Parquet or CSV"},
		{"ORC", "an ORC file: convert it to Parquet"},
		{"Obj\x01", "an Avro file: convert it to Parquet"},
		{"SQLite format 3\x00", "an SQLite database: export the table as CSV"},
		{"RDX", "saved by R: write it as CSV or Parquet"},
		{"X\n\x00\x00", "saved by R: write it as CSV or Parquet"},
		{"PAR1", "a Parquet file that was compressed as a whole: unpack it"},
		{"\x1f\x8b", "compressed twice: unpack it once"},
		{"\x28\xb5\x2f\xfd", "compressed twice: unpack it once"},
		{"%PDF-", "a PDF document, no table"},
	} {
		if bytes.HasPrefix(b, []byte(f.magic)) {
			return f.is
		}
	}
	return foreignText(bytes.TrimLeft(bytes.TrimPrefix(b, bomUTF8), " \t\r\n"))
}

// foreignText does so for text.
func foreignText(b []byte) string {
	lower := bytes.ToLower(b[:min(len(b), 512)])
	switch {
	case bytes.HasPrefix(lower, []byte("<?xml")):
		return "an XML document, no table"
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return "a web page, perhaps the message of a server, no table"
	case bytes.HasPrefix(b, []byte("\\")) && bytes.Contains(b, []byte("\n|")):
		return "an IPAC table: convert it to CSV or Parquet, such as by astropy or stilts"
	case bytes.Contains(b, []byte("\nByte-by-byte Description of file:")):
		return "a table of CDS or AAS (MRT): convert it to CSV or Parquet, such as by astropy or stilts"
	case len(b) > 0 && (b[0] == '{' || b[0] == '['):
		next := bytes.TrimLeft(b[1:], " \t\r\n")
		if len(next) > 0 && (next[0] == '{' || b[0] == '{' && next[0] == '"') {
			return "JSON: convert it to CSV or Parquet"
		}
	}
	return ""
}

// utf16Guess returns the encoding that text without a byte order mark seems to
// have, by where zeros stand in its first two characters, or "".
func utf16Guess(b []byte) string {
	if len(b) < 4 {
		return ""
	}
	switch [4]bool{b[0] == 0, b[1] == 0, b[2] == 0, b[3] == 0} {
	case [4]bool{false, true, false, true}:
		return encodingUTF16LE
	case [4]bool{true, false, true, false}:
		return encodingUTF16BE
	}
	return ""
}

// refuseOthers names what is no CSV, unless a format was asked for.
func (s *sniffer) refuseOthers(sample []byte) error {
	if guess := utf16Guess(sample); guess != "" && s.dialect.encoding == encodingUTF8 {
		return badFile(s.path, "seems to be text in UTF-16 without a byte order mark: --encoding %s reads it", guess)
	}
	if what := foreignFormat(sample); what != "" && (s.opt.Format == "" || s.opt.Format == formatAuto) {
		return badFile(s.path, "is %s (--format csv would read it as text)", what)
	}
	return nil
}
