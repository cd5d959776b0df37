package kernels

// Sizes of the kernels that make rows; their sources say what they are.
const (
	SpanThreads     = 256
	MeanChunk       = 256
	ProductPart     = 512
	ProductTile     = 32
	LeadRows        = 128
	PermuteThreads  = 128
	LayoutThreads   = 128 // of all kernels of layout.cu
	OrderThreads    = 256
	SplitThreads    = 512  // of base, too
	SplitShared     = 7680 // bytes, and for each row of a part
	SplitRow        = 13
	SplitAxes       = 8
	DigitBits       = 12 // of a bucket's number, a pass each
	Digits          = 1 << DigitBits
	SupersThreads   = 128
	TurnLeafThreads = 16 // for each 4 axes
)

// Stats is struct Stats of stats.cu.
type Stats struct {
	X, Lo, Hi, Partial, Mean, Cov uint64
	N, Dim, Wide                  int64
}

// Turn is struct Turn of turn.cu.
type Turn struct {
	X, Fill, Axes, Coords, Center, Y uint64
	Sigma                            float64
	N, Dim, Wide                     int64
}

// Node is struct Node of order.cuh.
type Node struct {
	At                float32
	Axis, Left, Right int32
}

// Part is struct Part of order.cuh.
type Part struct {
	First, Rows, Leaf, Leaves int32
}

// Order is struct Order of order.cuh.
type Order struct {
	Key, Nodes, BucketIn, BucketOut, OrderIn, OrderOut uint64
	Count, Start, Parts, Row, Fill                     uint64
	N, Stride, Axes, Pieces, Piece, Shift, CountOf     int64
	Room                                               int64
}

// Layout is struct Layout of layout.cu.
type Layout struct {
	Rows        Rows
	From, Reach uint64
}
