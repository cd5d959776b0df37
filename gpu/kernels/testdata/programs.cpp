// Runs the programs of rays.cu on the host, for TestPrograms: prints what is wrong, or how
// much there was to find.
#include "host.h"

#include "rays.cu"
#include "scene.cu"

#include <cstdio>
#include <cstdlib>
#include <set>

static void fail(const char *what, long long a, long long b, double got, double want) {
	printf("%s %lld %lld: got %g, want %g\n", what, a, b, got, want);
	exit(1);
}

// Made is a set of rows by leaves, as turned rows are on a card.
struct Made {
	std::vector<float> y, lo, hi;
	std::vector<int> fill;
	Rows rows = {};

	Made(int n, int dim, double size) {
		std::vector<std::vector<float>> all(n, std::vector<float>(dim));
		for (auto &row : all)
			for (float &v : row)
				v = (float)(size * (chance() % 3 == 0 ? (int)(chance() % 9) / 8.0 : chance() / 4294967296.0)); // some are alike
		std::sort(all.begin(), all.end());
		const int leaves = (n + LEAF - 2) / (LEAF - 1); // the last lane is empty
		const int axes = dim < AXES ? dim : AXES;
		y.assign((size_t)leaves * LEAF * dim, 0);
		lo.assign((size_t)axes * leaves, INFINITY);
		hi.assign((size_t)axes * leaves, -INFINITY);
		fill.assign(leaves, 0);
		for (int i = 0; i < n; i++) {
			const int leaf = i / (LEAF - 1), lane = fill[leaf]++;
			for (int k = 0; k < dim; k++) {
				y[((size_t)leaf * LEAF + lane) * dim + k] = all[i][k];
				if (k < axes) {
					lo[k * leaves + leaf] = std::min(lo[k * leaves + leaf], all[i][k]);
					hi[k * leaves + leaf] = std::max(hi[k * leaves + leaf], all[i][k]);
				}
			}
		}
		rows.y = y.data();
		rows.lo = lo.data();
		rows.hi = hi.data();
		rows.fill = fill.data();
		rows.n = n;
		rows.leaves = leaves;
		rows.supers = (leaves + SUPER - 1) / SUPER;
		rows.dim = dim;
		rows.axes = axes;
	}
};

// show makes the boxes of a scene.
static void show(const Made &t, const double *by) {
	boxes.assign(6 * t.rows.leaves + 6, -7); // and one behind them
	for (blockIdx.x = 0; blockIdx.x * THREADS < t.rows.leaves; blockIdx.x++)
		for (threadIdx.x = 0; threadIdx.x < THREADS; threadIdx.x++)
			scene({t.rows, by[0], by[1], by[2], boxes.data()});
	for (int k = 0; k < 6; k++)
		if (boxes[6 * t.rows.leaves + k] != -7)
			fail("something was written behind the boxes", k, 0, boxes[6 * t.rows.leaves + k], -7);
	boxes.resize(6 * t.rows.leaves);
}

static float squares(const Made &q, long long i, const Made &t, long long j) {
	float sum = 0;
	for (long long k = 0; k < q.rows.dim; k++) {
		const float by = t.y[j * q.rows.dim + k] - q.y[i * q.rows.dim + k];
		sum = std::fma(by, by, sum);
	}
	return sum;
}

// byLeaves has groups look for leaves, from a group on.
static void byLeaves(const Made &q, const Made &t, bool self, int group, float apart) {
	const long long groups = (q.rows.leaves + group - 1) / group, begin = groups / 3;
	std::vector<float> whole(6 * groups, 0);
	std::vector<Ray> rays;
	double cell[3] = {0, 0, 0};
	for (long long g = 0; g < groups; g++) {
		float middle[3] = {0, 0, 0};
		for (int k = 0; k < std::min<long long>(SPACE, q.rows.axes); k++) {
			float least = INFINITY, most = -INFINITY;
			for (long long l = g * group; l < std::min((g + 1) * group, q.rows.leaves); l++) {
				least = std::min(least, q.lo[k * q.rows.leaves + l]);
				most = std::max(most, q.hi[k * q.rows.leaves + l]);
			}
			whole[6 * g + k] = least;
			whole[6 * g + 3 + k] = most;
			middle[k] = (least + most) / 2;
			cell[k] = std::max(cell[k], (most - least) / 2 * (1 + 1e-6));
		}
		if (g >= begin)
			for (unsigned twice = 1 + chance() % 2; twice > 0; twice--)
				rays.push_back({middle[0], middle[1], middle[2], (int)g});
	}
	double by[3];
	for (int k = 0; k < 3; k++)
		by[k] = (float)((std::sqrt(apart) + cell[k]) * (1 + 1e-5) + 1e-6);
	show(t, by);
	const size_t words = (groups - begin) * t.rows.supers * SUPER / 32;
	std::vector<unsigned> found(words + 1, 0);
	params = {};
	params.q = q.rows;
	params.t = t.rows;
	params.self = self;
	params.group = group;
	params.apart = apart;
	params.begin = begin;
	params.rays = rays.data();
	params.whole = whole.data();
	params.found = found.data();
	cross = __intersection__leaves;
	any = nullptr;
	for (ray = 0; ray < rays.size(); ray++)
		__raygen__leaves();
	if (found[words] != 0)
		fail("something was written behind the bits", 0, 0, found[words], 0);
	long long set = 0;
	for (long long g = begin; g < groups; g++)
		for (long long leaf = 0; leaf < t.rows.supers * SUPER; leaf++) {
			float all = 0, first = 0;
			for (int k = 0; leaf < t.rows.leaves && k < t.rows.axes; k++) {
				float least = INFINITY, most = -INFINITY;
				for (long long l = g * group; l < std::min((g + 1) * group, q.rows.leaves); l++) {
					least = std::min(least, q.lo[k * q.rows.leaves + l]);
					most = std::max(most, q.hi[k * q.rows.leaves + l]);
				}
				const float gap = std::max({0.0f, t.lo[k * t.rows.leaves + leaf] - most, least - t.hi[k * t.rows.leaves + leaf]});
				all = std::fma(gap, gap, all);
				if (k < SPACE)
					first = all;
			}
			const bool is = found[((g - begin) * t.rows.supers * SUPER + leaf) / 32] >> leaf % 32 & 1;
			const bool meets = leaf < t.rows.leaves && !(self && leaf < g * group);
			set += is;
			if (is != (meets && first <= apart) || (meets && all <= apart && !is))
				fail("the bit of group and leaf", g, leaf, is, meets && first <= apart);
		}
	printf("%lld bits of %lld; ", set, (groups - begin) * t.rows.leaves);
}

