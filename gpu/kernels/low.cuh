// Refining by up to LOW coordinates, all of them in registers: squared differences, of 4
// rows of queries at a time.
#pragma once

#include "tiles.cuh"

enum { LOW = 8 };

struct Squares {
	static __device__ Band of(const Work &w, long long a, long long b) {
		return squareBand(w.eps2, w.q.dim, w.q.radius[a], w.t.radius[b], shift2(w, a, b));
	}
};

// square adds a squared difference to a sum.
static __device__ __forceinline__ void square(float &sum, float a, float b) {
	const float diff = __fsub_rn(a, b);
	sum = __fmaf_rn(diff, diff, sum);
}

// lowMasks refines the tile of leaves a and b; DIM is the number of coordinates.
template <int DIM> static __device__ __forceinline__ Masks lowMasks(const Work &w, const float4 *rows, long long a, long long b, Band band) {
	const int lane = threadIdx.x % 32;
	float by = 0;
	if (lane < DIM)
		by = shift(w.q.mid[lane * w.q.leaves + a], w.t.mid[lane * w.t.leaves + b]);
	float t[2][DIM];
#pragma unroll
	for (int k = 0; k < DIM; k++) {
		const float *offset = w.t.offset + (b * DIM + k) * LEAF + lane;
		const float step = __shfl_sync(~0u, by, k);
		t[0][k] = __fadd_rn(offset[0], step);
		t[1][k] = __fadd_rn(offset[32], step);
	}
	Masks m = {};
#pragma unroll 1
	for (int h = 1; h >= 0; h--) {
		unsigned mask[2] = {0, 0}, open[2] = {0, 0};
#pragma unroll 1
		for (int i = 28; i >= 0; i -= 4) {
			const float4 *at = rows + 32 * h + i;
			float sum[4][2];
#pragma unroll
			for (int r = 0; r < 4; r++) {
				sum[r][0] = sum[r][1] = -band.mid;
				float4 q;
#pragma unroll
				for (int k = 0; k < DIM; k++) {
					if (k % 4 == 0)
						q = at[k / 4 * LEAF + r];
					square(sum[r][0], part(q, k % 4), t[0][k]);
					square(sum[r][1], part(q, k % 4), t[1][k]);
				}
			}
			bool doubt = false;
#pragma unroll
			for (int r = 3; r >= 0; r--)
#pragma unroll
				for (int c = 0; c < 2; c++) {
					doubt |= fabsf(sum[r][c]) <= band.half;
					mask[c] = shiftIn(mask[c], sum[r][c]);
				}
			if (doubt)
#pragma unroll
				for (int c = 0; c < 8; c++)
					open[c % 2] |= (unsigned)(fabsf(sum[c / 2][c % 2]) <= band.half) << (i + c / 2);
		}
#pragma unroll
		for (int c = 0; c < 2; c++)
			if (open[c])
				mask[c] = settle(w, a * LEAF + 32 * h, b * LEAF + lane + 32 * c, mask[c], open[c]);
#pragma unroll
		for (int c = 0; c < 2; c++) { // the second half comes first, and moves up
			m.of[c][1] = m.of[c][0];
			m.of[c][0] = mask[c];
		}
	}
	return m;
}

template <int MODE, int DIM> static __device__ void lowTiles(Tiles<MODE, Squares> &tiles) {
	const int pitch = (DIM + 3) / 4 * LEAF;
	const Work &w = tiles.w;
	while (tiles.next()) {
		for (int a = 0; a < tiles.size; a++)
			stage(w, staged + a * pitch, tiles.first + a, 0, DIM);
		for (int at = 0; at < tiles.item.n;) {
			at += tiles.unfold(at, -1);
			for (Tile tile; tiles.grab(tile);) {
				const long long a = tiles.first + tile.a, b = tile.b;
				const bool decides = tile.band.half >= 0;
				consume<MODE>(w, tiles.s.count[tile.a], a, b, decides ? lowMasks<DIM>(w, staged + tile.a * pitch, a, b, tile.band) : exactMasks(w, a, b));
			}
		}
		tiles.flush();
	}
}

template <int MODE> static __device__ void low(const Work &w) {
	__shared__ Shared s;
	Tiles<MODE, Squares> tiles(w, s);
	switch (w.q.dim) {
	case 1: return lowTiles<MODE, 1>(tiles);
	case 2: return lowTiles<MODE, 2>(tiles);
	case 3: return lowTiles<MODE, 3>(tiles);
	case 4: return lowTiles<MODE, 4>(tiles);
	case 5: return lowTiles<MODE, 5>(tiles);
	case 6: return lowTiles<MODE, 6>(tiles);
	case 7: return lowTiles<MODE, 7>(tiles);
	case LOW: return lowTiles<MODE, LOW>(tiles);
	}
}
