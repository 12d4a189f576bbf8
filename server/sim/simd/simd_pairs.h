// SPDX-License-Identifier: MIT
// Distances of pairs of features in double, half as many at once as float32 fit; included once per vector width by
// simd.c. The equations are those of geometry/proximity.c, in the same order of arithmetic, with a choice of results
// where those branch: each lane has the bits that proximity_of and proximity_reach give.

#define simd_f64 SIMD_NAME(simd_f64)
#define simd_wide_mask SIMD_NAME(simd_wide_mask)
#define simd_all SIMD_NAME(simd_all)
#define simd_widen SIMD_NAME(simd_widen)
#define simd_load64 SIMD_NAME(simd_load64)
#define simd_store64 SIMD_NAME(simd_store64)
#define simd_root SIMD_NAME(simd_root)
#define simd_below SIMD_NAME(simd_below)
#define simd_choose SIMD_NAME(simd_choose)
#define simd_point SIMD_NAME(simd_point)
#define simd_apart3 SIMD_NAME(simd_apart3)
#define simd_across SIMD_NAME(simd_across)
#define simd_times SIMD_NAME(simd_times)
#define simd_near SIMD_NAME(simd_near)
#define simd_end SIMD_NAME(simd_end)
#define simd_end_of SIMD_NAME(simd_end_of)
#define simd_take_end SIMD_NAME(simd_take_end)
#define simd_in_triangle SIMD_NAME(simd_in_triangle)
#define simd_in_edges SIMD_NAME(simd_in_edges)
#define simd_corners SIMD_NAME(simd_corners)
#define simd_range SIMD_NAME(simd_range)
#define simd_range_of SIMD_NAME(simd_range_of)
#define simd_middle SIMD_NAME(simd_middle)
#define simd_distances SIMD_NAME(simd_distances)
#define simd_reaches SIMD_NAME(simd_reaches)
#define simd_far SIMD_NAME(simd_far)
#define simd_separate SIMD_NAME(simd_separate)

#define SIMD_HALF (SIMD_LANES / 2)

#if SIMD_LANES == 4

typedef double simd_f64 __attribute__((vector_size(16)));
typedef int64_t simd_wide_mask __attribute__((vector_size(16)));

SIMD_FUNCTION simd_f64 simd_all(double value) {
    return (simd_f64){value, value};
}
SIMD_FUNCTION simd_f64 simd_widen(const float *from) {
    return (simd_f64){(double)from[0], (double)from[1]};
}
SIMD_FUNCTION simd_f64 simd_load64(const double *from) {
    return (simd_f64){from[0], from[1]};
}
SIMD_FUNCTION void simd_store64(double *to, simd_f64 value) {
    to[0] = value[0];
    to[1] = value[1];
}
SIMD_FUNCTION simd_f64 simd_root(simd_f64 value) {
#if defined(__SSE2__)
    return _mm_sqrt_pd(value);
#elif defined(__aarch64__)
    return (simd_f64)vsqrtq_f64((float64x2_t)value);
#elif defined(__wasm_simd128__)
    return (simd_f64)wasm_f64x2_sqrt((v128_t)value);
#else
    return (simd_f64){sqrt(value[0]), sqrt(value[1])};
#endif
}
SIMD_FUNCTION simd_wide_mask simd_below(simd_f64 a, simd_f64 b) {
    return a < b;
}
SIMD_FUNCTION simd_f64 simd_choose(simd_wide_mask mask, simd_f64 a, simd_f64 b) {
    return (simd_f64)((mask & (simd_wide_mask)a) | (~mask & (simd_wide_mask)b));
}

#elif SIMD_LANES == 8

typedef __m256d simd_f64;
typedef __m256d simd_wide_mask;

