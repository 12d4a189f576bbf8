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

static float without_denormals(float value) {
    return scalar_abs(value) < SIM_DISPLACEMENT_MIN ? 0.0f : value;
}

static void set_displacement(struct sim_world *world, uint32_t i, struct vec3 d, float most) {
    const float squared = vec3_dot(d, d);
    if (squared > most * most) {
        d = vec3_scale(d, most / sqrtf(squared));
    }
    world->dx[i] = without_denormals(d.x);
    world->dy[i] = without_denormals(d.y);
    world->dz[i] = without_denormals(d.z);
}

// d' = (1 − c_s)·d + a·h², p = x + d', with a = gravity + force·w. What is pinned has d = 0; what is held, the hand's
// d.
static void integrate(struct sim_world *world, const struct substep *substep) {
    const float h2 = substep->h * substep->h;
    const float keep = substep->keep;
    for (uint32_t i = 0; i < world->state.particles; i++) {
        const float w = world->w[i];
        if (w > 0.0f) {
            const struct vec3 d = vec3_of(keep * world->dx[i] + (substep->gravity.x + world->fx[i] * w) * h2,
                                          keep * world->dy[i] + (substep->gravity.y + world->fy[i] * w) * h2,
                                          keep * world->dz[i] + (substep->gravity.z + world->fz[i] * w) * h2);
            set_displacement(world, i, d, substep->displacement_max);
        }
        world->px[i] = world->x[i] + world->dx[i];
        world->py[i] = world->y[i] + world->dy[i];
        world->pz[i] = world->z[i] + world->dz[i];
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

// d ← d' + (p − (x + d')), x ← p
static void finish(struct sim_world *world, const struct substep *substep) {
    for (uint32_t i = 0; i < world->state.particles; i++) {
        const struct vec3 d = vec3_of(world->dx[i] + (world->px[i] - (world->x[i] + world->dx[i])),
                                      world->dy[i] + (world->py[i] - (world->y[i] + world->dy[i])),
                                      world->dz[i] + (world->pz[i] - (world->z[i] + world->dz[i])));
        set_displacement(world, i, d, substep->displacement_max);
        world->x[i] = world->px[i];
        world->y[i] = world->py[i];
        world->z[i] = world->pz[i];
    }
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
