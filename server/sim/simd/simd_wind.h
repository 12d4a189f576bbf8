// SPDX-License-Identifier: MIT
// Air on rows of a lattice's triangles and on particles, WIDE_LANES of them at once; read once per vector width, by
// simd.c. The equations are those of wind.c, in the same order of arithmetic; what a particle gets from its triangles
// is added in the order of the triangles, as there.

#define wide_sine WIDE_NAME(wide_sine)
#define wide_air WIDE_NAME(wide_air)
#define wide_corner WIDE_NAME(wide_corner)
#define wide_corner_at WIDE_NAME(wide_corner_at)
#define wide_push WIDE_NAME(wide_push)
#define wide_push_of WIDE_NAME(wide_push_of)
#define wide_add_push WIDE_NAME(wide_add_push)
#define wide_ease WIDE_NAME(wide_ease)

// wind_sine
WIDE_FUNCTION wide wide_sine(wide turns) {
    const wide whole = wide_truncate(turns);
    const wide part = turns - whole;
    const wide one = wide_of(1.0f), half = wide_of(0.5f);
    const wide t = wide_select(wide_less(part, wide_of(0.0f)), part + one, part);
    const wide rise = wide_of(16.0f) * t * (half - t);
    const wide fall = wide_of(-16.0f) * (t - half) * (one - t);
    const wide s = wide_select(wide_less(t, half), rise, fall);
    return s * (wide_of(0.775f) + wide_of(0.225f) * wide_abs(s));
}

// wind_velocity
WIDE_FUNCTION struct wide_vector wide_air(const struct wind_air *air, struct wide_vector p) {
    const struct wide_vector velocity = wide_spread(air->velocity);
    if (air->gust == 0.0f) {
        return velocity;
    }
    const wide along = p.x + wide_of(0.6f) * p.z;
    const wide across = p.z - wide_of(0.4f) * p.x + wide_of(0.5f) * p.y;
    const wide slow = wide_sine(along * wide_of(0.16f) - wide_of(air->slow));
    const wide fast = wide_sine(across * wide_of(0.47f) + wide_of(air->fast));
    const wide turn = wide_sine(across * wide_of(0.11f) - wide_of(air->turn));
    const wide speed = wide_of(1.0f) + wide_of(air->gust) * (wide_of(0.65f) * slow + wide_of(0.35f) * fast);
    const wide sideways = wide_of(air->gust * WIND_GUST_TURN) * turn;
    return wide_add3(wide_scale3(velocity, speed), wide_scale3(wide_spread(air->sideways), sideways));
}

struct wide_corner {
    struct wide_vector x, d;
};

WIDE_FUNCTION struct wide_corner wide_corner_at(const struct wind_job *job, uint32_t i, uint32_t count) {
    return (struct wide_corner){.x = wide_load3(job->axes.x, i, count), .d = wide_load3(job->axes.d, i, count)};
}

// push_of
struct wide_push {
    struct wide_vector force; // N
    wide drag;                // kg/s
};

WIDE_FUNCTION struct wide_push wide_push_of(const struct wind_job *job, const struct wide_corner *a,
                                            const struct wide_corner *b, const struct wide_corner *c) {
    const wide zero = wide_of(0.0f);
    const struct wind_air *air = &job->air;
    const struct wide_vector u = wide_sub3(b->x, a->x), v = wide_sub3(c->x, a->x);
    const struct wide_vector cross = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const wide twice_area = wide_sqrt(wide_dot3(cross, cross));
    const struct wide_vector centre = wide_scale3(wide_add3(a->x, wide_add3(b->x, c->x)), wide_of(1.0f / 3.0f));
    const struct wide_vector moved = wide_add3(wide_add3(a->d, b->d), c->d);
    const struct wide_vector relative =
        wide_sub3(wide_air(air, centre), wide_scale3(moved, wide_of(air->per_second / 3.0f)));
    const wide through = wide_dot3(relative, cross);
    const wide drag = wide_of(job->density / 12.0f) * wide_abs(through);
    const wide un = wide_select(wide_less(zero, twice_area), through / twice_area, zero);
    const wide size = wide_of(job->density / 12.0f) * wide_abs(un) * un;
    return (struct wide_push){.force = wide_scale3(cross, size), .drag = drag};
}

