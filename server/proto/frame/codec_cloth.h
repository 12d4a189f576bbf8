// SPDX-License-Identifier: MIT
// Predicts a cloth by its own motion (proto/FRAMES.md, "The cloth's own motion"): plays the tick again from the last
// three frames, in eight substeps of Verlet integration with one sweep over the sticks each
// (server/sim/PHYSICS.md 2.2). Wind and contacts are left out; the terms of the prediction make up for them.
//
// All operations are in float32, in the order written here and rounded one by one, so that all decoders agree; nothing
// overflows. A row is stored as its even columns, then its odd ones, so that the sticks of a colour join two runs of
// numbers. The colours of a sweep, and the substeps, follow each other over the rows as closely as their order allows,
// to stay in the cache. Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_CLOTH_H
#define WEFT_PROTO_FRAME_CODEC_CLOTH_H

#include <stddef.h>

#include "proto/frame/codec_lanes.h"
#include "proto/frame/codec_model.h"

#define CODEC_SUBSTEPS 8u
#if defined(__wasm__)
#define CODEC_RUN_STEP 4u // runs are padded to a multiple of this with sticks that have no effect
#else
#define CODEC_RUN_STEP 8u
#endif
#define CODEC_PLACE_MOST 1073741824.0f
#define CODEC_SPACING_LEAST 256u // 1/256 steps
#define CODEC_SPACING_BITS 28u

#define CODEC_INLINE static inline __attribute__((always_inline))
#if defined(__wasm__)
#define CODEC_KERNEL static __attribute__((noinline)) // engines allocate registers better in small functions
#else
#define CODEC_KERNEL CODEC_INLINE // compiled for the machine that its caller is compiled for
#endif
#define CODEC_FOLLOW_ROWS 6u // that a substep must be ahead of the next one

// The object being played. Positions are in steps, relative to particle 0 in the last frame.
struct codec_cloth {
    uint32_t columns, rows, half; // `half`: numbers per half row
    bool hex;
    size_t plane;                  // numbers
    float *now, *before;           // three planes each: positions after the last two substeps
    float *eighth;                 // `half` times 1/8, then as many zeros
    uint32_t *pinned, pin_count;   // particles that have not moved
    float inverse, inverse_across; // of the squared lengths of sticks along and down, and of those across
};

// Whether a frame carries a bit that tells if the object's bases are those of its own motion.
static inline bool codec_may_play(const struct codec_object *object, uint32_t baselines) {
    return baselines == CODEC_BASELINES_MOST && object->columns > 1 && object->rows > 1 &&
           object->count >= CODEC_CHOICE_LEAST;
}

static inline uint32_t codec_cloth_half(uint32_t columns) {
    return ((columns + 1) / 2 + 2 * CODEC_RUN_STEP - 1) / CODEC_RUN_STEP * CODEC_RUN_STEP;
}

// The words of scratch for a lattice.
static inline size_t codec_cloth_words(uint32_t columns, uint32_t rows) {
    const size_t half = codec_cloth_half(columns);
    return 12 * half * rows + 2 * half + (size_t)columns * rows;
}

static inline size_t codec_cloth_at(const struct codec_cloth *cloth, uint32_t row, uint32_t column) {
    return (2 * (size_t)row + (column & 1)) * cloth->half + column / 2;
}

// ---- sticks --------------------------------------------------------------------------------------------------------

typedef float codec_run __attribute__((vector_size(4 * CODEC_RUN_STEP), aligned(4))); // anywhere in a run
typedef int32_t codec_run_mask __attribute__((vector_size(4 * CODEC_RUN_STEP)));
typedef uint32_t codec_run_steps __attribute__((vector_size(4 * CODEC_RUN_STEP)));

// Not a function, since not every target can pass such a vector.
#define CODEC_RUN(from) (*(codec_run *)(from))
#define CODEC_CONST_RUN(from) (*(const codec_run *)(from))

// Replaces negative numbers by 0.
CODEC_INLINE void codec_cut(codec_run *t) {
#if defined(__wasm_simd128__)
    *t = (codec_run)wasm_f32x4_pmax(wasm_f32x4_splat(0.0f), (v128_t)*t);
#else
    *t = (codec_run)((codec_run_mask)*t & (*t > 0.0f));
#endif
}

