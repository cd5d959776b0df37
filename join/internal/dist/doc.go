// Package dist holds the inner loops of the processor engine: distances of
// rows, boxes and blocks, rotations, and the partition step of the tree.
//
// # What
//
// A block is Lanes rows of dim coordinates, transposed: coordinate k of row j
// stands at x[k*Lanes+j], so that one vector load takes the same coordinate of
// many rows.
//
//	         row 0  row 1  row 2   …   row 31
//	k = 0  [  x0     x1     x2     …    x31  ]
//	k = 1  [  x32    x33    x34    …    x63  ]
//	…
//
// A lane that holds no row is NaN in all coordinates: it passes no comparison.
// A box is its dim lower bounds, then its dim upper bounds.
//
// Masks have one bit a lane, the lowest for lane 0. Sums run over the
// coordinates in order, in the type of the arguments; each term may be added
// with or without a fused multiply-add, so two machines may differ in the last
// bits. Who decides by these sums must know how far they can be off. Terms are
// never negative, so that a sum which has passed its limit is abandoned.
//
// No function allocates or keeps its arguments. All are safe for concurrent
// use on distinct destinations.
//
// # Files
//
//	dist.go, rows.go   the API: checks shapes, then calls the kernel in use; rows.go has
//	                   what works on rows and boxes of float64
//	generic.go         the reference: plain Go, on every platform
//	genericrows.go     the same for rows.go
//	dist_amd64.s, .go  AVX-512 and AVX2 kernels and their stubs, generated
//	_gen/              the generator, a module of its own
//	dispatch_amd64.go  picks the kernel by the level in use
//	detect_amd64.go    reads the level of the processor, once
//	dist_noasm.go      forwards to generic.go, where there is no assembly
//
// # How
//
// There are three levels: AVX-512 (F, DQ, BW, VL), AVX2 with FMA, and plain
// Go. Build tag purego leaves plain Go alone.
//
// Tile and Distances keep the sums of 4 rows of q against the lanes of b in
// registers (32 lanes with AVX-512, 16 at a time with AVX2): each load of b
// serves 4 rows, each broadcast of a row serves all lanes. After every 8
// coordinates a group of 4 rows is given up if none of its sums can pass. Rows
// left over at the end make groups of 2, the last one twice if need be.
//
// Products does the same for all rows of two blocks, 8 at a time (AVX2: 4), with one
// instruction for a coordinate of a vector where squares need two. It pays where no
// row can be given up early: where rows spread along all axes alike.
//
// Rotate keeps the sums of 4 rows and up to 48 columns in registers (AVX2: 8),
// and runs over the rows of a small batch before it goes on to the next
// columns, so that the axes stay in the nearest cache.
//
// Partition moves a vector of each key array at a time: the lanes that go left
// are packed and stored in place, the others are packed and stored in the
// scratch array, which is copied behind them at the end. Stores are whole
// vectors; what they write past the packed lanes is overwritten by the next.
//
// Cut finds the pivot that parts rows at a given number: it bisects the integers
// that stand for float32 values in their order, and counts the values below, a
// vector at a time. With some play it ends as soon as the number is near enough.
//
// Append packs the hits of a row (AVX-512 by a mask, AVX2 by a permutation from a
// table) and stores whole vectors behind those that the row has; Keep does the same
// in place with what is not too far.
//
// Squares turns the squares of 4 rows by 4 coordinates, so that the sums of 4 rows
// grow by a vector for each coordinate, in order; 8 rows at a time.
//
// # Error bounds
//
// The processor engine keeps a row as its float32 offset from the center of its
// leaf, and moves a leaf A of queries next to a leaf B by Shift before it
// measures with Tile. The following says how far the sum s of a row x of A and a
// row z of B can be off, and so which limits decide a pair for certain. Package
// cpu computes them (band.go) and gives every pair in between to the contract's
// predicate.
//
// Let u = 2⁻²⁴ and v = 2⁻⁵³ be the unit round-offs, d the number of coordinates,
// and ‖·‖ the Euclidean norm. The exact position of x on the axes is
// y(x) = σ·P(x − c), with near·‖x−z‖ ≤ ‖P(x−z)‖ ≤ far·‖x−z‖ and σ a power of two.
// Computed are, in this order, each with the error on its right:
//
//	ŷ = σ·fl(P(x − c))       E, in norm (basis.errorIn)
//	o = fl32(fl(ŷ − center)) (u+2v)·‖ŷ − center‖ ≤ 1.001u·r, r the largest ‖o‖ of the leaf
//	t = fl32(fl(cA − cB))    (u+2v)·‖cA − cB‖ ≤ 1.001u·T, T the computed norm
//	q = fl32(o + t)          u·‖o + t‖ ≤ 1.001u·(r + T)
//
// Each conversion to float32 may also underflow, by at most 2⁻¹⁵⁰ a coordinate,
// √d·2⁻¹⁵⁰ in norm. A sum of two float32 numbers does not underflow. So the
// difference of q and the offset o' of z is off from w = y(x) − y(z) by
//
//	‖(q − o') − w‖ ≤ δ = 1.02u·(2·rA + 2·T + rB) + 1.0001·(EA + EB) + √d·2⁻¹⁴⁵
//
// Tile subtracts (each difference rounded once, so its square twice), squares
// and adds d terms, none negative: with or without fusing
//
//	(1−g)·‖q − o'‖² − a ≤ s ≤ (1+g)·‖q − o'‖² + a,  g = 1.05(d+4)u,  a = (d+4)·2⁻¹⁴⁵
//
// where a covers products and sums that underflow. Last, the contract's own sum
// d2 = ‖x−z‖²·(1+θ), |θ| ≤ (d+3)v·1.01, as long as nothing over- or underflows in
// float64, and the limit is L = fl(ε·ε). With ρ = σ·√L:
//
//	sure in:  s ≤ (1−g)·(near·ρ·(1−(d+8)v) − δ)² − a   ⇒  d2 ≤ L
//	sure out: s > (1+g)·(far·ρ·(1+(d+8)v) + δ)² + a    ⇒  d2 > L
//
// For the first, ‖w‖ ≤ √((s+a)/(1−g)) + δ ≤ near·ρ·(1−(d+8)v), so
// ‖x−z‖ ≤ √L·(1−(d+8)v) and d2 ≤ L·(1−(d+8)v)²·(1+1.01(d+3)v) < L. The second is
// its mirror. The excess of (d+8)v over what d2 needs covers the rounding of ρ, of
// the products and of ρ ∓ δ; the factors (1 ∓ 2⁻²²) in band.go cover that of the
// squares and of the limits to float32. Where L is outside 1e±280, or a limit
// outside float32's comfortable range, nothing is sure and the predicate decides
// all. A float32 sum is never NaN but for lanes without a row: offsets and shifts
// below 1e15 have no infinite squares (leafPair.tame).
//
// Products computes half of the sum another way, from the same q and o', with
// M ≥ ‖q‖ + ‖o'‖. Halves of norms are off by du·½‖q‖² and du·½‖o'‖², their sum by u of
// itself; each of d steps rounds a partial sum that is at most ½M²·(1 + 3du), and
// where it isn't fused also a product, all of which are at most ‖q‖·‖o'‖ ≤ ¼M². With
// what underflows, 2s is off from ‖q − o'‖² by
//
//	e = 1.02u·(2d+10)·M² + a
//
// so that pairs are sure in if 2s ≤ (1−g)·(near·ρ·(1−(d+8)v) − δ)² − a − e, and sure out
// likewise. Package cpu uses them where e is a small part of L, and M is
// r + T + rB with 1e-4 to spare.
//
// Where few axes lead (cpu/lead.go), Tile and Distances may see only these. Write
// w = (w', w") for the leading and the other axes; all of the above holds for w'
// with its own norms, which are no greater. With R ≥ ‖w"‖, 0 ≤ ‖w‖² − ‖w'‖² ≤ R²:
//
//	sure in:  s ≤ (1−g)·(√(B² − R²) − δ)² − a,  B = near·ρ·(1−(d+8)v)
//	sure out: as above
//
// For the first, ‖w'‖ ≤ √(B² − R²), so ‖w‖ ≤ B; the second asks for ‖w'‖ ≤ ‖w‖ only. R is
// the sum of the tails of both leaves: the greatest norm of a row's ŷ" there, and E.
// What squares of tails lose by underflow, d·2⁻¹⁰⁷⁴, is far below the least sure
// limit, 1e-34, times 2⁻²².
//
// Near bounds the same sum from below by the box of B's offsets: its result is
// at most (1+g)·gap² + a, and the gap at most ‖q − o'‖. For a pair with d2 ≤ L,
// ‖q − o'‖ ≤ far·ρ·(1+(d+8)v) + δ, so the result is at most the hit limit: a lane
// beyond it has no such pair.
//
// Gaps bounds from below how far the rows of two boxes are apart, if the boxes hold
// the exact positions y(x): each gap is rounded once and is at most
// (1+u)·|y_k(x) − y_k(z)|, so the argument is that for Near with δ = 0.
//
// # How to test
//
//	go test ./join/internal/dist                 every level against generic.go
//	go test -tags purego ./join/internal/dist    the reference alone
//	go generate ./join/internal/dist             must leave the tree clean
//	go test -fuzz FuzzTile ./join/internal/dist  any bits for coordinates and limits
//	go test -bench . ./join/internal/dist        rates, one line a level
//
// Tests run each level the machine has, with guard bands about every slice, at
// unaligned addresses, and at the ends of mapped pages. The environment lowers
// the level of any program: GODEBUG=cpu.avx512f=off, or cpu.avx2=off.
package dist
