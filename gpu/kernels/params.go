package kernels

// The sizes that host and device share; params.cuh says the same.
const (
	Leaf    = 64  // rows of a leaf
	Group   = 32  // leaves of a group
	Threads = 256 // of a block of a join
)

// Side is struct Side of params.cuh: addresses on the device, then sizes.
type Side struct {
	X, Row, Lo, Hi, GroupLo, GroupHi uint64
	Offset, Mid, Radius              uint64
	N, Leaves, Groups                int64
}

// Join is struct Join of params.cuh, the one parameter of the kernels of join.cu.
type Join struct {
	Q, T       Side
	Eps2       float64
	Dim        int64
	Self       int64
	First      int64
	Begin, End int64
	Limit      int64
	Out        uint64
	Place      uint64
}

// Offsets is struct Offsets of offset.cu, the parameter of its kernel.
type Offsets struct {
	Side                Side
	Dim                 int64
	Offset, Mid, Radius uint64
}