// Relaxes sticks of one length, side by side, from a to b in three planes each. With t = max(2 − δ²/r², 0) each end
// moves by (t² − 1)/8 of δ, half of the error in length to the second order. `eighth` is 0 where there is no stick.
CODEC_INLINE void codec_relax_sticks(float *const a[3], float *const b[3], float inverse, const float *eighth) {
    codec_run from[3], to[3], d[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        from[axis] = CODEC_RUN(a[axis]);
        to[axis] = CODEC_RUN(b[axis]);
        d[axis] = to[axis] - from[axis];
    }
    codec_run t = 2.0f - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse;
    codec_cut(&t);
    const codec_run share = (t * t - 1.0f) * CODEC_CONST_RUN(eighth);
    for (uint32_t axis = 0; axis < 3; axis++) {
        CODEC_RUN(a[axis]) = from[axis] - share * d[axis];
        CODEC_RUN(b[axis]) = to[axis] + share * d[axis];
    }
}

// Relaxes `count` sticks between the runs that begin at a and at b.
CODEC_KERNEL void codec_relax(const struct codec_cloth *cloth, size_t a, size_t b, uint32_t count, float inverse) {
    float *const x = cloth->now, *const y = x + cloth->plane, *const z = y + cloth->plane;
    const float *eighth = cloth->eighth + cloth->half - count;
    for (uint32_t k = 0; k < count; k += CODEC_RUN_STEP) {
        float *const from[3] = {x + a + k, y + a + k, z + a + k}, *const to[3] = {x + b + k, y + b + k, z + b + k};
        codec_relax_sticks(from, to, inverse, eighth + k);
    }
}

// The sticks from each particle of a row to the particle below it, or to the right (left) of that one.
CODEC_INLINE void codec_relax_down(const struct codec_cloth *cloth, uint32_t row) {
    const size_t even = codec_cloth_at(cloth, row, 0), below = codec_cloth_at(cloth, row + 1, 0);
    codec_relax(cloth, even, below, (cloth->columns + 1) / 2, cloth->inverse);
    codec_relax(cloth, even + cloth->half, below + cloth->half, cloth->columns / 2, cloth->inverse);
}

CODEC_INLINE void codec_relax_right(const struct codec_cloth *cloth, uint32_t row) {
    if (cloth->hex && row % 2 == 0) {
        return;
    }
    const size_t even = codec_cloth_at(cloth, row, 0), below = codec_cloth_at(cloth, row + 1, 0);
    codec_relax(cloth, even, below + cloth->half, cloth->columns / 2, cloth->inverse_across);
    codec_relax(cloth, even + cloth->half, below + 1, (cloth->columns - 1) / 2, cloth->inverse_across);
}

CODEC_INLINE void codec_relax_left(const struct codec_cloth *cloth, uint32_t row) {
    if (cloth->hex && row % 2 == 1) {
        return;
    }
    const size_t even = codec_cloth_at(cloth, row, 0), below = codec_cloth_at(cloth, row + 1, 0);
    codec_relax(cloth, even + 1, below + cloth->half, (cloth->columns - 1) / 2, cloth->inverse_across);
    codec_relax(cloth, even + cloth->half, below, cloth->columns / 2, cloth->inverse_across);
}

CODEC_INLINE void codec_relax_along(const struct codec_cloth *cloth, uint32_t row) {
    const size_t even = codec_cloth_at(cloth, row, 0);
    codec_relax(cloth, even, even + cloth->half, cloth->columns / 2, cloth->inverse);
    codec_relax(cloth, even + cloth->half, even + 1, (cloth->columns - 1) / 2, cloth->inverse);
}

// ---- substeps ------------------------------------------------------------------------------------------------------

CODEC_KERNEL void codec_integrate_row(const struct codec_cloth *cloth, uint32_t row) {
    const uint32_t count = 2 * cloth->half;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float *now = cloth->now + axis * cloth->plane + (size_t)row * count;
        float *before = cloth->before + axis * cloth->plane + (size_t)row * count;
        for (uint32_t k = 0; k < count; k += CODEC_RUN_STEP) {
            const codec_run place = CODEC_RUN(now + k);
            CODEC_RUN(now + k) = place + (place - CODEC_RUN(before + k));
            CODEC_RUN(before + k) = place;
        }
    }
}

