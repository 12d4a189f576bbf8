// SPDX-License-Identifier: MIT
// One iteration over a rigid body: its sticks, a frame's right angles, the seventh constraint (PHYSICS.md 6).
//
//   mirror image   C = det[e1, e2, e3] − det₀, e_i = p_i − p_0; g1 = e2×e3, g2 = e3×e1, g3 = e1×e2, g0 = −Σ
//                  p_i −= w_i·g°_i·C/Σ w_j·g_j·g°_j, with g° at the substep's start, which keeps spin; g in its place
//                  where the denominator is small against Σ w_j·g_j·g_j
//   right angle    C = a·b, a = p1 − p0, b = p2 − p0; s = C/(w1·b·b° + w2·a·a° + w0·(a + b)·(a° + b°))
//                  p1 −= s·w1·b°, p2 −= s·w2·a°, p0 += s·w0·(a° + b°)
//
// Near a flat or crushed shape the gradients vanish and these steps grow without bound; no step moves a particle
// farther than the body's edges are long.
//
// The four particles are relaxed in double and relative to the first of them, so that rounding is that of a
// displacement in a substep, not that of the body's size or place: in float32, many iterations of many substeps would
// turn a body that falls freely by some hundredths of a radian. Corrections are applied to offsets (world.h), so that
// momentum suffers no rounding of a coordinate.
#include "sim/body/body_relax.h"

#include "sim/contact/contact.h"
#include "sim/geometry/point.h"
#include "sim/world/particle.h"

// A denominator below this share of the denominator with the present gradients is too small.
#define START_SHARE 0.25
// m²: ends of a stick nearer than this coincide (kernel.h).
#define COINCIDE_SQUARED 1e-12
#define FURTHEST_MAX 1e30 // m²

// The four particles, relative to x of the first one at the substep's start.
struct block {
    struct point p[4];      // m
    struct point x[4];      // m, at the substep's start
    struct point loaded[4]; // p when the iteration began
    double w[4];            // 1/kg
};

struct edges {
    struct point e[3];
};

// ---- loading and storing -----------------------------------------------------------------------------------------

static void load(const struct sim_world *world, const uint32_t slot[4], struct block *block) {
    const struct point origin = point_of(particle_position(world, slot[0]));
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t k = slot[i];
        const struct vec3 ahead = particle_ahead(world, k);
        const struct vec3 off = particle_off(world, k);
        const struct point x = point_sub(point_of(particle_position(world, k)), origin);
        block->x[i] = point_add(x, point_of(particle_low(world, k)));
        block->p[i] = point_add(point_sub(point_of(ahead), origin), point_of(off));
        block->loaded[i] = block->p[i];
        block->w[i] = (double)world->w[k];
    }
}

// Moves a particle, limited like contact_displace. Rounds the displacement but not the position.
static void shift(struct sim_world *world, uint32_t i, struct vec3 way) {
    const struct vec3 ahead = particle_ahead(world, i);
    particle_shift(world, i, way);
    const struct vec3 off = particle_off(world, i);
    const struct vec3 moved = contact_displacement(world, i);
    contact_displace(world, i, moved);
    if (world->dx[i] == moved.x && world->dy[i] == moved.y && world->dz[i] == moved.z) { // the limit did not apply
        world->off_x[i] = (ahead.x - world->ahead_x[i]) + off.x;
        world->off_y[i] = (ahead.y - world->ahead_y[i]) + off.y;
        world->off_z[i] = (ahead.z - world->ahead_z[i]) + off.z;
    }
}

// The corrections of an iteration, without the shift of the centre of mass by rounding: the constraints of a free body
// cannot move it.
static void store(struct sim_world *world, const uint32_t slot[4], const struct block *block) {
    struct point way[4];
    struct point drift = {0};
    double mass = 0.0;
    bool free = true;
    for (unsigned i = 0; i < 4; i++) {
        way[i] = point_sub(block->p[i], block->loaded[i]);
        free = free && block->w[i] > 0.0;
        drift = point_add(drift, point_scale(way[i], 1.0 / block->w[i]));
        mass += 1.0 / block->w[i];
    }
    drift = free ? point_scale(drift, 1.0 / mass) : (struct point){0};
    for (unsigned i = 0; i < 4; i++) {
        if (block->w[i] > 0.0) {
            shift(world, slot[i], point_rounded(point_sub(way[i], drift)));
        }
    }
}

// ---- constraints -------------------------------------------------------------------------------------------------

static struct edges edges_of(const struct point at[4]) {
    struct edges edges;
    for (unsigned i = 0; i < 3; i++) {
        edges.e[i] = point_sub(at[i + 1], at[0]);
    }
    return edges;
}

static void move(struct block *block, unsigned i, struct point direction, double share) {
    block->p[i] = point_add(block->p[i], point_scale(direction, share));
}

