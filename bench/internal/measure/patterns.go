package measure

import (
	"path"
	"strings"
)

// Matches reports whether name matches one of the patterns of [path.Match], which commas
// part. Its error is [path.ErrBadPattern].
func Matches(patterns, name string) (bool, error) {
	found := false
	for p := range strings.SplitSeq(patterns, ",") {
		ok, err := path.Match(strings.TrimSpace(p), name)
		if err != nil {
			return false, err
		}
		found = found || ok
	}
	return found, nil
}