// Does the work that has become possible with the two rows from `row`, an even one, on: in each colour even rows before
// odd ones, and all sticks of a row before those of the next colour.
CODEC_INLINE void codec_follow(const struct codec_cloth *cloth, int64_t row) {
    const int64_t last = (int64_t)cloth->rows - 1;
#define CODEC_AT(does, at, end)                                                                                        \
    if ((at) >= 0 && (at) < (end)) {                                                                                   \
        does(cloth, (uint32_t)(at));                                                                                   \
    }
    for (int64_t odd = 0; odd < 2; odd++) {
        CODEC_AT(codec_integrate_row, row + odd, last + 1)
    }
    for (int64_t odd = 0; odd < 2; odd++) {
        CODEC_AT(codec_relax_right, row - odd, last)
    }
    for (int64_t odd = 0; odd < 2; odd++) {
        CODEC_AT(codec_relax_left, row - 2 - odd, last)
    }
    for (int64_t odd = 0; odd < 2; odd++) {
        CODEC_AT(codec_relax_along, row - 3 - odd, last + 1)
    }
    for (int64_t odd = 0; odd < 2; odd++) {
        CODEC_AT(codec_relax_down, row - 4 - odd, last)
    }
#undef CODEC_AT
}

// Puts the pinned particles of the rows before `end` back; `next` counts those that are done.
static inline void codec_cloth_hold(const struct codec_cloth *cloth, int64_t end, uint32_t *next) {
    for (; *next < cloth->pin_count && cloth->pinned[*next] < end * cloth->columns; (*next)++) {
        const uint32_t i = cloth->pinned[*next];
        const size_t at = codec_cloth_at(cloth, i / cloth->columns, i % cloth->columns);
        for (uint32_t axis = 0; axis < 3; axis++) {
            cloth->now[axis * cloth->plane + at] = cloth->before[axis * cloth->plane + at];
        }
    }
}

// Plays all substeps, each CODEC_FOLLOW_ROWS rows behind the one before, where the rows are finished.
CODEC_INLINE void codec_cloth_play(const struct codec_cloth *cloth) {
    const int64_t end = (int64_t)cloth->rows + 5, behind = CODEC_FOLLOW_ROWS;
    uint32_t held[CODEC_SUBSTEPS] = {0};
    for (int64_t first = 0; first < end + behind * (CODEC_SUBSTEPS - 1); first += 2) {
        for (uint32_t substep = 0; substep < CODEC_SUBSTEPS; substep++) {
            const int64_t row = first - behind * substep;
            if (row >= 0 && row < end) {
                codec_follow(cloth, row);
                codec_cloth_hold(cloth, row - 3, &held[substep]);
            }
        }
    }
}

// ---- in and out ----------------------------------------------------------------------------------------------------

static inline void codec_cloth_pin(struct codec_cloth *cloth, const struct codec_view *view) {
    for (uint32_t i = 0; i < cloth->columns * cloth->rows; i++) {
        bool moved = false;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int32_t place = view->x1[axis][i];
            moved = moved || place != view->x2[axis][i] || place != view->x3[axis][i];
        }
        cloth->pinned[cloth->pin_count] = i;
        cloth->pin_count += !moved;
    }
}

// Sets the positions now and one substep ago, from the velocity and a fourth of the acceleration.
CODEC_KERNEL void codec_cloth_load(const struct codec_cloth *cloth, const struct codec_view *view, uint32_t axis) {
    const uint32_t origin = (uint32_t)view->x1[axis][0];
    for (uint32_t run = 0; run < 2 * cloth->rows; run++) {
        const size_t from = (size_t)(run / 2) * cloth->columns + run % 2;
        const int32_t *x1 = view->x1[axis] + from, *x2 = view->x2[axis] + from, *x3 = view->x3[axis] + from;
        float *restrict now = cloth->now + axis * cloth->plane + (size_t)run * cloth->half;
        float *restrict before = cloth->before + axis * cloth->plane + (size_t)run * cloth->half;
        const uint32_t count = (cloth->columns + 1 - run % 2) / 2;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t place = (uint32_t)x1[2 * k];
            const uint32_t moved = 5 * place - 6 * (uint32_t)x2[2 * k] + (uint32_t)x3[2 * k];
            now[k] = (float)(int32_t)(place - origin);
            before[k] = now[k] - (float)(int32_t)moved * 0.03125f;
        }
        for (uint32_t k = count; k < cloth->half; k++) {
            now[k] = before[k] = 0.0f;
        }
    }
}

