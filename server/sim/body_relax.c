// SPDX-License-Identifier: MIT
// A body's constraints beyond its sticks, once in each sweep (physics.md 6).
//
//   mirror image   C = det[e1, e2, e3] − det₀, e_i = p_i − p_0; g1 = e2×e3, g2 = e3×e1, g3 = e1×e2, g0 = −Σ
//                  p_i −= w_i·g°_i·C/Σ w_j·g_j·g°_j, with g° at the substep's start, which keeps spin; g in its place
//                  where the denominator is small against Σ w_j·g_j·g_j
//   right angle    C = a·b, a = p1 − p0, b = p2 − p0; s = C/(w1·b·b° + w2·a·a° + w0·(a + b)·(a° + b°))
//                  p1 −= s·w1·b°, p2 −= s·w2·a°, p0 += s·w0·(a° + b°)
#include "sim/body.h"

// A denominator below this share of the one with the present gradients is small.
#define START_SHARE 0.25f

static struct vec3 relaxed(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->px[slot], world->py[slot], world->pz[slot]);
}

static void move(struct sim_world *world, uint32_t slot, struct vec3 direction, float share) {
    world->px[slot] += share * direction.x;
    world->py[slot] += share * direction.y;
    world->pz[slot] += share * direction.z;
}

struct edges {
    struct vec3 e[3];
};

static struct edges edges_now(const struct sim_world *world, const uint32_t slot[4]) {
    const struct vec3 p0 = relaxed(world, slot[0]);
    return (struct edges){{vec3_sub(relaxed(world, slot[1]), p0), vec3_sub(relaxed(world, slot[2]), p0),
                           vec3_sub(relaxed(world, slot[3]), p0)}};
}

static struct edges edges_start(const struct sim_world *world, const uint32_t slot[4]) {
    const struct vec3 p0 = particle_position(world, slot[0]);
    return (struct edges){{vec3_sub(particle_position(world, slot[1]), p0),
                           vec3_sub(particle_position(world, slot[2]), p0),
                           vec3_sub(particle_position(world, slot[3]), p0)}};
}

static void gradients_of(const struct edges *at, struct vec3 g[4]) {
    g[1] = vec3_cross(at->e[1], at->e[2]);
    g[2] = vec3_cross(at->e[2], at->e[0]);
    g[3] = vec3_cross(at->e[0], at->e[1]);
    g[0] = vec3_scale(vec3_add(g[1], vec3_add(g[2], g[3])), -1.0f);
}

static float weighted(const struct sim_world *world, const uint32_t slot[4], const struct vec3 g[4],
                      const struct vec3 other[4]) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        sum += world->w[slot[i]] * vec3_dot(g[i], other[i]);
    }
    return sum;
}

void body_relax_determinant(struct sim_world *world, const uint32_t slot[4], float rest,
                            enum sim_projection projection) {
    struct vec3 now[4];
    struct vec3 start[4];
    const struct edges edges = edges_now(world, slot);
    gradients_of(&edges, now);
    const struct edges edges_before = edges_start(world, slot);
    gradients_of(&edges_before, start);
    const float full = weighted(world, slot, now, now);
    const float across = weighted(world, slot, now, start);
    const bool as_it_lay = projection == SIM_PROJECTION_START && across > START_SHARE * full;
    const struct vec3 *along = as_it_lay ? start : now;
    const float denominator = as_it_lay ? across : full;
    if (!(denominator > 0.0f)) {
        return;
    }
    const float error = vec3_dot(now[3], edges.e[2]) - rest;
    for (unsigned i = 0; i < 4; i++) {
        move(world, slot[i], along[i], -world->w[slot[i]] * (error / denominator));
    }
}

// Between the edges to `i` and `j`.
static void relax_right_angle(struct sim_world *world, const uint32_t slot[4], unsigned i, unsigned j,
                              enum sim_projection projection) {
    const struct edges now = edges_now(world, slot);
    const struct edges start = projection == SIM_PROJECTION_START ? edges_start(world, slot) : now;
    const struct vec3 a = now.e[i - 1];
    const struct vec3 b = now.e[j - 1];
    struct vec3 a0 = start.e[i - 1];
    struct vec3 b0 = start.e[j - 1];
    const float w0 = world->w[slot[0]];
    const float w1 = world->w[slot[i]];
    const float w2 = world->w[slot[j]];
    const struct vec3 sum = vec3_add(a, b);
    const float full = w1 * vec3_dot(b, b) + w2 * vec3_dot(a, a) + w0 * vec3_dot(sum, sum);
    float denominator = w1 * vec3_dot(b, b0) + w2 * vec3_dot(a, a0) + w0 * vec3_dot(sum, vec3_add(a0, b0));
    if (!(denominator > START_SHARE * full)) {
        a0 = a;
        b0 = b;
        denominator = full;
    }
    if (!(denominator > 0.0f)) {
        return;
    }
    const float s = vec3_dot(a, b) / denominator;
    move(world, slot[i], b0, -s * w1);
    move(world, slot[j], a0, -s * w2);
    move(world, slot[0], vec3_add(a0, b0), s * w0);
}

void body_relax(struct sim_world *world, const struct object *object) {
    if (object->kind != SIM_KIND_BODY) {
        return;
    }
    const uint32_t first = object->first;
    const uint32_t slot[4] = {first, first + 1, first + 2, first + 3};
    if (object->shape == SIM_BODY_FRAME) {
        relax_right_angle(world, slot, 1, 2, object->projection);
        relax_right_angle(world, slot, 2, 3, object->projection);
        relax_right_angle(world, slot, 3, 1, object->projection);
    }
    body_relax_determinant(world, slot, object->determinant, object->projection);
}
