// SPDX-License-Identifier: MIT
// The kernels that relax WIDE_LANES sticks at once; read once per vector width, by simd.c. The equations are those of
// kernel.h, in the same order of arithmetic, without branches.
//
// Sticks come in two arrangements (stick_plan.c): runs, whose ends lie side by side in the arrays of coordinates, and
// batches of a colour from anywhere in a block of particles stored with all their numbers side by side, which are
// turned over in registers.

#define wide_move WIDE_NAME(wide_move)
#define wide_stick WIDE_NAME(wide_stick)
#define wide_project_any WIDE_NAME(wide_project_any)
#define wide_project WIDE_NAME(wide_project)
#define wide_yield WIDE_NAME(wide_yield)
#define wide_apart WIDE_NAME(wide_apart)
#define wide_row_to_row WIDE_NAME(wide_row_to_row)
#define wide_within WIDE_NAME(wide_within)
#define wide_pair WIDE_NAME(wide_pair)
#define wide_deal WIDE_NAME(wide_deal)
#define wide_between WIDE_NAME(wide_between)
#define wide_collect WIDE_NAME(wide_collect)
#define wide_side_by_side WIDE_NAME(wide_side_by_side)
#define wide_particles WIDE_NAME(wide_particles)
#define wide_offsets WIDE_NAME(wide_offsets)
#define wide_shared_particles WIDE_NAME(wide_shared_particles)
#define wide_shared_offsets WIDE_NAME(wide_shared_offsets)
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

// Sticks from `count` particles from number `a` on to those from number `b` on.
WIDE_FUNCTION void wide_apart(const struct kernel_particles *at, size_t a, size_t b, uint32_t count, wide rest,
                              enum stick_form form) {
    struct wide_stick stick = {.rest = rest};
    const wide wa = wide_load(at->w + a, count), wb = wide_load(at->w + b, count);
    const wide xa = wide_load(at->ox + a, count), xb = wide_load(at->ox + b, count);
    const wide ya = wide_load(at->oy + a, count), yb = wide_load(at->oy + b, count);
    const wide za = wide_load(at->oz + a, count), zb = wide_load(at->oz + b, count);
    const wide ahead_x = wide_load(at->ahead_x + b, count) - wide_load(at->ahead_x + a, count);
    const wide ahead_y = wide_load(at->ahead_y + b, count) - wide_load(at->ahead_y + a, count);
    const wide ahead_z = wide_load(at->ahead_z + b, count) - wide_load(at->ahead_z + a, count);
    stick.dx = ahead_x + (xb - xa);
    stick.dy = ahead_y + (yb - ya);
    stick.dz = ahead_z + (zb - za);
    stick.w = wa + wb;
    if (form == STICK_START) {
        stick.sx = (wide_load(at->x + b, count) - wide_load(at->x + a, count)) +
                   (wide_load(at->low_x + b, count) - wide_load(at->low_x + a, count));
        stick.sy = (wide_load(at->y + b, count) - wide_load(at->y + a, count)) +
                   (wide_load(at->low_y + b, count) - wide_load(at->low_y + a, count));
        stick.sz = (wide_load(at->z + b, count) - wide_load(at->z + a, count)) +
                   (wide_load(at->low_z + b, count) - wide_load(at->low_z + a, count));
    }
    const struct wide_move move = wide_project(&stick, form);
    const wide sa = wa * move.share, sb = wb * move.share;
    wide_store(at->ox + a, xa + sa * move.x, count);
    wide_store(at->oy + a, ya + sa * move.y, count);
    wide_store(at->oz + a, za + sa * move.z, count);
    wide_store(at->ox + b, xb - sb * move.x, count);
    wide_store(at->oy + b, yb - sb * move.y, count);
    wide_store(at->oz + b, zb - sb * move.z, count);
}

