// SPDX-License-Identifier: MIT
// SIMD_LANES float32 at once, for the kernels of simd_kernel.h: this file and that one are included once per vector
// width by simd.c, and have no include guard for that reason.
//
// Every operation is that of IEEE 754, lane by lane: + − × ÷ of the vector types are the compiler's, √ the machine's.
// Nothing sums across lanes and nothing is approximated, so a lane has the bits that scalar code has, at any width.
//
//   SIMD_LANES        4 anywhere, 8 with AVX2, 16 with AVX-512
//   SIMD_TARGET       the attribute that lets a function use the width's instructions
//   SIMD_NAME(name)   name with the width appended; the plain names below are macros for it
//
// `store_bytes` takes whole values from 0 to 255. `truncate` rounds towards 0 values that fit an int32. `exceeds` is
// true if an operand is not a number, `less` is false. `differ` is true for different bits. `none` is true if no lane
// of both masks is set. `min` and `max` are a < b ? a : b and a > b ? a : b. `fill_up` copies `count` indices and puts
// `rest` after them. The `count` of a load or store is the number of lanes that have memory, from the first; the others
// read as 0.

#define simd_f32 SIMD_NAME(simd_f32)
#define simd_mask SIMD_NAME(simd_mask)
#define simd_broadcast SIMD_NAME(simd_broadcast)
#define simd_load SIMD_NAME(simd_load)
#define simd_store SIMD_NAME(simd_store)
#define simd_sqrt SIMD_NAME(simd_sqrt)
#define simd_less SIMD_NAME(simd_less)
#define simd_select SIMD_NAME(simd_select)
#define simd_exceeds SIMD_NAME(simd_exceeds)
#define simd_differ SIMD_NAME(simd_differ)
#define simd_min SIMD_NAME(simd_min)
#define simd_max SIMD_NAME(simd_max)
#define simd_truncate SIMD_NAME(simd_truncate)
#define simd_store_bytes SIMD_NAME(simd_store_bytes)
#define simd_store_shorts SIMD_NAME(simd_store_shorts)
#define simd_and SIMD_NAME(simd_and)
#define simd_or SIMD_NAME(simd_or)
#define simd_any SIMD_NAME(simd_any)
#define simd_none SIMD_NAME(simd_none)
#define simd_lanes SIMD_NAME(simd_lanes)
#define simd_fill_up SIMD_NAME(simd_fill_up)
#define simd_quad SIMD_NAME(simd_quad)
#define simd_put_quad SIMD_NAME(simd_put_quad)

// Without optimisation, a kernel with all of these inlined has more local variables than WebAssembly allows.
#if defined(__OPTIMIZE__)
#define SIMD_FUNCTION static inline __attribute__((always_inline)) SIMD_TARGET
#else
#define SIMD_FUNCTION static inline SIMD_TARGET
#endif

#if SIMD_LANES == 4

typedef float simd_f32 __attribute__((vector_size(16)));
typedef int32_t simd_mask __attribute__((vector_size(16)));

