// SPDX-License-Identifier: MIT
// Air on triangles and on particles, SIMD_LANES of them at once, by the equations of wind.c; included once per vector
// width by simd.c. The forces on a particle are added in the order of its triangles.

#define simd_sine SIMD_NAME(simd_sine)
#define simd_air SIMD_NAME(simd_air)
#define simd_corner SIMD_NAME(simd_corner)
#define simd_corner_at SIMD_NAME(simd_corner_at)
#define simd_corner_in SIMD_NAME(simd_corner_in)
#define simd_push SIMD_NAME(simd_push)
#define simd_push_of SIMD_NAME(simd_push_of)
#define simd_add_push SIMD_NAME(simd_add_push)
#define simd_ease SIMD_NAME(simd_ease)

// The sine of `turns` full turns, within 0.0011: a parabola corrected by its own square. |turns| < 2³⁰.
SIMD_FUNCTION simd_f32 simd_sine(simd_f32 turns) {
    const simd_f32 whole = simd_truncate(turns);
    const simd_f32 part = turns - whole; // −1..1
    const simd_f32 one = simd_broadcast(1.0f), half = simd_broadcast(0.5f);
    const simd_f32 t = simd_select(simd_less(part, simd_broadcast(0.0f)), part + one, part);
    const simd_f32 rise = simd_broadcast(16.0f) * t * (half - t);
    const simd_f32 fall = simd_broadcast(-16.0f) * (t - half) * (one - t);
    const simd_f32 s = simd_select(simd_less(t, half), rise, fall);
    return s * (simd_broadcast(0.775f) + simd_broadcast(0.225f) * simd_abs(s));
}

// The velocity of the air at p.
SIMD_FUNCTION struct simd_vec3 simd_air(const struct wind_air *air, struct simd_vec3 p) {
    const struct simd_vec3 velocity = simd_broadcast3(air->velocity);
    if (air->gust == 0.0f) {
        return velocity;
    }
    const simd_f32 along = p.x + simd_broadcast(0.6f) * p.z;
    const simd_f32 across = p.z - simd_broadcast(0.4f) * p.x + simd_broadcast(0.5f) * p.y;
    const simd_f32 slow = simd_sine(along * simd_broadcast(0.16f) - simd_broadcast(air->slow));
    const simd_f32 fast = simd_sine(across * simd_broadcast(0.47f) + simd_broadcast(air->fast));
    const simd_f32 turn = simd_sine(across * simd_broadcast(0.11f) - simd_broadcast(air->turn));
    const simd_f32 speed = simd_broadcast(1.0f) +
                           simd_broadcast(air->gust) * (simd_broadcast(0.65f) * slow + simd_broadcast(0.35f) * fast);
    const simd_f32 sideways = simd_broadcast(air->gust * WIND_GUST_TURN) * turn;
    return simd_add3(simd_scale3(velocity, speed), simd_scale3(simd_broadcast3(air->sideways), sideways));
}

struct simd_corner {
    struct simd_vec3 x, d;
};

SIMD_FUNCTION struct simd_corner simd_corner_at(const struct wind_job *job, uint32_t i, uint32_t count) {
    return (struct simd_corner){.x = simd_load3(job->axes.x, i, count), .d = simd_load3(job->axes.d, i, count)};
}

struct simd_push {
    struct simd_vec3 force; // N
    simd_f32 drag;          // kg/s
};

// struct wind_push
SIMD_FUNCTION struct simd_push simd_push_of(const struct wind_job *job, const struct simd_corner *a,
                                            const struct simd_corner *b, const struct simd_corner *c) {
    const simd_f32 zero = simd_broadcast(0.0f);
    const struct wind_air *air = &job->air;
    const struct simd_vec3 u = simd_sub3(b->x, a->x), v = simd_sub3(c->x, a->x);
    const struct simd_vec3 cross = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const simd_f32 twice_area = simd_sqrt(simd_dot3(cross, cross));
    const struct simd_vec3 centre = simd_scale3(simd_add3(a->x, simd_add3(b->x, c->x)), simd_broadcast(1.0f / 3.0f));
    const struct simd_vec3 moved = simd_add3(simd_add3(a->d, b->d), c->d);
    const struct simd_vec3 relative =
        simd_sub3(simd_air(air, centre), simd_scale3(moved, simd_broadcast(air->per_second / 3.0f)));
    const simd_f32 through = simd_dot3(relative, cross);
    const simd_f32 drag = simd_broadcast(job->density / 12.0f) * simd_abs(through);
    const simd_f32 un = simd_select(simd_less(zero, twice_area), through / twice_area, zero);
    const simd_f32 size = simd_broadcast(job->density / 12.0f) * simd_abs(un) * un;
    return (struct simd_push){.force = simd_scale3(cross, size), .drag = drag};
}

SIMD_FUNCTION void simd_add_push(const struct wind_job *job, uint32_t i, uint32_t count, struct simd_push push) {
    simd_store3(job->push, i, count, simd_add3(simd_load3(job->push, i, count), push.force));
    simd_store(job->drag + i, simd_load(job->drag + i, count) + push.drag, count);
}

