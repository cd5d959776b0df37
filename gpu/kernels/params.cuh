// What host and device agree on. params.go says the same in Go; params_test.go compares
// the two. Fields have 8 bytes, or are two of 4, so that both lay them out alike.
#pragma once

enum {
	LEAF = 64,   // rows of a leaf, at most
	SUPER = 128, // leaves of a superleaf
	AXES = 16,   // axes that turned boxes have, at most
};

// A set of rows in the order of its leaves: lane i of leaf l is at position
// l·LEAF + i. A leaf holds its rows in its first lanes.
struct Rows {
	const void *x;   // positions × dim, a row after the other: the coordinates as given; NaN where there is no row
	const int *row;  // positions: the row's number in the input; −1
	const int *fill; // leaves: how many rows, 1 to LEAF

	// Turned: y = σ·P(x − c), the axis of greatest variance first, in float32.
	const float *y;         // positions × dim, a row after the other; 0 where there is no row
	const float *lo;        // axes × leaves: least y along axis k in leaf l, at k·leaves + l
	const float *hi;        // the same, greatest
	const float *rest;      // leaves: greatest norm of the axes beyond, rounded up
	const float *superLo;   // axes × supers
	const float *superHi;
	const float *superRest; // supers

	// Plain: the coordinates as given. Null until asked for.
	const double *plainLo;      // dim × leaves, at k·leaves + l
	const double *plainHi;
	const double *plainSuperLo; // dim × supers
	const double *plainSuperHi;
	const double *mid;    // dim × leaves: middles of leaves
	const float *offset;  // leaves × dim × LEAF: offsets from the middles, of lane i at (l·dim + k)·LEAF + i; NaN
	const double *radius; // leaves: the greatest norm of an offset, or a bit more

	long long n; // rows
	long long leaves;
	long long supers;
	long long dim;
	long long axes; // of turned boxes
	long long wide; // 1: x is double; 0: float, and every coordinate is one
};

// The search for pairs of leaves, of queries q and indexed rows t, that bounds leave
// open. Group g of the queries is leaves g·group, … of q; a block has one.
struct Search {
	struct Rows q, t;
	long long self;  // 1: q is t, and each pair of leaves comes once, the lower first
	long long group; // 1 to 4
	long long plain; // 1: by the plain boxes; 0: by the turned
	double eps2;     // of plain boxes: d2 ≤ eps2 is near
	double apart;    // of turned boxes: apart if the squared gap, in float32, is above
	double within;   // within if the squared reach, in float32, is at most this; −1: never

	unsigned *entriesOf; // groups: how many entries (tally)
	unsigned *tilesOf;   // groups: how many pairs of leaves these are (tally)
	unsigned *more;      // leaves of q: rows found by boxes within, to be added to each row's count (tally; null: such pairs are entries)
	unsigned *moreT;     // leaves of t: the same in a self-join (q and t have one array then)
	unsigned *moreSuper; // supers of t: what all of their leaves get, in a self-join

	const int *setQ;      // leaves of q, or null: see passedOver
	const int *setT;      // leaves of t
	const int *superSetT; // supers of t: what all of their leaves have, or SEVERAL

	unsigned *pages;     // tally: the entries as they are found, a page of PAGE at a time, or null; collect takes them from here
	int *pageGroup;      // pages
	int *pageFill;       // pages: entries in it
	unsigned *pageCount; // may pass the room: then some were dropped
	long long pageRoom;
	unsigned *collected; // groups: how many entries are at their place, 0 at first
	long long begin;     // collect: the first of the groups whose entries are wanted, and
	long long end;       // the one after the last; tally: the group of the first block

	const unsigned *found; // groups from begin on × supers × SUPER bits, or null: the leaves of t that may not be apart from a group

	const int *order;       // fill: the group of each block
	const long long *place; // groups: where their entries go
	unsigned *entries;
};

enum { PAGE = 64 };

// Entries are pairs of leaves: the leaf of t in the low bits, above them which of the
// group's leaves it is with. Some may be with none.
enum { ENTRY_LEAF = 28 };

// Item is some entries of a group.
struct Item {
	int group, n;
	long long from; // the first, in entries
};

struct Pair {
	int i, j;
};

// What joins that do not want every pair know of a leaf: all that it has is in one
// set, whose number this is, or in several, or there is nothing.
enum { SEVERAL = -1, NOTHING = -2 };

// passedOver tells whether no pair of rows of two leaves, or superleaves, matters.
static __device__ __forceinline__ bool passedOver(int setQ, int setT) {
	return setQ == NOTHING || setT == NOTHING || (setQ >= 0 && setQ == setT);
}

// Refining of items: which pairs of rows are near, and what becomes of these.
struct Work {
	struct Rows q, t;
	double eps2;
	long long self;
	long long group;

	struct Item *items;
	long long itemCount;
	unsigned *cursor; // 0 at first: items are taken from here
	unsigned *entries;

	// Tensor cores: see tensor.cuh and integer.cuh.
	const void *a; // operands of q
	const void *b; // of t
	const float *widthA; // leaves of q: what doubt covers

	// Pairs in doubt, by position: room for so many a block, and how many there are.
	struct Pair *doubt;
	long long doubtRoom;
	unsigned *doubts;

	// Counts.
	unsigned *countQ; // positions of q
	unsigned *countT; // positions of t, in a self-join the same array

	// Pairs.
	struct Pair *pairs; // by input row; in a self-join the lower first
	long long pairRoom;
	unsigned long long *pairCount; // may pass the room: then some were dropped
	struct Pair *holes; // a warp of the tensor cores' kernel: places from i to j are not in use

	// Sets, and attaching.
	const unsigned long long *core; // leaves of t: which lanes are core rows; in a self-join of q, too
	const int *setQ;                // leaves of q: see passedOver
	const int *setT;                // leaves of t
	int *parent;                    // positions of core rows: a forest; −1 for other rows
	const int *label;               // positions of t: the label of a core row, or −1
	int *best;                      // positions of q: the least label of a core row that is near; INT_MAX

	// Products of integers: see integer.cuh.
	const int *squareA;             // positions of q
	const unsigned long long *oddA; // leaves of q
	const unsigned long long *oddB; // leaves of t
	long long limit;
};

// The parameter of the kernels of forest.cu: sets of core rows, which are members of
// something. Fields that a kernel does not need may be null.
struct Forest {
	struct Rows rows;
	double eps2;
	long long least; // that a count must be to make a core row
	long long reach; // leaves that near looks ahead

	const unsigned *count;       // positions: rows within eps, the row itself included
	const unsigned char *member; // input rows: 1 for a core row
	const int *given;            // input rows: the label of a core row, or −1

	unsigned long long *core; // leaves: which lanes are core rows
	int *parent;              // positions: see forest.cuh; −1
	int *set;                 // leaves: see passedOver
	int *superSet;            // supers

	int *first;        // positions of roots: the least input row of the set; INT_MAX
	unsigned *named;   // a bit for each input row: the first of a set; 0 at first
	unsigned *before;  // words of named: how many bits are before
	unsigned *runs;    // runs of RUN words: the same; at the end, how many there are
	long long words;   // of named
	int *label;        // positions: what a core row has; −1
	int *best;         // positions: what another row has found; INT_MAX
	int *out;          // input rows
	unsigned long long *sums; // by Sum
};

enum { RUN = 1024 }; // words of named that a block takes

// Sum says what is added up, from 0 on.
enum Sum { ORDERED, CORES, SETS, NOISE, SUMS };
