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
#include "sim/body/body_guard.h"
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
#include "sim/step/alone.h"
#include "sim/step/motion.h"
#include "sim/step/present.h"
#include "sim/step/settle.h"
#include "sim/step/sleep.h"
#include "sim/step/tolerance.h"
#include "sim/stick/crease.h"
#include "sim/stick/free_stick.h"
#include "sim/stick/panel.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_plan.h"
#include "sim/stick/tether.h"
#include "sim/tear/tear.h"
#include "sim/volume/gas.h"
#include "sim/volume/tetrahedron_plan.h"
#include "sim/volume/tetrahedron_relax.h"
#include "sim/world/active.h"
#include "sim/world/event.h"
#include "sim/world/stopwatch.h"

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

// Objects that a contact wakes touch their own neighbours, so contacts are found again.
static void detect(struct sim_world *world, uint32_t substeps_left) {
    do {
        contact_detect(world);
        body_detect(world);
        cloth_contact_detect(world, substeps_left);
    } while (sleep_wake_touched(world) || cloth_contact_wake(world));
}

static void relax(struct sim_world *world, const struct substep *substep, uint32_t substeps_left) {
    stack_relax(world);
    const struct sim_parameters *parameters = &world->state.parameters;
    for (uint32_t iteration = 0; iteration < parameters->iterations; iteration++) {
        if (iteration > 0 && parameters->tolerance > 0.0f && tolerance_is_met(world)) {
            break;
        }
        tether_relax(world);
        gas_relax(world);
        motion_relax_sticks(world, substep, iteration, substeps_left);
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

static void substep_once(struct sim_world *world, const struct substep *substep, uint32_t substeps_left) {
    obstacle_motion_advance(world, world->state.parameters.substeps - substeps_left);
    grab_advance(world, substep, substeps_left);
    stopwatch_lap(world, SIM_STAGE_FORCES);
    motion_integrate(world, substep);
    stopwatch_lap(world, SIM_STAGE_INTEGRATE);
    detect(world, substeps_left);
    stopwatch_lap(world, SIM_STAGE_DETECT);
    restitution_strike(world, substep);
    alone_choose(world);
    contact_begin(world);
    stopwatch_lap(world, SIM_STAGE_CONTACTS);
    stick_begin(world);
    gas_begin(world);
    tetrahedron_begin(world);
    free_stick_begin(world, world->state.parameters.substeps - substeps_left);
    relax(world, substep, substeps_left);
    stick_measure(world);
    stack_relax(world);
    grip_resist(world);
    settle_after_sweeps(world);
    contact_lift(world);
    contact_confine(world);
    cloth_contact_guard(world);
    stopwatch_lap(world, SIM_STAGE_CONTACTS);
    motion_finish(world, substep, substeps_left);
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
    present_note(world);
    body_detect_begin_tick(world);
    body_guard_begin_tick(world);
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
    motion_clear_forces(world, &substep);
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
