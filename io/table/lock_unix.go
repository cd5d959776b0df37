//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package table

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed or the process ends. free is false if
// another process has it; sure is false if the file system does not tell.
func lockFile(f *os.File) (free, sure bool) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, true
	}
	return true, err == nil
}
