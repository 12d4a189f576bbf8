// SPDX-License-Identifier: MIT
// The kernels of a tick that run WIDE_LANES particles or sticks at once; read once per vector width, by wide.c. The
// equations are those of kernel.h (sticks) and step.c (integration), in the same order of arithmetic, without branches.
//
// Sticks come in two arrangements (stick_plan.c): runs, whose ends lie side by side in the arrays of coordinates, and
// batches of a colour from anywhere in a block of particles stored x, y, z, w, which are turned over in registers.

#define wide_move WIDE_NAME(wide_move)
#define wide_stick WIDE_NAME(wide_stick)
#define wide_project_any WIDE_NAME(wide_project_any)
#define wide_project WIDE_NAME(wide_project)
#define wide_yield WIDE_NAME(wide_yield)
#define wide_apart WIDE_NAME(wide_apart)
#define wide_integrate WIDE_NAME(wide_integrate)
#define wide_settle WIDE_NAME(wide_settle)
#define wide_row_to_row WIDE_NAME(wide_row_to_row)
#define wide_within WIDE_NAME(wide_within)
#define wide_pair WIDE_NAME(wide_pair)
#define wide_deal WIDE_NAME(wide_deal)
#define wide_collect WIDE_NAME(wide_collect)
#define wide_side_by_side WIDE_NAME(wide_side_by_side)
#define wide_particles WIDE_NAME(wide_particles)
#define wide_take WIDE_NAME(wide_take)
#define wide_give WIDE_NAME(wide_give)
#define wide_batch WIDE_NAME(wide_batch)
#define wide_begin WIDE_NAME(wide_begin)
#define wide_end_batch WIDE_NAME(wide_end_batch)

// ---- one stick per lane ------------------------------------------------------------------------------------------

struct wide_stick {
    wide dx, dy, dz; // δ
    wide sx, sy, sz; // δ°, for STICK_START
    wide w;          // w1 + w2
    wide rest;
    wide alpha, lambda; // for STICK_COMPLIANT
};

// p1 += w1·share·(x, y, z), p2 −= w2·share·(x, y, z)
struct wide_move {
    wide share, x, y, z;
};

// Of any stick but a compliant one, also where its ends coincide or neither of them moves. `over` / `under` is the
// share of one that is neither.
WIDE_FUNCTION struct wide_move wide_project_any(const struct wide_stick *stick, wide squared, wide over, wide under,
                                                enum stick_form form) {
    const wide zero = wide_of(0.0f);
    const wide rest_squared = stick->rest * stick->rest;
    struct wide_move move = {.x = stick->dx, .y = stick->dy, .z = stick->dz};
    const wide_mask together = wide_less(squared, wide_of(KERNEL_COINCIDE_SQUARED));
    over = wide_select(together, wide_of(-1.0f), over);
    under = wide_select(together, stick->w, under);
    move.x = wide_select(together, stick->rest, move.x);
    move.y = wide_select(together, zero, move.y);
    move.z = wide_select(together, zero, move.z);
    if (form == STICK_START) {
        const wide along = stick->dx * stick->sx + stick->dy * stick->sy + stick->dz * stick->sz;
        const wide longest = wide_select(wide_less(squared, rest_squared), rest_squared, squared);
        const wide_mask far = wide_less(wide_of(4.0f) * along, longest);
        over = wide_select(far, over, squared - rest_squared);
        under = wide_select(far, under, wide_of(2.0f) * stick->w * along);
        move.x = wide_select(far, move.x, stick->sx);
        move.y = wide_select(far, move.y, stick->sy);
        move.z = wide_select(far, move.z, stick->sz);
    }
    move.share = wide_select(wide_less(zero, stick->w), over / under, zero);
    return move;
}

