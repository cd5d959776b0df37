package table

import (
	"errors"
	"fmt"
	"os"
)

// scratch is a temporary file, which loses its name at once where the system allows
// that, so that nothing is left behind even after a crash.
type scratch struct {
	*os.File
	name string // still to be removed, or empty
}

// newScratch makes a file in dir, or where TMPDIR says.
func newScratch(dir string) (*scratch, error) {
	f, err := os.CreateTemp(dir, "rtcluster-*.spool")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrScratch, err)
	}
	s := &scratch{File: f}
	if os.Remove(f.Name()) != nil {
		s.name = f.Name()
	}
	return s, nil
}

// Close closes the file and removes it.
func (s *scratch) Close() error {
	err := s.File.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
		s.name = ""
	}
	return err
}
