package kernels

// Sizes of the kernels that search, refine and make results; their sources say what
// they are, and TestSizes compares. Those that make rows have theirs in rows.go.
const (
	Group          = 4 // leaves of a group of queries, at most
	SearchThreads  = 128
	PackThreads    = 128 // of pack_integers, too
	ListPiece      = 256 // places for pairs that a warp of tensor_list takes at a time
	RecheckThreads = 256
	RecheckParts   = 4 // blocks that share what one has left in doubt
	PlainThreads   = 256
	LowDims        = 8   // coordinates that kernels low_MODE take, at most
	StageDims      = 128 // coordinates that kernels simt_MODE have in shared memory
	ResultThreads  = 256
	SceneThreads   = 128
	ForestThreads  = 256 // of the kernels of forest.cu and label.cu, but
	ScanThreads    = 1024
)

// Bounds of turned rows that the kernels take for granted.
const (
	Wild        = 1e30 // stands for what no turned coordinate can be
	TensorReach = 64.5 // the greatest norm, and
	TensorMost  = 150  // the greatest limit, for tensor cores
)

// Bounds of products of integers, see integer.cuh.
const (
	IntegerDims = 256       // coordinates, at most
	IntegerVoid = 1<<31 - 2 // the square of a lane without a row
)
