// Refining by any number of coordinates: by products, of 32 rows of queries at a time, 4
// coordinates at a time. The rows of queries are in shared memory, those of all leaves of
// a group, or those of a leaf, or pieces of these.
#pragma once

#include "tiles.cuh"

enum { STAGE = 128 }; // coordinates of a row, or of as many leaves' rows together, in shared memory

struct Products {
	static __device__ Band of(const Work &w, long long a, long long b) {
		return productBand(w.eps2, w.q.dim, w.q.radius[a], w.t.radius[b], shift2(w, a, b));
	}
};

// Half of the squared norms of the staged rows' offsets.
typedef float Halves[LEAF];

// Sums are those of 32 rows of queries and a lane's two rows of t: half of the squared
// norms, less the products.
struct Sums {
	float of[32][2];
	float norm[2]; // squared, of the rows of t

	__device__ __forceinline__ void start(const float *halves, float mid) {
#pragma unroll
		for (int r = 0; r < 32; r++)
			of[r][0] = of[r][1] = __fsub_rn(halves[r], mid);
		norm[0] = norm[1] = 0;
	}

	// add adds what coordinates from to to of leaves a and b have, those of the queries
	// from rows on.
	__device__ __forceinline__ void add(const Work &w, const float4 *rows, long long a, long long b, long long from, long long to) {
		const int lane = threadIdx.x % 32, n = (int)(to - from);
		const float *offset = w.t.offset + (b * w.t.dim + from) * LEAF + lane;
		float by = 0;
#pragma unroll 1
		for (int k = 0; k < n; k += 4, rows += LEAF, offset += 4 * LEAF) {
			if (k % 32 == 0 && k + lane < n)
				by = shift(w.q.mid[(from + k + lane) * w.q.leaves + a], w.t.mid[(from + k + lane) * w.t.leaves + b]);
			float t[2][4]; // less than nothing
#pragma unroll
			for (int c = 0; c < 8; c++) {
				const float step = __shfl_sync(~0u, by, k % 32 + c / 2);
				const float moved = k + c / 2 < n ? __fadd_rn(offset[c / 2 * LEAF + c % 2 * 32], step) : 0;
				norm[c % 2] = __fmaf_rn(moved, moved, norm[c % 2]);
				t[c % 2][c / 2] = -moved;
			}
#pragma unroll
			for (int r = 0; r < 32; r++) {
				const float4 q = rows[r];
#pragma unroll
				for (int c = 0; c < 8; c++)
					of[r][c % 2] = __fmaf_rn(part(q, c / 2), t[c % 2][c / 2], of[r][c % 2]);
			}
		}
	}

	// masks are those of rows of queries from i on and rows j and j + 32 of t.
	__device__ __forceinline__ void masks(const Work &w, float half, long long i, long long j, unsigned &first, unsigned &second) {
		first = second = 0;
		bool doubt = false;
#pragma unroll
		for (int r = 31; r >= 0; r--) {
			of[r][0] = __fmaf_rn(0.5f, norm[0], of[r][0]);
			of[r][1] = __fmaf_rn(0.5f, norm[1], of[r][1]);
			doubt |= fabsf(of[r][0]) <= half || fabsf(of[r][1]) <= half;
			first = shiftIn(first, of[r][0]);
			second = shiftIn(second, of[r][1]);
		}
		if (!doubt)
			return;
		unsigned open[2] = {0, 0};
#pragma unroll
		for (int r = 0; r < 32; r++) {
			open[0] |= (unsigned)(fabsf(of[r][0]) <= half) << r;
			open[1] |= (unsigned)(fabsf(of[r][1]) <= half) << r;
		}
		first = settle(w, i, j, first, open[0]);
		second = settle(w, i, j + 32, second, open[1]);
	}
};

