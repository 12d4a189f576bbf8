// SPDX-License-Identifier: MIT
// Kernels that relax SIMD_LANES sticks at once; included once per vector width by simd.c. The equations are those of
// kernel.h, in the same order of arithmetic, without branches.
//
// Sticks come in two arrangements (stick_plan.c): runs, whose ends are contiguous in the arrays of coordinates, and
// batches of a colour between any particles of a block, which stores all numbers of a particle side by side; they are
// transposed in registers.

#define simd_move SIMD_NAME(simd_move)
#define simd_stick SIMD_NAME(simd_stick)
#define simd_project_any SIMD_NAME(simd_project_any)
#define simd_project SIMD_NAME(simd_project)
#define simd_project_compliant SIMD_NAME(simd_project_compliant)
#define simd_apart SIMD_NAME(simd_apart)
#define simd_row_to_row SIMD_NAME(simd_row_to_row)
#define simd_within SIMD_NAME(simd_within)
#define simd_pair SIMD_NAME(simd_pair)
#define simd_deinterleave SIMD_NAME(simd_deinterleave)
#define simd_between SIMD_NAME(simd_between)
#define simd_collect SIMD_NAME(simd_collect)
#define simd_side_by_side SIMD_NAME(simd_side_by_side)
#define simd_particles SIMD_NAME(simd_particles)
#define simd_offsets SIMD_NAME(simd_offsets)
#define simd_shared_particles SIMD_NAME(simd_shared_particles)
#define simd_shared_offsets SIMD_NAME(simd_shared_offsets)
#define simd_gather SIMD_NAME(simd_gather)
#define simd_take_ahead SIMD_NAME(simd_take_ahead)
#define simd_take_off SIMD_NAME(simd_take_off)
#define simd_some_places SIMD_NAME(simd_some_places)
#define simd_base SIMD_NAME(simd_base)
#define simd_scatter SIMD_NAME(simd_scatter)
#define simd_batch SIMD_NAME(simd_batch)
#define simd_begin SIMD_NAME(simd_begin)
#define simd_end_batch SIMD_NAME(simd_end_batch)

// ---- one stick per lane ------------------------------------------------------------------------------------------

struct simd_stick {
    simd_f32 dx, dy, dz; // δ
    simd_f32 sx, sy, sz; // δ°, for STICK_START
    simd_f32 w;          // w1 + w2
    simd_f32 rest;
    simd_f32 alpha, lambda; // for STICK_COMPLIANT
};

// p1 += w1·share·(x, y, z), p2 −= w2·share·(x, y, z)
struct simd_move {
    simd_f32 share, x, y, z;
};

// Projects any stick but a compliant one, also where its ends coincide or both have w = 0. `over`/`under` is the share
// s of an ordinary stick.
SIMD_FUNCTION struct simd_move simd_project_any(const struct simd_stick *stick, simd_f32 squared, simd_f32 over,
                                                simd_f32 under, enum stick_form form) {
    const simd_f32 zero = simd_broadcast(0.0f);
    const simd_f32 rest_squared = stick->rest * stick->rest;
    struct simd_move move = {.x = stick->dx, .y = stick->dy, .z = stick->dz};
    const simd_mask together = simd_less(squared, simd_broadcast(KERNEL_COINCIDE_SQUARED));
    over = simd_select(together, simd_broadcast(-1.0f), over);
    under = simd_select(together, stick->w, under);
    move.x = simd_select(together, stick->rest, move.x);
    move.y = simd_select(together, zero, move.y);
    move.z = simd_select(together, zero, move.z);
    if (form == STICK_START) {
        const simd_f32 along = stick->dx * stick->sx + stick->dy * stick->sy + stick->dz * stick->sz;
        const simd_f32 longest = simd_select(simd_less(squared, rest_squared), rest_squared, squared);
        const simd_mask far = simd_less(simd_broadcast(4.0f) * along, longest);
        over = simd_select(far, over, squared - rest_squared);
        under = simd_select(far, under, simd_broadcast(2.0f) * stick->w * along);
        move.x = simd_select(far, move.x, stick->sx);
        move.y = simd_select(far, move.y, stick->sy);
        move.z = simd_select(far, move.z, stick->sz);
    }
    move.share = simd_select(simd_less(zero, stick->w), over / under, zero);
    return move;
}

