// SPDX-License-Identifier: MIT
// One sweep over the own sticks of all objects, divided among the threads that the world was lent: large objects by
// their rows or within their colours, the others object by object. Objects share no particles, so their order is free.
#include "sim/body.h"
#include "sim/stick_plan.h"
#include "sim/work.h"

static enum stick_form form_of(const struct sim_world *world, const struct object *object) {
    if (object->projection == SIM_PROJECTION_START) {
        return STICK_START;
    }
    return world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT ? STICK_EXACT : STICK_APPROXIMATE;
}

// ---- one object, on this thread ------------------------------------------------------------------------------------

// An object's particles in the block: apart from those of all others, so that several can be relaxed at a time.
static float *block_of(const struct sim_world *world, const struct object *object) {
    const size_t place = (size_t)(object - world->object);
    return world->stick_block + 4 * (object->first + STICK_BLOCK_SPARE * place);
}

// The sticks of a colour.
static struct stick_batches colour_of(const struct sim_world *world, const struct object *object, uint32_t colour) {
    const uint32_t *end = world->colour_end + object->first_colour;
    const uint32_t first = colour == 0 ? 0 : end[colour - 1];
    const size_t at = (size_t)object->first_stick + first;
    return (struct stick_batches){world->stick_a + at, world->stick_b + at, world->stick_rest + at,
                                  end[colour] - first};
}

// After the particles: what lanes without a stick work on.
static void clear_spares(const struct object *object, float *block) {
    memset(block + 4 * (size_t)object->particles, 0, 4 * STICK_BLOCK_SPARE * sizeof *block);
}

// By the object's plan.
static void relax_planned(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct stick_plan *plan = &world->stick_plan[object - world->object];
    const enum stick_form form = form_of(world, object);
    if (plan->arrangement == STICK_RUNS) {
        world->wide->relax_runs(&at, world->stick_run + plan->first_run, plan->runs, form);
        return;
    }
    float *block = block_of(world, object);
    world->wide->fill_block(block, &at, object->particles);
    clear_spares(object, block);
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const struct stick_batches sticks = colour_of(world, object, colour);
        world->wide->relax_colour(block, &sticks, object->particles, form);
    }
    world->wide->drain_block(block, &at, object->particles);
}

// ---- one object, on all threads ------------------------------------------------------------------------------------

struct stick_job {
    const struct sim_world *world;
    const struct object *object;
    unsigned shares;
    uint32_t stage; // of runs: the first section; of a block: a colour
};

static void relax_section(void *argument, unsigned share) {
    const struct stick_job *job = argument;
    const struct sim_world *world = job->world;
    const struct stick_plan *plan = &world->stick_plan[job->object - world->object];
    const struct kernel_particles at = kernel_particles_of(world, job->object);
    const uint32_t section = job->stage + share;
    const uint32_t first = section == 0 ? 0 : plan->section_end[section - 1];
    world->wide->relax_runs(&at, world->stick_run + plan->first_run + first, plan->section_end[section] - first,
                            form_of(world, job->object));
}

static struct kernel_particles part_of(const struct stick_job *job, unsigned share, uint32_t *begin, uint32_t *count) {
    *begin = work_begin(0, job->object->particles, share, job->shares);
    *count = work_begin(0, job->object->particles, share + 1, job->shares) - *begin;
    struct kernel_particles at = kernel_particles_of(job->world, job->object);
    at.px += *begin;
    at.py += *begin;
    at.pz += *begin;
    at.w += *begin;
    return at;
}

static void fill_part(void *argument, unsigned share) {
    const struct stick_job *job = argument;
    uint32_t begin = 0;
    uint32_t count = 0;
    const struct kernel_particles at = part_of(job, share, &begin, &count);
    job->world->wide->fill_block(block_of(job->world, job->object) + 4 * (size_t)begin, &at, count);
}

static void drain_part(void *argument, unsigned share) {
    const struct stick_job *job = argument;
    uint32_t begin = 0;
    uint32_t count = 0;
    const struct kernel_particles at = part_of(job, share, &begin, &count);
    job->world->wide->drain_block(block_of(job->world, job->object) + 4 * (size_t)begin, &at, count);
}

// Lanes without a stick write to their spare particle, so each thread has one of its own.
static void relax_part(void *argument, unsigned share) {
    const struct stick_job *job = argument;
    const struct sim_world *world = job->world;
    struct stick_batches sticks = colour_of(world, job->object, job->stage);
    const uint32_t begin = work_begin(0, sticks.count, share, job->shares);
    sticks.count = work_begin(0, sticks.count, share + 1, job->shares) - begin;
    sticks.a += begin;
    sticks.b += begin;
    sticks.rest += begin;
    world->wide->relax_colour(block_of(world, job->object), &sticks, job->object->particles + share,
                              form_of(world, job->object));
}

static void relax_divided(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = &world->stick_plan[object - world->object];
    struct stick_job job = {.world = world, .object = object};
    if (plan->arrangement == STICK_RUNS) {
        work_run(world, plan->bands, relax_section, &job);
        job.stage = plan->bands;
        work_run(world, plan->bands - 1, relax_section, &job);
        return;
    }
    job.shares = work_shares(world, object->particles);
    work_run(world, job.shares, fill_part, &job);
    clear_spares(object, block_of(world, object));
    for (; job.stage < object->colours; job.stage++) {
        job.shares = work_shares(world, colour_of(world, object, job.stage).count);
        work_run(world, job.shares, relax_part, &job);
    }
    job.shares = work_shares(world, object->particles);
    work_run(world, job.shares, drain_part, &job);
}

// ---- all objects ---------------------------------------------------------------------------------------------------

static bool is_divided(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = &world->stick_plan[object - world->object];
    return stick_plan_applies(world, object) &&
           (plan->arrangement == STICK_RUNS ? plan->bands > 1 : work_shares(world, object->particles) > 1);
}

static void relax_object(struct sim_world *world, const struct object *object) {
    if (object->kind == SIM_KIND_BODY) {
        body_relax(world, object);
    } else if (stick_plan_applies(world, object)) {
        relax_planned(world, object);
    } else {
        stick_relax_object(world, object);
    }
}

struct sweep_job {
    struct sim_world *world;
    uint64_t sticks; // of all objects that are not divided
    unsigned shares;
};

// The objects whose first stick, of those that are not divided, lies in the share.
static void relax_share(void *argument, unsigned share) {
    const struct sweep_job *job = argument;
    struct sim_world *world = job->world;
    const uint64_t begin = job->sticks * share / job->shares;
    const uint64_t end = job->sticks * (share + 1) / job->shares;
    uint64_t before = 0;
    for (uint32_t i = 0; i < world->state.objects && before < end; i++) {
        const struct object *object = &world->object[i];
        if (!object_is_active(object) || is_divided(world, object)) {
            continue;
        }
        if (before >= begin) {
            relax_object(world, object);
        }
        before += object->sticks;
    }
}

void stick_sweep(struct sim_world *world) {
    struct sweep_job job = {.world = world};
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (!object_is_active(object)) {
            continue;
        }
        world->sticks_relaxed += object->sticks;
        if (is_divided(world, object)) {
            relax_divided(world, object);
        } else {
            job.sticks += object->sticks;
        }
    }
    job.shares = work_shares(world, job.sticks);
    work_run(world, job.shares, relax_share, &job);
}
