package kernels

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed *.ptx
var files embed.FS // read-only, as embedding asks for a variable

// PTX returns the text of a module, "join" for join.cu, in the newest variant that
// a card of this compute capability takes, 75 for 7.5.
func PTX(module string, capability int) (string, error) {
	names, err := fs.Glob(files, module+".*.ptx")
	if err != nil {
		return "", err
	}
	best, at := 0, ""
	for _, name := range names {
		_, target, _ := strings.Cut(strings.TrimSuffix(name, ".ptx"), "compute_")
		if target, err := strconv.Atoi(target); err == nil && target <= capability && target > best {
			best, at = target, name
		}
	}
	if at == "" {
		return "", fmt.Errorf("kernels: no code for module %s and compute capability %d.%d; it takes 7.5 or more", module, capability/10, capability%10)
	}
	text, err := files.ReadFile(at)
	return string(text), err
}