// Hardly any vector has a stick that needs the choices of `wide_project_any`: it is asked once whether this one has.
WIDE_FUNCTION struct wide_move wide_project(const struct wide_stick *stick, enum stick_form form) {
    const wide squared = stick->dx * stick->dx + stick->dy * stick->dy + stick->dz * stick->dz;
    wide over;
    wide under;
    if (form == STICK_APPROXIMATE) {
        const wide rest_squared = stick->rest * stick->rest;
        over = squared - rest_squared;
        under = (squared + rest_squared) * stick->w;
    } else {
        const wide length = wide_sqrt(squared);
        over = length - stick->rest;
        under = length * stick->w;
    }
    const wide_mask together = wide_less(squared, wide_of(KERNEL_COINCIDE_SQUARED));
    const wide_mask stays = wide_less(stick->w, wide_of(FLT_MIN));
    if (form != STICK_START && __builtin_expect(wide_neither(together, stays), true)) {
        return (struct wide_move){.share = over / under, .x = stick->dx, .y = stick->dy, .z = stick->dz};
    }
    return wide_project_any(stick, squared, over, under, form);
}

// Of a compliant stick; λ becomes what it has pulled since the substep began.
WIDE_FUNCTION struct wide_move wide_yield(struct wide_stick *stick) {
    const wide zero = wide_of(0.0f), one = wide_of(1.0f);
    const wide length = wide_sqrt(stick->dx * stick->dx + stick->dy * stick->dy + stick->dz * stick->dz);
    const wide_mask together = wide_less(length * length, wide_of(KERNEL_COINCIDE_SQUARED));
    const wide_mask moves = wide_less(zero, stick->w);
    const wide missing = stick->rest - length - stick->alpha * stick->lambda;
    const wide pulled = stick->lambda + missing / (stick->w + stick->alpha);
    const wide share = (stick->lambda - pulled) / wide_select(together, one, length);
    stick->lambda = wide_select(moves, pulled, stick->lambda);
    return (struct wide_move){
        .share = wide_select(moves, share, zero),
        .x = wide_select(together, one, stick->dx),
        .y = wide_select(together, zero, stick->dy),
        .z = wide_select(together, zero, stick->dz),
    };
}

// ---- runs --------------------------------------------------------------------------------------------------------

// The kernels below take the rest of a run, what does not fill a vector, by the same words with another `count`: where
// it is the constant WIDE_LANES nothing is masked. They copy `at`, so that no store can be thought to change it, and
// count in size_t, so that an address is a register of its own.

// Sticks from `count` particles of row `a` to the same of row `b`, from number `i` on.
WIDE_FUNCTION void wide_apart(const struct kernel_particles *a, const struct kernel_particles *b, size_t i,
                              uint32_t count, wide rest, enum stick_form form) {
    struct wide_stick stick = {.rest = rest};
    const wide wa = wide_load(a->w + i, count), wb = wide_load(b->w + i, count);
    const wide xa = wide_load(a->px + i, count), xb = wide_load(b->px + i, count);
    const wide ya = wide_load(a->py + i, count), yb = wide_load(b->py + i, count);
    const wide za = wide_load(a->pz + i, count), zb = wide_load(b->pz + i, count);
    stick.dx = xb - xa;
    stick.dy = yb - ya;
    stick.dz = zb - za;
    stick.w = wa + wb;
    if (form == STICK_START) {
        stick.sx = wide_load(b->x + i, count) - wide_load(a->x + i, count);
        stick.sy = wide_load(b->y + i, count) - wide_load(a->y + i, count);
        stick.sz = wide_load(b->z + i, count) - wide_load(a->z + i, count);
    }
    const struct wide_move move = wide_project(&stick, form);
    const wide sa = wa * move.share, sb = wb * move.share;
    wide_store(a->px + i, xa + sa * move.x, count);
    wide_store(a->py + i, ya + sa * move.y, count);
    wide_store(a->pz + i, za + sa * move.z, count);
    wide_store(b->px + i, xb - sb * move.x, count);
    wide_store(b->py + i, yb - sb * move.y, count);
    wide_store(b->pz + i, zb - sb * move.z, count);
}

