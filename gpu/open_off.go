//go:build !cuda

package gpu

import "rtcluster/join"

// Open returns an engine for each kind that this machine can run, or an error
// that says why there is none: in this build [ErrNotBuilt]. threads are those at work
// on the host, 0 for all.
func Open(threads int) ([]join.Engine, error) {
	_ = threads // for the other build
	return nil, ErrNotBuilt
}
