//go:build !amd64 || purego

package dist

// Levels names the levels of this machine, plain Go first.
func Levels() []string { return []string{"generic"} }

// Use does nothing, since there is one level.
func Use(string) (restore func()) { return func() {} }
