// SPDX-License-Identifier: MIT
// One sweep over a rigid body: its sticks, a frame's right angles, the seventh constraint (physics.md 6).
//
//   mirror image   C = det[e1, e2, e3] − det₀, e_i = p_i − p_0; g1 = e2×e3, g2 = e3×e1, g3 = e1×e2, g0 = −Σ
//                  p_i −= w_i·g°_i·C/Σ w_j·g_j·g°_j, with g° at the substep's start, which keeps spin; g in its place
//                  where the denominator is small against Σ w_j·g_j·g_j
//   right angle    C = a·b, a = p1 − p0, b = p2 − p0; s = C/(w1·b·b° + w2·a·a° + w0·(a + b)·(a° + b°))
//                  p1 −= s·w1·b°, p2 −= s·w2·a°, p0 += s·w0·(a° + b°)
//
// Near a flat or crushed shape the gradients vanish and these steps grow without bound; none moves a particle further
// than the body's edges are long.
//
// The four particles are relaxed as seen from the first of them, so that rounding is that of the body's size and not of
// its place in the world; and corrections are made to displacements, to the last bit (contact.h), so that momentum
// suffers the rounding of a displacement and not that of a coordinate.
#include "sim/body.h"
#include "sim/contact.h"
#include "sim/kernel.h"

// A denominator below this share of the one with the present gradients is small.
#define START_SHARE 0.25f

// The four particles, seen from the first one's p and, at the substep's start, its x.
struct block {
    float px[4], py[4], pz[4]; // m
    float x[4], y[4], z[4];    // m
    float w[4];                // 1/kg
    float loaded[3][4];        // p as it was
};

struct edges {
    struct vec3 e[3];
};

// ---- in and out --------------------------------------------------------------------------------------------------

static void load(const struct sim_world *world, const uint32_t slot[4], struct block *block) {
    const uint32_t o = slot[0];
    const struct vec3 moved = contact_displacement(world, o);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t k = slot[i];
        const struct vec3 way = vec3_sub(contact_displacement(world, k), moved);
        block->x[i] = world->x[k] - world->x[o];
        block->y[i] = world->y[k] - world->y[o];
        block->z[i] = world->z[k] - world->z[o];
        block->px[i] = block->x[i] + way.x;
        block->py[i] = block->y[i] + way.y;
        block->pz[i] = block->z[i] + way.z;
        block->w[i] = world->w[k];
    }
    memcpy(block->loaded[0], block->px, sizeof block->px);
    memcpy(block->loaded[1], block->py, sizeof block->py);
    memcpy(block->loaded[2], block->pz, sizeof block->pz);
}

// What a sweep has moved each particle by, without what rounding has moved their centre by: a free body's own
// constraints cannot.
static void store(struct sim_world *world, const uint32_t slot[4], const struct block *block) {
    struct vec3 way[4];
    struct vec3 drift = {0};
    float mass = 0.0f;
    bool free = true;
    for (unsigned i = 0; i < 4; i++) {
        way[i] = vec3_of(block->px[i] - block->loaded[0][i], block->py[i] - block->loaded[1][i],
                         block->pz[i] - block->loaded[2][i]);
        free = free && block->w[i] > 0.0f;
        drift = vec3_add(drift, vec3_scale(way[i], 1.0f / block->w[i]));
        mass += 1.0f / block->w[i];
    }
    drift = free ? vec3_scale(drift, 1.0f / mass) : (struct vec3){0};
    for (unsigned i = 0; i < 4; i++) {
        if (block->w[i] > 0.0f) {
            const struct vec3 u = contact_displacement(world, slot[i]);
            contact_displace(world, slot[i], vec3_add(u, vec3_sub(way[i], drift)));
        }
    }
}

// ---- constraints -------------------------------------------------------------------------------------------------

static struct vec3 difference(const float *x, const float *y, const float *z, unsigned i) {
    return vec3_of(x[i] - x[0], y[i] - y[0], z[i] - z[0]);
}

static struct edges edges_now(const struct block *block) {
    struct edges edges;
    for (unsigned i = 0; i < 3; i++) {
        edges.e[i] = difference(block->px, block->py, block->pz, i + 1);
    }
    return edges;
}

static struct edges edges_start(const struct block *block) {
    struct edges edges;
    for (unsigned i = 0; i < 3; i++) {
        edges.e[i] = difference(block->x, block->y, block->z, i + 1);
    }
    return edges;
}

static void move(struct block *block, unsigned i, struct vec3 direction, float share) {
    block->px[i] += share * direction.x;
    block->py[i] += share * direction.y;
    block->pz[i] += share * direction.z;
}

static void gradients_of(const struct edges *at, struct vec3 g[4]) {
    g[1] = vec3_cross(at->e[1], at->e[2]);
    g[2] = vec3_cross(at->e[2], at->e[0]);
    g[3] = vec3_cross(at->e[0], at->e[1]);
    g[0] = vec3_scale(vec3_add(g[1], vec3_add(g[2], g[3])), -1.0f);
}