// Few vectors have a stick that needs the choices of `simd_project_any`: this is tested once per vector.
SIMD_FUNCTION struct simd_move simd_project(const struct simd_stick *stick, enum stick_form form) {
    const simd_f32 squared = stick->dx * stick->dx + stick->dy * stick->dy + stick->dz * stick->dz;
    simd_f32 over;
    simd_f32 under;
    if (form == STICK_APPROXIMATE) {
        const simd_f32 rest_squared = stick->rest * stick->rest;
        over = squared - rest_squared;
        under = (squared + rest_squared) * stick->w;
    } else {
        const simd_f32 length = simd_sqrt(squared);
        over = length - stick->rest;
        under = length * stick->w;
    }
    const simd_mask together = simd_less(squared, simd_broadcast(KERNEL_COINCIDE_SQUARED));
    const simd_mask stays = simd_less(stick->w, simd_broadcast(FLT_MIN));
    if (form != STICK_START && __builtin_expect(simd_none(together, stays), true)) {
        return (struct simd_move){.share = over / under, .x = stick->dx, .y = stick->dy, .z = stick->dz};
    }
    return simd_project_any(stick, squared, over, under, form);
}

// Projects a compliant stick; λ accumulates since the substep began.
SIMD_FUNCTION struct simd_move simd_project_compliant(struct simd_stick *stick) {
    const simd_f32 zero = simd_broadcast(0.0f), one = simd_broadcast(1.0f);
    const simd_f32 length = simd_sqrt(stick->dx * stick->dx + stick->dy * stick->dy + stick->dz * stick->dz);
    const simd_mask together = simd_less(length * length, simd_broadcast(KERNEL_COINCIDE_SQUARED));
    const simd_mask moves = simd_less(zero, stick->w);
    const simd_f32 missing = stick->rest - length - stick->alpha * stick->lambda;
    const simd_f32 pulled = stick->lambda + missing / (stick->w + stick->alpha);
    const simd_f32 share = (stick->lambda - pulled) / simd_select(together, one, length);
    stick->lambda = simd_select(moves, pulled, stick->lambda);
    return (struct simd_move){
        .share = simd_select(moves, share, zero),
        .x = simd_select(together, one, stick->dx),
        .y = simd_select(together, zero, stick->dy),
        .z = simd_select(together, zero, stick->dz),
    };
}

// ---- runs --------------------------------------------------------------------------------------------------------

// The kernels below handle the rest of a run, which does not fill a vector, by the same code with another `count`:
// where `count` is the constant SIMD_LANES, nothing is masked. They copy `at`, so that the compiler knows that no store
// changes it, and count in size_t, so that an address is a register of its own.

// Relaxes sticks from `count` particles from number `a` on to the particles from number `b` on.
SIMD_FUNCTION void simd_apart(const struct kernel_particles *at, size_t a, size_t b, uint32_t count, simd_f32 rest,
                              enum stick_form form) {
    struct simd_stick stick = {.rest = rest};
    const simd_f32 wa = simd_load(at->w + a, count), wb = simd_load(at->w + b, count);
    const simd_f32 xa = simd_load(at->ox + a, count), xb = simd_load(at->ox + b, count);
    const simd_f32 ya = simd_load(at->oy + a, count), yb = simd_load(at->oy + b, count);
    const simd_f32 za = simd_load(at->oz + a, count), zb = simd_load(at->oz + b, count);
    const simd_f32 ahead_x = simd_load(at->ahead_x + b, count) - simd_load(at->ahead_x + a, count);
    const simd_f32 ahead_y = simd_load(at->ahead_y + b, count) - simd_load(at->ahead_y + a, count);
    const simd_f32 ahead_z = simd_load(at->ahead_z + b, count) - simd_load(at->ahead_z + a, count);
    stick.dx = ahead_x + (xb - xa);
    stick.dy = ahead_y + (yb - ya);
    stick.dz = ahead_z + (zb - za);
    stick.w = wa + wb;
    if (form == STICK_START) {
        stick.sx = (simd_load(at->x + b, count) - simd_load(at->x + a, count)) +
                   (simd_load(at->low_x + b, count) - simd_load(at->low_x + a, count));
        stick.sy = (simd_load(at->y + b, count) - simd_load(at->y + a, count)) +
                   (simd_load(at->low_y + b, count) - simd_load(at->low_y + a, count));
        stick.sz = (simd_load(at->z + b, count) - simd_load(at->z + a, count)) +
                   (simd_load(at->low_z + b, count) - simd_load(at->low_z + a, count));
    }
    const struct simd_move move = simd_project(&stick, form);
    const simd_f32 sa = wa * move.share, sb = wb * move.share;
    simd_store(at->ox + a, xa + sa * move.x, count);
    simd_store(at->oy + a, ya + sa * move.y, count);
    simd_store(at->oz + a, za + sa * move.z, count);
    simd_store(at->ox + b, xb - sb * move.x, count);
    simd_store(at->oy + b, yb - sb * move.y, count);
    simd_store(at->oz + b, zb - sb * move.z, count);
}