// Sticks from each of a row of particles to the same of another row.
WIDE_FUNCTION void wide_row_to_row(const struct kernel_particles *at, const struct stick_run *run,
                                   enum stick_form form) {
    const struct kernel_particles a = kernel_particles_from(at, run->a), b = kernel_particles_from(at, run->b);
    const uint32_t count = run->count;
    const wide rest = wide_of(run->rest);
    size_t i = 0;
    for (; i + WIDE_LANES <= count; i += WIDE_LANES) {
        wide_apart(&a, &b, i, WIDE_LANES, rest, form);
    }
    if (i < count) {
        wide_apart(&a, &b, i, count - (uint32_t)i, rest, form);
    }
}

// `count` particles that follow one another, dealt out to two vectors, by ones 0 2 … and 1 3 …, by twos 0 1 4 5 … and
// 2 3 6 7 …, in whatever order of lanes is had without crossing the quarters of a vector.
struct wide_pair {
    wide a, b;
};

WIDE_FUNCTION struct wide_pair wide_deal(const float *from, uint32_t count, bool by_twos) {
    const uint32_t count_low = count < WIDE_LANES ? count : WIDE_LANES;
    const wide low = wide_load(from, count_low);
    const wide high = wide_load(from + WIDE_LANES, count - count_low);
    if (by_twos) {
        return (struct wide_pair){__builtin_shufflevector(low, high, WIDE_HALVES_LOW),
                                  __builtin_shufflevector(low, high, WIDE_HALVES_HIGH)};
    }
    return (struct wide_pair){__builtin_shufflevector(low, high, WIDE_EVEN),
                              __builtin_shufflevector(low, high, WIDE_ODD)};
}

WIDE_FUNCTION void wide_collect(float *to, uint32_t count, wide a, wide b, bool by_twos) {
    const uint32_t count_low = count < WIDE_LANES ? count : WIDE_LANES;
    const wide low =
        by_twos ? __builtin_shufflevector(a, b, WIDE_HALVES_LOW) : __builtin_shufflevector(a, b, WIDE_UNPACK_LOW);
    const wide high =
        by_twos ? __builtin_shufflevector(a, b, WIDE_HALVES_HIGH) : __builtin_shufflevector(a, b, WIDE_UNPACK_HIGH);
    wide_store(to, low, count_low);
    wide_store(to + WIDE_LANES, high, count - count_low);
}

// Sticks between `count` particles from `first` on.
WIDE_FUNCTION void wide_within(const struct kernel_particles *at, size_t first, uint32_t count, wide rest,
                               enum stick_form form, bool by_twos) {
    struct wide_stick stick = {.rest = rest};
    const struct wide_pair w = wide_deal(at->w + first, count, by_twos);
    const struct wide_pair x = wide_deal(at->px + first, count, by_twos);
    const struct wide_pair y = wide_deal(at->py + first, count, by_twos);
    const struct wide_pair z = wide_deal(at->pz + first, count, by_twos);
    stick.dx = x.b - x.a;
    stick.dy = y.b - y.a;
    stick.dz = z.b - z.a;
    stick.w = w.a + w.b;
    if (form == STICK_START) {
        const struct wide_pair sx = wide_deal(at->x + first, count, by_twos);
        const struct wide_pair sy = wide_deal(at->y + first, count, by_twos);
        const struct wide_pair sz = wide_deal(at->z + first, count, by_twos);
        stick.sx = sx.b - sx.a;
        stick.sy = sy.b - sy.a;
        stick.sz = sz.b - sz.a;
    }
    const struct wide_move move = wide_project(&stick, form);
    const wide sa = w.a * move.share, sb = w.b * move.share;
    wide_collect(at->px + first, count, x.a + sa * move.x, x.b - sb * move.x, by_twos);
    wide_collect(at->py + first, count, y.a + sa * move.y, y.b - sb * move.y, by_twos);
    wide_collect(at->pz + first, count, z.a + sa * move.z, z.b - sb * move.z, by_twos);
}