// Rounds to the nearest step and adds the origin.
CODEC_INLINE void codec_round_run(const float *from, int32_t origin, uint32_t out[CODEC_RUN_STEP]) {
    codec_run place = CODEC_CONST_RUN(from) + 0.5f;
    const codec_run_mask off = (place > CODEC_PLACE_MOST) | (place < -CODEC_PLACE_MOST);
    place = (codec_run)((codec_run_mask)place & ~off);
    const codec_run_mask toward_zero = __builtin_convertvector(place, codec_run_mask);
    const codec_run_mask above = place < __builtin_convertvector(toward_zero, codec_run); // true is −1
    const codec_run_steps steps = (codec_run_steps)toward_zero + (codec_run_steps)above + (uint32_t)origin;
    __builtin_memcpy(out, &steps, sizeof steps);
}

// Stores the final positions; a position out of range becomes the origin.
CODEC_KERNEL void codec_cloth_store(const struct codec_cloth *cloth, const struct codec_view *view, uint32_t axis,
                                    int32_t *base) {
    const int32_t origin = view->x1[axis][0];
    const uint32_t columns = cloth->columns;
    for (uint32_t row = 0; row < cloth->rows; row++) {
        const float *even = cloth->now + axis * cloth->plane + 2 * (size_t)row * cloth->half, *odd = even + cloth->half;
        for (uint32_t k = 0; k < columns; k += 2 * CODEC_RUN_STEP) {
            uint32_t a[CODEC_RUN_STEP], b[CODEC_RUN_STEP];
            int32_t both[2 * CODEC_RUN_STEP];
            codec_round_run(even + k / 2, origin, a);
            codec_round_run(odd + k / 2, origin, b);
            for (uint32_t n = 0; n < CODEC_RUN_STEP; n++) {
                both[2 * n] = (int32_t)a[n];
                both[2 * n + 1] = (int32_t)b[n];
            }
            const uint32_t left = columns - k, count = left < 2 * CODEC_RUN_STEP ? left : 2 * CODEC_RUN_STEP;
            for (uint32_t n = 0; n < count; n++) {
                base[(size_t)row * columns + k + n] = both[n];
            }
        }
    }
}

// Computes the bases of the object's lattice from the baselines of its view. `spacing` is in 1/256 steps, at least 256.
CODEC_KERNEL void codec_cloth_run(const struct codec_object *object, const struct codec_view *view, uint32_t spacing,
                                  bool hex, float *scratch, int32_t *const base[3]) {
    const float length = (float)spacing * 0.00390625f;
    struct codec_cloth cloth = {
        .columns = object->columns,
        .rows = object->rows,
        .half = codec_cloth_half(object->columns),
        .hex = hex,
        .inverse = 1.0f / (length * length),
    };
    cloth.inverse_across = hex ? cloth.inverse : 0.5f * cloth.inverse;
    cloth.plane = 2 * (size_t)cloth.half * cloth.rows;
    cloth.now = scratch;
    cloth.before = scratch + 3 * cloth.plane;
    cloth.eighth = scratch + 6 * cloth.plane;
    cloth.pinned = (uint32_t *)(void *)(cloth.eighth + 2 * (size_t)cloth.half);
    for (uint32_t k = 0; k < 2 * cloth.half; k++) {
        cloth.eighth[k] = k < cloth.half ? 0.125f : 0.0f;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        codec_cloth_load(&cloth, view, axis);
    }
    codec_cloth_pin(&cloth, view);
    codec_cloth_play(&cloth);
    for (uint32_t axis = 0; axis < 3; axis++) {
        codec_cloth_store(&cloth, view, axis, base[axis]);
    }
}

#endif