// Relaxes sticks from each particle of a row to the corresponding particle of another row.
SIMD_FUNCTION void simd_row_to_row(const struct kernel_particles *given, const struct stick_run *run,
                                   enum stick_form form) {
    const struct kernel_particles at = *given;
    const simd_f32 rest = simd_broadcast(run->rest);
    size_t a = run->a, b = run->b, left = run->count;
    for (; left >= SIMD_LANES; left -= SIMD_LANES) {
        simd_apart(&at, a, b, SIMD_LANES, rest, form);
        a += SIMD_LANES;
        b += SIMD_LANES;
    }
    if (left > 0) {
        simd_apart(&at, a, b, (uint32_t)left, rest, form);
    }
}

// Loads `count` contiguous particles and deinterleaves them into two vectors: in ones 0 2 … and 1 3 …, in twos 0 1 4 5
// … and 2 3 6 7 …, in any order of lanes that does not cross the quarters of a vector.
struct simd_pair {
    simd_f32 a, b;
};

SIMD_FUNCTION struct simd_pair simd_deinterleave(const float *from, uint32_t count, bool by_twos) {
    const uint32_t count_low = count < SIMD_LANES ? count : SIMD_LANES;
    const simd_f32 low = simd_load(from, count_low);
    const simd_f32 high = simd_load(from + SIMD_LANES, count - count_low);
    if (by_twos) {
        return (struct simd_pair){__builtin_shufflevector(low, high, SIMD_HALVES_LOW),
                                  __builtin_shufflevector(low, high, SIMD_HALVES_HIGH)};
    }
    return (struct simd_pair){__builtin_shufflevector(low, high, SIMD_EVEN),
                              __builtin_shufflevector(low, high, SIMD_ODD)};
}

// Relaxes sticks from the first particle of each of these pairs to the second.
SIMD_FUNCTION simd_f32 simd_between(const float *from, uint32_t count, bool by_twos) {
    const struct simd_pair pair = simd_deinterleave(from, count, by_twos);
    return pair.b - pair.a;
}

SIMD_FUNCTION void simd_collect(float *to, uint32_t count, simd_f32 a, simd_f32 b, bool by_twos) {
    const uint32_t count_low = count < SIMD_LANES ? count : SIMD_LANES;
    const simd_f32 low =
        by_twos ? __builtin_shufflevector(a, b, SIMD_HALVES_LOW) : __builtin_shufflevector(a, b, SIMD_UNPACK_LOW);
    const simd_f32 high =
        by_twos ? __builtin_shufflevector(a, b, SIMD_HALVES_HIGH) : __builtin_shufflevector(a, b, SIMD_UNPACK_HIGH);
    simd_store(to, low, count_low);
    simd_store(to + SIMD_LANES, high, count - count_low);
}