// Sticks from each of a row of particles to the same of another row.
WIDE_FUNCTION void wide_row_to_row(const struct kernel_particles *given, const struct stick_run *run,
                                   enum stick_form form) {
    const struct kernel_particles at = *given;
    const wide rest = wide_of(run->rest);
    size_t a = run->a, b = run->b, left = run->count;
    for (; left >= WIDE_LANES; left -= WIDE_LANES) {
        wide_apart(&at, a, b, WIDE_LANES, rest, form);
        a += WIDE_LANES;
        b += WIDE_LANES;
    }
    if (left > 0) {
        wide_apart(&at, a, b, (uint32_t)left, rest, form);
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

// From the first of each of these pairs to the second.
WIDE_FUNCTION wide wide_between(const float *from, uint32_t count, bool by_twos) {
    const struct wide_pair pair = wide_deal(from, count, by_twos);
    return pair.b - pair.a;
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
    const struct wide_pair x = wide_deal(at->ox + first, count, by_twos);
    const struct wide_pair y = wide_deal(at->oy + first, count, by_twos);
    const struct wide_pair z = wide_deal(at->oz + first, count, by_twos);
    const wide ahead_x = wide_between(at->ahead_x + first, count, by_twos);
    const wide ahead_y = wide_between(at->ahead_y + first, count, by_twos);
    const wide ahead_z = wide_between(at->ahead_z + first, count, by_twos);
    stick.dx = ahead_x + (x.b - x.a);
    stick.dy = ahead_y + (y.b - y.a);
    stick.dz = ahead_z + (z.b - z.a);
    stick.w = w.a + w.b;
    if (form == STICK_START) {
        stick.sx = wide_between(at->x + first, count, by_twos) + wide_between(at->low_x + first, count, by_twos);
        stick.sy = wide_between(at->y + first, count, by_twos) + wide_between(at->low_y + first, count, by_twos);
        stick.sz = wide_between(at->z + first, count, by_twos) + wide_between(at->low_z + first, count, by_twos);
    }
    const struct wide_move move = wide_project(&stick, form);
    const wide sa = w.a * move.share, sb = w.b * move.share;
    wide_collect(at->ox + first, count, x.a + sa * move.x, x.b - sb * move.x, by_twos);
    wide_collect(at->oy + first, count, y.a + sa * move.y, y.b - sb * move.y, by_twos);
    wide_collect(at->oz + first, count, z.a + sa * move.z, z.b - sb * move.z, by_twos);
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
struct wide_offsets {
    wide x, y, z;
};

// Four numbers of each of the particles that `index` names, one particle per lane.
WIDE_FUNCTION struct wide_particles wide_take(const float *from, const uint32_t *index) {
    const wide q0 = wide_quad(from, index), q1 = wide_quad(from, index + 1);
    const wide q2 = wide_quad(from, index + 2), q3 = wide_quad(from, index + 3);
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

WIDE_FUNCTION void wide_give(float *to, const uint32_t *index, const struct wide_particles *p) {
    const wide xy0 = __builtin_shufflevector(p->x, p->y, WIDE_UNPACK_LOW);
    const wide xy1 = __builtin_shufflevector(p->x, p->y, WIDE_UNPACK_HIGH);
    const wide zw0 = __builtin_shufflevector(p->z, p->w, WIDE_UNPACK_LOW);
    const wide zw1 = __builtin_shufflevector(p->z, p->w, WIDE_UNPACK_HIGH);
    wide_put_quad(to, index, __builtin_shufflevector(xy0, zw0, WIDE_HALVES_LOW));
    wide_put_quad(to, index + 1, __builtin_shufflevector(xy0, zw0, WIDE_HALVES_HIGH));
    wide_put_quad(to, index + 2, __builtin_shufflevector(xy1, zw1, WIDE_HALVES_LOW));
    wide_put_quad(to, index + 3, __builtin_shufflevector(xy1, zw1, WIDE_HALVES_HIGH));
}

// Sticks of a colour, one per lane.
struct wide_batch {
    const uint32_t *a, *b; // a particle per lane
    uint32_t count;        // lanes that have a stick
    struct wide_particles pa, pb;
    struct wide_particles oa, ob; // offsets
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
    batch.oa = wide_take(block + 4, batch.a);
    batch.ob = wide_take(block + 4, batch.b);
    return batch;
}

WIDE_FUNCTION void wide_end_batch(float *block, struct wide_batch *batch, const struct wide_move *move) {
    const wide sa = batch->pa.w * move->share, sb = batch->pb.w * move->share;
    batch->oa.x += sa * move->x;
    batch->oa.y += sa * move->y;
    batch->oa.z += sa * move->z;
    batch->ob.x -= sb * move->x;
    batch->ob.y -= sb * move->y;
    batch->ob.z -= sb * move->z;
    wide_give(block + 4, batch->a, &batch->oa);
    wide_give(block + 4, batch->b, &batch->ob);
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
        stick.dx = (batch.pb.x - batch.pa.x) + (batch.ob.x - batch.oa.x);
        stick.dy = (batch.pb.y - batch.pa.y) + (batch.ob.y - batch.oa.y);
        stick.dz = (batch.pb.z - batch.pa.z) + (batch.ob.z - batch.oa.z);
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
        float *to = block + WIDE_BLOCK * (size_t)i;
        const struct wide_particles p = {
            .x = wide_load(at->ahead_x + i, lanes),
            .y = wide_load(at->ahead_y + i, lanes),
            .z = wide_load(at->ahead_z + i, lanes),
            .w = wide_load(at->w + i, lanes),
        };
        const struct wide_particles o = {
            .x = wide_load(at->ox + i, lanes),
            .y = wide_load(at->oy + i, lanes),
            .z = wide_load(at->oz + i, lanes),
            .w = wide_of(0.0f),
        };
        wide_give(to, wide_in_turn, &p);
        wide_give(to + 4, wide_in_turn, &o);
    }
}

WIDE_TARGET static void WIDE_NAME(drain_block)(const float *block, const struct kernel_particles *at, uint32_t count) {
    for (uint32_t i = 0; i < count; i += WIDE_LANES) {
        const uint32_t lanes = count - i < WIDE_LANES ? count - i : WIDE_LANES;
        const struct wide_particles o = wide_take(block + WIDE_BLOCK * (size_t)i + 4, wide_in_turn);
        wide_store(at->ox + i, o.x, lanes);
        wide_store(at->oy + i, o.y, lanes);
        wide_store(at->oz + i, o.z, lanes);
    }
}

// ---- objects that are alike ----------------------------------------------------------------------------------------

// Of one particle of each object.
WIDE_FUNCTION struct wide_particles wide_shared_particles(const float *at) {
    return (struct wide_particles){wide_load(at, WIDE_LANES), wide_load(at + WIDE_LANES, WIDE_LANES),
                                   wide_load(at + 2 * WIDE_LANES, WIDE_LANES),
                                   wide_load(at + 3 * WIDE_LANES, WIDE_LANES)};
}

WIDE_FUNCTION struct wide_offsets wide_shared_offsets(const float *at) {
    return (struct wide_offsets){wide_load(at + 4 * WIDE_LANES, WIDE_LANES), wide_load(at + 5 * WIDE_LANES, WIDE_LANES),
                                 wide_load(at + 6 * WIDE_LANES, WIDE_LANES)};
}

// Stick after stick, of one object in each lane.
WIDE_FUNCTION void WIDE_NAME(wide_shared)(float *block, const struct stick_batches *sticks, enum stick_form form) {
    struct wide_stick stick = {.alpha = wide_of(sticks->alpha)};
    for (uint32_t i = 0; i < sticks->count; i++) {
        float *a = block + WIDE_BLOCK * (size_t)WIDE_LANES * sticks->a[i];
        float *b = block + WIDE_BLOCK * (size_t)WIDE_LANES * sticks->b[i];
        const struct wide_offsets oa = wide_shared_offsets(a), ob = wide_shared_offsets(b);
        const struct wide_particles pa = wide_shared_particles(a), pb = wide_shared_particles(b);
        stick.dx = (pb.x - pa.x) + (ob.x - oa.x);
        stick.dy = (pb.y - pa.y) + (ob.y - oa.y);
        stick.dz = (pb.z - pa.z) + (ob.z - oa.z);
        stick.w = pa.w + pb.w;
        stick.rest = wide_of(sticks->rest[i]);
        struct wide_move move;
        if (form == STICK_COMPLIANT) {
            stick.lambda = wide_load(sticks->lambda + (size_t)WIDE_LANES * i, WIDE_LANES);
            move = wide_yield(&stick);
            wide_store(sticks->lambda + (size_t)WIDE_LANES * i, stick.lambda, WIDE_LANES);
        } else {
            move = wide_project(&stick, form);
        }
        const wide sa = pa.w * move.share, sb = pb.w * move.share;
        wide_store(a + 4 * WIDE_LANES, oa.x + sa * move.x, WIDE_LANES);
        wide_store(a + 5 * WIDE_LANES, oa.y + sa * move.y, WIDE_LANES);
        wide_store(a + 6 * WIDE_LANES, oa.z + sa * move.z, WIDE_LANES);
        wide_store(b + 4 * WIDE_LANES, ob.x - sb * move.x, WIDE_LANES);
        wide_store(b + 5 * WIDE_LANES, ob.y - sb * move.y, WIDE_LANES);
        wide_store(b + 6 * WIDE_LANES, ob.z - sb * move.z, WIDE_LANES);
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
            float *to = block + WIDE_BLOCK * (size_t)WIDE_LANES * i + lane;
            to[0] = at->ahead_x[from];
            to[WIDE_LANES] = at->ahead_y[from];
            to[2 * WIDE_LANES] = at->ahead_z[from];
            to[3 * WIDE_LANES] = at->w[from];
            to[4 * WIDE_LANES] = at->ox[from];
            to[5 * WIDE_LANES] = at->oy[from];
            to[6 * WIDE_LANES] = at->oz[from];
        }
    }
}

WIDE_TARGET static void WIDE_NAME(drain_shared)(const float *block, const struct kernel_particles *at,
                                                uint32_t particles) {
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        for (uint32_t i = 0; i < particles; i++) {
            const size_t to = (size_t)lane * particles + i;
            const float *from = block + WIDE_BLOCK * (size_t)WIDE_LANES * i + lane;
            at->ox[to] = from[4 * WIDE_LANES];
            at->oy[to] = from[5 * WIDE_LANES];
            at->oz[to] = from[6 * WIDE_LANES];
        }
    }
}
