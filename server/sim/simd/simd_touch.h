// SPDX-License-Identifier: MIT
// Kernels that keep particles out of obstacles, within reach of their pins and inside the bounds, SIMD_LANES at once;
// included once per vector width by simd.c. The equations are those of obstacle_point.c, contact_particle.c and
// tether.c, in the same order of arithmetic.

#define simd_hold SIMD_NAME(simd_hold)
#define simd_vec3 SIMD_NAME(simd_vec3)
#define simd_contact SIMD_NAME(simd_contact)
#define simd_broadcast3 SIMD_NAME(simd_broadcast3)
#define simd_load3 SIMD_NAME(simd_load3)
#define simd_store3 SIMD_NAME(simd_store3)
#define simd_add3 SIMD_NAME(simd_add3)
#define simd_sub3 SIMD_NAME(simd_sub3)
#define simd_relaxed3 SIMD_NAME(simd_relaxed3)
#define simd_places SIMD_NAME(simd_places)
#define simd_ahead3 SIMD_NAME(simd_ahead3)
#define simd_displacement3 SIMD_NAME(simd_displacement3)
#define simd_scale3 SIMD_NAME(simd_scale3)
#define simd_dot3 SIMD_NAME(simd_dot3)
#define simd_select3 SIMD_NAME(simd_select3)
#define simd_min3 SIMD_NAME(simd_min3)
#define simd_max3 SIMD_NAME(simd_max3)
#define simd_clamp SIMD_NAME(simd_clamp)
#define simd_abs SIMD_NAME(simd_abs)
#define simd_sign SIMD_NAME(simd_sign)
#define simd_ball_depth SIMD_NAME(simd_ball_depth)
#define simd_in_capsule SIMD_NAME(simd_in_capsule)
#define simd_inside_box SIMD_NAME(simd_inside_box)
#define simd_in_box SIMD_NAME(simd_in_box)
#define simd_touch SIMD_NAME(simd_touch)
#define simd_rub SIMD_NAME(simd_rub)
#define simd_carries SIMD_NAME(simd_carries)
#define simd_seen SIMD_NAME(simd_seen)
#define simd_rub_on SIMD_NAME(simd_rub_on)
#define simd_collide SIMD_NAME(simd_collide)

// ---- vectors of three, one per lane --------------------------------------------------------------------------------

struct simd_vec3 {
    simd_f32 x, y, z;
};