// Sticks between the particles of one row, taken in pairs: 0–1, 2–3, …; by twos 0–2, 1–3, 4–6, 5–7, ….
WIDE_FUNCTION void wide_side_by_side(const struct kernel_particles *given, const struct stick_run *run,
                                     enum stick_form form, bool by_twos) {
    const struct kernel_particles at = kernel_particles_from(given, run->a);
    const uint32_t count = 2 * run->count;
    const wide rest = wide_of(run->rest);
    size_t i = 0;
    for (; i + 2 * WIDE_LANES <= count; i += 2 * WIDE_LANES) {
        wide_within(&at, i, 2 * WIDE_LANES, rest, form, by_twos);
    }
    if (i < count) {
        wide_within(&at, i, count - (uint32_t)i, rest, form, by_twos);
    }
}

WIDE_FUNCTION void WIDE_NAME(wide_runs)(const struct kernel_particles *at, const struct stick_run *runs, uint32_t count,
                                        enum stick_form form) {
    for (uint32_t i = 0; i < count; i++) {
        const struct stick_run *run = &runs[i];
        if (run->shape == STICK_RUN_APART) {
            wide_row_to_row(at, run, form);
        } else if (run->shape == STICK_RUN_PAIRS) {
            wide_side_by_side(at, run, form, false);
        } else {
            wide_side_by_side(at, run, form, true);
        }
    }
}

// A function of its own for each form, so that the form is a constant in it.
WIDE_TARGET static void WIDE_NAME(relax_runs)(const struct kernel_particles *at, const struct stick_run *runs,
                                              uint32_t count, enum stick_form form) {
    if (form == STICK_EXACT) {
        WIDE_NAME(wide_runs)(at, runs, count, STICK_EXACT);
    } else if (form == STICK_APPROXIMATE) {
        WIDE_NAME(wide_runs)(at, runs, count, STICK_APPROXIMATE);
    } else {
        WIDE_NAME(wide_runs)(at, runs, count, STICK_START);
    }
}

// ---- blocks ------------------------------------------------------------------------------------------------------

struct wide_particles {
    wide x, y, z, w;
};

// The particles that `index` names, one per lane.
WIDE_FUNCTION struct wide_particles wide_take(const float *block, const uint32_t *index) {
    const wide q0 = wide_quad(block, index), q1 = wide_quad(block, index + 1);
    const wide q2 = wide_quad(block, index + 2), q3 = wide_quad(block, index + 3);
    const wide xy0 = __builtin_shufflevector(q0, q1, WIDE_UNPACK_LOW);
    const wide zw0 = __builtin_shufflevector(q0, q1, WIDE_UNPACK_HIGH);
    const wide xy1 = __builtin_shufflevector(q2, q3, WIDE_UNPACK_LOW);
    const wide zw1 = __builtin_shufflevector(q2, q3, WIDE_UNPACK_HIGH);
    return (struct wide_particles){
        .x = __builtin_shufflevector(xy0, xy1, WIDE_HALVES_LOW),
        .y = __builtin_shufflevector(xy0, xy1, WIDE_HALVES_HIGH),
        .z = __builtin_shufflevector(zw0, zw1, WIDE_HALVES_LOW),
        .w = __builtin_shufflevector(zw0, zw1, WIDE_HALVES_HIGH),
    };
}

