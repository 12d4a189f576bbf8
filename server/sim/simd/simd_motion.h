// SPDX-License-Identifier: MIT
// Kernels that move SIMD_LANES particles at once: integration, the end of a substep, and speeds; included once per
// vector width by simd.c. The equations are those of step.c and still.c, in the same order of arithmetic, without
// branches.

#define simd_integrate SIMD_NAME(simd_integrate)
#define simd_place SIMD_NAME(simd_place)
#define simd_two_sum SIMD_NAME(simd_two_sum)
#define simd_ahead SIMD_NAME(simd_ahead)
#define simd_advance SIMD_NAME(simd_advance)
#define simd_settle SIMD_NAME(simd_settle)

// scalar_ahead
struct simd_place {
    simd_f32 at, low;
};
SIMD_FUNCTION struct simd_place simd_two_sum(simd_f32 a, simd_f32 b) {
    const simd_f32 at = a + b, added = at - a;
    return (struct simd_place){at, (a - (at - added)) + (b - added)};
}
SIMD_FUNCTION struct simd_place simd_ahead(const struct simd_axes *axes, unsigned k, uint32_t i, uint32_t count,
                                           simd_f32 d) {
    return simd_two_sum(simd_load(axes->x[k] + i, count), simd_load(axes->low[k] + i, count) + d);
}
SIMD_FUNCTION void simd_advance(const struct simd_axes *axes, unsigned k, uint32_t i, uint32_t count, simd_f32 d) {
    const struct simd_place ahead = simd_ahead(axes, k, i, count, d);
    simd_store(axes->ahead[k] + i, ahead.at, count);
    simd_store(axes->off[k] + i, ahead.low, count);
}

// d' = keep·d + (gravity + f·w)·h² where w > 0, else d; ahead + off = x + low + d'. Returns
// |d'|².
SIMD_FUNCTION simd_f32 simd_integrate(const struct simd_axes *axes, const struct simd_motion *motion, uint32_t i,
                                      uint32_t count) {
    const simd_f32 w = simd_load(axes->w + i, count);
    const simd_mask free = simd_less(simd_broadcast(0.0f), w);
    simd_f32 squared = simd_broadcast(0.0f);
    for (unsigned k = 0; k < 3; k++) {
        const simd_f32 before = simd_load(axes->d[k] + i, count);
        const simd_f32 acceleration = simd_broadcast(motion->gravity[k]) + simd_load(axes->f[k] + i, count) * w;
        const simd_f32 d = simd_select(
            free, simd_broadcast(motion->keep) * before + acceleration * simd_broadcast(motion->h2), before);
        simd_store(axes->d[k] + i, d, count);
        simd_advance(axes, k, i, count, d);
        squared = k == 0 ? d * d : squared + d * d;
    }
    return squared;
}

// Returns true if some d' is longer than the limit or not finite: then the caller shortens it and computes ahead + off
// anew.
SIMD_TARGET static bool SIMD_NAME(integrate)(const struct simd_axes *given, const struct simd_motion *given_motion,
                                             uint32_t first, uint32_t end) {
    const struct simd_axes axes = *given;
    const struct simd_motion motion = *given_motion;
    const simd_f32 longest = simd_broadcast(motion.longest_squared);
    bool any = false;
    uint32_t i = first;
    for (; i + SIMD_LANES <= end; i += SIMD_LANES) {
        any |= simd_any(simd_exceeds(simd_integrate(&axes, &motion, i, SIMD_LANES), longest));
    }
    if (i < end) {
        any |= simd_any(simd_exceeds(simd_integrate(&axes, &motion, i, end - i), longest));
    }
    return any;
}

// ahead + off = x + low + d
SIMD_TARGET static void SIMD_NAME(advance)(const struct simd_axes *axes, uint32_t first, uint32_t end) {
    for (unsigned k = 0; k < 3; k++) {
        for (uint32_t i = first; i < end; i += SIMD_LANES) {
            const uint32_t count = end - i < SIMD_LANES ? end - i : SIMD_LANES;
            simd_advance(axes, k, i, count, simd_load(axes->d[k] + i, count));
        }
    }
}

SIMD_FUNCTION void simd_settle(const struct simd_axes *axes, unsigned k, uint32_t i, uint32_t count) {
    const simd_f32 zero = simd_broadcast(0.0f);
    const simd_f32 at = simd_load(axes->ahead[k] + i, count), off = simd_load(axes->off[k] + i, count);
    const simd_f32 before = simd_load(axes->d[k] + i, count);
    const struct simd_place expected = simd_ahead(axes, k, i, count, before), to = simd_two_sum(at, off);
    const simd_f32 after = before + ((at - expected.at) + (off - expected.low)); // scalar_displacement
    const simd_f32 size = simd_select(simd_less(after, zero), -after, after);
    simd_store(axes->d[k] + i, simd_select(simd_less(size, simd_broadcast(SIM_DISPLACEMENT_MIN)), zero, after), count);
    simd_store(axes->ahead[k] + i, to.at, count);
    simd_store(axes->low[k] + i, to.low, count);
}

// Sets d to the displacement from x + low to ahead + off, and to 0 where it is next to nothing. That position, rounded,
// goes to `ahead`, the rest of it to low.
SIMD_TARGET static void SIMD_NAME(settle)(const struct simd_axes *given, uint32_t first, uint32_t end) {
    const struct simd_axes axes = *given;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t i = first;
        for (; i + SIMD_LANES <= end; i += SIMD_LANES) {
            simd_settle(&axes, k, i, SIMD_LANES);
        }
        if (i < end) {
            simd_settle(&axes, k, i, end - i);
        }
    }
}

// True if some d is longer than the limit or not finite.
SIMD_TARGET static bool SIMD_NAME(exceeds)(const struct simd_axes *axes, float longest_squared, uint32_t first,
                                           uint32_t end) {
    const simd_f32 most = simd_broadcast(longest_squared);
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t count = end - i < SIMD_LANES ? end - i : SIMD_LANES;
        const simd_f32 x = simd_load(axes->d[0] + i, count);
        const simd_f32 y = simd_load(axes->d[1] + i, count);
        const simd_f32 z = simd_load(axes->d[2] + i, count);
        if (simd_any(simd_exceeds(x * x + y * y + z * z, most))) {
            return true;
        }
    }
    return false;
}

// Positions in steps, modulo `turn` (still_place.h): less the nearest whole number of turns, like scalar_nearest_whole.
SIMD_TARGET static void SIMD_NAME(steps)(const float *position, float per_metre, float turn, int16_t *steps,
                                         uint32_t count) {
    const simd_f32 whole = simd_broadcast(SCALAR_NO_FRACTION), scale = simd_broadcast(per_metre);
    const simd_f32 turns = simd_broadcast(turn), per_turn = simd_broadcast(1.0f / turn);
    for (uint32_t i = 0; i < count; i += SIMD_LANES) {
        const uint32_t lanes = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        const simd_f32 all = simd_load(position + i, lanes) * scale;
        const simd_f32 nearest = (all * per_turn + whole) - whole;
        simd_store_shorts(steps + i, all - turns * nearest, lanes);
    }
}
