//go:build cuda

package driver

/*
#include <stddef.h>

// narrowRest is the loop, in plain C.
static int narrowRest(float *to, const double *from, size_t i, size_t n, int differs) {
	for (; i < n; i++) {
		float x = (float)from[i];
		to[i] = x;
		differs |= (double)x != from[i];
	}
	return !differs;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static int narrowWide(float *to, const double *from, size_t n) {
	__m256d other = _mm256_setzero_pd();
	size_t i = 0;
	for (; i + 8 <= n; i += 8) {
		__m256d a = _mm256_loadu_pd(from + i), b = _mm256_loadu_pd(from + i + 4);
		__m128 x = _mm256_cvtpd_ps(a), y = _mm256_cvtpd_ps(b);
		other = _mm256_or_pd(other, _mm256_cmp_pd(_mm256_cvtps_pd(x), a, _CMP_NEQ_UQ));
		other = _mm256_or_pd(other, _mm256_cmp_pd(_mm256_cvtps_pd(y), b, _CMP_NEQ_UQ));
		_mm_storeu_ps(to + i, x);
		_mm_storeu_ps(to + i + 4, y);
	}
	return narrowRest(to, from, i, n, _mm256_movemask_pd(other));
}

static int narrow(float *to, const double *from, size_t n) {
	if (__builtin_cpu_supports("avx2"))
		return narrowWide(to, from, n);
	__m128d other = _mm_setzero_pd();
	size_t i = 0;
	for (; i + 4 <= n; i += 4) {
		__m128d a = _mm_loadu_pd(from + i), b = _mm_loadu_pd(from + i + 2);
		__m128 x = _mm_cvtpd_ps(a), y = _mm_cvtpd_ps(b);
		other = _mm_or_pd(other, _mm_cmpneq_pd(_mm_cvtps_pd(x), a));
		other = _mm_or_pd(other, _mm_cmpneq_pd(_mm_cvtps_pd(y), b));
		_mm_storeu_ps(to + i, _mm_movelh_ps(x, y));
	}
	return narrowRest(to, from, i, n, _mm_movemask_pd(other));
}
#else
static int narrow(float *to, const double *from, size_t n) { return narrowRest(to, from, 0, n, 0); }
#endif
*/
import "C"

import "unsafe"

// Narrow converts from to float32, and reports whether every element is one; if not,
// to has anything. It is C for the vectors, which take half the time of Go.
func Narrow(to []float32, from []float64) bool {
	to = to[:len(from)]
	return C.narrow((*C.float)(unsafe.SliceData(to)), (*C.double)(unsafe.SliceData(from)), C.size_t(len(from))) != 0
}