// Relaxes sticks between `count` particles from `first` on.
SIMD_FUNCTION void simd_within(const struct kernel_particles *at, size_t first, uint32_t count, simd_f32 rest,
                               enum stick_form form, bool by_twos) {
    struct simd_stick stick = {.rest = rest};
    const struct simd_pair w = simd_deinterleave(at->w + first, count, by_twos);
    const struct simd_pair x = simd_deinterleave(at->ox + first, count, by_twos);
    const struct simd_pair y = simd_deinterleave(at->oy + first, count, by_twos);
    const struct simd_pair z = simd_deinterleave(at->oz + first, count, by_twos);
    const simd_f32 ahead_x = simd_between(at->ahead_x + first, count, by_twos);
    const simd_f32 ahead_y = simd_between(at->ahead_y + first, count, by_twos);
    const simd_f32 ahead_z = simd_between(at->ahead_z + first, count, by_twos);
    stick.dx = ahead_x + (x.b - x.a);
    stick.dy = ahead_y + (y.b - y.a);
    stick.dz = ahead_z + (z.b - z.a);
    stick.w = w.a + w.b;
    if (form == STICK_START) {
        stick.sx = simd_between(at->x + first, count, by_twos) + simd_between(at->low_x + first, count, by_twos);
        stick.sy = simd_between(at->y + first, count, by_twos) + simd_between(at->low_y + first, count, by_twos);
        stick.sz = simd_between(at->z + first, count, by_twos) + simd_between(at->low_z + first, count, by_twos);
    }
    const struct simd_move move = simd_project(&stick, form);
    const simd_f32 sa = w.a * move.share, sb = w.b * move.share;
    simd_collect(at->ox + first, count, x.a + sa * move.x, x.b - sb * move.x, by_twos);
    simd_collect(at->oy + first, count, y.a + sa * move.y, y.b - sb * move.y, by_twos);
    simd_collect(at->oz + first, count, z.a + sa * move.z, z.b - sb * move.z, by_twos);
}

// Relaxes sticks between the particles of one row, in pairs: 0–1, 2–3, …; in twos 0–2, 1–3, 4–6, 5–7, ….
SIMD_FUNCTION void simd_side_by_side(const struct kernel_particles *given, const struct stick_run *run,
                                     enum stick_form form, bool by_twos) {
    const struct kernel_particles at = kernel_particles_from(given, run->a);
    const uint32_t count = 2 * run->count;
    const simd_f32 rest = simd_broadcast(run->rest);
    size_t i = 0;
    for (; i + 2 * SIMD_LANES <= count; i += 2 * SIMD_LANES) {
        simd_within(&at, i, 2 * SIMD_LANES, rest, form, by_twos);
    }
    if (i < count) {
        simd_within(&at, i, count - (uint32_t)i, rest, form, by_twos);
    }
}

SIMD_FUNCTION void SIMD_NAME(simd_runs)(const struct kernel_particles *at, const struct stick_run *runs, uint32_t count,
                                        enum stick_form form) {
    for (uint32_t i = 0; i < count; i++) {
        const struct stick_run *run = &runs[i];
        if (run->shape == STICK_RUN_APART) {
            simd_row_to_row(at, run, form);
        } else if (run->shape == STICK_RUN_PAIRS) {
            simd_side_by_side(at, run, form, false);
        } else {
            simd_side_by_side(at, run, form, true);
        }
    }
}

// One function per form, so that the form is a constant in it.
SIMD_TARGET static void SIMD_NAME(relax_runs)(const struct kernel_particles *at, const struct stick_run *runs,
                                              uint32_t count, enum stick_form form) {
    if (form == STICK_EXACT) {
        SIMD_NAME(simd_runs)(at, runs, count, STICK_EXACT);
    } else if (form == STICK_APPROXIMATE) {
        SIMD_NAME(simd_runs)(at, runs, count, STICK_APPROXIMATE);
    } else {
        SIMD_NAME(simd_runs)(at, runs, count, STICK_START);
    }
}

// ---- blocks ------------------------------------------------------------------------------------------------------

struct simd_particles {
    simd_f32 x, y, z, w;
};
struct simd_offsets {
    simd_f32 x, y, z;
};