WIDE_FUNCTION void wide_give(float *block, const uint32_t *index, const struct wide_particles *p) {
    const wide xy0 = __builtin_shufflevector(p->x, p->y, WIDE_UNPACK_LOW);
    const wide xy1 = __builtin_shufflevector(p->x, p->y, WIDE_UNPACK_HIGH);
    const wide zw0 = __builtin_shufflevector(p->z, p->w, WIDE_UNPACK_LOW);
    const wide zw1 = __builtin_shufflevector(p->z, p->w, WIDE_UNPACK_HIGH);
    wide_put_quad(block, index, __builtin_shufflevector(xy0, zw0, WIDE_HALVES_LOW));
    wide_put_quad(block, index + 1, __builtin_shufflevector(xy0, zw0, WIDE_HALVES_HIGH));
    wide_put_quad(block, index + 2, __builtin_shufflevector(xy1, zw1, WIDE_HALVES_LOW));
    wide_put_quad(block, index + 3, __builtin_shufflevector(xy1, zw1, WIDE_HALVES_HIGH));
}

// Sticks of a colour, one per lane.
struct wide_batch {
    const uint32_t *a, *b; // a particle per lane
    uint32_t count;        // lanes that have a stick
    struct wide_particles pa, pb;
};

// Those from number `first` on. Lanes without a stick work on `spare`, a particle of the block that nothing moves; who
// they are then is kept in `ends`.
WIDE_FUNCTION struct wide_batch wide_begin(const float *block, const struct stick_batches *sticks, uint32_t first,
                                           uint32_t spare, uint32_t (*ends)[WIDE_LANES]) {
    const uint32_t left = sticks->count - first;
    struct wide_batch batch = {.a = sticks->a + first, .b = sticks->b + first, .count = WIDE_LANES};
    if (left < WIDE_LANES) {
        wide_fill_up(ends[0], batch.a, left, spare);
        wide_fill_up(ends[1], batch.b, left, spare);
        batch = (struct wide_batch){.a = ends[0], .b = ends[1], .count = left};
    }
    batch.pa = wide_take(block, batch.a);
    batch.pb = wide_take(block, batch.b);
    return batch;
}

WIDE_FUNCTION void wide_end_batch(float *block, struct wide_batch *batch, const struct wide_move *move) {
    const wide sa = batch->pa.w * move->share, sb = batch->pb.w * move->share;
    batch->pa.x += sa * move->x;
    batch->pa.y += sa * move->y;
    batch->pa.z += sa * move->z;
    batch->pb.x -= sb * move->x;
    batch->pb.y -= sb * move->y;
    batch->pb.z -= sb * move->z;
    wide_give(block, batch->a, &batch->pa);
    wide_give(block, batch->b, &batch->pb);
}

// The sticks of one colour. They share no particle, so a batch is begun while the one before still waits for its root
// and its quotient; in turn, a sixth of the time would be spent waiting.
WIDE_FUNCTION void WIDE_NAME(wide_colour)(float *block, const struct stick_batches *sticks, uint32_t spare,
                                          enum stick_form form) {
    struct wide_stick stick = {.alpha = wide_of(sticks->alpha)};
    uint32_t ends[2][WIDE_LANES];
    if (sticks->count == 0) {
        return;
    }
    struct wide_batch next = wide_begin(block, sticks, 0, spare, ends);
    for (uint32_t i = 0; i < sticks->count; i += WIDE_LANES) {
        struct wide_batch batch = next;
        stick.dx = batch.pb.x - batch.pa.x;
        stick.dy = batch.pb.y - batch.pa.y;
        stick.dz = batch.pb.z - batch.pa.z;
        stick.w = batch.pa.w + batch.pb.w;
        stick.rest = wide_load(sticks->rest + i, batch.count);
        if (form == STICK_COMPLIANT) {
            stick.lambda = wide_load(sticks->lambda + i, batch.count);
        }
        const struct wide_move move = form == STICK_COMPLIANT ? wide_yield(&stick) : wide_project(&stick, form);
        if (sticks->count - i > WIDE_LANES) {
            next = wide_begin(block, sticks, i + WIDE_LANES, spare, ends);
        }
        wide_end_batch(block, &batch, &move);
        if (form == STICK_COMPLIANT) {
            wide_store(sticks->lambda + i, stick.lambda, batch.count);
        }
    }
}

