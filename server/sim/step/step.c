// SPDX-License-Identifier: MIT
// The tick. `sim_world_step` reads as its table of contents; PHYSICS.md 2 has the equations.
//
// The state of a particle is its position x + low (world.h) and its displacement d over the last substep. A substep
// predicts d' and from it ahead + off = x + low + d', of which `ahead` is the rounded sum and off the rest. Relaxation
// changes off, so that the position is p = ahead + off. At the end
//
//   d ← d' + (p − (x + low + d'))   (scalar_displacement): a particle that nothing touches keeps d' exactly
//   x + low ← ahead + off           without error: x is the rounded sum, low the rest
//
// So neither a position nor a speed is ever rounded to the grid of float32 coordinates: momentum keeps the precision of
// d, about 1e-7 of the path of a substep.
#include "sim/body/body_detect.h"
#include "sim/body/stack.h"
#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_guard.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_detect.h"
#include "sim/contact/contact_leave.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/grip.h"
#include "sim/contact/obstacle_motion.h"
#include "sim/contact/restitution.h"
#include "sim/force/force.h"
#include "sim/force/grab.h"
#include "sim/force/wind.h"
#include "sim/simd/simd.h"
#include "sim/step/quarantine.h"
#include "sim/step/settle.h"
#include "sim/step/sleep.h"
#include "sim/step/tolerance.h"
#include "sim/stick/crease.h"
#include "sim/stick/free_stick.h"
#include "sim/stick/panel.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_plan.h"
#include "sim/stick/stick_relax.h"
#include "sim/stick/tether.h"
#include "sim/tear/tear.h"
#include "sim/volume/gas.h"
#include "sim/volume/tetrahedron_plan.h"
#include "sim/volume/tetrahedron_relax.h"
#include "sim/world/active.h"
#include "sim/world/axes.h"
#include "sim/world/event.h"
#include "sim/world/particle.h"
#include "sim/world/stopwatch.h"
#include "sim/world/work.h"

// The n-th root of q in (0, 1], by Newton's method from above, which converges monotonically. In double and without
// libm, for the same bits on every machine.
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

static float squared_displacement(const struct sim_world *world, uint32_t i) {
    return world->dx[i] * world->dx[i] + world->dy[i] * world->dy[i] + world->dz[i] * world->dz[i];
}

// Shortens one displacement to `most`. Returns false when it is not finite.
static bool limit_displacement(struct sim_world *world, uint32_t i, float most) {
    const struct vec3 d = particle_displacement(world, i);
    if (!vec3_is_finite(d)) {
        return false;
    }
    const float reach = vec3_reach(d);
    if (reach > 1e6f * most) { // its square may overflow
        particle_set_displacement(world, i, vec3_scale(vec3_of(d.x / reach, d.y / reach, d.z / reach), most));
    }
    const float squared = squared_displacement(world, i);
    if (squared > most * most) {
        const float share = most / sqrtf(squared);
        world->dx[i] *= share;
        world->dy[i] *= share;
        world->dz[i] *= share;
    }
    return true;
}

// Shortens displacements that are longer than SIM_SPEED_MAX allows, which is rare. Objects with a displacement that is
// not finite are frozen at `good`.
static void limit_displacements(struct sim_world *world, float most, float *const good[3]) {
    bool finite = true;
    for (uint32_t k = 0; k < world->spans; k++) {
        for (uint32_t i = world->span[k].first; i < world->span[k].end; i++) {
            const bool is_faster = !(squared_displacement(world, i) <= most * most);
            finite = !(is_faster && !limit_displacement(world, i, most)) && finite;
        }
    }
    if (!finite) {
        quarantine_find(world, good);
    }
}

// `settle` has written the new x to `ahead`; the two arrays are exchanged, so that `ahead` holds the old x. For
// inactive particles both are the same.
static void exchange(float **x, float **ahead) {
    float *const before = *x;
    *x = *ahead;
    *ahead = before;
}

// ---- every particle, on all threads ------------------------------------------------------------------------------

struct motion_job {
    const struct sim_world *world;
    struct simd_axes axes;
    struct simd_motion motion;
    unsigned shares;
    uint32_t particles;        // number of particles in all spans
    bool any[SIM_WORKERS_MAX]; // result of each share
};