// Loads four numbers of each of the particles in `index`, one particle per lane.
SIMD_FUNCTION struct simd_particles simd_gather(const float *from, const uint32_t *index) {
    const simd_f32 q0 = simd_quad(from, index), q1 = simd_quad(from, index + 1);
    const simd_f32 q2 = simd_quad(from, index + 2), q3 = simd_quad(from, index + 3);
    const simd_f32 xy0 = __builtin_shufflevector(q0, q1, SIMD_UNPACK_LOW);
    const simd_f32 zw0 = __builtin_shufflevector(q0, q1, SIMD_UNPACK_HIGH);
    const simd_f32 xy1 = __builtin_shufflevector(q2, q3, SIMD_UNPACK_LOW);
    const simd_f32 zw1 = __builtin_shufflevector(q2, q3, SIMD_UNPACK_HIGH);
    return (struct simd_particles){
        .x = __builtin_shufflevector(xy0, xy1, SIMD_HALVES_LOW),
        .y = __builtin_shufflevector(xy0, xy1, SIMD_HALVES_HIGH),
        .z = __builtin_shufflevector(zw0, zw1, SIMD_HALVES_LOW),
        .w = __builtin_shufflevector(zw0, zw1, SIMD_HALVES_HIGH),
    };
}

SIMD_FUNCTION void simd_scatter(float *to, const uint32_t *index, const struct simd_particles *p) {
    const simd_f32 xy0 = __builtin_shufflevector(p->x, p->y, SIMD_UNPACK_LOW);
    const simd_f32 xy1 = __builtin_shufflevector(p->x, p->y, SIMD_UNPACK_HIGH);
    const simd_f32 zw0 = __builtin_shufflevector(p->z, p->w, SIMD_UNPACK_LOW);
    const simd_f32 zw1 = __builtin_shufflevector(p->z, p->w, SIMD_UNPACK_HIGH);
    simd_put_quad(to, index, __builtin_shufflevector(xy0, zw0, SIMD_HALVES_LOW));
    simd_put_quad(to, index + 1, __builtin_shufflevector(xy0, zw0, SIMD_HALVES_HIGH));
    simd_put_quad(to, index + 2, __builtin_shufflevector(xy1, zw1, SIMD_HALVES_LOW));
    simd_put_quad(to, index + 3, __builtin_shufflevector(xy1, zw1, SIMD_HALVES_HIGH));
}

// Sticks of a colour, one per lane.
struct simd_batch {
    const uint32_t *a, *b;        // one particle per lane
    uint32_t count;               // number of lanes with a stick
    struct simd_offsets gap;      // struct stick_gaps
    struct simd_particles oa, ob; // off and w
};

// Loads the sticks from number `first` on. Lanes without a stick work on `spare`, a particle of the block that nothing
// moves; `ends` stores the particles of all lanes.
SIMD_FUNCTION struct simd_batch simd_begin(const float *block, const struct stick_batches *sticks, uint32_t first,
                                           uint32_t spare, uint32_t (*ends)[SIMD_LANES], enum stick_gaps_use gaps) {
    const uint32_t left = sticks->count - first;
    struct simd_batch batch = {.a = sticks->a + first, .b = sticks->b + first, .count = SIMD_LANES};
    if (left < SIMD_LANES) {
        simd_fill_up(ends[0], batch.a, left, spare);
        simd_fill_up(ends[1], batch.b, left, spare);
        batch = (struct simd_batch){.a = ends[0], .b = ends[1], .count = left};
    }
    if (gaps == STICK_GAPS_KEPT) {
        batch.gap.x = simd_load(sticks->gaps.x + first, batch.count);
        batch.gap.y = simd_load(sticks->gaps.y + first, batch.count);
        batch.gap.z = simd_load(sticks->gaps.z + first, batch.count);
    } else {
        const struct simd_particles pa = simd_gather(block, batch.a), pb = simd_gather(block, batch.b);
        batch.gap = (struct simd_offsets){pb.x - pa.x, pb.y - pa.y, pb.z - pa.z};
    }
    if (gaps == STICK_GAPS_KEEP) {
        simd_store(sticks->gaps.x + first, batch.gap.x, batch.count);
        simd_store(sticks->gaps.y + first, batch.gap.y, batch.count);
        simd_store(sticks->gaps.z + first, batch.gap.z, batch.count);
    }
    batch.oa = simd_gather(block + 4, batch.a);
    batch.ob = simd_gather(block + 4, batch.b);
    return batch;
}