WIDE_TARGET static void WIDE_NAME(relax_colour)(float *block, const struct stick_batches *sticks, uint32_t spare,
                                                enum stick_form form) {
    if (form == STICK_COMPLIANT) {
        WIDE_NAME(wide_colour)(block, sticks, spare, STICK_COMPLIANT);
    } else if (form == STICK_EXACT) {
        WIDE_NAME(wide_colour)(block, sticks, spare, STICK_EXACT);
    } else {
        WIDE_NAME(wide_colour)(block, sticks, spare, STICK_APPROXIMATE);
    }
}

// Between arrays of coordinates and a block, which has room for whole batches and is filled up with zeros.
WIDE_TARGET static void WIDE_NAME(fill_block)(float *block, const struct kernel_particles *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i += WIDE_LANES) {
        const uint32_t lanes = count - i < WIDE_LANES ? count - i : WIDE_LANES;
        const struct wide_particles p = {
            .x = wide_load(at->px + i, lanes),
            .y = wide_load(at->py + i, lanes),
            .z = wide_load(at->pz + i, lanes),
            .w = wide_load(at->w + i, lanes),
        };
        wide_give(block + 4 * (size_t)i, wide_in_turn, &p);
    }
}

WIDE_TARGET static void WIDE_NAME(drain_block)(const float *block, const struct kernel_particles *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i += WIDE_LANES) {
        const uint32_t lanes = count - i < WIDE_LANES ? count - i : WIDE_LANES;
        const struct wide_particles p = wide_take(block + 4 * (size_t)i, wide_in_turn);
        wide_store(at->px + i, p.x, lanes);
        wide_store(at->py + i, p.y, lanes);
        wide_store(at->pz + i, p.z, lanes);
    }
}

// ---- objects that are alike ----------------------------------------------------------------------------------------

// Stick after stick, of one object in each lane.
WIDE_FUNCTION void WIDE_NAME(wide_shared)(float *block, const struct stick_batches *sticks, enum stick_form form) {
    struct wide_stick stick = {.alpha = wide_of(sticks->alpha)};
    for (uint32_t i = 0; i < sticks->count; i++) {
        float *a = block + 4 * (size_t)WIDE_LANES * sticks->a[i];
        float *b = block + 4 * (size_t)WIDE_LANES * sticks->b[i];
        const wide xa = wide_load(a, WIDE_LANES), xb = wide_load(b, WIDE_LANES);
        const wide ya = wide_load(a + WIDE_LANES, WIDE_LANES), yb = wide_load(b + WIDE_LANES, WIDE_LANES);
        const wide za = wide_load(a + 2 * WIDE_LANES, WIDE_LANES), zb = wide_load(b + 2 * WIDE_LANES, WIDE_LANES);
        const wide wa = wide_load(a + 3 * WIDE_LANES, WIDE_LANES), wb = wide_load(b + 3 * WIDE_LANES, WIDE_LANES);
        stick.dx = xb - xa;
        stick.dy = yb - ya;
        stick.dz = zb - za;
        stick.w = wa + wb;
        stick.rest = wide_of(sticks->rest[i]);
        struct wide_move move;
        if (form == STICK_COMPLIANT) {
            stick.lambda = wide_load(sticks->lambda + (size_t)WIDE_LANES * i, WIDE_LANES);
            move = wide_yield(&stick);
            wide_store(sticks->lambda + (size_t)WIDE_LANES * i, stick.lambda, WIDE_LANES);
        } else {
            move = wide_project(&stick, form);
        }
        const wide sa = wa * move.share, sb = wb * move.share;
        wide_store(a, xa + sa * move.x, WIDE_LANES);
        wide_store(a + WIDE_LANES, ya + sa * move.y, WIDE_LANES);
        wide_store(a + 2 * WIDE_LANES, za + sa * move.z, WIDE_LANES);
        wide_store(b, xb - sb * move.x, WIDE_LANES);
        wide_store(b + WIDE_LANES, yb - sb * move.y, WIDE_LANES);
        wide_store(b + 2 * WIDE_LANES, zb - sb * move.z, WIDE_LANES);
    }
}