SIMD_FUNCTION simd_f32 simd_broadcast(float value) {
    return (simd_f32){value, value, value, value};
}
SIMD_FUNCTION simd_f32 simd_load(const float *from, uint32_t count) {
    simd_f32 value = {0};
    if (count == 4) {
        memcpy(&value, from, sizeof value);
        return value;
    }
    for (uint32_t i = 0; i < count; i++) {
        value[i] = from[i];
    }
    return value;
}
SIMD_FUNCTION void simd_store(float *to, simd_f32 value, uint32_t count) {
    if (count == 4) {
        memcpy(to, &value, sizeof value);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[i] = value[i];
    }
}
SIMD_FUNCTION simd_f32 simd_sqrt(simd_f32 value) {
#if defined(__SSE2__)
    return _mm_sqrt_ps(value);
#elif defined(__aarch64__)
    return (simd_f32)vsqrtq_f32((float32x4_t)value);
#elif defined(__wasm_simd128__)
    return (simd_f32)wasm_f32x4_sqrt((v128_t)value);
#else
    return (simd_f32){sqrtf(value[0]), sqrtf(value[1]), sqrtf(value[2]), sqrtf(value[3])};
#endif
}
SIMD_FUNCTION simd_mask simd_less(simd_f32 a, simd_f32 b) {
    return a < b;
}
SIMD_FUNCTION simd_mask simd_exceeds(simd_f32 a, simd_f32 b) {
    return ~(a <= b);
}
SIMD_FUNCTION simd_mask simd_differ(simd_f32 a, simd_f32 b) {
    return (simd_mask)a != (simd_mask)b;
}
SIMD_FUNCTION simd_f32 simd_select(simd_mask mask, simd_f32 a, simd_f32 b) {
    return (simd_f32)((mask & (simd_mask)a) | (~mask & (simd_mask)b));
}
#if defined(__wasm_simd128__) // its names for b < a ? b : a and a < b ? b : a, one instruction of the processor each
SIMD_FUNCTION simd_f32 simd_min(simd_f32 a, simd_f32 b) {
    return (simd_f32)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
SIMD_FUNCTION simd_f32 simd_max(simd_f32 a, simd_f32 b) {
    return (simd_f32)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
#else
SIMD_FUNCTION simd_f32 simd_min(simd_f32 a, simd_f32 b) {
    return simd_select(a < b, a, b);
}
SIMD_FUNCTION simd_f32 simd_max(simd_f32 a, simd_f32 b) {
    return simd_select(a > b, a, b);
}
#endif
SIMD_FUNCTION simd_f32 simd_truncate(simd_f32 value) {
    return __builtin_convertvector(__builtin_convertvector(value, simd_mask), simd_f32);
}
SIMD_FUNCTION void simd_store_bytes(uint8_t *to, simd_f32 value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (uint8_t)value[i];
    }
}
SIMD_FUNCTION void simd_store_shorts(int16_t *to, simd_f32 value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (int16_t)(uint16_t)(int32_t)value[i];
    }
}
SIMD_FUNCTION simd_mask simd_and(simd_mask a, simd_mask b) {
    return a & b;
}
SIMD_FUNCTION simd_mask simd_or(simd_mask a, simd_mask b) {
    return a | b;
}
SIMD_FUNCTION bool simd_any(simd_mask mask) {
#if defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}
SIMD_FUNCTION bool simd_none(simd_mask a, simd_mask b) {
    return !simd_any(a | b);
}

SIMD_FUNCTION void simd_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    for (uint32_t i = 0; i < 4; i++) {
        to[i] = i < count ? from[i] : rest;
    }
}

// Loads x, y, z, w of particles of a block: number k of every four that `index` holds.
SIMD_FUNCTION simd_f32 simd_quad(const float *block, const uint32_t *index) {
    return simd_load(block + SIMD_BLOCK * (size_t)index[0], 4);
}
SIMD_FUNCTION void simd_put_quad(float *block, const uint32_t *index, simd_f32 quad) {
    simd_store(block + SIMD_BLOCK * (size_t)index[0], quad, 4);
}

#define SIMD_UNPACK_LOW 0, 4, 1, 5
#define SIMD_UNPACK_HIGH 2, 6, 3, 7
#define SIMD_HALVES_LOW 0, 1, 4, 5
#define SIMD_HALVES_HIGH 2, 3, 6, 7
#define SIMD_EVEN 0, 2, 4, 6
#define SIMD_ODD 1, 3, 5, 7

#elif SIMD_LANES == 8

typedef __m256 simd_f32;
typedef __m256 simd_mask;