SIMD_FUNCTION void simd_end_batch(float *block, struct simd_batch *batch, const struct simd_move *move) {
    const simd_f32 sa = batch->oa.w * move->share, sb = batch->ob.w * move->share;
    batch->oa.x += sa * move->x;
    batch->oa.y += sa * move->y;
    batch->oa.z += sa * move->z;
    batch->ob.x -= sb * move->x;
    batch->ob.y -= sb * move->y;
    batch->ob.z -= sb * move->z;
    simd_scatter(block + 4, batch->a, &batch->oa);
    simd_scatter(block + 4, batch->b, &batch->ob);
}

// Relaxes the sticks of one colour. They share no particle, so a batch is started while the one before still waits for
// its root and its quotient; strictly in sequence, a sixth of the time would be spent waiting.
SIMD_FUNCTION void SIMD_NAME(simd_colour)(float *block, const struct stick_batches *sticks, uint32_t spare,
                                          enum stick_form form, enum stick_gaps_use gaps) {
    struct simd_stick stick = {.alpha = simd_broadcast(sticks->alpha)};
    uint32_t ends[2][SIMD_LANES];
    if (sticks->count == 0) {
        return;
    }
    struct simd_batch next = simd_begin(block, sticks, 0, spare, ends, gaps);
    for (uint32_t i = 0; i < sticks->count; i += SIMD_LANES) {
        struct simd_batch batch = next;
        stick.dx = batch.gap.x + (batch.ob.x - batch.oa.x);
        stick.dy = batch.gap.y + (batch.ob.y - batch.oa.y);
        stick.dz = batch.gap.z + (batch.ob.z - batch.oa.z);
        stick.w = batch.oa.w + batch.ob.w;
        stick.rest = simd_load(sticks->rest + i, batch.count);
        if (form == STICK_COMPLIANT) {
            stick.lambda = simd_load(sticks->lambda + i, batch.count);
        }
        const struct simd_move move =
            form == STICK_COMPLIANT ? simd_project_compliant(&stick) : simd_project(&stick, form);
        if (sticks->count - i > SIMD_LANES) {
            next = simd_begin(block, sticks, i + SIMD_LANES, spare, ends, gaps);
        }
        simd_end_batch(block, &batch, &move);
        if (form == STICK_COMPLIANT) {
            simd_store(sticks->lambda + i, stick.lambda, batch.count);
        }
    }
}

SIMD_FUNCTION void SIMD_NAME(simd_colour_of)(float *block, const struct stick_batches *sticks, uint32_t spare,
                                             enum stick_form form, enum stick_gaps_use gaps) {
    if (form == STICK_COMPLIANT) {
        SIMD_NAME(simd_colour)(block, sticks, spare, STICK_COMPLIANT, gaps);
    } else if (form == STICK_EXACT) {
        SIMD_NAME(simd_colour)(block, sticks, spare, STICK_EXACT, gaps);
    } else {
        SIMD_NAME(simd_colour)(block, sticks, spare, STICK_APPROXIMATE, gaps);
    }
}

SIMD_TARGET static void SIMD_NAME(relax_colour)(float *block, const struct stick_batches *sticks, uint32_t spare,
                                                enum stick_form form, enum stick_gaps_use gaps) {
    if (gaps == STICK_GAPS_KEPT) {
        SIMD_NAME(simd_colour_of)(block, sticks, spare, form, STICK_GAPS_KEPT);
    } else if (gaps == STICK_GAPS_KEEP) {
        SIMD_NAME(simd_colour_of)(block, sticks, spare, form, STICK_GAPS_KEEP);
    } else {
        SIMD_NAME(simd_colour_of)(block, sticks, spare, form, STICK_GAPS_NONE);
    }
}

// Copies between arrays of coordinates and a block, which has room for whole batches and is padded with zeros.
SIMD_FUNCTION struct simd_particles simd_take_ahead(const struct kernel_particles *at, uint32_t i, uint32_t lanes) {
    return (struct simd_particles){
        .x = simd_load(at->ahead_x + i, lanes),
        .y = simd_load(at->ahead_y + i, lanes),
        .z = simd_load(at->ahead_z + i, lanes),
        .w = simd_broadcast(0.0f),
    };
}