// halve sets the halves of a leaf of queries; 4 lanes have a row.
static __device__ __noinline__ void halve(const Work &w, float *halves, long long leaf) {
	const int i = threadIdx.x / 4;
	const float *offset = w.q.offset + leaf * w.q.dim * LEAF + i;
	float sum = 0;
#pragma unroll 4
	for (long long k = threadIdx.x % 4; k < w.q.dim; k += 4)
		sum = __fmaf_rn(offset[k * LEAF], offset[k * LEAF], sum);
	sum = __fadd_rn(sum, __shfl_xor_sync(~0u, sum, 1));
	sum = __fadd_rn(sum, __shfl_xor_sync(~0u, sum, 2));
	if (threadIdx.x % 4 == 0)
		halves[i] = 0.5f * sum;
}

template <int MODE> struct Many : Tiles<MODE, Products> {
	using Base = Tiles<MODE, Products>;
	using Base::first;
	using Base::item;
	using Base::s;
	using Base::size;
	using Base::w;
	Halves *halves; // of the group's leaves

	__device__ Many(const Work &w, Shared &s, Halves *halves) : Base(w, s), halves(halves) {}

	// whole lets each warp take tiles whose rows of queries are staged, leaf by leaf.
	__device__ void whole(int pitch) {
		for (Tile tile; this->grab(tile);) {
			const long long a = first + tile.a, b = tile.b;
			Masks m = {};
			if (!(tile.band.half >= 0)) {
				m = exactMasks(w, a, b);
			} else {
#pragma unroll 1
				for (int h = 0; h < 2; h++) {
					Sums sums;
					sums.start(halves[tile.a] + 32 * h, tile.band.mid);
					sums.add(w, staged + tile.a * pitch + 32 * h, a, b, 0, w.q.dim);
					sums.masks(w, tile.band.half, a * LEAF + 32 * h, b * LEAF + threadIdx.x % 32, m.of[0][h], m.of[1][h]);
				}
			}
			consume<MODE>(w, s.count[tile.a], a, b, m);
		}
	}

	// pieces takes a tile a warp, and all go through the coordinates together.
	__device__ void pieces(int only) {
		const long long a = first + only;
		for (int from = 0; from < s.tiles; from += WARPS) {
			const int at = from + threadIdx.x / 32;
			const bool live = at < s.tiles;
			const Tile tile = s.tile[live ? at : 0];
			const long long b = tile.b;
			const bool decides = tile.band.half >= 0;
			Masks m = {};
#pragma unroll 1
			for (int h = 0; h < 2; h++) {
				Sums sums;
				sums.start(halves[only] + 32 * h, tile.band.mid);
				for (long long k = 0; k < w.q.dim; k += STAGE) {
					const long long to = min(k + STAGE, w.q.dim);
					__syncthreads(); // the last piece is done with
					stage(w, staged, a, k, to);
					__syncthreads();
					if (live && decides)
						sums.add(w, staged + 32 * h, a, b, k, to);
				}
				if (live && decides)
					sums.masks(w, tile.band.half, a * LEAF + 32 * h, b * LEAF + threadIdx.x % 32, m.of[0][h], m.of[1][h]);
			}
			if (live && !decides)
				m = exactMasks(w, a, b);
			if (live)
				consume<MODE>(w, s.count[only], a, b, m);
		}
	}

	__device__ void run() {
		const int quads = (int)((w.q.dim + 3) / 4), pitch = quads * LEAF;
		const bool together = w.group * quads * 4 <= STAGE;
		while (this->next()) {
			for (int a = 0; a < size; a++) {
				halve(w, halves[a], first + a);
				if (together)
					stage(w, staged + a * pitch, first + a, 0, w.q.dim);
			}
			for (int only = together ? -1 : 0; only < (together ? 0 : size); only++) {
				__syncthreads(); // the last leaf is done with
				if (!together && w.q.dim <= STAGE)
					stage(w, staged, first + only, 0, w.q.dim);
				for (int at = 0; at < item.n;) {
					at += this->unfold(at, only);
					if (w.q.dim <= STAGE)
						whole(together ? pitch : 0);
					else
						pieces(only);
				}
			}
			this->flush();
		}
	}
};

template <int MODE> static __device__ void many(const Work &w) {
	__shared__ Shared s;
	__shared__ Halves halves[GROUP];
	Many<MODE>(w, s, halves).run();
}
