package kernels

// The sizes that host and device share; params.cuh says the same, and what the
// fields are.
const (
	Leaf      = 64  // rows of a leaf, at most
	Super     = 128 // leaves of a superleaf
	Axes      = 16  // axes that turned boxes have, at most
	EntryLeaf = 28  // bits of an entry that name a leaf
	Page      = 64  // entries of a page

	Space    = 3    // axes of a scene
	Doubters = 1024 // lists that share the pairs that rays leave in doubt

	Run = 1024 // words of Forest.Named that a block takes
)

// What the kernels of forest.cu add up, enum Sum of params.cuh.
const (
	SumOrdered = iota
	SumCores
	SumSets
	SumNoise
	Sums
)

// Rows is struct Rows of params.cuh: addresses on the device, then sizes.
type Rows struct {
	X, Row, Fill                                 uint64
	Y, Lo, Hi, Rest                              uint64
	SuperLo, SuperHi, SuperRest                  uint64
	PlainLo, PlainHi, PlainSuperLo, PlainSuperHi uint64
	Mid, Offset, Radius                          uint64
	N, Leaves, Supers, Dim, Axes, Wide           int64
}

// Search is struct Search of params.cuh, the parameter of the kernels of search.cu.
type Search struct {
	Q, T                  Rows
	Self, Group, Plain    int64
	Eps2, Apart, Within   float64
	EntriesOf, TilesOf    uint64
	More, MoreT           uint64
	MoreSuper             uint64
	SetQ, SetT, SuperSetT uint64
	Pages                 uint64
	PageGroup, PageFill   uint64
	PageCount             uint64
	PageRoom              int64
	Collected             uint64
	Begin, End            int64
	Found                 uint64
	Order, Place, Entries uint64
}

// Item is struct Item of params.cuh.
type Item struct {
	Group, N int32
	From     int64
}

// Work is struct Work of params.cuh, the parameter of all kernels that refine.
type Work struct {
	Q, T                Rows
	Eps2                float64
	Self, Group         int64
	Items               uint64
	ItemCount           int64
	Cursor, Entries     uint64
	A, B, WidthA        uint64
	Doubt               uint64
	DoubtRoom           int64
	Doubts              uint64
	CountQ, CountT      uint64
	Pairs               uint64
	PairRoom            int64
	PairCount           uint64
	Holes               uint64
	Core, SetQ, SetT    uint64
	Parent, Label, Best uint64
	SquareA, OddA, OddB uint64
	Limit               int64
}

// Operands is struct Operands of tensor.cuh.
type Operands struct {
	Rows          Rows
	Steps, Tails  int64
	A, B, S       uint64
	D, Norm, Tail uint64
	Width         uint64
	Kappa, Floor  float64
	High, Low     float64
}

// Integers is struct Integers of integer.cuh, the parameter of pack_integers.
type Integers struct {
	Rows          Rows
	Steps         int64
	A, B          uint64
	Square, Odd   uint64
	Middle, Unfit uint64
}

// Result is struct Result of result.cu.
type Result struct {
	Rows             Rows
	Count, More, Out uint64
	Limit, Own       int64
}

// Pair is struct Pair of params.cuh.
type Pair struct{ I, J int32 }

// Forest is struct Forest of params.cuh, the parameter of the kernels of forest.cu.
type Forest struct {
	Rows                        Rows
	Eps2                        float64
	Least, Reach                int64
	Count, Member, Given        uint64
	Core, Parent, Set, SuperSet uint64
	First, Named, Before, Runs  uint64
	Words                       int64
	Label, Best, Out, Sums      uint64
}

// Trial is struct Trial of products.cuh.
type Trial struct{ A, B, Out uint64 }

// Ray is struct Ray of rays.cuh.
type Ray struct {
	X, Y, Z float32
	Group   int32
}

// Rays is struct Rays of rays.cuh, the parameter of the programs of OptiX.
type Rays struct {
	Scene         uint64
	Q, T          Rows
	Self, Group   int64
	Apart, Within float64
	Begin         int64
	Rays, Whole   uint64
	Found, Count  uint64
	Doubt         uint64
	DoubtRoom     int64
	Doubts        uint64
}

// Scene is struct Scene of rays.cuh.
type Scene struct {
	T       Rows
	X, Y, Z float64
	Boxes   uint64
}