// A mask of the first `count` of eight lanes.
SIMD_FUNCTION __m256i simd_lanes(uint32_t count) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane);
}
SIMD_FUNCTION simd_f32 simd_broadcast(float value) {
    return _mm256_set1_ps(value);
}
SIMD_FUNCTION simd_f32 simd_load(const float *from, uint32_t count) {
    return count == 8 ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, simd_lanes(count));
}
SIMD_FUNCTION void simd_store(float *to, simd_f32 value, uint32_t count) {
    if (count == 8) {
        _mm256_storeu_ps(to, value);
    } else {
        _mm256_maskstore_ps(to, simd_lanes(count), value);
    }
}
SIMD_FUNCTION simd_f32 simd_sqrt(simd_f32 value) {
    return _mm256_sqrt_ps(value);
}
SIMD_FUNCTION simd_mask simd_less(simd_f32 a, simd_f32 b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
SIMD_FUNCTION simd_mask simd_exceeds(simd_f32 a, simd_f32 b) {
    return _mm256_cmp_ps(a, b, _CMP_NLE_UQ);
}
SIMD_FUNCTION simd_mask simd_differ(simd_f32 a, simd_f32 b) {
    const __m256i same = _mm256_cmpeq_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
    return _mm256_castsi256_ps(_mm256_xor_si256(same, _mm256_set1_epi32(-1)));
}
SIMD_FUNCTION simd_f32 simd_select(simd_mask mask, simd_f32 a, simd_f32 b) {
    return _mm256_blendv_ps(b, a, mask);
}
SIMD_FUNCTION simd_f32 simd_min(simd_f32 a, simd_f32 b) {
    return _mm256_min_ps(a, b);
}
SIMD_FUNCTION simd_f32 simd_max(simd_f32 a, simd_f32 b) {
    return _mm256_max_ps(a, b);
}
SIMD_FUNCTION simd_f32 simd_truncate(simd_f32 value) {
    return _mm256_cvtepi32_ps(_mm256_cvttps_epi32(value));
}
SIMD_FUNCTION void simd_store_bytes(uint8_t *to, simd_f32 value, uint32_t count) {
    const __m256i whole = _mm256_cvttps_epi32(value);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    const int64_t bytes = _mm_cvtsi128_si64(_mm_packus_epi16(words, words));
    memcpy(to, &bytes, count);
}
SIMD_FUNCTION void simd_store_shorts(int16_t *to, simd_f32 value, uint32_t count) {
    const __m256i all = _mm256_and_si256(_mm256_cvttps_epi32(value), _mm256_set1_epi32(0xffff));
    const __m128i shorts = _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    if (count == 8) {
        _mm_storeu_si128((__m128i *)to, shorts);
    } else {
        memcpy(to, &shorts, count * sizeof *to);
    }
}
SIMD_FUNCTION simd_mask simd_and(simd_mask a, simd_mask b) {
    return _mm256_and_ps(a, b);
}
SIMD_FUNCTION simd_mask simd_or(simd_mask a, simd_mask b) {
    return _mm256_or_ps(a, b);
}
SIMD_FUNCTION bool simd_any(simd_mask mask) {
    return _mm256_movemask_ps(mask) != 0;
}
SIMD_FUNCTION bool simd_none(simd_mask a, simd_mask b) {
    return _mm256_movemask_ps(_mm256_or_ps(a, b)) == 0;
}
SIMD_FUNCTION void simd_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    const __m256i lanes = simd_lanes(count);
    const __m256i given = _mm256_maskload_epi32((const int *)from, lanes);
    const __m256i all = _mm256_blendv_epi8(_mm256_set1_epi32((int)rest), given, lanes);
    _mm256_storeu_si256((__m256i *)to, all);
}

SIMD_FUNCTION simd_f32 simd_quad(const float *block, const uint32_t *index) {
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(block + SIMD_BLOCK * (size_t)index[0]));
    return _mm256_insertf128_ps(low, _mm_loadu_ps(block + SIMD_BLOCK * (size_t)index[4]), 1);
}
SIMD_FUNCTION void simd_put_quad(float *block, const uint32_t *index, simd_f32 quad) {
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[0], _mm256_castps256_ps128(quad));
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[4], _mm256_extractf128_ps(quad, 1));
}

#define SIMD_UNPACK_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define SIMD_UNPACK_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define SIMD_HALVES_LOW 0, 1, 8, 9, 4, 5, 12, 13
#define SIMD_HALVES_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#define SIMD_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define SIMD_ODD 1, 3, 9, 11, 5, 7, 13, 15

#else

typedef __m512 simd_f32;
typedef __mmask16 simd_mask;

