//go:build !purego

package dist

// Levels names the levels of this machine, plain Go first.
func Levels() []string {
	return []string{"generic", "avx2", "avx512"}[:best+1]
}

// Use puts a level of Levels in use until restore is called.
func Use(name string) (restore func()) {
	for l, n := range Levels() {
		if n == name {
			return limitLevel(level(l))
		}
	}
	panic("dist: this machine has no level " + name)
}
