// SPDX-License-Identifier: MIT
// WIDE_LANES float32 at once, for the kernels of simd_kernel.h: this file and that one are read once per vector width,
// by simd.c, and hold no include guard for that reason.
//
// Every operation here is IEEE 754's own, lane by lane: + − × ÷ of the vector types are the compiler's, √ the
// machine's. Nothing sums across lanes and nothing is approximated, so a lane has the bits that scalar code has, at any
// width.
//
//   WIDE_LANES        4 anywhere, 8 with AVX2, 16 with AVX-512
//   WIDE_TARGET       the attribute that allows a function the width's instructions
//   WIDE_NAME(name)   name with the width behind it, which is what the plain names below stand for
//
// `store_bytes` takes whole values from 0 to 255. `truncate` is towards 0, of what fits an int32. `exceeds` is true of
// what is not a number, `less` is not; `neither` is whether no lane of both masks is set; `least` and `most` are a < b
// ? a : b and a > b ? a : b. `fill_up` copies `count` indices and puts `rest` after them. `count` of a load or store is
// the number of lanes there is memory for, from the first; the others read as 0.

#define wide WIDE_NAME(wide)
#define wide_mask WIDE_NAME(wide_mask)
#define wide_of WIDE_NAME(wide_of)
#define wide_load WIDE_NAME(wide_load)
#define wide_store WIDE_NAME(wide_store)
#define wide_sqrt WIDE_NAME(wide_sqrt)
#define wide_less WIDE_NAME(wide_less)
#define wide_select WIDE_NAME(wide_select)
#define wide_exceeds WIDE_NAME(wide_exceeds)
#define wide_least WIDE_NAME(wide_least)
#define wide_most WIDE_NAME(wide_most)
#define wide_truncate WIDE_NAME(wide_truncate)
#define wide_store_bytes WIDE_NAME(wide_store_bytes)
#define wide_store_shorts WIDE_NAME(wide_store_shorts)
#define wide_both WIDE_NAME(wide_both)
#define wide_either WIDE_NAME(wide_either)
#define wide_any WIDE_NAME(wide_any)
#define wide_neither WIDE_NAME(wide_neither)
#define wide_lanes WIDE_NAME(wide_lanes)
#define wide_fill_up WIDE_NAME(wide_fill_up)
#define wide_quad WIDE_NAME(wide_quad)
#define wide_put_quad WIDE_NAME(wide_put_quad)

// Without optimisation a kernel with all of these in it has more local values than WebAssembly allows.
#if defined(__OPTIMIZE__)
#define WIDE_FUNCTION static inline __attribute__((always_inline)) WIDE_TARGET
#else
#define WIDE_FUNCTION static inline WIDE_TARGET
#endif

#if WIDE_LANES == 4

typedef float wide __attribute__((vector_size(16)));
typedef int32_t wide_mask __attribute__((vector_size(16)));

WIDE_FUNCTION wide wide_of(float value) {
    return (wide){value, value, value, value};
}
WIDE_FUNCTION wide wide_load(const float *from, uint32_t count) {
    wide value = {0};
    if (count == 4) {
        memcpy(&value, from, sizeof value);
        return value;
    }
    for (uint32_t i = 0; i < count; i++) {
        value[i] = from[i];
    }
    return value;
}
WIDE_FUNCTION void wide_store(float *to, wide value, uint32_t count) {
    if (count == 4) {
        memcpy(to, &value, sizeof value);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[i] = value[i];
    }
}
WIDE_FUNCTION wide wide_sqrt(wide value) {
#if defined(__SSE2__)
    return _mm_sqrt_ps(value);
#elif defined(__aarch64__)
    return (wide)vsqrtq_f32((float32x4_t)value);
#else
    return (wide){sqrtf(value[0]), sqrtf(value[1]), sqrtf(value[2]), sqrtf(value[3])};
#endif
}
WIDE_FUNCTION wide_mask wide_less(wide a, wide b) {
    return a < b;
}
WIDE_FUNCTION wide_mask wide_exceeds(wide a, wide b) {
    return ~(a <= b);
}
WIDE_FUNCTION wide wide_select(wide_mask mask, wide a, wide b) {
    return (wide)((mask & (wide_mask)a) | (~mask & (wide_mask)b));
}
WIDE_FUNCTION wide wide_least(wide a, wide b) {
    return wide_select(a < b, a, b);
}
WIDE_FUNCTION wide wide_most(wide a, wide b) {
    return wide_select(a > b, a, b);
}
WIDE_FUNCTION wide wide_truncate(wide value) {
    return __builtin_convertvector(__builtin_convertvector(value, wide_mask), wide);
}
WIDE_FUNCTION void wide_store_bytes(uint8_t *to, wide value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (uint8_t)value[i];
    }
}
WIDE_FUNCTION void wide_store_shorts(int16_t *to, wide value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (int16_t)(uint16_t)(int32_t)value[i];
    }
}
WIDE_FUNCTION wide_mask wide_both(wide_mask a, wide_mask b) {
    return a & b;
}
WIDE_FUNCTION wide_mask wide_either(wide_mask a, wide_mask b) {
    return a | b;
}
WIDE_FUNCTION bool wide_any(wide_mask mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}
WIDE_FUNCTION bool wide_neither(wide_mask a, wide_mask b) {
    return !wide_any(a | b);
}