SIMD_FUNCTION struct simd_vec3 simd_broadcast3(struct vec3 v) {
    return (struct simd_vec3){simd_broadcast(v.x), simd_broadcast(v.y), simd_broadcast(v.z)};
}
SIMD_FUNCTION struct simd_vec3 simd_load3(float *const *from, uint32_t i, uint32_t count) {
    return (struct simd_vec3){simd_load(from[0] + i, count), simd_load(from[1] + i, count),
                              simd_load(from[2] + i, count)};
}
SIMD_FUNCTION void simd_store3(float *const to[3], uint32_t i, uint32_t count, struct simd_vec3 v) {
    simd_store(to[0] + i, v.x, count);
    simd_store(to[1] + i, v.y, count);
    simd_store(to[2] + i, v.z, count);
}
SIMD_FUNCTION struct simd_vec3 simd_add3(struct simd_vec3 a, struct simd_vec3 b) {
    return (struct simd_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
SIMD_FUNCTION struct simd_vec3 simd_sub3(struct simd_vec3 a, struct simd_vec3 b) {
    return (struct simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
// p = ahead + off
SIMD_FUNCTION struct simd_vec3 simd_relaxed3(const struct simd_axes *axes, uint32_t i, uint32_t count) {
    return simd_add3(simd_load3(axes->ahead, i, count), simd_load3(axes->off, i, count));
}
SIMD_FUNCTION struct simd_vec3 simd_scale3(struct simd_vec3 a, simd_f32 s) {
    return (struct simd_vec3){a.x * s, a.y * s, a.z * s};
}
SIMD_FUNCTION simd_f32 simd_dot3(struct simd_vec3 a, struct simd_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
SIMD_FUNCTION struct simd_vec3 simd_select3(simd_mask mask, struct simd_vec3 a, struct simd_vec3 b) {
    return (struct simd_vec3){simd_select(mask, a.x, b.x), simd_select(mask, a.y, b.y), simd_select(mask, a.z, b.z)};
}
SIMD_FUNCTION struct simd_vec3 simd_min3(struct simd_vec3 a, struct simd_vec3 b) {
    return (struct simd_vec3){simd_min(a.x, b.x), simd_min(a.y, b.y), simd_min(a.z, b.z)};
}
SIMD_FUNCTION struct simd_vec3 simd_max3(struct simd_vec3 a, struct simd_vec3 b) {
    return (struct simd_vec3){simd_max(a.x, b.x), simd_max(a.y, b.y), simd_max(a.z, b.z)};
}
SIMD_FUNCTION simd_f32 simd_clamp(simd_f32 value, simd_f32 low, simd_f32 high) {
    const simd_f32 raised = simd_select(simd_exceeds(low, value), low, value);
    return simd_select(simd_exceeds(raised, high), high, raised);
}
SIMD_FUNCTION simd_f32 simd_abs(simd_f32 value) {
    return simd_select(simd_less(value, simd_broadcast(0.0f)), -value, value);
}
SIMD_FUNCTION simd_f32 simd_sign(simd_f32 value) {
    return simd_select(simd_less(value, simd_broadcast(0.0f)), simd_broadcast(-1.0f), simd_broadcast(1.0f));
}

// scalar_ahead and scalar_displacement
struct simd_places {
    struct simd_vec3 at, low;
};
SIMD_FUNCTION struct simd_places simd_ahead3(struct simd_vec3 x, struct simd_vec3 low, struct simd_vec3 d) {
    const struct simd_place a = simd_two_sum(x.x, low.x + d.x), b = simd_two_sum(x.y, low.y + d.y);
    const struct simd_place c = simd_two_sum(x.z, low.z + d.z);
    return (struct simd_places){{a.at, b.at, c.at}, {a.low, b.low, c.low}};
}
SIMD_FUNCTION struct simd_vec3 simd_displacement3(struct simd_vec3 x, struct simd_vec3 low, struct simd_vec3 d,
                                                  struct simd_vec3 at, struct simd_vec3 off) {
    const struct simd_places ahead = simd_ahead3(x, low, d);
    return simd_add3(d, simd_add3(simd_sub3(at, ahead.at), simd_sub3(off, ahead.low)));
}

// ---- depth and normal ----------------------------------------------------------------------------------------------

struct simd_contact {
    struct simd_vec3 normal;
    simd_f32 depth; // m
};

SIMD_FUNCTION struct simd_contact simd_ball_depth(struct simd_vec3 away, float reach) {
    const simd_f32 zero = simd_broadcast(0.0f);
    const simd_f32 distance = simd_sqrt(simd_dot3(away, away));
    const struct simd_vec3 normal = {away.x / distance, away.y / distance, away.z / distance};
    return (struct simd_contact){
        .normal = simd_select3(simd_less(zero, distance), normal, simd_broadcast3(vec3_of(0.0f, 1.0f, 0.0f))),
        .depth = simd_broadcast(reach) - distance,
    };
}

SIMD_FUNCTION struct simd_contact simd_in_capsule(const struct simd_obstacle *obstacle, struct simd_vec3 p) {
    const struct simd_vec3 from = simd_broadcast3(obstacle->position);
    const struct simd_vec3 axis = simd_broadcast3(obstacle->axis);
    const simd_f32 share = simd_dot3(simd_sub3(p, from), axis) / simd_dot3(axis, axis);
    const simd_f32 along = simd_clamp(share, simd_broadcast(0.0f), simd_broadcast(1.0f));
    return simd_ball_depth(simd_sub3(p, simd_add3(from, simd_scale3(axis, along))), obstacle->reach);
}

SIMD_FUNCTION struct simd_contact simd_inside_box(struct simd_vec3 local, struct simd_vec3 half) {
    const simd_f32 zero = simd_broadcast(0.0f);
    const simd_f32 x = half.x - simd_abs(local.x), y = half.y - simd_abs(local.y), z = half.z - simd_abs(local.z);
    const simd_mask not_x = simd_or(simd_exceeds(x, y), simd_exceeds(x, z));
    const simd_mask not_y = simd_exceeds(y, z);
    return (struct simd_contact){
        .normal =
            {
                simd_select(not_x, zero, simd_sign(local.x)),
                simd_select(not_x, simd_select(not_y, zero, simd_sign(local.y)), zero),
                simd_select(not_x, simd_select(not_y, simd_sign(local.z), zero), zero),
            },
        .depth = simd_select(not_x, simd_select(not_y, z, y), x),
    };
}

SIMD_FUNCTION struct simd_contact simd_in_box(const struct simd_obstacle *obstacle, struct simd_vec3 p) {
    const struct simd_vec3 column[3] = {simd_broadcast3(obstacle->axes.column[0]),
                                        simd_broadcast3(obstacle->axes.column[1]),
                                        simd_broadcast3(obstacle->axes.column[2])};
    const struct simd_vec3 half = simd_broadcast3(obstacle->half);
    const struct simd_vec3 from = simd_sub3(p, simd_broadcast3(obstacle->position));
    const struct simd_vec3 local = {simd_dot3(column[0], from), simd_dot3(column[1], from), simd_dot3(column[2], from)};
    const struct simd_vec3 away = {
        local.x - simd_clamp(local.x, -half.x, half.x),
        local.y - simd_clamp(local.y, -half.y, half.y),
        local.z - simd_clamp(local.z, -half.z, half.z),
    };
    const simd_f32 distance = simd_sqrt(simd_dot3(away, away));
    const simd_mask outside = simd_less(simd_broadcast(0.0f), distance);
    const struct simd_contact inside = simd_inside_box(local, half);
    const struct simd_vec3 out = {away.x / distance, away.y / distance, away.z / distance};
    const struct simd_vec3 normal = simd_select3(outside, out, inside.normal);
    return (struct simd_contact){
        .normal = simd_add3(simd_add3(simd_scale3(column[0], normal.x), simd_scale3(column[1], normal.y)),
                            simd_scale3(column[2], normal.z)),
        .depth = simd_select(outside, simd_broadcast(obstacle->reach) - distance,
                             inside.depth + simd_broadcast(obstacle->reach)),
    };
}

SIMD_FUNCTION struct simd_contact simd_touch(const struct simd_obstacle *obstacle, struct simd_vec3 p,
                                             enum sim_obstacle_shape shape) {
    if (shape == SIM_OBSTACLE_SPHERE) {
        return simd_ball_depth(simd_sub3(p, simd_broadcast3(obstacle->position)), obstacle->reach);
    }
    if (shape == SIM_OBSTACLE_BOX) {
        return simd_in_box(obstacle, p);
    }
    if (shape == SIM_OBSTACLE_CAPSULE) {
        return simd_in_capsule(obstacle, p);
    }
    const struct simd_vec3 normal = simd_broadcast3(obstacle->axis);
    return (struct simd_contact){
        .normal = normal,
        .depth = simd_broadcast(obstacle->reach) - simd_dot3(normal, simd_sub3(p, simd_broadcast3(obstacle->position))),
    };
}

// ---- the response --------------------------------------------------------------------------------------------------

// u − u_t·min(1, licence/|u_t|)
SIMD_FUNCTION struct simd_vec3 simd_rub(struct simd_vec3 u, struct simd_vec3 normal, simd_f32 licence) {
    const struct simd_vec3 along = simd_scale3(normal, simd_dot3(u, normal));
    const struct simd_vec3 tangential = simd_sub3(u, along);
    const simd_f32 slide = simd_sqrt(simd_dot3(tangential, tangential));
    const simd_f32 share = simd_select(simd_exceeds(slide, licence), licence / slide, simd_broadcast(1.0f));
    return simd_sub3(u, simd_scale3(tangential, share));
}

// The displacement of the obstacle's material that is at p when the substep begins.
SIMD_FUNCTION struct simd_vec3 simd_carries(const struct simd_obstacle *obstacle, struct simd_vec3 p) {
    const struct simd_vec3 arm = simd_sub3(p, simd_broadcast3(obstacle->from));
    const struct simd_vec3 x = simd_scale3(simd_broadcast3(obstacle->turn.column[0]), arm.x);
    const struct simd_vec3 y = simd_scale3(simd_broadcast3(obstacle->turn.column[1]), arm.y);
    const struct simd_vec3 z = simd_scale3(simd_broadcast3(obstacle->turn.column[2]), arm.z);
    return simd_add3(simd_broadcast3(obstacle->shift), simd_add3(simd_add3(x, y), z));
}

// Where an obstacle that moves sees a start from (obstacle_motion.c).
SIMD_FUNCTION struct simd_vec3 simd_seen(const struct simd_obstacle *obstacle, struct simd_vec3 p) {
    return obstacle->moves ? simd_add3(p, simd_carries(obstacle, p)) : p;
}

// Friction acts on the displacement relative to the obstacle's material.
SIMD_FUNCTION struct simd_vec3 simd_rub_on(const struct simd_obstacle *obstacle, struct simd_vec3 x, struct simd_vec3 u,
                                           struct simd_vec3 normal, simd_f32 licence) {
    if (!obstacle->moves) {
        return simd_rub(u, normal, licence);
    }
    const struct simd_vec3 carried = simd_add3(simd_carries(obstacle, x), simd_broadcast3(obstacle->along));
    return simd_add3(carried, simd_rub(simd_sub3(u, carried), normal, licence));
}

SIMD_FUNCTION bool simd_collide(const struct simd_axes *axes, const struct simd_obstacle *obstacle, uint32_t first,
                                uint32_t end, enum sim_obstacle_shape shape) {
    const simd_f32 zero = simd_broadcast(0.0f);
    bool touched = false;
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t count = end - i < SIMD_LANES ? end - i : SIMD_LANES;
        const struct simd_vec3 p = simd_relaxed3(axes, i, count);
        const struct simd_contact contact = simd_touch(obstacle, p, shape);
        const simd_mask deep = simd_less(zero, contact.depth);
        if (!simd_any(deep)) {
            continue;
        }
        const simd_mask pushes = simd_and(deep, simd_less(zero, simd_load(axes->w + i, count)));
        const struct simd_vec3 d = simd_load3(axes->d, i, count);
        const struct simd_vec3 x = simd_load3(axes->x, i, count);
        const simd_f32 start_depth = simd_touch(obstacle, simd_seen(obstacle, x), shape).depth;
        const struct simd_vec3 begun = simd_seen(obstacle, simd_load3(axes->begun, i, count));
        const simd_f32 first_depth = simd_touch(obstacle, begun, shape).depth;
        const simd_mask is_deep = simd_less(simd_broadcast(obstacle->deep), first_depth);
        // A deep particle is kept at its start and eased out together with it, less the distance that it has moved out
        // already. Motion into the obstacle is not counted against that, except for particles joined by sticks, which
        // it would bend. Other particles are moved out at once.
        const simd_f32 eased = simd_broadcast(obstacle->eased) - (first_depth - start_depth);
        const simd_f32 before = simd_clamp(simd_select(is_deep, eased, start_depth), zero, contact.depth);
        const simd_f32 whole = first_depth + before;
        const simd_f32 held =
            simd_select(obstacle->whole ? is_deep : simd_and(is_deep, simd_less(zero, zero)), whole, start_depth);
        const simd_f32 depth = simd_max(contact.depth - simd_select(is_deep, held, before), zero);
        const struct simd_vec3 raised = simd_add3(x, simd_scale3(contact.normal, before));
        const struct simd_vec3 start = simd_select3(simd_less(zero, before), raised, x);
        const struct simd_vec3 low = simd_load3(axes->low, i, count);
        const struct simd_vec3 at = simd_load3(axes->ahead, i, count), off = simd_load3(axes->off, i, count);
        const struct simd_vec3 moved = simd_displacement3(x, low, d, at, off);
        const struct simd_vec3 pushed = simd_add3(moved, simd_scale3(contact.normal, depth));
        const simd_f32 licence = simd_broadcast(obstacle->friction) * depth;
        const struct simd_vec3 u = simd_rub_on(obstacle, x, pushed, contact.normal, licence);
        simd_store3(axes->x, i, count, simd_select3(pushes, start, x));
        simd_store3(axes->d, i, count, simd_select3(pushes, u, d));
        const struct simd_places ahead = simd_ahead3(start, low, u);
        simd_store3(axes->ahead, i, count, simd_select3(pushes, ahead.at, at));
        simd_store3(axes->off, i, count, simd_select3(pushes, ahead.low, off));
        touched = touched || simd_any(pushes);
    }
    return touched;
}

SIMD_TARGET static bool SIMD_NAME(collide)(const struct simd_axes *axes, const struct simd_obstacle *obstacle,
                                           uint32_t first, uint32_t end) {
    switch (obstacle->shape) {
    case SIM_OBSTACLE_SPHERE:
        return simd_collide(axes, obstacle, first, end, SIM_OBSTACLE_SPHERE);
    case SIM_OBSTACLE_BOX:
        return simd_collide(axes, obstacle, first, end, SIM_OBSTACLE_BOX);
    case SIM_OBSTACLE_CAPSULE:
        return simd_collide(axes, obstacle, first, end, SIM_OBSTACLE_CAPSULE);
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_MESH:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return simd_collide(axes, obstacle, first, end, SIM_OBSTACLE_PLANE);
    }
}

// ---- tethers -------------------------------------------------------------------------------------------------------

SIMD_FUNCTION void simd_hold(const struct kernel_particles *at, const struct simd_tethers *tethers, uint32_t k,
                             uint32_t count) {
    const uint32_t i = tethers->first + k, pin = tethers->pin + k * tethers->step;
    const bool apart = tethers->step > 0;
    const simd_f32 ax = apart ? simd_load(at->ahead_x + pin, count) : simd_broadcast(at->ahead_x[pin]);
    const simd_f32 ay = apart ? simd_load(at->ahead_y + pin, count) : simd_broadcast(at->ahead_y[pin]);
    const simd_f32 az = apart ? simd_load(at->ahead_z + pin, count) : simd_broadcast(at->ahead_z[pin]);
    const simd_f32 aox = apart ? simd_load(at->ox + pin, count) : simd_broadcast(at->ox[pin]);
    const simd_f32 aoy = apart ? simd_load(at->oy + pin, count) : simd_broadcast(at->oy[pin]);
    const simd_f32 aoz = apart ? simd_load(at->oz + pin, count) : simd_broadcast(at->oz[pin]);
    const simd_f32 ox = simd_load(at->ox + i, count), oy = simd_load(at->oy + i, count);
    const simd_f32 oz = simd_load(at->oz + i, count);
    simd_f32 across = simd_broadcast(apart ? tethers->across : tethers->across + (float)k);
    if (!apart) {
        across += simd_load(simd_steps, SIMD_LANES);
    }
    const simd_f32 aside = (across + simd_broadcast(tethers->shift)) * simd_broadcast(tethers->spacing);
    const simd_f32 reach = aside * aside + simd_broadcast(tethers->down_squared);
    const simd_f32 dx = (simd_load(at->ahead_x + i, count) - ax) + (ox - aox);
    const simd_f32 dy = (simd_load(at->ahead_y + i, count) - ay) + (oy - aoy);
    const simd_f32 dz = (simd_load(at->ahead_z + i, count) - az) + (oz - aoz);
    const simd_f32 squared = dx * dx + dy * dy + dz * dz;
    const simd_mask moves = simd_less(simd_broadcast(0.0f), simd_load(at->w + i, count));
    const simd_mask pulls = simd_and(simd_less(reach, squared), moves);
    if (!simd_any(pulls)) {
        return;
    }
    const simd_f32 back = (squared - reach) / (squared + squared * simd_sqrt(reach / squared));
    simd_store(at->ox + i, simd_select(pulls, ox - back * dx, ox), count);
    simd_store(at->oy + i, simd_select(pulls, oy - back * dy, oy), count);
    simd_store(at->oz + i, simd_select(pulls, oz - back * dz, oz), count);
}

SIMD_TARGET static void SIMD_NAME(hold)(const struct kernel_particles *given, const struct simd_tethers *tethers) {
    const struct kernel_particles at = *given;
    const uint32_t count = tethers->count;
    uint32_t k = 0;
    for (; k + SIMD_LANES <= count; k += SIMD_LANES) {
        simd_hold(&at, tethers, k, SIMD_LANES);
    }
    if (k < count) {
        simd_hold(&at, tethers, k, count - k);
    }
}

// ---- bounds --------------------------------------------------------------------------------------------------------

// The smallest box around particles; coordinates that are not numbers are left out.
SIMD_TARGET static void SIMD_NAME(box)(const struct simd_axes *axes, enum simd_positions at, uint32_t first,
                                       uint32_t end, float min[3], float max[3]) {
    const bool relaxed = at == SIMD_RELAXED;
    simd_f32 low[3], high[3];
    uint32_t lanes = 1;
    for (unsigned k = 0; k < 3; k++) {
        low[k] = simd_broadcast(INFINITY);
        high[k] = simd_broadcast(-INFINITY);
    }
    for (uint32_t i = first; i + SIMD_LANES <= end; i += SIMD_LANES) {
        for (unsigned k = 0; k < 3; k++) {
            simd_f32 value = simd_load((relaxed ? axes->ahead[k] : axes->x[k]) + i, SIMD_LANES);
            if (relaxed) {
                value += simd_load(axes->off[k] + i, SIMD_LANES);
            }
            low[k] = simd_min(value, low[k]);
            high[k] = simd_max(value, high[k]);
        }
        lanes = SIMD_LANES;
    }
    const uint32_t rest = first + (end - first) / SIMD_LANES * SIMD_LANES;
    for (unsigned k = 0; k < 3; k++) {
        float least[SIMD_LANES], most[SIMD_LANES];
        simd_store(least, low[k], SIMD_LANES);
        simd_store(most, high[k], SIMD_LANES);
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

// The first particle from `first` on of the next SIMD_LANES of which one is outside; `end` if there are none.
SIMD_TARGET static uint32_t SIMD_NAME(outside)(const struct simd_axes *axes, struct vec3 min, struct vec3 max,
                                               uint32_t first, uint32_t end) {
    const struct simd_vec3 low = simd_broadcast3(min), high = simd_broadcast3(max);
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t count = end - i < SIMD_LANES ? end - i : SIMD_LANES;
        if (count < SIMD_LANES) {
            return i;
        }
        const struct simd_vec3 p = simd_relaxed3(axes, i, count);
        const simd_mask x = simd_or(simd_less(p.x, low.x), simd_less(high.x, p.x));
        const simd_mask y = simd_or(simd_less(p.y, low.y), simd_less(high.y, p.y));
        const simd_mask z = simd_or(simd_less(p.z, low.z), simd_less(high.z, p.z));
        if (simd_any(simd_or(x, simd_or(y, z)))) {
            return i;
        }
    }
    return end;
}

// ---- paths of particles in a substep -------------------------------------------------------------------------------

// For fewer particles than there are lanes, one by one.
static float SIMD_NAME(extent_of_few)(const struct simd_axes *axes, uint32_t first, uint32_t end, float min[3],
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

// The smallest box around particles at their start x and at p; coordinates that are not numbers are left out. Returns
// the square of the longest path from x to p. The last lanes process some particles a second time, which changes
// nothing.
SIMD_TARGET static float SIMD_NAME(extent)(const struct simd_axes *axes, uint32_t first, uint32_t end, float min[3],
                                           float max[3]) {
    struct simd_vec3 low = simd_broadcast3(vec3_of(INFINITY, INFINITY, INFINITY));
    struct simd_vec3 high = simd_broadcast3(vec3_of(-INFINITY, -INFINITY, -INFINITY));
    simd_f32 longest = simd_broadcast(0.0f);
    for (unsigned k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
    if (end - first < SIMD_LANES) {
        return SIMD_NAME(extent_of_few)(axes, first, end, min, max);
    }
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t at = end - i < SIMD_LANES ? end - SIMD_LANES : i;
        const struct simd_vec3 x = {simd_load(axes->start[0] + at, SIMD_LANES),
                                    simd_load(axes->start[1] + at, SIMD_LANES),
                                    simd_load(axes->start[2] + at, SIMD_LANES)};
        const struct simd_vec3 p = simd_relaxed3(axes, at, SIMD_LANES);
        const struct simd_vec3 way = simd_sub3(p, x);
        const simd_f32 squared = simd_dot3(way, way);
        longest = simd_select(simd_less(longest, squared), squared, longest);
        low = simd_min3(p, simd_min3(x, low));
        high = simd_max3(p, simd_max3(x, high));
    }
    float most = 0.0f;
    for (unsigned lane = 0; lane < SIMD_LANES; lane++) {
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

// Sets a bit for each side of a box (x y z low, then high) beyond which a particle stays all the way from x to p.
SIMD_TARGET static void SIMD_NAME(outcodes)(const struct simd_axes *axes, struct vec3 min, struct vec3 max,
                                            float margin, uint32_t first, uint32_t end, uint8_t *outcode) {
    const float low[3] = {min.x, min.y, min.z};
    const float high[3] = {max.x, max.y, max.z};
    const simd_f32 zero = simd_broadcast(0.0f);
    for (uint32_t i = first; i < end; i += SIMD_LANES) {
        const uint32_t count = end - i < SIMD_LANES ? end - i : SIMD_LANES;
        simd_f32 code = zero;
        for (unsigned k = 0; k < 3; k++) {
            const simd_f32 x = simd_load(axes->start[k] + i, count);
            const simd_f32 p = simd_load(axes->ahead[k] + i, count) + simd_load(axes->off[k] + i, count);
            const simd_mask rises = simd_less(x, p);
            const simd_f32 most = simd_select(rises, p, x) + simd_broadcast(margin);
            const simd_f32 least = simd_select(rises, x, p) - simd_broadcast(margin);
            const simd_f32 below = simd_broadcast((float)(1u << k)), above = simd_broadcast((float)(8u << k));
            code += simd_select(simd_less(most, simd_broadcast(low[k])), below, zero);
            code += simd_select(simd_less(simd_broadcast(high[k]), least), above, zero);
        }
        simd_store_bytes(outcode + i, code, count);
    }
}