SIMD_FUNCTION __mmask16 simd_lanes(uint32_t count) {
    return (__mmask16)((1U << count) - 1U);
}
SIMD_FUNCTION simd_f32 simd_broadcast(float value) {
    return _mm512_set1_ps(value);
}
SIMD_FUNCTION simd_f32 simd_load(const float *from, uint32_t count) {
    return count == 16 ? _mm512_loadu_ps(from) : _mm512_maskz_loadu_ps(simd_lanes(count), from);
}
SIMD_FUNCTION void simd_store(float *to, simd_f32 value, uint32_t count) {
    if (count == 16) {
        _mm512_storeu_ps(to, value);
    } else {
        _mm512_mask_storeu_ps(to, simd_lanes(count), value);
    }
}
SIMD_FUNCTION simd_f32 simd_sqrt(simd_f32 value) {
    return _mm512_sqrt_ps(value);
}
SIMD_FUNCTION simd_mask simd_less(simd_f32 a, simd_f32 b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
SIMD_FUNCTION simd_mask simd_exceeds(simd_f32 a, simd_f32 b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_NLE_UQ);
}
SIMD_FUNCTION simd_mask simd_differ(simd_f32 a, simd_f32 b) {
    return _mm512_cmpneq_epi32_mask(_mm512_castps_si512(a), _mm512_castps_si512(b));
}
SIMD_FUNCTION simd_f32 simd_select(simd_mask mask, simd_f32 a, simd_f32 b) {
    return _mm512_mask_blend_ps(mask, b, a);
}
SIMD_FUNCTION simd_f32 simd_min(simd_f32 a, simd_f32 b) {
    return _mm512_min_ps(a, b);
}
SIMD_FUNCTION simd_f32 simd_max(simd_f32 a, simd_f32 b) {
    return _mm512_max_ps(a, b);
}
SIMD_FUNCTION simd_f32 simd_truncate(simd_f32 value) {
    return _mm512_cvtepi32_ps(_mm512_cvttps_epi32(value));
}
SIMD_FUNCTION void simd_store_bytes(uint8_t *to, simd_f32 value, uint32_t count) {
    _mm512_mask_cvtepi32_storeu_epi8(to, simd_lanes(count), _mm512_cvttps_epi32(value));
}
SIMD_FUNCTION void simd_store_shorts(int16_t *to, simd_f32 value, uint32_t count) {
    const __m256i shorts = _mm512_cvtepi32_epi16(_mm512_cvttps_epi32(value));
    if (count == 16) {
        _mm256_storeu_si256((__m256i *)to, shorts);
    } else {
        memcpy(to, &shorts, count * sizeof *to);
    }
}
SIMD_FUNCTION simd_mask simd_and(simd_mask a, simd_mask b) {
    return (simd_mask)(a & b);
}
SIMD_FUNCTION simd_mask simd_or(simd_mask a, simd_mask b) {
    return (simd_mask)(a | b);
}
SIMD_FUNCTION bool simd_any(simd_mask mask) {
    return mask != 0;
}
SIMD_FUNCTION bool simd_none(simd_mask a, simd_mask b) {
    return _mm512_kortestz(a, b) != 0;
}
SIMD_FUNCTION void simd_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    const __m512i all = _mm512_mask_loadu_epi32(_mm512_set1_epi32((int)rest), simd_lanes(count), from);
    _mm512_storeu_si512(to, all);
}

SIMD_FUNCTION simd_f32 simd_quad(const float *block, const uint32_t *index) {
    const float *at[4] = {
        block + SIMD_BLOCK * (size_t)index[0],
        block + SIMD_BLOCK * (size_t)index[4],
        block + SIMD_BLOCK * (size_t)index[8],
        block + SIMD_BLOCK * (size_t)index[12],
    };
    const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at[0])), _mm_loadu_ps(at[1]), 1);
    const __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at[2])), _mm_loadu_ps(at[3]), 1);
    return _mm512_castpd_ps(
        _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(low)), _mm256_castps_pd(high), 1));
}
SIMD_FUNCTION void simd_put_quad(float *block, const uint32_t *index, simd_f32 quad) {
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[0], _mm512_castps512_ps128(quad));
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[4], _mm512_extractf32x4_ps(quad, 1));
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[8], _mm512_extractf32x4_ps(quad, 2));
    _mm_storeu_ps(block + SIMD_BLOCK * (size_t)index[12], _mm512_extractf32x4_ps(quad, 3));
}

#define SIMD_UNPACK_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define SIMD_UNPACK_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define SIMD_HALVES_LOW 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define SIMD_HALVES_HIGH 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define SIMD_EVEN 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define SIMD_ODD 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31

#endif