SIMD_FUNCTION struct simd_particles simd_take_off(const struct kernel_particles *at, uint32_t i, uint32_t lanes) {
    return (struct simd_particles){
        .x = simd_load(at->ox + i, lanes),
        .y = simd_load(at->oy + i, lanes),
        .z = simd_load(at->oz + i, lanes),
        .w = simd_load(at->w + i, lanes),
    };
}

// Places of a batch of particles, counted from the number that simd_base returns: those from number i on.
SIMD_FUNCTION const uint32_t *simd_some_places(const struct block_places *places, uint32_t i, uint32_t lanes,
                                               uint32_t *padded) {
    if (places->each == NULL) {
        return simd_in_turn;
    }
    if (lanes == SIMD_LANES) {
        return places->each + i;
    }
    simd_fill_up(padded, places->each + i, lanes, places->spare);
    return padded;
}

SIMD_FUNCTION size_t simd_base(const struct block_places *places, uint32_t i) {
    return places->each == NULL ? SIMD_BLOCK * ((size_t)places->first + i) : 0;
}

SIMD_TARGET static void SIMD_NAME(fill_block)(float *block, const struct block_places *places,
                                              const struct kernel_particles *at, uint32_t count) {
    uint32_t padded[SIMD_LANES];
    for (uint32_t i = 0; i < count; i += SIMD_LANES) {
        const uint32_t lanes = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        const uint32_t *place = simd_some_places(places, i, lanes, padded);
        float *to = block + simd_base(places, i);
        const struct simd_particles p = simd_take_ahead(at, i, lanes), o = simd_take_off(at, i, lanes);
        simd_scatter(to, place, &p);
        simd_scatter(to + 4, place, &o);
    }
}

SIMD_TARGET static bool SIMD_NAME(refill_block)(float *block, const struct block_places *places,
                                                const struct kernel_particles *at, uint32_t count) {
    uint32_t padded[SIMD_LANES];
    bool changed = false;
    for (uint32_t i = 0; i < count; i += SIMD_LANES) {
        const uint32_t lanes = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        const uint32_t *place = simd_some_places(places, i, lanes, padded);
        float *to = block + simd_base(places, i);
        const struct simd_particles p = simd_take_ahead(at, i, lanes), o = simd_take_off(at, i, lanes);
        const struct simd_particles before = simd_gather(to, place);
        const simd_mask moved =
            simd_or(simd_differ(p.x, before.x), simd_or(simd_differ(p.y, before.y), simd_differ(p.z, before.z)));
        if (simd_any(moved)) {
            simd_scatter(to, place, &p);
            changed = true;
        }
        simd_scatter(to + 4, place, &o);
    }
    return changed;
}

SIMD_TARGET static void SIMD_NAME(drain_block)(const float *block, const struct block_places *places,
                                               const struct kernel_particles *at, uint32_t count) {
    uint32_t padded[SIMD_LANES];
    for (uint32_t i = 0; i < count; i += SIMD_LANES) {
        const uint32_t lanes = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        const uint32_t *place = simd_some_places(places, i, lanes, padded);
        const struct simd_particles o = simd_gather(block + simd_base(places, i) + 4, place);
        simd_store(at->ox + i, o.x, lanes);
        simd_store(at->oy + i, o.y, lanes);
        simd_store(at->oz + i, o.z, lanes);
    }
}

// ---- objects that are alike ----------------------------------------------------------------------------------------

// Loads one particle of each object.
SIMD_FUNCTION struct simd_particles simd_shared_particles(const float *at) {
    return (struct simd_particles){simd_load(at, SIMD_LANES), simd_load(at + SIMD_LANES, SIMD_LANES),
                                   simd_load(at + 2 * SIMD_LANES, SIMD_LANES),
                                   simd_load(at + 3 * SIMD_LANES, SIMD_LANES)};
}

SIMD_FUNCTION struct simd_offsets simd_shared_offsets(const float *at) {
    return (struct simd_offsets){simd_load(at + 4 * SIMD_LANES, SIMD_LANES), simd_load(at + 5 * SIMD_LANES, SIMD_LANES),
                                 simd_load(at + 6 * SIMD_LANES, SIMD_LANES)};
}

