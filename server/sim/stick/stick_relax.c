// SPDX-License-Identifier: MIT
// One iteration over the own sticks of all objects, divided among the world's threads: large objects by their rows or
// within their colours, the others object by object. Objects share no particles, so their order does not matter.
#include "sim/stick/stick_relax.h"

#include "sim/body/body_relax.h"
#include "sim/simd/kernel.h"
#include "sim/simd/simd.h"
#include "sim/stick/panel_relax.h"
#include "sim/stick/rope_relax.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_block.h"
#include "sim/stick/stick_plan.h"
#include "sim/world/axes.h"
#include "sim/world/work.h"

static const struct stick_plan *plan_of(const struct sim_world *world, const struct object *object) {
    return &world->stick_plan[object - world->object];
}

// ---- a large object, on all threads --------------------------------------------------------------------------------

struct runs_job {
    const struct sim_world *world;
    const struct object *object;
    uint32_t first_section;
};

static void relax_section(void *argument, unsigned share) {
    const struct runs_job *job = argument;
    const struct stick_plan *plan = plan_of(job->world, job->object);
    const struct kernel_particles at = kernel_particles_of(job->world, job->object);
    const uint32_t section = job->first_section + share;
    const uint32_t first = section == 0 ? 0 : plan->section_end[section - 1];
    job->world->simd->relax_runs(&at, job->world->stick_run + plan->first_run + first,
                                 plan->section_end[section] - first, stick_form_of(job->world, job->object));
}

static void relax_divided(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = plan_of(world, object);
    struct runs_job job = {.world = world, .object = object};
    if (stick_arrangement_of(world, object) == STICK_BLOCK) {
        stick_block_relax_divided(world, object);
        return;
    }
    work_run(world, plan->bands, relax_section, &job);
    job.first_section = plan->bands;
    work_run(world, plan->bands - 1, relax_section, &job);
}

// ---- objects on this thread ----------------------------------------------------------------------------------------

// The number of objects from this one on that are relaxed at once.
static uint32_t count_together(const struct sim_world *world, const struct object *object) {
    const bool shared = stick_arrangement_of(world, object) == STICK_BLOCK && stick_block_is_shared(world, object);
    return shared ? world->simd->lanes : 1;
}

static void relax_objects(struct sim_world *world, const struct object *object, uint32_t together) {
    const struct stick_plan *plan = plan_of(world, object);
    const enum stick_arrangement arrangement = stick_arrangement_of(world, object);
    if (object->kind == SIM_KIND_BODY) {
        body_relax(world, object);
    } else if (object->panels > 0) {
        panel_relax(world, object);
    } else if (arrangement == STICK_CHAIN) {
        rope_relax(world, object);
    } else if (arrangement == STICK_PLAIN) {
        stick_relax_object(world, object);
    } else if (arrangement == STICK_RUNS) {
        const struct kernel_particles at = kernel_particles_of(world, object);
        world->simd->relax_runs(&at, world->stick_run + plan->first_run, plan->runs, stick_form_of(world, object));
    } else if (together > 1) {
        stick_block_relax_shared(world, object);
    } else {
        stick_block_relax(world, object);
    }
}

// ---- all objects ---------------------------------------------------------------------------------------------------

static bool is_divided(const struct sim_world *world, const struct object *object) {
    const enum stick_arrangement arrangement = stick_arrangement_of(world, object);
    return (arrangement == STICK_RUNS && plan_of(world, object)->bands > 1) ||
           (arrangement == STICK_BLOCK && stick_block_is_divided(world, object));
}

uint32_t stick_together(const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    return object_is_active(object) && !is_divided(world, object) ? count_together(world, object) : 1;
}

bool stick_is_divided(const struct sim_world *world, uint32_t place) {
    return is_divided(world, &world->object[place]);
}

struct sweep_job {
    struct sim_world *world;
    const struct stick_after *after;
    bool first;
    uint64_t sticks; // sticks of all objects that are not divided
    uint32_t objects;
    unsigned shares;
};

// Objects that are alone go on while they are in the cache.
static void relax_together(const struct sweep_job *job, uint32_t place, uint32_t together, unsigned share) {
    struct sim_world *world = job->world;
    for (uint32_t i = place; i < place + together && job->first; i++) {
        stick_begin_object(world, &world->object[i]);
    }
    relax_objects(world, &world->object[place], together);
    for (uint32_t i = place; i < place + together; i++) {
        if (world->object[i].alone) {
            job->after->visit(world, i, share, job->after->context);
        }
    }
}

static void relax_share(void *argument, unsigned share) {
    const struct sweep_job *job = argument;
    struct sim_world *world = job->world;
    struct work_deal deal = {{0}, 0, 0};
    uint32_t together = 1;
    for (uint32_t i = 0; i < world->state.objects; i += together) {
        const struct object *object = &world->object[i];
        together = stick_together(world, i);
        if (!object_is_active(object) || is_divided(world, object)) {
            continue;
        }
        const uint64_t work = (uint64_t)object->sticks * stick_passes(object) + object->particles;
        if (work_deal(&deal, together * work, job->shares) == share) {
            relax_together(job, i, together, share);
        }
    }
}

void stick_relax(struct sim_world *world, bool first, const struct stick_after *after) {
    struct sweep_job job = {.world = world, .after = after, .first = first};
    bool divided = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (!object_is_active(object)) {
            continue;
        }
        world->sticks_relaxed += object->sticks;
        if (is_divided(world, object)) {
            if (first) {
                stick_begin_object(world, object);
            }
            relax_divided(world, object);
            divided = true;
        } else {
            job.sticks += object->sticks;
            job.objects++;
        }
    }
    job.shares = job.objects > 1 ? work_shares(world, job.sticks) : 1;
    world->sticks_divided = divided || job.shares > 1;
    work_run(world, job.shares, relax_share, &job);
}
