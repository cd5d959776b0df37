// What host and device agree on. params.go says the same in Go; a test compares
// the sizes. All fields have 8 bytes, so that both lay them out alike.
#pragma once

enum {
	LEAF = 64,  // rows of a leaf
	GROUP = 32, // leaves of a group
};

// A set of rows in the order of its leaves. The last leaf may have fewer rows than
// LEAF: lanes without a row are NaN in all coordinates, and their row is −1.
struct Side {
	const double *x;  // leaves × dim × LEAF: coordinate k of lane i of leaf l at (l·dim + k)·LEAF + i
	const int *row;   // leaves × LEAF: the row's number in the input
	const double *lo; // dim × leaves: least coordinates of leaf l, at k·leaves + l
	const double *hi; // the same, greatest
	const double *groupLo; // dim × groups, of GROUP leaves each
	const double *groupHi;
	const float *offset;   // like x: the rows' offsets from the middles of their leaves
	const double *mid;     // dim × leaves: the middles, at k·leaves + l
	const double *radius;  // leaves: the greatest norm of an offset, or a bit more
	long long n; // rows
	long long leaves;
	long long groups;
};

// One launch of a join: leaves first, first + 1, … of the queries, one a block,
// against the groups from begin to end of the indexed rows.
struct Join {
	struct Side q, t; // queries, indexed rows; the same in a self-join
	double eps2;      // d2 ≤ eps2 is near
	long long dim;
	long long self; // 1: each pair of different rows once, or counts with the row itself
	long long first;
	long long begin, end;
	long long limit; // counting may stop here; 0: nowhere
	void *out;       // counts: int, by input row; pairs: see the kernels
	const long long *place; // fill: where the pairs of each block begin in out
};
