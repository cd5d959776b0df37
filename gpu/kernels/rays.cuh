// Rays that look for boxes: what the programs of rays.cu, the kernel that makes the boxes
// (scene.cu) and the host agree on. A scene has a box for each leaf of the indexed rows t,
// in the first SPACE axes of the turned rows; a ray of hardly any length is in some of
// them. gpu/cuda/reach.go says how far the boxes must reach.
#pragma once

#include "params.cuh"

enum {
	SPACE = 3,      // axes of a scene; those that rows do not have are 0
	DOUBTERS = 1024 // lists that share the pairs in doubt
};

// Ray begins at a point of the box about a group of leaves of the queries.
struct Ray {
	float x, y, z;
	int group;
};

// The parameter of rays.cu.
struct Rays {
	unsigned long long scene; // OptixTraversableHandle
	struct Rows q, t;
	long long self;  // as in Search
	long long group;
	double apart;    // of turned boxes, as in Search
	double within;
	long long begin; // the first group, or position

	// Groups of leaves.
	const struct Ray *rays;
	const float *whole; // groups × 2·SPACE: least y of a group along each axis, then the greatest
	unsigned *found;    // groups from begin on × supers × SUPER bits: see Search

	// Rows of queries.
	unsigned *count; // positions of q: near rows of t
	struct Pair *doubt; // by position: room for so many a list,
	long long doubtRoom;
	unsigned *doubts; // and how many there are, which may pass the room: then some were dropped
};

// The parameter of scene.
struct Scene {
	struct Rows t;
	double x, y, z; // floats: how far boxes reach beyond their leaves
	float *boxes;   // leaves × 2·SPACE: an OptixAabb each
};