// byRows has rows look for near rows, with room for so many pairs in doubt a list.
static void byRows(const Made &q, const Made &t, float apart, float within, long long room) {
	double by[3];
	for (int k = 0; k < 3; k++)
		by[k] = (float)(std::sqrt(apart) * (1 + 1e-5) + 1e-6);
	show(t, by);
	const long long places = q.rows.leaves * LEAF, begin = places / 5;
	std::vector<unsigned> count(places, 12345), doubts(DOUBTERS + 1, 0);
	std::vector<Pair> doubt(DOUBTERS * room + 1, Pair{-9, -9});
	params = {};
	params.q = q.rows;
	params.t = t.rows;
	params.apart = apart;
	params.within = within;
	params.begin = begin;
	params.count = count.data();
	params.doubt = doubt.data();
	params.doubtRoom = room;
	params.doubts = doubts.data();
	cross = __intersection__rows;
	any = __anyhit__rows;
	for (ray = 0; ray < places - begin; ray++)
		__raygen__rows();
	if (doubt[DOUBTERS * room].i != -9 || doubts[DOUBTERS] != 0)
		fail("something was written behind the doubt", 0, 0, doubt[DOUBTERS * room].i, -9);
	std::set<std::pair<int, int>> aside;
	bool full = false;
	for (int list = 0; list < DOUBTERS; list++) {
		full |= doubts[list] > room;
		for (long long at = 0; at < room; at++) {
			const Pair p = doubt[list * room + at];
			const bool used = at < doubts[list];
			if (used ? p.i / 32 % DOUBTERS != list : p.i != -9)
				fail("there is, in a list and at a place, a pair of row", list, at, p.i, used ? list : -9);
			if (!used)
				continue;
			if (!aside.insert({p.i, p.j}).second)
				fail("a pair is put aside twice", p.i, p.j, 2, 1);
		}
	}
	long long near = 0, open = 0;
	for (long long i = 0; i < places; i++) {
		if (i < begin || i % LEAF >= q.fill[i / LEAF]) {
			if (count[i] != 12345)
				fail("a place without a row has a count", i, 0, count[i], 12345);
			continue;
		}
		unsigned n = 0;
		for (long long j = 0; j < t.rows.leaves * LEAF; j++) {
			if (j % LEAF >= t.fill[j / LEAF])
				continue;
			const float sum = squares(q, i, t, j);
			const bool in = sum <= within, maybe = !in && sum <= apart, is = aside.erase({(int)i, (int)j}) > 0;
			n += in;
			open += maybe;
			if (is != maybe && !(full && maybe))
				fail("doubt of rows", i, j, is, maybe);
		}
		near += n;
		if (count[i] != n)
			fail("near rows of row", i, 0, count[i], n);
	}
	if (!aside.empty())
		fail("pairs are put aside that there are not", aside.begin()->first, aside.begin()->second, 1, 0);
	printf("%lld near, %lld in doubt%s; ", near, open, full ? ", more than there is room for" : "");
}

int main() {
	for (int dim : {1, 2, 3, 5, 20})
		for (float eps : {0.003f, 0.125f, 0.4f, 3.0f}) {
			const Made t(420 + dim, dim, 1), q(190, dim, 1.3);
			for (int group : {1, 3, 4}) {
				byLeaves(t, t, true, group, eps * eps);
				byLeaves(q, t, false, group, eps * eps);
			}
			if (dim > SPACE)
				continue;
			const float apart = eps * eps * 1.001f, within = eps * eps * 0.999f;
			byRows(t, t, apart, within, 10000);
			byRows(q, t, apart, within, 10000);
			byRows(q, t, apart, -1, 10000);
			byRows(q, t, apart, within, 1);
			byRows(t, t, apart, -1, 3);
		}
	return 0;
}
