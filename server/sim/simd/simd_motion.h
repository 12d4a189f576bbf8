// SPDX-License-Identifier: MIT
// The kernels that move WIDE_LANES particles at once: integration, the end of a substep, and speeds; read once per
// vector width, by simd.c. The equations are those of step.c and still.c, in the same order of arithmetic, without
// branches.

#define wide_integrate WIDE_NAME(wide_integrate)
#define wide_place WIDE_NAME(wide_place)
#define wide_sum WIDE_NAME(wide_sum)
#define wide_ahead WIDE_NAME(wide_ahead)
#define wide_advance WIDE_NAME(wide_advance)
#define wide_settle WIDE_NAME(wide_settle)

// scalar_ahead
struct wide_place {
    wide at, low;
};
WIDE_FUNCTION struct wide_place wide_sum(wide a, wide b) {
    const wide at = a + b, added = at - a;
    return (struct wide_place){at, (a - (at - added)) + (b - added)};
}
WIDE_FUNCTION struct wide_place wide_ahead(const struct wide_axes *axes, unsigned k, uint32_t i, uint32_t count,
                                           wide d) {
    return wide_sum(wide_load(axes->x[k] + i, count), wide_load(axes->low[k] + i, count) + d);
}
WIDE_FUNCTION void wide_advance(const struct wide_axes *axes, unsigned k, uint32_t i, uint32_t count, wide d) {
    const struct wide_place ahead = wide_ahead(axes, k, i, count, d);
    wide_store(axes->ahead[k] + i, ahead.at, count);
    wide_store(axes->off[k] + i, ahead.low, count);
}

// d' = keep·d + (gravity + f·w)·h² where w > 0, else d; ahead + off = x + low + d'. Returns
// |d'|².
WIDE_FUNCTION wide wide_integrate(const struct wide_axes *axes, const struct wide_motion *motion, uint32_t i,
                                  uint32_t count) {
    const wide w = wide_load(axes->w + i, count);
    const wide_mask free = wide_less(wide_of(0.0f), w);
    wide squared = wide_of(0.0f);
    for (unsigned k = 0; k < 3; k++) {
        const wide before = wide_load(axes->d[k] + i, count);
        const wide acceleration = wide_of(motion->gravity[k]) + wide_load(axes->f[k] + i, count) * w;
        const wide d = wide_select(free, wide_of(motion->keep) * before + acceleration * wide_of(motion->h2), before);
        wide_store(axes->d[k] + i, d, count);
        wide_advance(axes, k, i, count, d);
        squared = k == 0 ? d * d : squared + d * d;
    }
    return squared;
}

// Returns whether some d' is longer than it may be, or not finite: then what is too long has to be shortened, and
// ahead + off found anew.
WIDE_TARGET static bool WIDE_NAME(integrate)(const struct wide_axes *given, const struct wide_motion *given_motion,
                                             uint32_t first, uint32_t end) {
    const struct wide_axes axes = *given;
    const struct wide_motion motion = *given_motion;
    const wide longest = wide_of(motion.longest_squared);
    bool any = false;
    uint32_t i = first;
    for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
        any |= wide_any(wide_exceeds(wide_integrate(&axes, &motion, i, WIDE_LANES), longest));
    }
    if (i < end) {
        any |= wide_any(wide_exceeds(wide_integrate(&axes, &motion, i, end - i), longest));
    }
    return any;
}

// ahead + off = x + low + d
WIDE_TARGET static void WIDE_NAME(advance)(const struct wide_axes *axes, uint32_t first, uint32_t end) {
    for (unsigned k = 0; k < 3; k++) {
        for (uint32_t i = first; i < end; i += WIDE_LANES) {
            const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
            wide_advance(axes, k, i, count, wide_load(axes->d[k] + i, count));
        }
    }
}

WIDE_FUNCTION void wide_settle(const struct wide_axes *axes, unsigned k, uint32_t i, uint32_t count) {
    const wide zero = wide_of(0.0f);
    const wide at = wide_load(axes->ahead[k] + i, count), off = wide_load(axes->off[k] + i, count);
    const wide before = wide_load(axes->d[k] + i, count);
    const struct wide_place expected = wide_ahead(axes, k, i, count, before), to = wide_sum(at, off);
    const wide after = before + ((at - expected.at) + (off - expected.low)); // scalar_displacement
    const wide size = wide_select(wide_less(after, zero), -after, after);
    wide_store(axes->d[k] + i, wide_select(wide_less(size, wide_of(SIM_DISPLACEMENT_MIN)), zero, after), count);
    wide_store(axes->ahead[k] + i, to.at, count);
    wide_store(axes->low[k] + i, to.low, count);
}

// d becomes what led from x + low to ahead + off, and 0 for what is next to nothing. That place, rounded, goes to
// `ahead`, what is left of it to low.
WIDE_TARGET static void WIDE_NAME(settle)(const struct wide_axes *given, uint32_t first, uint32_t end) {
    const struct wide_axes axes = *given;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t i = first;
        for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
            wide_settle(&axes, k, i, WIDE_LANES);
        }
        if (i < end) {
            wide_settle(&axes, k, i, end - i);
        }
    }
}

// Whether some d is longer than it may be, or not finite.
WIDE_TARGET static bool WIDE_NAME(exceeds)(const struct wide_axes *axes, float longest_squared, uint32_t first,
                                           uint32_t end) {
    const wide most = wide_of(longest_squared);
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
        const wide x = wide_load(axes->d[0] + i, count);
        const wide y = wide_load(axes->d[1] + i, count);
        const wide z = wide_load(axes->d[2] + i, count);
        if (wide_any(wide_exceeds(x * x + y * y + z * z, most))) {
            return true;
        }
    }
    return false;
}

// Places in steps, modulo `turn` of them (still.c): less the nearest whole number of turns, as scalar_nearest_whole.
WIDE_TARGET static void WIDE_NAME(steps)(const float *position, float per_metre, float turn, int16_t *steps,
                                         uint32_t count) {
    const wide whole = wide_of(SCALAR_NO_FRACTION), scale = wide_of(per_metre);
    const wide turns = wide_of(turn), per_turn = wide_of(1.0f / turn);
    for (uint32_t i = 0; i < count; i += WIDE_LANES) {
        const uint32_t lanes = count - i < WIDE_LANES ? count - i : WIDE_LANES;
        const wide all = wide_load(position + i, lanes) * scale;
        const wide nearest = (all * per_turn + whole) - whole;
        wide_store_shorts(steps + i, all - turns * nearest, lanes);
    }
}