SIMD_FUNCTION simd_f64 simd_all(double value) {
    return _mm256_set1_pd(value);
}
SIMD_FUNCTION simd_f64 simd_widen(const float *from) {
    return _mm256_cvtps_pd(_mm_loadu_ps(from));
}
SIMD_FUNCTION simd_f64 simd_load64(const double *from) {
    return _mm256_loadu_pd(from);
}
SIMD_FUNCTION void simd_store64(double *to, simd_f64 value) {
    _mm256_storeu_pd(to, value);
}
SIMD_FUNCTION simd_f64 simd_root(simd_f64 value) {
    return _mm256_sqrt_pd(value);
}
SIMD_FUNCTION simd_wide_mask simd_below(simd_f64 a, simd_f64 b) {
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}
SIMD_FUNCTION simd_f64 simd_choose(simd_wide_mask mask, simd_f64 a, simd_f64 b) {
    return _mm256_blendv_pd(b, a, mask);
}

#else

typedef __m512d simd_f64;
typedef __mmask8 simd_wide_mask;

SIMD_FUNCTION simd_f64 simd_all(double value) {
    return _mm512_set1_pd(value);
}
SIMD_FUNCTION simd_f64 simd_widen(const float *from) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(from));
}
SIMD_FUNCTION simd_f64 simd_load64(const double *from) {
    return _mm512_loadu_pd(from);
}
SIMD_FUNCTION void simd_store64(double *to, simd_f64 value) {
    _mm512_storeu_pd(to, value);
}
SIMD_FUNCTION simd_f64 simd_root(simd_f64 value) {
    return _mm512_sqrt_pd(value);
}
SIMD_FUNCTION simd_wide_mask simd_below(simd_f64 a, simd_f64 b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
SIMD_FUNCTION simd_f64 simd_choose(simd_wide_mask mask, simd_f64 a, simd_f64 b) {
    return _mm512_mask_blend_pd(mask, b, a);
}

#endif

// ---- points --------------------------------------------------------------------------------------------------------

struct simd_point {
    simd_f64 x, y, z;
};

SIMD_FUNCTION struct simd_point simd_apart3(struct simd_point a, struct simd_point b) {
    return (struct simd_point){a.x - b.x, a.y - b.y, a.z - b.z};
}
SIMD_FUNCTION simd_f64 simd_times(struct simd_point a, struct simd_point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
SIMD_FUNCTION struct simd_point simd_across(struct simd_point a, struct simd_point b) {
    return (struct simd_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SIMD_FUNCTION void simd_corners(const float (*from)[SIMD_PAIRS], uint32_t i, struct simd_point at[4]) {
    for (unsigned k = 0; k < 4; k++) {
        at[k].x = simd_widen(from[3 * k] + i);
        at[k].y = simd_widen(from[3 * k + 1] + i);
        at[k].z = simd_widen(from[3 * k + 2] + i);
    }
}

// ---- distances -----------------------------------------------------------------------------------------------------

// The nearest pair of points so far: its squared distance, and which points it is (enum simd_nearest).
struct simd_near {
    simd_f64 squared, which;
};

struct simd_end {
    simd_f64 share, squared;
};

SIMD_FUNCTION struct simd_end simd_end_of(struct simd_point p, struct simd_point a, struct simd_point b) {
    const simd_f64 zero = simd_all(0.0), one = simd_all(1.0);
    const struct simd_point ab = simd_apart3(b, a), ap = simd_apart3(p, a);
    const simd_f64 length = simd_times(ab, ab);
    const simd_f64 value = simd_times(ap, ab) / length;
    const simd_f64 low = simd_choose(simd_below(zero, value), value, zero);
    const simd_f64 clamped = simd_choose(simd_below(low, one), low, one);
    const simd_f64 share = simd_choose(simd_below(zero, length), clamped, zero);
    const struct simd_point away = {ap.x - share * ab.x, ap.y - share * ab.y, ap.z - share * ab.z};
    return (struct simd_end){share, simd_times(away, away)};
}

// Takes an end where it is nearer, or if it is the first. Its distance is that of a point between a and b as
// proximity_at_end computes it, whose square differs from that by which ends are compared.
SIMD_FUNCTION void simd_take_end(struct simd_near *near, simd_f64 *least, unsigned number, struct simd_point p,
                                 struct simd_point a, struct simd_point b) {
    const simd_f64 zero = simd_all(0.0), one = simd_all(1.0);
    const struct simd_end end = simd_end_of(p, a, b);
    const struct simd_point along = {a.x + end.share * (b.x - a.x), a.y + end.share * (b.y - a.y),
                                     a.z + end.share * (b.z - a.z)};
    const struct simd_point away = simd_apart3(p, along);
    const simd_f64 inner = simd_all(SIMD_NEAREST_END + 3.0 * number);
    simd_f64 which = simd_choose(simd_below(zero, end.share), inner, simd_all(SIMD_NEAREST_END + 3.0 * number + 1.0));
    which = simd_choose(simd_below(end.share, one), which, simd_all(SIMD_NEAREST_END + 3.0 * number + 2.0));
    const simd_f64 squared = simd_times(away, away);
    if (number == 0) {
        *least = end.squared;
        *near = (struct simd_near){squared, which};
        return;
    }
    const simd_wide_mask nearer = simd_below(end.squared, *least);
    *least = simd_choose(nearer, end.squared, *least);
    near->squared = simd_choose(nearer, squared, near->squared);
    near->which = simd_choose(nearer, which, near->which);
}

SIMD_FUNCTION void simd_in_triangle(struct simd_near *near, const struct simd_point at[4]) {
    const simd_f64 zero = simd_all(0.0), inside = simd_all(SIMD_NEAREST_INSIDE);
    const struct simd_point ab = simd_apart3(at[2], at[1]), ac = simd_apart3(at[3], at[1]);
    const struct simd_point ap = simd_apart3(at[0], at[1]);
    const struct simd_point normal = simd_across(ab, ac);
    const simd_f64 squared = simd_times(normal, normal);
    const simd_f64 b = simd_times(simd_across(ap, ac), normal);
    const simd_f64 c = simd_times(simd_across(ab, ap), normal);
    const simd_f64 height = simd_times(ap, normal) / squared;
    struct simd_near own = {height * height * squared, inside};
    own.which = simd_choose(simd_below(zero, b), own.which, simd_all(SIMD_NEAREST_INSIDE_EDGE));
    own.which = simd_choose(simd_below(zero, c), own.which, simd_all(SIMD_NEAREST_INSIDE_EDGE));
    own.which =
        simd_choose(simd_below(b + c, simd_all(0.999999) * squared), own.which, simd_all(SIMD_NEAREST_INSIDE_EDGE));
    simd_f64 which = simd_choose(simd_below(zero, squared), own.which, near->which);
    which = simd_choose(simd_below(b, zero), near->which, which);
    which = simd_choose(simd_below(c, zero), near->which, which);
    which = simd_choose(simd_below(squared, b + c), near->which, which);
    near->which = which;
    near->squared = simd_choose(simd_below(which, simd_all(SIMD_NEAREST_END)), own.squared, near->squared);
}

SIMD_FUNCTION void simd_in_edges(struct simd_near *near, const struct simd_point at[4]) {
    const simd_f64 zero = simd_all(0.0), one = simd_all(1.0), edge = simd_all(SIMD_NEAREST_INSIDE_EDGE);
    const struct simd_point u = simd_apart3(at[1], at[0]), v = simd_apart3(at[3], at[2]);
    const struct simd_point r = simd_apart3(at[0], at[2]);
    const simd_f64 uu = simd_times(u, u), vv = simd_times(v, v), uv = simd_times(u, v);
    const simd_f64 ur = simd_times(u, r), vr = simd_times(v, r);
    const simd_f64 denominator = uu * vv - uv * uv;
    const simd_f64 s = (uv * vr - ur * vv) / denominator;
    const simd_f64 t = (uu * vr - uv * ur) / denominator;
    const struct simd_point normal = simd_across(u, v);
    const simd_f64 height = simd_times(r, normal) / simd_times(normal, normal);
    const struct simd_point away = {height * normal.x, height * normal.y, height * normal.z};
    simd_f64 own = simd_choose(simd_below(zero, s), simd_all(SIMD_NEAREST_INSIDE), edge);
    own = simd_choose(simd_below(s, one), own, edge);
    own = simd_choose(simd_below(zero, t), own, edge);
    own = simd_choose(simd_below(t, one), own, edge);
    const simd_f64 parallel = simd_all(PROXIMITY_PARALLEL_SINE_SQUARED) * uu * vv;
    simd_f64 which = simd_choose(simd_below(parallel, denominator), own, near->which);
    which = simd_choose(simd_below(s, zero), near->which, which);
    which = simd_choose(simd_below(one, s), near->which, which);
    which = simd_choose(simd_below(t, zero), near->which, which);
    which = simd_choose(simd_below(one, t), near->which, which);
    near->which = which;
    near->squared = simd_choose(simd_below(which, simd_all(SIMD_NEAREST_END)), simd_times(away, away), near->squared);
}

SIMD_FUNCTION void simd_distances(struct simd_pairs *pairs, uint32_t i) {
    struct simd_point at[4];
    struct simd_near near = {simd_all(0.0), simd_all(0.0)};
    simd_f64 least = simd_all(0.0);
    simd_corners((const float(*)[SIMD_PAIRS])pairs->at, i, at);
    if (pairs->edges) {
        simd_take_end(&near, &least, 0, at[0], at[2], at[3]);
        simd_take_end(&near, &least, 1, at[1], at[2], at[3]);
        simd_take_end(&near, &least, 2, at[2], at[0], at[1]);
        simd_take_end(&near, &least, 3, at[3], at[0], at[1]);
        simd_in_edges(&near, at);
    } else {
        simd_take_end(&near, &least, 0, at[0], at[1], at[2]);
        simd_take_end(&near, &least, 1, at[0], at[2], at[3]);
        simd_take_end(&near, &least, 2, at[0], at[3], at[1]);
        simd_in_triangle(&near, at);
    }
    simd_store64(pairs->distance + i, simd_root(near.squared));
    simd_store64(pairs->which + i, near.which);
}

SIMD_TARGET static void SIMD_NAME(pair_distances)(struct simd_pairs *pairs) {
    for (uint32_t i = 0; i < pairs->count; i += SIMD_HALF) {
        simd_distances(pairs, i);
    }
}

// ---- reach ---------------------------------------------------------------------------------------------------------

SIMD_FUNCTION void simd_reaches(struct simd_pairs *pairs, uint32_t i, bool is_end) {
    struct simd_point moved[4];
    simd_f64 most[2] = {simd_all(0.0), simd_all(0.0)};
    struct simd_point mean = {simd_all(0.0), simd_all(0.0), simd_all(0.0)};
    const simd_f64 quarter = simd_all(0.25);
    simd_corners((const float(*)[SIMD_PAIRS])pairs->path, i, moved);
    if (is_end) {
        struct simd_point at[4];
        simd_corners((const float(*)[SIMD_PAIRS])pairs->at, i, at);
        for (unsigned k = 0; k < 4; k++) {
            moved[k] = simd_apart3(moved[k], at[k]);
        }
    }
    for (unsigned k = 0; k < 4; k++) {
        mean.x += quarter * moved[k].x;
        mean.y += quarter * moved[k].y;
        mean.z += quarter * moved[k].z;
    }
    for (unsigned k = 0; k < 4; k++) {
        const struct simd_point own = simd_apart3(moved[k], mean);
        const simd_f64 squared = simd_times(own, own);
        const unsigned feature = k < (pairs->edges ? 2u : 1u) ? 0 : 1;
        most[feature] = simd_choose(simd_below(most[feature], squared), squared, most[feature]);
    }
    simd_store64(pairs->reach + i, simd_root(most[0]) + simd_root(most[1]));
}

SIMD_TARGET static void SIMD_NAME(pair_reaches)(struct simd_pairs *pairs, bool is_end) {
    for (uint32_t i = 0; i < pairs->count; i += SIMD_HALF) {
        simd_reaches(pairs, i, is_end);
    }
}

// ---- cheap tests ---------------------------------------------------------------------------------------------------

struct simd_range {
    simd_f64 min, max;
};

SIMD_FUNCTION struct simd_range simd_range_of(struct simd_point axis, const struct simd_point *at,
                                              const struct simd_point *path, unsigned count, double share) {
    struct simd_range range = {simd_all(HUGE_VAL), simd_all(-HUGE_VAL)};
    for (unsigned k = 0; k < count; k++) {
        const simd_f64 along = simd_times(axis, at[k]) + simd_all(share) * simd_times(axis, path[k]);
        range.min = simd_choose(simd_below(along, range.min), along, range.min);
        range.max = simd_choose(simd_below(range.max, along), along, range.max);
    }
    return range;
}

SIMD_FUNCTION struct simd_point simd_middle(const struct simd_point *at, unsigned count) {
    struct simd_point sum = {simd_all(0.0), simd_all(0.0), simd_all(0.0)};
    for (unsigned k = 0; k < count; k++) {
        sum = (struct simd_point){sum.x + at[k].x, sum.y + at[k].y, sum.z + at[k].z};
    }
    const simd_f64 share = simd_all(1.0 / (double)count);
    return (struct simd_point){share * sum.x, share * sum.y, share * sum.z};
}

SIMD_FUNCTION void simd_separate(struct simd_pairs *pairs, uint32_t i, unsigned first) {
    struct simd_point at[4], path[4];
    simd_corners((const float(*)[SIMD_PAIRS])pairs->at, i, at);
    simd_corners((const float(*)[SIMD_PAIRS])pairs->path, i, path);
    const struct simd_point axis = simd_apart3(simd_middle(at + first, 4 - first), simd_middle(at, first));
    const simd_f64 least = simd_load64(pairs->limit + i) * simd_root(simd_times(axis, axis));
    simd_f64 separate = simd_all(1.0);
    for (unsigned end = 0; end < 2; end++) {
        const struct simd_range a = simd_range_of(axis, at, path, first, (double)end);
        const struct simd_range b = simd_range_of(axis, at + first, path + first, 4 - first, (double)end);
        separate = simd_choose(simd_below(least, b.min - a.max), separate, simd_all(0.0));
    }
    simd_store64(pairs->far + i, separate);
}

SIMD_TARGET static void SIMD_NAME(pairs_separate)(struct simd_pairs *pairs) {
    for (uint32_t i = 0; i < pairs->count; i += SIMD_HALF) {
        if (pairs->edges) {
            simd_separate(pairs, i, 2);
        } else {
            simd_separate(pairs, i, 1);
        }
    }
}

// `low` and `high` hold the lows and highs of both features along an axis.
SIMD_FUNCTION void simd_far(struct simd_pairs *pairs, uint32_t i, unsigned first) {
    const simd_f64 limit = simd_load64(pairs->limit + i);
    simd_f64 far = simd_all(0.0);
    for (unsigned axis = 0; axis < 3; axis++) {
        simd_f64 low[2] = {simd_widen(pairs->at[axis] + i), simd_widen(pairs->at[3 * first + axis] + i)};
        simd_f64 high[2] = {low[0], low[1]};
        for (unsigned k = 1; k < 4; k++) {
            const unsigned feature = k < first ? 0 : 1;
            const simd_f64 own = simd_widen(pairs->at[3 * k + axis] + i);
            low[feature] = simd_choose(simd_below(own, low[feature]), own, low[feature]);
            high[feature] = simd_choose(simd_below(high[feature], own), own, high[feature]);
        }
        far = simd_choose(simd_below(limit, low[0] - high[1]), simd_all(1.0), far);
        far = simd_choose(simd_below(limit, low[1] - high[0]), simd_all(1.0), far);
    }
    simd_store64(pairs->far + i, far);
}

SIMD_TARGET static void SIMD_NAME(pairs_far)(struct simd_pairs *pairs) {
    for (uint32_t i = 0; i < pairs->count; i += SIMD_HALF) {
        if (pairs->edges) {
            simd_far(pairs, i, 2);
        } else {
            simd_far(pairs, i, 1);
        }
    }
}