// Relaxes stick after stick, with one object in each lane.
SIMD_FUNCTION void SIMD_NAME(simd_shared)(float *block, const struct stick_batches *sticks, enum stick_form form) {
    struct simd_stick stick = {.alpha = simd_broadcast(sticks->alpha)};
    for (uint32_t i = 0; i < sticks->count; i++) {
        float *a = block + SIMD_BLOCK * (size_t)SIMD_LANES * sticks->a[i];
        float *b = block + SIMD_BLOCK * (size_t)SIMD_LANES * sticks->b[i];
        const struct simd_offsets oa = simd_shared_offsets(a), ob = simd_shared_offsets(b);
        const struct simd_particles pa = simd_shared_particles(a), pb = simd_shared_particles(b);
        stick.dx = (pb.x - pa.x) + (ob.x - oa.x);
        stick.dy = (pb.y - pa.y) + (ob.y - oa.y);
        stick.dz = (pb.z - pa.z) + (ob.z - oa.z);
        stick.w = pa.w + pb.w;
        stick.rest = simd_broadcast(sticks->rest[i]);
        struct simd_move move;
        if (form == STICK_COMPLIANT) {
            stick.lambda = simd_load(sticks->lambda + (size_t)SIMD_LANES * i, SIMD_LANES);
            move = simd_project_compliant(&stick);
            simd_store(sticks->lambda + (size_t)SIMD_LANES * i, stick.lambda, SIMD_LANES);
        } else {
            move = simd_project(&stick, form);
        }
        const simd_f32 sa = pa.w * move.share, sb = pb.w * move.share;
        simd_store(a + 4 * SIMD_LANES, oa.x + sa * move.x, SIMD_LANES);
        simd_store(a + 5 * SIMD_LANES, oa.y + sa * move.y, SIMD_LANES);
        simd_store(a + 6 * SIMD_LANES, oa.z + sa * move.z, SIMD_LANES);
        simd_store(b + 4 * SIMD_LANES, ob.x - sb * move.x, SIMD_LANES);
        simd_store(b + 5 * SIMD_LANES, ob.y - sb * move.y, SIMD_LANES);
        simd_store(b + 6 * SIMD_LANES, ob.z - sb * move.z, SIMD_LANES);
    }
}

SIMD_TARGET static void SIMD_NAME(relax_shared)(float *block, const struct stick_batches *sticks,
                                                enum stick_form form) {
    if (form == STICK_COMPLIANT) {
        SIMD_NAME(simd_shared)(block, sticks, STICK_COMPLIANT);
    } else if (form == STICK_EXACT) {
        SIMD_NAME(simd_shared)(block, sticks, STICK_EXACT);
    } else {
        SIMD_NAME(simd_shared)(block, sticks, STICK_APPROXIMATE);
    }
}

SIMD_TARGET static void SIMD_NAME(fill_shared)(float *block, const struct kernel_particles *at, uint32_t particles) {
    for (uint32_t lane = 0; lane < SIMD_LANES; lane++) {
        for (uint32_t i = 0; i < particles; i++) {
            const size_t from = (size_t)lane * particles + i;
            float *to = block + SIMD_BLOCK * (size_t)SIMD_LANES * i + lane;
            to[0] = at->ahead_x[from];
            to[SIMD_LANES] = at->ahead_y[from];
            to[2 * SIMD_LANES] = at->ahead_z[from];
            to[3 * SIMD_LANES] = at->w[from];
            to[4 * SIMD_LANES] = at->ox[from];
            to[5 * SIMD_LANES] = at->oy[from];
            to[6 * SIMD_LANES] = at->oz[from];
        }
    }
}

SIMD_TARGET static void SIMD_NAME(drain_shared)(const float *block, const struct kernel_particles *at,
                                                uint32_t particles) {
    for (uint32_t lane = 0; lane < SIMD_LANES; lane++) {
        for (uint32_t i = 0; i < particles; i++) {
            const size_t to = (size_t)lane * particles + i;
            const float *from = block + SIMD_BLOCK * (size_t)SIMD_LANES * i + lane;
            at->ox[to] = from[4 * SIMD_LANES];
            at->oy[to] = from[5 * SIMD_LANES];
            at->oz[to] = from[6 * SIMD_LANES];
        }
    }
}
