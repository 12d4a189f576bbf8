// SPDX-License-Identifier: MIT
// The tick. `sim_world_step` is its table of contents; physics.md 1 its source.
//
// A particle's state is its position x and its displacement d over the last substep. Within a substep d already holds
// d' and p the positions under relaxation, so that the end can form d' + (p − (x + d')): the rounding of x + d' is
// taken out again, which keeps free fall from a height exact to a few units in the last place.
#include "sim/world.h"

// The n-th root of q in (0, 1], by Newton's method from above, which converges monotonically. In double and without
// libm: the same bits everywhere.
static double root(double q, uint32_t n) {
    double y = 1.0;
    for (unsigned round = 0; round < 4096; round++) {
        double power = 1.0; // y^(n−1)
        for (uint32_t i = 1; i < n; i++) {
            power *= y;
        }
        const double next = y - (power * y - q) / ((double)n * power);
        if (!(next < y)) {
            break;
        }
        y = next;
    }
    return y;
}

static struct substep substep_of(const struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const float h = world_substep_seconds(world);
    return (struct substep){
        .h = h,
        .keep = (float)root(1.0 - (double)parameters->damping, parameters->substeps),
        .gravity = parameters->gravity,
        .displacement_max = SIM_SPEED_MAX * h,
    };
}

// The same arithmetic on each axis, in plain loops over contiguous arrays, so that a compiler can make them wide.
struct axis {
    float *restrict x, *restrict d, *restrict p; // m
    const float *restrict f;                     // N
    float gravity;                               // m/s²
};

static void axes_of(const struct sim_world *world, const struct substep *substep, struct axis axes[3]) {
    const struct vec3 gravity = substep->gravity;
    axes[0] = (struct axis){world->x, world->dx, world->px, world->fx, gravity.x};
    axes[1] = (struct axis){world->y, world->dy, world->py, world->fy, gravity.y};
    axes[2] = (struct axis){world->z, world->dz, world->pz, world->fz, gravity.z};
}

static float squared_displacement(const struct sim_world *world, uint32_t i) {
    return world->dx[i] * world->dx[i] + world->dy[i] * world->dy[i] + world->dz[i] * world->dz[i];
}

// Shortens what is longer than SIM_SPEED_MAX allows: rare, so the particles are counted first.
static void limit_displacements(struct sim_world *world, float most) {
    uint32_t faster = 0;
    for (uint32_t i = 0; i < world->state.particles; i++) {
        faster += squared_displacement(world, i) > most * most ? 1 : 0;
    }
    for (uint32_t i = 0; faster > 0 && i < world->state.particles; i++) {
        const float squared = squared_displacement(world, i);
        if (squared > most * most) {
            const float share = most / sqrtf(squared);
            world->dx[i] *= share;
            world->dy[i] *= share;
            world->dz[i] *= share;
        }
    }
}

// d' = (1 − c_s)·d + a·h², with a = gravity + force·w. What is pinned has d = 0; what is held, the hand's d.
static void accelerate(const struct axis *axis, const float *restrict w, uint32_t count,
                       const struct substep *substep) {
    const float h2 = substep->h * substep->h;
    for (uint32_t i = 0; i < count; i++) {
        const float moved = substep->keep * axis->d[i] + (axis->gravity + axis->f[i] * w[i]) * h2;
        axis->d[i] = w[i] > 0.0f ? moved : axis->d[i];
    }
}

// p = x + d'
static void advance(const struct axis *axis, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        axis->p[i] = axis->x[i] + axis->d[i];
    }
}

// d ← d' + (p − (x + d')), x ← p
static void settle(const struct axis *axis, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const float d = axis->d[i] + (axis->p[i] - (axis->x[i] + axis->d[i]));
        axis->d[i] = scalar_abs(d) < SIM_DISPLACEMENT_MIN ? 0.0f : d;
        axis->x[i] = axis->p[i];
    }
}

static void integrate(struct sim_world *world, const struct substep *substep) {
    const uint32_t count = world->state.particles;
    struct axis axes[3];
    axes_of(world, substep, axes);
    for (unsigned k = 0; k < 3; k++) {
        accelerate(&axes[k], world->w, count, substep);
    }
    limit_displacements(world, substep->displacement_max);
    for (unsigned k = 0; k < 3; k++) {
        advance(&axes[k], count);
    }
}

static void relax(struct sim_world *world) {
    for (uint32_t sweep = 0; sweep < world->state.parameters.iterations; sweep++) {
        for (uint32_t i = 0; i < world->state.objects; i++) {
            stick_relax_object(world, &world->object[i]);
        }
        free_stick_relax(world);
        grab_relax(world);
        contact_relax(world);
    }
}

static void finish(struct sim_world *world, const struct substep *substep) {
    struct axis axes[3];
    axes_of(world, substep, axes);
    for (unsigned k = 0; k < 3; k++) {
        settle(&axes[k], world->state.particles);
    }
    limit_displacements(world, substep->displacement_max);
}

static void clear_forces(struct sim_world *world) {
    const size_t bytes = (size_t)world->state.particles * sizeof *world->fx;
    memset(world->fx, 0, bytes);
    memset(world->fy, 0, bytes);
    memset(world->fz, 0, bytes);
}

void sim_world_step(struct sim_world *world) {
    const struct substep substep = substep_of(world);
    const uint32_t substeps = world->state.parameters.substeps;
    free_stick_resolve(world);
    wind_apply(world);
    force_accumulate(world);
    for (uint32_t k = 0; k < substeps; k++) {
        grab_advance(world, &substep, substeps - k);
        integrate(world, &substep);
        relax(world);
        finish(world, &substep);
    }
    grab_remember(world);
    clear_forces(world);
    world->state.tick++;
}