WIDE_FUNCTION void wide_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    for (uint32_t i = 0; i < 4; i++) {
        to[i] = i < count ? from[i] : rest;
    }
}

// Four particles x, y, z, w of a block as one vector each: number k of every four that `index` names.
WIDE_FUNCTION wide wide_quad(const float *block, const uint32_t *index) {
    return wide_load(block + WIDE_BLOCK * (size_t)index[0], 4);
}
WIDE_FUNCTION void wide_put_quad(float *block, const uint32_t *index, wide quad) {
    wide_store(block + WIDE_BLOCK * (size_t)index[0], quad, 4);
}

#define WIDE_UNPACK_LOW 0, 4, 1, 5
#define WIDE_UNPACK_HIGH 2, 6, 3, 7
#define WIDE_HALVES_LOW 0, 1, 4, 5
#define WIDE_HALVES_HIGH 2, 3, 6, 7
#define WIDE_EVEN 0, 2, 4, 6
#define WIDE_ODD 1, 3, 5, 7

#elif WIDE_LANES == 8

typedef __m256 wide;
typedef __m256 wide_mask;

// The first `count` of eight lanes.
WIDE_FUNCTION __m256i wide_lanes(uint32_t count) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane);
}
WIDE_FUNCTION wide wide_of(float value) {
    return _mm256_set1_ps(value);
}
WIDE_FUNCTION wide wide_load(const float *from, uint32_t count) {
    return count == 8 ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, wide_lanes(count));
}
WIDE_FUNCTION void wide_store(float *to, wide value, uint32_t count) {
    if (count == 8) {
        _mm256_storeu_ps(to, value);
    } else {
        _mm256_maskstore_ps(to, wide_lanes(count), value);
    }
}
WIDE_FUNCTION wide wide_sqrt(wide value) {
    return _mm256_sqrt_ps(value);
}
WIDE_FUNCTION wide_mask wide_less(wide a, wide b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
WIDE_FUNCTION wide_mask wide_exceeds(wide a, wide b) {
    return _mm256_cmp_ps(a, b, _CMP_NLE_UQ);
}
WIDE_FUNCTION wide wide_select(wide_mask mask, wide a, wide b) {
    return _mm256_blendv_ps(b, a, mask);
}
WIDE_FUNCTION wide wide_least(wide a, wide b) {
    return _mm256_min_ps(a, b);
}
WIDE_FUNCTION wide wide_most(wide a, wide b) {
    return _mm256_max_ps(a, b);
}
WIDE_FUNCTION wide wide_truncate(wide value) {
    return _mm256_cvtepi32_ps(_mm256_cvttps_epi32(value));
}
WIDE_FUNCTION void wide_store_bytes(uint8_t *to, wide value, uint32_t count) {
    const __m256i whole = _mm256_cvttps_epi32(value);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    const int64_t bytes = _mm_cvtsi128_si64(_mm_packus_epi16(words, words));
    memcpy(to, &bytes, count);
}
WIDE_FUNCTION void wide_store_shorts(int16_t *to, wide value, uint32_t count) {
    const __m256i all = _mm256_and_si256(_mm256_cvttps_epi32(value), _mm256_set1_epi32(0xffff));
    const __m128i shorts = _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    if (count == 8) {
        _mm_storeu_si128((__m128i *)to, shorts);
    } else {
        memcpy(to, &shorts, count * sizeof *to);
    }
}
WIDE_FUNCTION wide_mask wide_both(wide_mask a, wide_mask b) {
    return _mm256_and_ps(a, b);
}
WIDE_FUNCTION wide_mask wide_either(wide_mask a, wide_mask b) {
    return _mm256_or_ps(a, b);
}
WIDE_FUNCTION bool wide_any(wide_mask mask) {
    return _mm256_movemask_ps(mask) != 0;
}
WIDE_FUNCTION bool wide_neither(wide_mask a, wide_mask b) {
    return _mm256_movemask_ps(_mm256_or_ps(a, b)) == 0;
}
WIDE_FUNCTION void wide_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    const __m256i lanes = wide_lanes(count);
    const __m256i given = _mm256_maskload_epi32((const int *)from, lanes);
    const __m256i all = _mm256_blendv_epi8(_mm256_set1_epi32((int)rest), given, lanes);
    _mm256_storeu_si256((__m256i *)to, all);
}

