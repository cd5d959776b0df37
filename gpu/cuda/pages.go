//go:build cuda

package cuda

import (
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
)

// A tally puts the entries that it finds down on pages. If all fit, they are collected
// from there for each round, and not looked for again.

const (
	pageBytes  = 4*kernels.Page + 8 // with the group and the number of entries
	groupPages = 64                 // of a group, on average, at most
)

// searchWarps are those of a block.
const searchWarps = kernels.SearchThreads / 32

// takePages takes room for pages, in an eighth of the free memory, and numbers about
// them. counters is what the number of pages is in.
func (s *searching) takePages(counters *driver.Buffer) error {
	if err := s.s.Zero(counters, int64(8*s.groups), 4); err != nil {
		return err
	}
	free, err := s.dev.Memory()
	if err != nil {
		return err
	}
	// Each warp of a group leaves a page that is not full.
	most := int64(s.groups) * min(groupPages, searchWarps+int64(s.rows.leaves)/kernels.Page)
	n := min(most, free/8/pageBytes)
	if n <= 0 {
		return nil
	}
	own := int64(4 * s.groups)
	if s.pages, err = s.s.Alloc(own + n*pageBytes); err != nil {
		return err
	}
	p := &s.param
	p.Collected = s.pages.Addr()
	p.PageGroup = p.Collected + uint64(own)
	p.PageFill = p.PageGroup + uint64(4*n)
	p.Pages = p.PageFill + uint64(4*n)
	p.PageRoom = n
	return s.s.Zero(s.pages, 0, own)
}

// dropPages frees the pages.
func (s *searching) dropPages() error {
	b := s.pages
	s.pages, s.paged = nil, 0
	return s.s.Free(b)
}

// collect moves the entries of groups from pages to their places.
func (s *searching) collect(p *kernels.Search) error {
	return launch(s.card, s.s, "search", "collect", (s.paged+searchWarps-1)/searchWarps, kernels.SearchThreads, p)
}
