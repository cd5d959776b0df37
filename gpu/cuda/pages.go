//go:build cuda

package cuda

import (
	"cmp"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// A tally puts the entries that it finds down on pages, so that they are not looked for
// again if all fit, and make one round.

// pageBytes are those of a page, of its group and of its number of entries.
const pageBytes = 4*kernels.Page + 8

// searchWarps are those of a block.
const searchWarps = kernels.SearchThreads / 32

// takePages takes room for as many pages as there can be, in an eighth of the free
// memory. counters is what the number of pages is in.
func (s *searching) takePages(counters *driver.Buffer) error {
	if err := s.s.Zero(counters, int64(8*s.groups), 4); err != nil {
		return err
	}
	free, err := s.dev.Memory()
	if err != nil {
		return err
	}
	// Each warp of a group leaves a page that is not full.
	most := int64(s.groups) * (searchWarps + int64(s.rows.leaves)/kernels.Page)
	n := min(most, roundEntries/kernels.Page, free/8/pageBytes)
	if n <= 0 {
		return nil
	}
	if s.pages, err = s.s.Alloc(n * pageBytes); err != nil {
		return err
	}
	p := &s.param
	p.Pages, p.PageRoom = s.pages.Addr(), n
	p.PageGroup = p.Pages + uint64(4*kernels.Page*n)
	p.PageFill = p.PageGroup + uint64(4*n)
	return nil
}

// dropPages frees the pages.
func (s *searching) dropPages() error {
	b := s.pages
	s.pages, s.paged = nil, 0
	return s.s.Free(b)
}

// collect moves the entries from pages to their places.
func (s *searching) collect(p *kernels.Search) error {
	return s.alloc(int64(4*s.groups), func(collected *driver.Buffer) error {
		p.Collected = collected.Addr()
		if err := s.s.Zero(collected, 0, collected.Size()); err != nil {
			return err
		}
		return cmp.Or(
			launch(s.card, s.s, "search", "collect", (s.paged+searchWarps-1)/searchWarps, kernels.SearchThreads, p),
			s.dropPages())
	})
}