WIDE_FUNCTION wide wide_quad(const float *block, const uint32_t *index) {
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[0]));
    return _mm256_insertf128_ps(low, _mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[4]), 1);
}
WIDE_FUNCTION void wide_put_quad(float *block, const uint32_t *index, wide quad) {
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[0], _mm256_castps256_ps128(quad));
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[4], _mm256_extractf128_ps(quad, 1));
}

#define WIDE_UNPACK_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define WIDE_UNPACK_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define WIDE_HALVES_LOW 0, 1, 8, 9, 4, 5, 12, 13
#define WIDE_HALVES_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#define WIDE_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define WIDE_ODD 1, 3, 9, 11, 5, 7, 13, 15

#else

typedef __m512 wide;
typedef __mmask16 wide_mask;

WIDE_FUNCTION __mmask16 wide_lanes(uint32_t count) {
    return (__mmask16)((1U << count) - 1U);
}
WIDE_FUNCTION wide wide_of(float value) {
    return _mm512_set1_ps(value);
}
WIDE_FUNCTION wide wide_load(const float *from, uint32_t count) {
    return count == 16 ? _mm512_loadu_ps(from) : _mm512_maskz_loadu_ps(wide_lanes(count), from);
}
WIDE_FUNCTION void wide_store(float *to, wide value, uint32_t count) {
    if (count == 16) {
        _mm512_storeu_ps(to, value);
    } else {
        _mm512_mask_storeu_ps(to, wide_lanes(count), value);
    }
}
WIDE_FUNCTION wide wide_sqrt(wide value) {
    return _mm512_sqrt_ps(value);
}
WIDE_FUNCTION wide_mask wide_less(wide a, wide b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
WIDE_FUNCTION wide_mask wide_exceeds(wide a, wide b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_NLE_UQ);
}
WIDE_FUNCTION wide wide_select(wide_mask mask, wide a, wide b) {
    return _mm512_mask_blend_ps(mask, b, a);
}
WIDE_FUNCTION wide wide_least(wide a, wide b) {
    return _mm512_min_ps(a, b);
}
WIDE_FUNCTION wide wide_most(wide a, wide b) {
    return _mm512_max_ps(a, b);
}
WIDE_FUNCTION wide wide_truncate(wide value) {
    return _mm512_cvtepi32_ps(_mm512_cvttps_epi32(value));
}
WIDE_FUNCTION void wide_store_bytes(uint8_t *to, wide value, uint32_t count) {
    _mm512_mask_cvtepi32_storeu_epi8(to, wide_lanes(count), _mm512_cvttps_epi32(value));
}
WIDE_FUNCTION void wide_store_shorts(int16_t *to, wide value, uint32_t count) {
    const __m256i shorts = _mm512_cvtepi32_epi16(_mm512_cvttps_epi32(value));
    if (count == 16) {
        _mm256_storeu_si256((__m256i *)to, shorts);
    } else {
        memcpy(to, &shorts, count * sizeof *to);
    }
}
WIDE_FUNCTION wide_mask wide_both(wide_mask a, wide_mask b) {
    return (wide_mask)(a & b);
}
WIDE_FUNCTION wide_mask wide_either(wide_mask a, wide_mask b) {
    return (wide_mask)(a | b);
}
WIDE_FUNCTION bool wide_any(wide_mask mask) {
    return mask != 0;
}
WIDE_FUNCTION bool wide_neither(wide_mask a, wide_mask b) {
    return _mm512_kortestz(a, b) != 0;
}
WIDE_FUNCTION void wide_fill_up(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t rest) {
    const __m512i all = _mm512_mask_loadu_epi32(_mm512_set1_epi32((int)rest), wide_lanes(count), from);
    _mm512_storeu_si512(to, all);
}

WIDE_FUNCTION wide wide_quad(const float *block, const uint32_t *index) {
    __m512 quad = _mm512_castps128_ps512(_mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[0]));
    quad = _mm512_insertf32x4(quad, _mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[4]), 1);
    quad = _mm512_insertf32x4(quad, _mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[8]), 2);
    return _mm512_insertf32x4(quad, _mm_loadu_ps(block + WIDE_BLOCK * (size_t)index[12]), 3);
}
WIDE_FUNCTION void wide_put_quad(float *block, const uint32_t *index, wide quad) {
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[0], _mm512_castps512_ps128(quad));
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[4], _mm512_extractf32x4_ps(quad, 1));
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[8], _mm512_extractf32x4_ps(quad, 2));
    _mm_storeu_ps(block + WIDE_BLOCK * (size_t)index[12], _mm512_extractf32x4_ps(quad, 3));
}

#define WIDE_UNPACK_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define WIDE_UNPACK_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define WIDE_HALVES_LOW 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define WIDE_HALVES_HIGH 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define WIDE_EVEN 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define WIDE_ODD 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31

#endif
