// What the kernels that order rows are given, and what they have in common.
#pragma once
#include "exact.cuh"

enum { SORT = 512 }; // threads of a block of split, and of base

struct __align__(16) Node {
	float at;
	int axis;        // rows with less than at along it go left; −1: a bucket
	int left, right; // nodes; of a bucket, left is its number
};

// Part is a bucket, or a part of one that is too large.
struct __align__(16) Part {
	int first, rows; // in the order
	int leaf, leaves;
};

struct Order {
	const float *key;  // n × stride: the first axes of the turned rows
	const struct Node *nodes;
	const int *bucketIn; // n: the bucket of the row at each place
	int *bucketOut;
	const int *orderIn; // n: the row at each place; null: that of its number
	int *orderOut;
	unsigned *count; // pieces × DIGITS, then DIGITS
	int *start;      // buckets + 1
	const struct Part *parts;
	int *row;  // as in Rows
	int *fill;
	long long n;
	long long stride;  // 4 or 8
	long long axes;    // that split may use
	long long pieces;  // of the input, of piece rows each
	long long piece;   // a multiple of 32
	long long shift;   // of the digit
	long long countOf; // buckets
	long long room;    // rows of a part in shared memory, at most LEAVES · LEAF
};