WIDE_TARGET static void WIDE_NAME(relax_shared)(float *block, const struct stick_batches *sticks,
                                                enum stick_form form) {
    if (form == STICK_COMPLIANT) {
        WIDE_NAME(wide_shared)(block, sticks, STICK_COMPLIANT);
    } else if (form == STICK_EXACT) {
        WIDE_NAME(wide_shared)(block, sticks, STICK_EXACT);
    } else {
        WIDE_NAME(wide_shared)(block, sticks, STICK_APPROXIMATE);
    }
}

WIDE_TARGET static void WIDE_NAME(fill_shared)(float *block, const struct kernel_particles *at, uint32_t particles) {
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        for (uint32_t i = 0; i < particles; i++) {
            const size_t from = (size_t)lane * particles + i;
            float *to = block + 4 * (size_t)WIDE_LANES * i + lane;
            to[0] = at->px[from];
            to[WIDE_LANES] = at->py[from];
            to[2 * WIDE_LANES] = at->pz[from];
            to[3 * WIDE_LANES] = at->w[from];
        }
    }
}

WIDE_TARGET static void WIDE_NAME(drain_shared)(const float *block, const struct kernel_particles *at,
                                                uint32_t particles) {
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        for (uint32_t i = 0; i < particles; i++) {
            const size_t to = (size_t)lane * particles + i;
            const float *from = block + 4 * (size_t)WIDE_LANES * i + lane;
            at->px[to] = from[0];
            at->py[to] = from[WIDE_LANES];
            at->pz[to] = from[2 * WIDE_LANES];
        }
    }
}

// ---- integration -------------------------------------------------------------------------------------------------

// d' = keep·d + (gravity + f·w)·h² where w > 0, else d; p = x + d'. Returns |d'|².
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
        wide_store(axes->p[k] + i, wide_load(axes->x[k] + i, count) + d, count);
        squared = k == 0 ? d * d : squared + d * d;
    }
    return squared;
}

// Returns whether some d' is longer than it may be, or not finite: then what is too long has to be shortened, and p
// found anew.
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

// p = x + d
WIDE_TARGET static void WIDE_NAME(advance)(const struct wide_axes *axes, uint32_t first, uint32_t end) {
    for (unsigned k = 0; k < 3; k++) {
        for (uint32_t i = first; i < end; i += WIDE_LANES) {
            const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
            wide_store(axes->p[k] + i, wide_load(axes->x[k] + i, count) + wide_load(axes->d[k] + i, count), count);
        }
    }
}

WIDE_FUNCTION void wide_settle(float *d, const float *p, const float *x, uint32_t count) {
    const wide zero = wide_of(0.0f);
    const wide before = wide_load(d, count);
    const wide moved = wide_load(p, count) - (wide_load(x, count) + before);
    const wide after = before + moved;
    const wide size = wide_select(wide_less(after, zero), -after, after);
    wide_store(d, wide_select(wide_less(size, wide_of(SIM_DISPLACEMENT_MIN)), zero, after), count);
}

// d ← d' + (p − (x + d')), and 0 for what is next to nothing.
WIDE_TARGET static void WIDE_NAME(settle)(const struct wide_axes *axes, uint32_t first, uint32_t end) {
    for (unsigned k = 0; k < 3; k++) {
        float *const d = axes->d[k];
        const float *const p = axes->p[k], *const x = axes->x[k];
        uint32_t i = first;
        for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
            wide_settle(d + i, p + i, x + i, WIDE_LANES);
        }
        if (i < end) {
            wide_settle(d + i, p + i, x + i, end - i);
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