WIDE_FUNCTION void wide_add_push(const struct wind_job *job, uint32_t i, uint32_t count, struct wide_push push) {
    wide_store3(job->push, i, count, wide_add3(wide_load3(job->push, i, count), push.force));
    wide_store(job->drag + i, wide_load(job->drag + i, count) + push.drag, count);
}

// Quads of particles a, a + 1, below, below + 1. Straight: triangles (a, below, a + 1) and (a + 1, below, below + 1);
// crossed: (a, below, below + 1) and (a, below + 1, a + 1). The order of the additions is that of a walk quad by quad.
WIDE_TARGET static void WIDE_NAME(wind_row)(const struct wind_job *job, uint32_t a, uint32_t below, uint32_t quads,
                                            bool crossed) {
    for (uint32_t i = 0; i < quads; i += WIDE_LANES) {
        const uint32_t count = quads - i < WIDE_LANES ? quads - i : WIDE_LANES;
        const uint32_t at = a + i;
        const uint32_t under = below + i;
        const struct wide_corner p = wide_corner_at(job, at, count), q = wide_corner_at(job, at + 1, count);
        const struct wide_corner r = wide_corner_at(job, under, count), s = wide_corner_at(job, under + 1, count);
        if (crossed) {
            const struct wide_push first = wide_push_of(job, &p, &r, &s);
            const struct wide_push second = wide_push_of(job, &p, &s, &q);
            wide_add_push(job, at + 1, count, second);
            wide_add_push(job, at, count, first);
            wide_add_push(job, at, count, second);
            wide_add_push(job, under + 1, count, first);
            wide_add_push(job, under + 1, count, second);
            wide_add_push(job, under, count, first);
        } else {
            const struct wide_push first = wide_push_of(job, &p, &r, &q);
            const struct wide_push second = wide_push_of(job, &q, &r, &s);
            wide_add_push(job, at + 1, count, first);
            wide_add_push(job, at + 1, count, second);
            wide_add_push(job, at, count, first);
            wide_add_push(job, under + 1, count, second);
            wide_add_push(job, under, count, first);
            wide_add_push(job, under, count, second);
        }
    }
}

// ease
WIDE_FUNCTION wide wide_ease(const struct wind_job *job, uint32_t i, uint32_t count) {
    const wide zero = wide_of(0.0f), one = wide_of(1.0f);
    const struct wide_vector push = wide_load3(job->push, i, count), force = wide_load3(job->force, i, count);
    const wide w = wide_load(job->axes.w + i, count), drag = wide_load(job->drag + i, count);
    const wide share = drag * w * wide_of(job->h);
    const wide size = wide_sqrt(wide_dot3(push, push));
    const wide u = size / drag;
    const struct wide_vector other = wide_add3(wide_spread(job->gravity), wide_scale3(force, w));
    const wide ahead = u - wide_of(job->h) * (wide_dot3(other, push) / size);
    const wide ratio = wide_least(wide_most(ahead / u, wide_of(-WIND_AHEAD_MAX)), wide_of(WIND_AHEAD_MAX));
    const wide end = wide_of(2.0f) * ratio / (one + wide_sqrt(one + wide_of(4.0f) * share * wide_abs(ratio)));
    const wide cube = share * share * share;
    const wide r = one + (one - one / (one + cube * cube)) * (end - one);
    const wide_mask is_eased = wide_both(wide_less(zero, size), wide_less(wide_of(WIND_EASED_FROM), share));
    const wide eased = wide_select(is_eased, r * wide_abs(r), one);
    wide_store3(job->force, i, count, wide_add3(force, wide_scale3(push, eased)));
    return share;
}

WIDE_TARGET static float WIDE_NAME(wind_ease)(const struct wind_job *job, uint32_t first, uint32_t end) {
    float shares[WIDE_LANES];
    wide most = wide_of(0.0f);
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        most = wide_most(wide_ease(job, i, end - i < WIDE_LANES ? end - i : WIDE_LANES), most);
    }
    wide_store(shares, most, WIDE_LANES);
    for (unsigned k = 1; k < WIDE_LANES; k++) {
        shares[0] = scalar_max(shares[k], shares[0]);
    }
    return shares[0];
}