static void gradients_of(const struct edges *at, struct point g[4]) {
    g[1] = point_cross(at->e[1], at->e[2]);
    g[2] = point_cross(at->e[2], at->e[0]);
    g[3] = point_cross(at->e[0], at->e[1]);
    g[0] = point_scale(point_add(g[1], point_add(g[2], g[3])), -1.0);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double longest_squared(const struct edges *at) {
    return larger(point_dot(at->e[0], at->e[0]), larger(point_dot(at->e[1], at->e[1]), point_dot(at->e[2], at->e[2])));
}

// p_i −= w_i·s·g_i, all shortened together where one would move farther than √`reach`.
static void step(struct block *block, const struct point g[4], double s, double reach) {
    double furthest = 0.0;
    for (unsigned i = 0; i < 4; i++) {
        const double share = block->w[i] * s;
        furthest = larger(share * share * point_dot(g[i], g[i]), furthest);
    }
    if (!(furthest < FURTHEST_MAX)) { // flat to the last bit: there is no direction
        return;
    }
    const double within = furthest > reach ? s * sqrt(reach / furthest) : s;
    for (unsigned i = 0; i < 4; i++) {
        move(block, i, g[i], -block->w[i] * within);
    }
}

static void relax_determinant(struct block *block, double rest, enum sim_projection projection) {
    struct point now[4];
    struct point start[4];
    const struct edges edges = edges_of(block->p);
    const struct edges before = edges_of(block->x);
    gradients_of(&edges, now);
    gradients_of(&before, start);
    double full = 0.0;
    double across = 0.0;
    for (unsigned i = 0; i < 4; i++) {
        full += block->w[i] * point_dot(now[i], now[i]);
        across += block->w[i] * point_dot(now[i], start[i]);
    }
    const bool as_it_lay = projection == SIM_PROJECTION_START && across > START_SHARE * full;
    const struct point *along = as_it_lay ? start : now;
    const double denominator = as_it_lay ? across : full;
    if (!(denominator > 0.0)) {
        return;
    }
    const double error = point_dot(now[3], edges.e[2]) - rest;
    step(block, along, error / denominator, longest_squared(&edges));
}

// The right angle between the edges to `i` and `j`.
static void relax_right_angle(struct block *block, unsigned i, unsigned j, enum sim_projection projection) {
    const struct edges now = edges_of(block->p);
    const struct edges start = projection == SIM_PROJECTION_START ? edges_of(block->x) : now;
    const struct point a = now.e[i - 1];
    const struct point b = now.e[j - 1];
    struct point a0 = start.e[i - 1];
    struct point b0 = start.e[j - 1];
    const double *w = block->w;
    const struct point sum = point_add(a, b);
    const double full = w[i] * point_dot(b, b) + w[j] * point_dot(a, a) + w[0] * point_dot(sum, sum);
    double denominator = w[i] * point_dot(b, b0) + w[j] * point_dot(a, a0) + w[0] * point_dot(sum, point_add(a0, b0));
    if (!(denominator > START_SHARE * full)) {
        a0 = a;
        b0 = b;
        denominator = full;
    }
    if (!(denominator > 0.0)) {
        return;
    }
    struct point g[4] = {point_scale(point_add(a0, b0), -1.0)};
    g[i] = b0;
    g[j] = a0;
    step(block, g, point_dot(a, b) / denominator, longest_squared(&now));
}

// ---- sticks (kernel.h, in double) --------------------------------------------------------------------------------

// p1 += w1·s·δ, p2 −= w2·s·δ
static void move_ends(struct block *block, uint32_t a, uint32_t b, double s, struct point delta) {
    move(block, a, delta, block->w[a] * s);
    move(block, b, delta, -block->w[b] * s);
}

static void relax_now(struct block *block, uint32_t a, uint32_t b, double r, bool exact) {
    const double w = block->w[a] + block->w[b];
    const struct point delta = point_sub(block->p[b], block->p[a]);
    const double squared = point_dot(delta, delta);
    if (squared < COINCIDE_SQUARED) {
        move_ends(block, a, b, -1.0 / w, (struct point){r, 0.0, 0.0});
    } else if (exact) {
        const double length = sqrt(squared);
        move_ends(block, a, b, (length - r) / (length * w), delta);
    } else {
        move_ends(block, a, b, (squared - r * r) / ((squared + r * r) * w), delta);
    }
}

static void relax_from_start(struct block *block, uint32_t a, uint32_t b, double r) {
    const double w = block->w[a] + block->w[b];
    const struct point delta = point_sub(block->p[b], block->p[a]);
    const struct point start = point_sub(block->x[b], block->x[a]);
    const double squared = point_dot(delta, delta);
    const double along = point_dot(delta, start);
    if (4.0 * along < larger(r * r, larger(squared, point_dot(start, start)))) {
        relax_now(block, a, b, r, true);
    } else {
        move_ends(block, a, b, (squared - r * r) / (2.0 * w * along), start);
    }
}

static void relax_sticks(const struct sim_world *world, const struct object *object, struct block *block) {
    const bool exact = world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT;
    for (uint32_t i = object->first_stick; i < object->first_stick + object->sticks; i++) {
        const uint32_t a = world->stick_a[i];
        const uint32_t b = world->stick_b[i];
        const double rest = (double)world->stick_rest[i];
        if (!(block->w[a] + block->w[b] > 0.0)) {
            continue;
        }
        if (object->projection == SIM_PROJECTION_START) {
            relax_from_start(block, a, b, rest);
        } else {
            relax_now(block, a, b, rest, exact);
        }
    }
}

// ---- an iteration ------------------------------------------------------------------------------------------------

void body_relax_determinant(struct sim_world *world, const uint32_t slot[4], float rest,
                            enum sim_projection projection) {
    struct block block;
    load(world, slot, &block);
    relax_determinant(&block, (double)rest, projection);
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
    relax_determinant(&block, (double)object->determinant, object->projection);
    store(world, slot, &block);
}