static struct motion_job motion_of(const struct sim_world *world, const struct substep *substep) {
    const float longest = substep->displacement_max;
    struct motion_job job = {
        .world = world,
        .axes = world_axes(world),
        .motion =
            {
                .keep = substep->keep,
                .h2 = substep->h * substep->h,
                .gravity = {substep->gravity.x, substep->gravity.y, substep->gravity.z},
                .longest_squared = longest * longest,
            },
    };
    for (uint32_t k = 0; k < world->spans; k++) {
        job.particles += world->span[k].end - world->span[k].first;
    }
    job.shares = work_visit_shares(world, job.particles);
    return job;
}

// The part of span `k` that lies in the share. `before` is the number of particles in earlier spans.
static struct slot_span part_of(const struct motion_job *job, unsigned share, uint32_t k, uint32_t before) {
    const struct slot_span span = job->world->span[k];
    const uint32_t begin = work_begin(0, job->particles, share, job->shares);
    const uint32_t end = work_begin(0, job->particles, share + 1, job->shares);
    const uint32_t size = span.end - span.first;
    const uint32_t low = begin > before ? begin - before : 0;
    const uint32_t high = end > before ? end - before : 0;
    return (struct slot_span){span.first + (low < size ? low : size), span.first + (high < size ? high : size)};
}

enum motion_stage { MOTION_INTEGRATE, MOTION_SETTLE, MOTION_EXCEEDS, MOTION_CLEAR };

// Number of particles that are tested while they are still in the innermost cache.
#define SETTLED_AT_ONCE 1024u

static bool settle_part(const struct motion_job *job, struct slot_span part) {
    const struct simd_kernels *simd = job->world->simd;
    bool exceeds = false;
    for (uint32_t i = part.first; i < part.end; i += SETTLED_AT_ONCE) {
        const uint32_t end = part.end - i < SETTLED_AT_ONCE ? part.end : i + SETTLED_AT_ONCE;
        simd->settle(&job->axes, i, end);
        exceeds |= simd->exceeds(&job->axes, job->motion.longest_squared, i, end);
    }
    return exceeds;
}

static bool move_part(const struct motion_job *job, struct slot_span part, enum motion_stage stage) {
    const struct simd_kernels *simd = job->world->simd;
    if (stage == MOTION_INTEGRATE) {
        return simd->integrate(&job->axes, &job->motion, part.first, part.end);
    }
    if (stage == MOTION_EXCEEDS) {
        return simd->exceeds(&job->axes, job->motion.longest_squared, part.first, part.end);
    }
    if (stage == MOTION_CLEAR) {
        force_clear(job->world, part);
        return false;
    }
    return settle_part(job, part);
}

static void move_share(struct motion_job *job, unsigned share, enum motion_stage stage) {
    uint32_t before = 0;
    bool any = false;
    for (uint32_t k = 0; k < job->world->spans; k++) {
        any |= move_part(job, part_of(job, share, k, before), stage);
        before += job->world->span[k].end - job->world->span[k].first;
    }
    job->any[share] = any;
}

static void integrate_share(void *argument, unsigned share) {
    move_share(argument, share, MOTION_INTEGRATE);
}

static void settle_share(void *argument, unsigned share) {
    move_share(argument, share, MOTION_SETTLE);
}

static void exceed_share(void *argument, unsigned share) {
    move_share(argument, share, MOTION_EXCEEDS);
}

static void clear_share(void *argument, unsigned share) {
    move_share(argument, share, MOTION_CLEAR);
}

// Runs the stage. Returns true if it does for any share.
static bool run_motion(struct motion_job *job, work_task task) {
    bool any = false;
    work_run(job->world, job->shares, task, job);
    for (unsigned share = 0; share < job->shares; share++) {
        any |= job->any[share];
    }
    return any;
}

// d' = (1 − c_s)·d + a·h², with a = gravity + force·w; ahead + off = x + low + d'. Pinned particles have d = 0, held
// ones the d of the hand.
static void integrate(struct sim_world *world, const struct substep *substep) {
    struct motion_job job = motion_of(world, substep);
    if (!run_motion(&job, integrate_share)) {
        return;
    }
    limit_displacements(world, substep->displacement_max, (float *const[3]){world->x, world->y, world->z});
    for (uint32_t k = 0; k < world->spans; k++) {
        world->simd->advance(&job.axes, world->span[k].first, world->span[k].end);
    }
}

