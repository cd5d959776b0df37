package table

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Names of formats in ReadOptions and WriteOptions, and of compressions.
const (
	formatAuto    = "auto"
	formatCSV     = "csv"
	formatTSV     = "tsv"
	formatParquet = "parquet"
	formatFITS    = "fits"
	formatVOTable = "votable"
	formatECSV    = "ecsv"

	packNone   = "none"
	packGzip   = "gzip"
	packZstd   = "zstd"
	packSnappy = "snappy"
)

// knownExtensions is what messages list.
const knownExtensions = ".csv, .tsv, .fits, .vot, .ecsv (also with .gz or .zst), .parquet and .pq"

// writtenExtensions is what messages list of outputs.
const writtenExtensions = ".csv, .tsv, .fits (also with .gz or .zst), .parquet and .pq"

// byExtension returns the format and the compression that the name of a file
// promises, or empty strings.
func byExtension(path string) (format, pack string) {
	name := strings.ToLower(filepath.Base(path))
	switch filepath.Ext(name) {
	case ".parquet", ".pq":
		return formatParquet, ""
	case ".gz":
		name, pack = strings.TrimSuffix(name, ".gz"), packGzip
	case ".zst":
		name, pack = strings.TrimSuffix(name, ".zst"), packZstd
	}
	switch filepath.Ext(name) {
	case ".csv":
		return formatCSV, pack
	case ".tsv":
		return formatTSV, pack
	case ".fits", ".fit", ".fts":
		return formatFITS, pack
	case ".vot", ".votable":
		return formatVOTable, pack
	case ".ecsv":
		return formatECSV, pack
	}
	return "", pack
}

// outputFormat decides the format and, for CSV, the compression of an output.
func outputFormat(path string, opt WriteOptions) (format, pack string, err error) {
	format, pack = byExtension(path)
	switch opt.Format {
	case formatCSV, formatTSV, formatParquet, formatFITS:
		format = opt.Format
	case "", formatAuto:
		if path == "-" {
			format = formatCSV
		}
	default:
		return "", "", fmt.Errorf("%w %q; known are csv, tsv, parquet and fits", ErrFormat, opt.Format)
	}
	if format == "" || format == formatVOTable || format == formatECSV {
		return "", "", fmt.Errorf("%s: %w by its name; known extensions are %s", path, ErrFormat, writtenExtensions)
	}
	switch opt.Compression {
	case "", packZstd, packSnappy, packGzip, packNone:
	default:
		return "", "", fmt.Errorf("%w of compression %q; known are zstd, snappy, gzip and none", ErrFormat, opt.Compression)
	}
	return format, pack, nil
}
