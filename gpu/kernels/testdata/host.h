// What rays.cu and scene.cu need to run on the host: CUDA's words, its arithmetic, and, in
// the place of optix.cuh, a traversal that looks at each box. Like OptiX it may take a ray
// for one in a box that it is just outside of, may call an intersection program twice, and
// goes through boxes in any order; an any-hit program it calls once.
#define OPTIX_CUH

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

using std::min;

struct Index {
	unsigned x;
};
static Index blockIdx, threadIdx;

static float rounded(int mode, float a, float b) {
	volatile float x = a, y = b;
	const int before = fegetround();
	fesetround(mode);
	volatile float sum = x + y;
	fesetround(before);
	return sum;
}
static float __fsub_rd(float a, float b) { return rounded(FE_DOWNWARD, a, -b); }
static float __fadd_ru(float a, float b) { return rounded(FE_UPWARD, a, b); }
static float __fsub_rn(float a, float b) { return a - b; }
static float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }

static unsigned atomicOr(unsigned *at, unsigned v) { return std::exchange(*at, *at | v); }
static unsigned atomicAdd(unsigned *at, unsigned v) { return std::exchange(*at, *at + v); }

static std::mt19937 chance(1);

// The scene that rays meet, and its programs.
static std::vector<float> boxes;
static void (*cross)(), (*any)();

static unsigned ray, box, numbers[2];
static bool met;

static unsigned launched() { return ray; }
static unsigned primitive() { return box; }
static unsigned carried(int number) { return numbers[number]; }
static void carry(int number, unsigned v) { numbers[number] = v; }
static void report() { met = true; }
static void ignore() {}

static unsigned trace(unsigned long long, float x, float y, float z, unsigned first, unsigned second) {
	const float at[3] = {x, y, z};
	numbers[0] = first;
	numbers[1] = second;
	std::vector<unsigned> order(boxes.size() / 6);
	for (unsigned i = 0; i < order.size(); i++)
		order[i] = i;
	std::shuffle(order.begin(), order.end(), chance);
	for (unsigned i : order) {
		bool in = true;
		for (int k = 0; k < 3; k++)
			in &= boxes[6 * i + k] <= at[k] && at[k] <= boxes[6 * i + 3 + k];
		if (!in && chance() % 5 > 0)
			continue;
		box = i;
		met = false;
		for (unsigned times = 1 + chance() % 2; times > 0; times--)
			cross();
		if (met && any != nullptr)
			any();
	}
	return numbers[0];
}