// Objects that a contact wakes touch their own neighbours, so contacts are found again.
static void detect(struct sim_world *world, uint32_t substeps_left) {
    do {
        contact_detect(world);
        body_detect(world);
        cloth_contact_detect(world, substeps_left);
    } while (sleep_wake_touched(world) || cloth_contact_wake(world));
}

static void relax(struct sim_world *world) {
    stack_relax(world);
    const struct sim_parameters *parameters = &world->state.parameters;
    for (uint32_t iteration = 0; iteration < parameters->iterations; iteration++) {
        if (iteration > 0 && parameters->tolerance > 0.0f && tolerance_is_met(world)) {
            break;
        }
        tether_relax(world);
        gas_relax(world);
        stick_relax(world);
        tetrahedron_relax(world);
        free_stick_relax(world);
        grab_relax(world);
        stopwatch_lap(world, SIM_STAGE_STICKS);
        cloth_contact_relax(world, iteration);
        contact_relax(world, iteration);
        contact_particles_relax(world, iteration == 0); // the bounds come last
        stopwatch_lap(world, SIM_STAGE_CONTACTS);
    }
}

static void finish(struct sim_world *world, const struct substep *substep) {
    struct motion_job job = motion_of(world, substep);
    bool exceeds = run_motion(&job, settle_share);
    exchange(&world->x, &world->ahead_x);
    exchange(&world->y, &world->ahead_y);
    exchange(&world->z, &world->ahead_z);
    const bool slowed = cloth_contact_settle(world);
    const bool bounced = restitution_finish(world, substep);
    exceeds = slowed || bounced ? run_motion(&job, exceed_share) : exceeds;
    if (exceeds) {
        limit_displacements(world, substep->displacement_max,
                            (float *const[3]){world->ahead_x, world->ahead_y, world->ahead_z});
    }
}

static void substep_once(struct sim_world *world, const struct substep *substep, uint32_t substeps_left) {
    obstacle_motion_advance(world, world->state.parameters.substeps - substeps_left);
    grab_advance(world, substep, substeps_left);
    stopwatch_lap(world, SIM_STAGE_FORCES);
    integrate(world, substep);
    stopwatch_lap(world, SIM_STAGE_INTEGRATE);
    detect(world, substeps_left);
    stopwatch_lap(world, SIM_STAGE_DETECT);
    restitution_strike(world, substep);
    contact_begin(world);
    stopwatch_lap(world, SIM_STAGE_CONTACTS);
    stick_begin(world);
    gas_begin(world);
    tetrahedron_begin(world);
    free_stick_begin(world, world->state.parameters.substeps - substeps_left);
    relax(world);
    stick_measure(world);
    stack_relax(world);
    grip_resist(world);
    settle_after_sweeps(world);
    contact_lift(world);
    contact_confine(world);
    cloth_contact_guard(world);
    stopwatch_lap(world, SIM_STAGE_CONTACTS);
    finish(world, substep);
    world->contacts_epoch = world->state.epoch;
    stopwatch_lap(world, SIM_STAGE_FINISH);
}

void sim_world_step(struct sim_world *world) {
    const struct substep substep = substep_of(world);
    const uint32_t substeps = world->state.parameters.substeps;
    stopwatch_begin(world);
    event_clear(world);
    obstacle_motion_wake(world);
    active_resolve(world);
    free_stick_resolve(world);
    tether_resolve(world);
    stick_plan_resolve(world);
    tetrahedron_plan_resolve(world);
    panel_resolve(world);
    grab_resolve(world);
    if (world->spans > 0) {
        contact_bring_in(world);
        contact_leave(world);
    }
    cloth_contact_begin_tick(world);
    free_stick_begin_tick(world);
    stick_begin_tick(world);
    force_accumulate(world);
    stopwatch_lap(world, SIM_STAGE_FORCES);
    for (uint32_t k = 0; k < substeps && world->spans > 0; k++) { // nothing is done when all objects sleep
        wind_apply(world, &substep, k);
        substep_once(world, &substep, substeps - k);
    }
    grab_remember(world);
    struct motion_job job = motion_of(world, &substep);
    (void)run_motion(&job, clear_share);
    force_expire(world);
    stopwatch_lap(world, SIM_STAGE_FORCES);
    free_stick_break(world);
    tear_update(world);
    crease_update(world);
    sleep_update(world);
    stopwatch_lap(world, SIM_STAGE_UPKEEP);
    world->state.tick++;
    obstacle_motion_end_tick(world);
}