static float longest_squared(const struct edges *at) {
    return scalar_max(vec3_dot(at->e[0], at->e[0]),
                      scalar_max(vec3_dot(at->e[1], at->e[1]), vec3_dot(at->e[2], at->e[2])));
}

// p_i −= w_i·s·g_i, all of them shortened together where one would go further than √`reach`.
static void step(struct block *block, const struct vec3 g[4], float s, float reach) {
    float furthest = 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        const float share = block->w[i] * s;
        furthest = scalar_max(share * share * vec3_dot(g[i], g[i]), furthest);
    }
    if (!scalar_is_finite(furthest)) { // flat to the last bit: nothing says which way
        return;
    }
    const float within = furthest > reach ? s * sqrtf(reach / furthest) : s;
    for (unsigned i = 0; i < 4; i++) {
        move(block, i, g[i], -block->w[i] * within);
    }
}

static void relax_determinant(struct block *block, float rest, enum sim_projection projection) {
    struct vec3 now[4];
    struct vec3 start[4];
    const struct edges edges = edges_now(block);
    const struct edges before = edges_start(block);
    gradients_of(&edges, now);
    gradients_of(&before, start);
    float full = 0.0f;
    float across = 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        full += block->w[i] * vec3_dot(now[i], now[i]);
        across += block->w[i] * vec3_dot(now[i], start[i]);
    }
    const bool as_it_lay = projection == SIM_PROJECTION_START && across > START_SHARE * full;
    const struct vec3 *along = as_it_lay ? start : now;
    const float denominator = as_it_lay ? across : full;
    if (!(denominator > 0.0f)) {
        return;
    }
    const float error = vec3_dot(now[3], edges.e[2]) - rest;
    step(block, along, error / denominator, longest_squared(&edges));
}

// Between the edges to `i` and `j`.
static void relax_right_angle(struct block *block, unsigned i, unsigned j, enum sim_projection projection) {
    const struct edges now = edges_now(block);
    const struct edges start = projection == SIM_PROJECTION_START ? edges_start(block) : now;
    const struct vec3 a = now.e[i - 1];
    const struct vec3 b = now.e[j - 1];
    struct vec3 a0 = start.e[i - 1];
    struct vec3 b0 = start.e[j - 1];
    const float *w = block->w;
    const struct vec3 sum = vec3_add(a, b);
    const float full = w[i] * vec3_dot(b, b) + w[j] * vec3_dot(a, a) + w[0] * vec3_dot(sum, sum);
    float denominator = w[i] * vec3_dot(b, b0) + w[j] * vec3_dot(a, a0) + w[0] * vec3_dot(sum, vec3_add(a0, b0));
    if (!(denominator > START_SHARE * full)) {
        a0 = a;
        b0 = b;
        denominator = full;
    }
    if (!(denominator > 0.0f)) {
        return;
    }
    struct vec3 g[4] = {vec3_scale(vec3_add(a0, b0), -1.0f)};
    g[i] = b0;
    g[j] = a0;
    step(block, g, vec3_dot(a, b) / denominator, longest_squared(&now));
}

static void relax_sticks(const struct sim_world *world, const struct object *object, struct block *block) {
    const struct kernel_particles at = {block->px, block->py, block->pz, block->w, block->x, block->y, block->z};
    const bool exact = world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT;
    for (uint32_t i = object->first_stick; i < object->first_stick + object->sticks; i++) {
        const uint32_t a = world->stick_a[i];
        const uint32_t b = world->stick_b[i];
        if (object->projection == SIM_PROJECTION_START) {
            kernel_start(&at, a, b, world->stick_rest[i]);
        } else if (exact) {
            kernel_exact(&at, a, b, world->stick_rest[i]);
        } else {
            kernel_approximate(&at, a, b, world->stick_rest[i]);
        }
    }
}

// ---- a sweep -----------------------------------------------------------------------------------------------------

void body_relax_determinant(struct sim_world *world, const uint32_t slot[4], float rest,
                            enum sim_projection projection) {
    struct block block;
    load(world, slot, &block);
    relax_determinant(&block, rest, projection);
    store(world, slot, &block);
}

void body_relax(struct sim_world *world, const struct object *object) {
    const uint32_t first = object->first;
    const uint32_t slot[4] = {first, first + 1, first + 2, first + 3};
    struct block block;
    load(world, slot, &block);
    relax_sticks(world, object, &block);
    if (object->shape == SIM_BODY_FRAME) {
        relax_right_angle(&block, 1, 2, object->projection);
        relax_right_angle(&block, 2, 3, object->projection);
        relax_right_angle(&block, 3, 1, object->projection);
    }
    relax_determinant(&block, object->determinant, object->projection);
    store(world, slot, &block);
}