// Quads of particles a, a + 1, below, below + 1. Straight: triangles (a, below, a + 1) and (a + 1, below, below + 1);
// crossed: (a, below, below + 1) and (a, below + 1, a + 1). The order of the additions is that of a walk quad by quad.
SIMD_TARGET static void SIMD_NAME(wind_row)(const struct wind_job *job, uint32_t a, uint32_t below, uint32_t quads,
                                            bool crossed) {
    for (uint32_t i = 0; i < quads; i += SIMD_LANES) {
        const uint32_t count = quads - i < SIMD_LANES ? quads - i : SIMD_LANES;
        const uint32_t at = a + i;
        const uint32_t under = below + i;
        const struct simd_corner p = simd_corner_at(job, at, count), q = simd_corner_at(job, at + 1, count);
        const struct simd_corner r = simd_corner_at(job, under, count), s = simd_corner_at(job, under + 1, count);
        if (crossed) {
            const struct simd_push first = simd_push_of(job, &p, &r, &s);
            const struct simd_push second = simd_push_of(job, &p, &s, &q);
            simd_add_push(job, at + 1, count, second);
            simd_add_push(job, at, count, first);
            simd_add_push(job, at, count, second);
            simd_add_push(job, under + 1, count, first);
            simd_add_push(job, under + 1, count, second);
            simd_add_push(job, under, count, first);
        } else {
            const struct simd_push first = simd_push_of(job, &p, &r, &q);
            const struct simd_push second = simd_push_of(job, &q, &r, &s);
            simd_add_push(job, at + 1, count, first);
            simd_add_push(job, at + 1, count, second);
            simd_add_push(job, at, count, first);
            simd_add_push(job, under + 1, count, second);
            simd_add_push(job, under, count, first);
            simd_add_push(job, under, count, second);
        }
    }
}

// Triangles between any particles of a block that holds x and d of each.
SIMD_FUNCTION struct simd_corner simd_corner_in(const float *block, const uint32_t *particle) {
    const struct simd_particles x = simd_gather(block, particle), d = simd_gather(block + 4, particle);
    return (struct simd_corner){.x = {x.x, x.y, x.z}, .d = {d.x, d.y, d.z}};
}

SIMD_TARGET static void SIMD_NAME(wind_triangles)(const struct wind_job *job, const float *block,
                                                  const uint32_t *triangle, uint32_t count, struct wind_push *push) {
    uint32_t corner[3][SIMD_LANES];
    float made[SIMD_BLOCK * SIMD_LANES];
    for (uint32_t i = 0; i < count; i += SIMD_LANES) {
        const uint32_t lanes = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        for (uint32_t lane = 0; lane < SIMD_LANES; lane++) {
            const uint32_t *from = triangle + 3 * (size_t)(lane < lanes ? i + lane : i);
            corner[0][lane] = from[0];
            corner[1][lane] = from[1];
            corner[2][lane] = from[2];
        }
        const struct simd_corner a = simd_corner_in(block, corner[0]), b = simd_corner_in(block, corner[1]);
        const struct simd_corner c = simd_corner_in(block, corner[2]);
        const struct simd_push of = simd_push_of(job, &a, &b, &c);
        const struct simd_particles all = {of.force.x, of.force.y, of.force.z, of.drag};
        simd_scatter(made, simd_in_turn, &all);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            memcpy(&push[i + lane], made + SIMD_BLOCK * lane, sizeof *push);
        }
    }
}

SIMD_TARGET static void SIMD_NAME(wind_sums)(const struct wind_job *job, const float *block, uint32_t first,
                                             uint32_t end) {
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t lanes = end - i < SIMD_LANES ? end - i : SIMD_LANES;
        const struct simd_particles sum = simd_gather(block + SIMD_BLOCK * (size_t)(i - first), simd_in_turn);
        simd_store3(job->push, i, lanes, (struct simd_vec3){sum.x, sum.y, sum.z});
        simd_store(job->drag + i, sum.w, lanes);
    }
}

// The equation of an implicit step in wind.c.
SIMD_FUNCTION simd_f32 simd_ease(const struct wind_job *job, uint32_t i, uint32_t count) {
    const simd_f32 zero = simd_broadcast(0.0f), one = simd_broadcast(1.0f);
    const struct simd_vec3 push = simd_load3(job->push, i, count), force = simd_load3(job->force, i, count);
    const simd_f32 w = simd_load(job->axes.w + i, count), drag = simd_load(job->drag + i, count);
    const simd_f32 share = drag * w * simd_broadcast(job->h);
    const simd_f32 size = simd_sqrt(simd_dot3(push, push));
    const simd_f32 u = size / drag;
    const struct simd_vec3 other = simd_add3(simd_broadcast3(job->gravity), simd_scale3(force, w));
    const simd_f32 ahead = u - simd_broadcast(job->h) * (simd_dot3(other, push) / size);
    const simd_f32 ratio =
        simd_min(simd_max(ahead / u, simd_broadcast(-WIND_AHEAD_MAX)), simd_broadcast(WIND_AHEAD_MAX));
    const simd_f32 end =
        simd_broadcast(2.0f) * ratio / (one + simd_sqrt(one + simd_broadcast(4.0f) * share * simd_abs(ratio)));
    const simd_f32 cube = share * share * share;
    const simd_f32 r = one + (one - one / (one + cube * cube)) * (end - one);
    const simd_mask is_eased = simd_and(simd_less(zero, size), simd_less(simd_broadcast(WIND_EASED_FROM), share));
    const simd_f32 eased = simd_select(is_eased, r * simd_abs(r), one);
    simd_store3(job->force, i, count, simd_add3(force, simd_scale3(push, eased)));
    return share;
}

SIMD_TARGET static float SIMD_NAME(wind_ease)(const struct wind_job *job, uint32_t first, uint32_t end) {
    float shares[SIMD_LANES];
    simd_f32 most = simd_broadcast(0.0f);
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        most = simd_max(simd_ease(job, i, end - i < SIMD_LANES ? end - i : SIMD_LANES), most);
    }
    simd_store(shares, most, SIMD_LANES);
    for (unsigned k = 1; k < SIMD_LANES; k++) {
        shares[0] = scalar_max(shares[k], shares[0]);
    }
    return shares[0];
}
