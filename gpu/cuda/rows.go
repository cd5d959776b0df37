//go:build cuda

package cuda

import (
	"context"
	"errors"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// rows is a set of rows on the card, in the order of its leaves.
type rows struct {
	pts            *join.Points
	leaves, supers int
	param          kernels.Rows
}

// newRows copies rows to the card and orders them. like, if not nil, are the indexed
// rows whose axes and scale these queries take. Who gets them frees them.
func (c *card) newRows(ctx context.Context, s *driver.Stream, pts *join.Points, like *rows, threads int) (*rows, error) {
	return nil, errors.ErrUnsupported
}

// plain makes what comparing by the coordinates as given needs, if it isn't there.
func (r *rows) plain(c *card, s *driver.Stream) error { return errors.ErrUnsupported }

// free gives back what has been allocated.
func (r *rows) free(s *driver.Stream) error { return nil }
