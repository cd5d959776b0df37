package table

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// dictionaryHeader is the most bytes that old writers forgot, see mendSizes.
const dictionaryHeader = 100

// mendSizes corrects the sizes of column chunks that parquet-mr before 1.2.9
// wrote: they leave out the header of the dictionary page (IMPALA-694). Such a
// chunk is walked over with some bytes more, and gets the size that its pages
// need.
func mendSizes(src *source, meta *format.FileMetaData) {
	if !forgetsDictionaryHeader(meta.CreatedBy) {
		return
	}
	for i := range meta.RowGroups {
		for j := range meta.RowGroups[i].Columns {
			m := &meta.RowGroups[i].Columns[j].MetaData
			if _, err := pagesEnd(src, m); err == nil {
				continue
			}
			more := *m
			left := src.size - footerTail - chunkStart(m) - m.TotalCompressedSize
			more.TotalCompressedSize += min(dictionaryHeader, max(left, 0))
			if end, err := pagesEnd(src, &more); err == nil {
				m.TotalCompressedSize = end - chunkStart(m)
			}
		}
	}
}

// forgetsDictionaryHeader reports whether a writer has the fault that mendSizes
// is about.
func forgetsDictionaryHeader(createdBy string) bool {
	rest, ok := strings.CutPrefix(createdBy, "parquet-mr")
	if !ok {
		return false
	}
	var major, minor, patch int
	if n, _ := fmt.Sscanf(rest, " version %d.%d.%d", &major, &minor, &patch); n < 3 {
		return rest == ""
	}
	return major < 1 || major == 1 && (minor < 2 || minor == 2 && patch < 9)
}
