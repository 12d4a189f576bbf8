// SPDX-License-Identifier: MIT
// The kernels that keep particles out of obstacles, within reach of their pins and inside the bounds, WIDE_LANES at
// once; read once per vector width, by simd.c. The equations are those of obstacle_point.c, contact_particle.c and
// tether.c, in the same order of arithmetic.

#define wide_hold WIDE_NAME(wide_hold)
#define wide_vector WIDE_NAME(wide_vector)
#define wide_contact WIDE_NAME(wide_contact)
#define wide_spread WIDE_NAME(wide_spread)
#define wide_load3 WIDE_NAME(wide_load3)
#define wide_store3 WIDE_NAME(wide_store3)
#define wide_add3 WIDE_NAME(wide_add3)
#define wide_sub3 WIDE_NAME(wide_sub3)
#define wide_relaxed3 WIDE_NAME(wide_relaxed3)
#define wide_places WIDE_NAME(wide_places)
#define wide_ahead3 WIDE_NAME(wide_ahead3)
#define wide_displacement3 WIDE_NAME(wide_displacement3)
#define wide_scale3 WIDE_NAME(wide_scale3)
#define wide_dot3 WIDE_NAME(wide_dot3)
#define wide_select3 WIDE_NAME(wide_select3)
#define wide_least3 WIDE_NAME(wide_least3)
#define wide_most3 WIDE_NAME(wide_most3)
#define wide_clamp WIDE_NAME(wide_clamp)
#define wide_abs WIDE_NAME(wide_abs)
#define wide_sign WIDE_NAME(wide_sign)
#define wide_out_of_ball WIDE_NAME(wide_out_of_ball)
#define wide_in_capsule WIDE_NAME(wide_in_capsule)
#define wide_inside_box WIDE_NAME(wide_inside_box)
#define wide_in_box WIDE_NAME(wide_in_box)
#define wide_touch WIDE_NAME(wide_touch)
#define wide_rub WIDE_NAME(wide_rub)
#define wide_collide WIDE_NAME(wide_collide)

// ---- vectors of three, one per lane --------------------------------------------------------------------------------

struct wide_vector {
    wide x, y, z;
};

WIDE_FUNCTION struct wide_vector wide_spread(struct vec3 v) {
    return (struct wide_vector){wide_of(v.x), wide_of(v.y), wide_of(v.z)};
}
WIDE_FUNCTION struct wide_vector wide_load3(float *const *from, uint32_t i, uint32_t count) {
    return (struct wide_vector){wide_load(from[0] + i, count), wide_load(from[1] + i, count),
                                wide_load(from[2] + i, count)};
}
WIDE_FUNCTION void wide_store3(float *const to[3], uint32_t i, uint32_t count, struct wide_vector v) {
    wide_store(to[0] + i, v.x, count);
    wide_store(to[1] + i, v.y, count);
    wide_store(to[2] + i, v.z, count);
}
WIDE_FUNCTION struct wide_vector wide_add3(struct wide_vector a, struct wide_vector b) {
    return (struct wide_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
WIDE_FUNCTION struct wide_vector wide_sub3(struct wide_vector a, struct wide_vector b) {
    return (struct wide_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
// p = ahead + off
WIDE_FUNCTION struct wide_vector wide_relaxed3(const struct wide_axes *axes, uint32_t i, uint32_t count) {
    return wide_add3(wide_load3(axes->ahead, i, count), wide_load3(axes->off, i, count));
}
WIDE_FUNCTION struct wide_vector wide_scale3(struct wide_vector a, wide s) {
    return (struct wide_vector){a.x * s, a.y * s, a.z * s};
}
WIDE_FUNCTION wide wide_dot3(struct wide_vector a, struct wide_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
WIDE_FUNCTION struct wide_vector wide_select3(wide_mask mask, struct wide_vector a, struct wide_vector b) {
    return (struct wide_vector){wide_select(mask, a.x, b.x), wide_select(mask, a.y, b.y), wide_select(mask, a.z, b.z)};
}
WIDE_FUNCTION struct wide_vector wide_least3(struct wide_vector a, struct wide_vector b) {
    return (struct wide_vector){wide_least(a.x, b.x), wide_least(a.y, b.y), wide_least(a.z, b.z)};
}
WIDE_FUNCTION struct wide_vector wide_most3(struct wide_vector a, struct wide_vector b) {
    return (struct wide_vector){wide_most(a.x, b.x), wide_most(a.y, b.y), wide_most(a.z, b.z)};
}
WIDE_FUNCTION wide wide_clamp(wide value, wide low, wide high) {
    const wide raised = wide_select(wide_exceeds(low, value), low, value);
    return wide_select(wide_exceeds(raised, high), high, raised);
}
WIDE_FUNCTION wide wide_abs(wide value) {
    return wide_select(wide_less(value, wide_of(0.0f)), -value, value);
}
WIDE_FUNCTION wide wide_sign(wide value) {
    return wide_select(wide_less(value, wide_of(0.0f)), wide_of(-1.0f), wide_of(1.0f));
}

// scalar_ahead and scalar_displacement
struct wide_places {
    struct wide_vector at, low;
};
WIDE_FUNCTION struct wide_places wide_ahead3(struct wide_vector x, struct wide_vector low, struct wide_vector d) {
    const struct wide_place a = wide_sum(x.x, low.x + d.x), b = wide_sum(x.y, low.y + d.y);
    const struct wide_place c = wide_sum(x.z, low.z + d.z);
    return (struct wide_places){{a.at, b.at, c.at}, {a.low, b.low, c.low}};
}
WIDE_FUNCTION struct wide_vector wide_displacement3(struct wide_vector x, struct wide_vector low, struct wide_vector d,
                                                    struct wide_vector at, struct wide_vector off) {
    const struct wide_places ahead = wide_ahead3(x, low, d);
    return wide_add3(d, wide_add3(wide_sub3(at, ahead.at), wide_sub3(off, ahead.low)));
}

// ---- how deep, and which way is out --------------------------------------------------------------------------------

struct wide_contact {
    struct wide_vector normal;
    wide depth; // m
};

WIDE_FUNCTION struct wide_contact wide_out_of_ball(struct wide_vector away, float reach) {
    const wide zero = wide_of(0.0f);
    const wide distance = wide_sqrt(wide_dot3(away, away));
    const struct wide_vector normal = {away.x / distance, away.y / distance, away.z / distance};
    return (struct wide_contact){
        .normal = wide_select3(wide_less(zero, distance), normal, wide_spread(vec3_of(0.0f, 1.0f, 0.0f))),
        .depth = wide_of(reach) - distance,
    };
}

WIDE_FUNCTION struct wide_contact wide_in_capsule(const struct wide_obstacle *obstacle, struct wide_vector p) {
    const struct wide_vector from = wide_spread(obstacle->position);
    const struct wide_vector axis = wide_spread(obstacle->axis);
    const wide share = wide_dot3(wide_sub3(p, from), axis) / wide_dot3(axis, axis);
    const wide along = wide_clamp(share, wide_of(0.0f), wide_of(1.0f));
    return wide_out_of_ball(wide_sub3(p, wide_add3(from, wide_scale3(axis, along))), obstacle->reach);
}

WIDE_FUNCTION struct wide_contact wide_inside_box(struct wide_vector local, struct wide_vector half) {
    const wide zero = wide_of(0.0f);
    const wide x = half.x - wide_abs(local.x), y = half.y - wide_abs(local.y), z = half.z - wide_abs(local.z);
    const wide_mask not_x = wide_either(wide_exceeds(x, y), wide_exceeds(x, z));
    const wide_mask not_y = wide_exceeds(y, z);
    return (struct wide_contact){
        .normal =
            {
                wide_select(not_x, zero, wide_sign(local.x)),
                wide_select(not_x, wide_select(not_y, zero, wide_sign(local.y)), zero),
                wide_select(not_x, wide_select(not_y, wide_sign(local.z), zero), zero),
            },
        .depth = wide_select(not_x, wide_select(not_y, z, y), x),
    };
}

WIDE_FUNCTION struct wide_contact wide_in_box(const struct wide_obstacle *obstacle, struct wide_vector p) {
    const struct wide_vector column[3] = {wide_spread(obstacle->axes.column[0]), wide_spread(obstacle->axes.column[1]),
                                          wide_spread(obstacle->axes.column[2])};
    const struct wide_vector half = wide_spread(obstacle->half);
    const struct wide_vector from = wide_sub3(p, wide_spread(obstacle->position));
    const struct wide_vector local = {wide_dot3(column[0], from), wide_dot3(column[1], from),
                                      wide_dot3(column[2], from)};
    const struct wide_vector away = {
        local.x - wide_clamp(local.x, -half.x, half.x),
        local.y - wide_clamp(local.y, -half.y, half.y),
        local.z - wide_clamp(local.z, -half.z, half.z),
    };
    const wide distance = wide_sqrt(wide_dot3(away, away));
    const wide_mask outside = wide_less(wide_of(0.0f), distance);
    const struct wide_contact inside = wide_inside_box(local, half);
    const struct wide_vector out = {away.x / distance, away.y / distance, away.z / distance};
    const struct wide_vector normal = wide_select3(outside, out, inside.normal);
    return (struct wide_contact){
        .normal = wide_add3(wide_add3(wide_scale3(column[0], normal.x), wide_scale3(column[1], normal.y)),
                            wide_scale3(column[2], normal.z)),
        .depth = wide_select(outside, wide_of(obstacle->reach) - distance, inside.depth + wide_of(obstacle->reach)),
    };
}

WIDE_FUNCTION struct wide_contact wide_touch(const struct wide_obstacle *obstacle, struct wide_vector p,
                                             enum sim_obstacle_shape shape) {
    if (shape == SIM_OBSTACLE_SPHERE) {
        return wide_out_of_ball(wide_sub3(p, wide_spread(obstacle->position)), obstacle->reach);
    }
    if (shape == SIM_OBSTACLE_BOX) {
        return wide_in_box(obstacle, p);
    }
    if (shape == SIM_OBSTACLE_CAPSULE) {
        return wide_in_capsule(obstacle, p);
    }
    const struct wide_vector normal = wide_spread(obstacle->axis);
    return (struct wide_contact){
        .normal = normal,
        .depth = wide_of(obstacle->reach) - wide_dot3(normal, wide_sub3(p, wide_spread(obstacle->position))),
    };
}

// ---- the response --------------------------------------------------------------------------------------------------

// u − u_t·min(1, licence/|u_t|)
WIDE_FUNCTION struct wide_vector wide_rub(struct wide_vector u, struct wide_vector normal, wide licence) {
    const struct wide_vector along = wide_scale3(normal, wide_dot3(u, normal));
    const struct wide_vector tangential = wide_sub3(u, along);
    const wide slide = wide_sqrt(wide_dot3(tangential, tangential));
    const wide share = wide_select(wide_exceeds(slide, licence), licence / slide, wide_of(1.0f));
    return wide_sub3(u, wide_scale3(tangential, share));
}

WIDE_FUNCTION bool wide_collide(const struct wide_axes *axes, const struct wide_obstacle *obstacle, uint32_t first,
                                uint32_t end, enum sim_obstacle_shape shape) {
    const wide zero = wide_of(0.0f);
    bool touched = false;
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
        const struct wide_vector p = wide_relaxed3(axes, i, count);
        const struct wide_contact contact = wide_touch(obstacle, p, shape);
        const wide_mask deep = wide_less(zero, contact.depth);
        if (!wide_any(deep)) {
            continue;
        }
        const wide_mask pushes = wide_both(deep, wide_less(zero, wide_load(axes->w + i, count)));
        const struct wide_vector d = wide_load3(axes->d, i, count);
        const struct wide_vector x = wide_load3(axes->x, i, count);
        const wide start_depth = wide_touch(obstacle, x, shape).depth;
        const wide first_depth = wide_touch(obstacle, wide_load3(axes->begun, i, count), shape).depth;
        const wide_mask is_deep = wide_less(wide_of(obstacle->deep), first_depth);
        // What is deep is held where its start lies, and eased out together with that, less what has taken it out
        // already: motion into the obstacle is no way back, but of what is joined by sticks, which it would
        // bend. The rest is put out.
        const wide eased = wide_of(obstacle->eased) - (first_depth - start_depth);
        const wide before = wide_clamp(wide_select(is_deep, eased, start_depth), zero, contact.depth);
        const wide whole = first_depth + before;
        const wide held =
            wide_select(obstacle->whole ? is_deep : wide_both(is_deep, wide_less(zero, zero)), whole, start_depth);
        const wide depth = wide_most(contact.depth - wide_select(is_deep, held, before), zero);
        const struct wide_vector raised = wide_add3(x, wide_scale3(contact.normal, before));
        const struct wide_vector start = wide_select3(wide_less(zero, before), raised, x);
        const struct wide_vector low = wide_load3(axes->low, i, count);
        const struct wide_vector at = wide_load3(axes->ahead, i, count), off = wide_load3(axes->off, i, count);
        const struct wide_vector moved = wide_displacement3(x, low, d, at, off);
        const struct wide_vector pushed = wide_add3(moved, wide_scale3(contact.normal, depth));
        const wide licence = wide_of(obstacle->friction) * depth;
        const struct wide_vector u = wide_rub(pushed, contact.normal, licence);
        wide_store3(axes->x, i, count, wide_select3(pushes, start, x));
        wide_store3(axes->d, i, count, wide_select3(pushes, u, d));
        const struct wide_places ahead = wide_ahead3(start, low, u);
        wide_store3(axes->ahead, i, count, wide_select3(pushes, ahead.at, at));
        wide_store3(axes->off, i, count, wide_select3(pushes, ahead.low, off));
        touched = touched || wide_any(pushes);
    }
    return touched;
}

WIDE_TARGET static bool WIDE_NAME(collide)(const struct wide_axes *axes, const struct wide_obstacle *obstacle,
                                           uint32_t first, uint32_t end) {
    switch (obstacle->shape) {
    case SIM_OBSTACLE_SPHERE:
        return wide_collide(axes, obstacle, first, end, SIM_OBSTACLE_SPHERE);
    case SIM_OBSTACLE_BOX:
        return wide_collide(axes, obstacle, first, end, SIM_OBSTACLE_BOX);
    case SIM_OBSTACLE_CAPSULE:
        return wide_collide(axes, obstacle, first, end, SIM_OBSTACLE_CAPSULE);
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_MESH:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return wide_collide(axes, obstacle, first, end, SIM_OBSTACLE_PLANE);
    }
}

// ---- tethers -------------------------------------------------------------------------------------------------------

WIDE_FUNCTION void wide_hold(const struct kernel_particles *at, const struct wide_tethers *tethers, uint32_t k,
                             uint32_t count) {
    const uint32_t i = tethers->first + k, pin = tethers->pin + k * tethers->step;
    const bool apart = tethers->step > 0;
    const wide ax = apart ? wide_load(at->ahead_x + pin, count) : wide_of(at->ahead_x[pin]);
    const wide ay = apart ? wide_load(at->ahead_y + pin, count) : wide_of(at->ahead_y[pin]);
    const wide az = apart ? wide_load(at->ahead_z + pin, count) : wide_of(at->ahead_z[pin]);
    const wide aox = apart ? wide_load(at->ox + pin, count) : wide_of(at->ox[pin]);
    const wide aoy = apart ? wide_load(at->oy + pin, count) : wide_of(at->oy[pin]);
    const wide aoz = apart ? wide_load(at->oz + pin, count) : wide_of(at->oz[pin]);
    const wide ox = wide_load(at->ox + i, count), oy = wide_load(at->oy + i, count);
    const wide oz = wide_load(at->oz + i, count);
    wide across = wide_of(apart ? tethers->across : tethers->across + (float)k);
    if (!apart) {
        across += wide_load(wide_steps, WIDE_LANES);
    }
    const wide aside = (across + wide_of(tethers->shift)) * wide_of(tethers->spacing);
    const wide reach = aside * aside + wide_of(tethers->down_squared);
    const wide dx = (wide_load(at->ahead_x + i, count) - ax) + (ox - aox);
    const wide dy = (wide_load(at->ahead_y + i, count) - ay) + (oy - aoy);
    const wide dz = (wide_load(at->ahead_z + i, count) - az) + (oz - aoz);
    const wide squared = dx * dx + dy * dy + dz * dz;
    const wide_mask moves = wide_less(wide_of(0.0f), wide_load(at->w + i, count));
    const wide_mask pulls = wide_both(wide_less(reach, squared), moves);
    if (!wide_any(pulls)) {
        return;
    }
    const wide back = (squared - reach) / (squared + squared * wide_sqrt(reach / squared));
    wide_store(at->ox + i, wide_select(pulls, ox - back * dx, ox), count);
    wide_store(at->oy + i, wide_select(pulls, oy - back * dy, oy), count);
    wide_store(at->oz + i, wide_select(pulls, oz - back * dz, oz), count);
}

WIDE_TARGET static void WIDE_NAME(hold)(const struct kernel_particles *given, const struct wide_tethers *tethers) {
    const struct kernel_particles at = *given;
    const uint32_t count = tethers->count;
    uint32_t k = 0;
    for (; k + WIDE_LANES <= count; k += WIDE_LANES) {
        wide_hold(&at, tethers, k, WIDE_LANES);
    }
    if (k < count) {
        wide_hold(&at, tethers, k, count - k);
    }
}

// ---- bounds --------------------------------------------------------------------------------------------------------

// The smallest box around particles; what is not a number is left out.
WIDE_TARGET static void WIDE_NAME(box)(const struct wide_axes *axes, enum wide_moment at, uint32_t first, uint32_t end,
                                       float min[3], float max[3]) {
    const bool relaxed = at == WIDE_RELAXED;
    wide low[3], high[3];
    uint32_t lanes = 1;
    for (unsigned k = 0; k < 3; k++) {
        low[k] = wide_of(INFINITY);
        high[k] = wide_of(-INFINITY);
    }
    for (uint32_t i = first; i + WIDE_LANES <= end; i += WIDE_LANES) {
        for (unsigned k = 0; k < 3; k++) {
            wide value = wide_load((relaxed ? axes->ahead[k] : axes->x[k]) + i, WIDE_LANES);
            if (relaxed) {
                value += wide_load(axes->off[k] + i, WIDE_LANES);
            }
            low[k] = wide_least(value, low[k]);
            high[k] = wide_most(value, high[k]);
        }
        lanes = WIDE_LANES;
    }
    const uint32_t rest = first + (end - first) / WIDE_LANES * WIDE_LANES;
    for (unsigned k = 0; k < 3; k++) {
        float least[WIDE_LANES], most[WIDE_LANES];
        wide_store(least, low[k], WIDE_LANES);
        wide_store(most, high[k], WIDE_LANES);
        min[k] = least[0];
        max[k] = most[0];
        for (uint32_t lane = 1; lane < lanes; lane++) {
            min[k] = least[lane] < min[k] ? least[lane] : min[k];
            max[k] = most[lane] > max[k] ? most[lane] : max[k];
        }
        for (uint32_t i = rest; i < end; i++) {
            const float value = relaxed ? axes->ahead[k][i] + axes->off[k][i] : axes->x[k][i];
            min[k] = value < min[k] ? value : min[k];
            max[k] = value > max[k] ? value : max[k];
        }
    }
}

// The first particle from `first` on of which a few at once hold one that lies outside; `end` where none does.
WIDE_TARGET static uint32_t WIDE_NAME(outside)(const struct wide_axes *axes, struct vec3 min, struct vec3 max,
                                               uint32_t first, uint32_t end) {
    const struct wide_vector low = wide_spread(min), high = wide_spread(max);
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
        if (count < WIDE_LANES) {
            return i;
        }
        const struct wide_vector p = wide_relaxed3(axes, i, count);
        const wide_mask x = wide_either(wide_less(p.x, low.x), wide_less(high.x, p.x));
        const wide_mask y = wide_either(wide_less(p.y, low.y), wide_less(high.y, p.y));
        const wide_mask z = wide_either(wide_less(p.z, low.z), wide_less(high.z, p.z));
        if (wide_any(wide_either(x, wide_either(y, z)))) {
            return i;
        }
    }
    return end;
}

// ---- where particles go in a substep -------------------------------------------------------------------------------

// Of fewer particles than there are lanes, one by one.
static float WIDE_NAME(extent_of_few)(const struct wide_axes *axes, uint32_t first, uint32_t end, float min[3],
                                      float max[3]) {
    float longest = 0.0f;
    for (uint32_t i = first; i < end; i++) {
        float way[3];
        for (unsigned k = 0; k < 3; k++) {
            const float x = axes->start[k][i], p = axes->ahead[k][i] + axes->off[k][i];
            min[k] = x < min[k] ? x : min[k];
            min[k] = p < min[k] ? p : min[k];
            max[k] = x > max[k] ? x : max[k];
            max[k] = p > max[k] ? p : max[k];
            way[k] = p - x;
        }
        const float squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        longest = longest < squared ? squared : longest;
    }
    return longest;
}

// The smallest box around particles at their start x and at p, what is not a number left out; returns the square of the
// longest way from x to p. The last lanes of many go over some of those before once more, which changes nothing.
WIDE_TARGET static float WIDE_NAME(extent)(const struct wide_axes *axes, uint32_t first, uint32_t end, float min[3],
                                           float max[3]) {
    struct wide_vector low = wide_spread(vec3_of(INFINITY, INFINITY, INFINITY));
    struct wide_vector high = wide_spread(vec3_of(-INFINITY, -INFINITY, -INFINITY));
    wide longest = wide_of(0.0f);
    for (unsigned k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    if (end - first < WIDE_LANES) {
        return WIDE_NAME(extent_of_few)(axes, first, end, min, max);
    }
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        const uint32_t at = end - i < WIDE_LANES ? end - WIDE_LANES : i;
        const struct wide_vector x = {wide_load(axes->start[0] + at, WIDE_LANES),
                                      wide_load(axes->start[1] + at, WIDE_LANES),
                                      wide_load(axes->start[2] + at, WIDE_LANES)};
        const struct wide_vector p = wide_relaxed3(axes, at, WIDE_LANES);
        const struct wide_vector way = wide_sub3(p, x);
        const wide squared = wide_dot3(way, way);
        longest = wide_select(wide_less(longest, squared), squared, longest);
        low = wide_least3(p, wide_least3(x, low));
        high = wide_most3(p, wide_most3(x, high));
    }
    float most = 0.0f;
    for (unsigned lane = 0; lane < WIDE_LANES; lane++) {
        const float l[3] = {low.x[lane], low.y[lane], low.z[lane]};
        const float h[3] = {high.x[lane], high.y[lane], high.z[lane]};
        for (unsigned k = 0; k < 3; k++) {
            min[k] = l[k] < min[k] ? l[k] : min[k];
            max[k] = h[k] > max[k] ? h[k] : max[k];
        }
        most = longest[lane] > most ? longest[lane] : most;
    }
    return most;
}

// Beyond which sides of a box a particle stays all the way from x to p: a bit for each side, x y z low, then high.
WIDE_TARGET static void WIDE_NAME(outcodes)(const struct wide_axes *axes, struct vec3 min, struct vec3 max,
                                            float margin, uint32_t first, uint32_t end, uint8_t *outcode) {
    const float low[3] = {min.x, min.y, min.z};
    const float high[3] = {max.x, max.y, max.z};
    const wide zero = wide_of(0.0f);
    for (uint32_t i = first; i < end; i += WIDE_LANES) {
        const uint32_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
        wide code = zero;
        for (unsigned k = 0; k < 3; k++) {
            const wide x = wide_load(axes->start[k] + i, count);
            const wide p = wide_load(axes->ahead[k] + i, count) + wide_load(axes->off[k] + i, count);
            const wide_mask rises = wide_less(x, p);
            const wide most = wide_select(rises, p, x) + wide_of(margin);
            const wide least = wide_select(rises, x, p) - wide_of(margin);
            const wide below = wide_of((float)(1u << k)), above = wide_of((float)(8u << k));
            code += wide_select(wide_less(most, wide_of(low[k])), below, zero);
            code += wide_select(wide_less(wide_of(high[k]), least), above, zero);
        }
        wide_store_bytes(outcode + i, code, count);
    }
}
