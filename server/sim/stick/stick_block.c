// SPDX-License-Identifier: MIT
// Relaxes sticks between any particles, colour after colour, in a block that holds `ahead`, w and off of each of an
// object's particles.
//
// Of objects with the same sticks, such as plants of one kind, as many as a vector has lanes are relaxed at once, one
// in each lane: nothing has to be transposed in registers, which is most of the work otherwise.
#include "sim/stick/stick_block.h"

#include "sim/simd/kernel.h"
#include "sim/simd/simd.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_plan.h"
#include "sim/stick/stick_seam.h"
#include "sim/world/axes.h"
#include "sim/world/work.h"

// Each object has a block of its own, so that several can be relaxed at a time.
static float *block_of(const struct sim_world *world, const struct object *object) {
    const size_t place = (size_t)(object - world->object);
    return world->stick_block + SIMD_BLOCK * (object->first + STICK_BLOCK_SPARE * place);
}

// The place in the block that lanes without a stick work on; each thread has its own. The places before it, up to a
// whole batch, are written when the block is filled.
static uint32_t spare_of(const struct object *object, unsigned band) {
    return (object->particles + STICK_BLOCK_BATCH - 1) / STICK_BLOCK_BATCH * STICK_BLOCK_BATCH + band;
}

static void clear_spares(const struct object *object, float *block) {
    memset(block + SIMD_BLOCK * (size_t)spare_of(object, 0), 0, SIMD_BLOCK * SIM_WORKERS_MAX * sizeof *block);
}

// The properties that the sticks of a colour share.
struct material {
    enum stick_form form;
    float alpha; // kg⁻¹
};

static struct material material_of(const struct sim_world *world, const struct object *object, float compliance) {
    const float h = world_substep_seconds(world);
    return (struct material){
        .form = compliance > 0.0f ? STICK_COMPLIANT : stick_form_of(world, object),
        .alpha = compliance / (h * h),
    };
}

struct member {
    const struct object *object;
    float *block;
    struct material stretch, bend;
};

static struct member member_of(const struct sim_world *world, const struct object *object) {
    return (struct member){
        .object = object,
        .block = block_of(world, object),
        .stretch = material_of(world, object, object->stretch_compliance),
        .bend = material_of(world, object, object->bend_compliance),
    };
}

// Sticks of a colour, by their numbers in the object.
static void relax_colour(const struct sim_world *world, const struct member *member, uint32_t colour,
                         struct stick_seam span, uint32_t spare) {
    const struct object *object = member->object;
    const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
    const struct material *material = bends ? &member->bend : &member->stretch;
    const size_t at = (size_t)object->first_stick + span.first;
    const struct stick_batches sticks = {
        .a = world->stick_a + at,
        .b = world->stick_b + at,
        .rest = world->stick_rest + at,
        .lambda = world->stick_lambda + at,
        .alpha = material->alpha,
        .count = span.end - span.first,
    };
    world->simd->relax_colour(member->block, &sticks, spare, material->form);
}

static struct stick_seam span_of(const struct sim_world *world, const struct object *object, uint32_t colour) {
    const uint32_t *end = world->colour_end + object->first_colour + colour;
    return (struct stick_seam){colour == 0 ? 0 : end[-1], *end};
}

// ---- on this thread ------------------------------------------------------------------------------------------------

void stick_block_relax(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct member member = member_of(world, object);
    world->simd->fill_block(member.block, &at, object->particles);
    clear_spares(object, member.block);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        for (uint32_t colour = 0; colour < object->colours; colour++) {
            relax_colour(world, &member, colour, span_of(world, object, colour), spare_of(object, 0));
        }
    }
    world->simd->drain_block(member.block, &at, object->particles);
}

static bool is_of_same_material(const struct object *a, const struct object *b) {
    return a->kind == b->kind && a->projection == b->projection && a->stretch_compliance == b->stretch_compliance &&
           a->bend_compliance == b->bend_compliance;
}

// The tolerance is measured by each stick's own λ, which is in another place while objects are relaxed together.
bool stick_block_is_shared(const struct sim_world *world, const struct object *object) {
    const uint32_t lanes = world->simd->lanes;
    if (world->stick_plan[object - world->object].alike < lanes || world->state.parameters.tolerance > 0.0f) {
        return false;
    }
    for (uint32_t i = 0; i < lanes; i++) {
        if (!object_is_active(&object[i]) || !is_of_same_material(object, &object[i])) {
            return false;
        }
    }
    return true;
}

void stick_block_relax_shared(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct member member = member_of(world, object);
    world->simd->fill_shared(member.block, &at, object->particles);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        uint32_t first = 0;
        for (uint32_t colour = 0; colour < object->colours; colour++) {
            const uint32_t end = world->colour_end[object->first_colour + colour];
            const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
            const struct material *material = bends ? &member.bend : &member.stretch;
            const size_t stick = (size_t)object->first_stick + first;
            const struct stick_batches sticks = {
                .a = world->stick_a + stick,
                .b = world->stick_b + stick,
                .rest = world->stick_rest + stick,
                .lambda = world->stick_lambda + object->first_stick + (size_t)first * world->simd->lanes,
                .alpha = material->alpha,
                .count = end - first,
            };
            world->simd->relax_shared(member.block, &sticks, material->form);
            first = end;
        }
    }
    world->simd->drain_shared(member.block, &at, object->particles);
}

// ---- a large object, on all threads --------------------------------------------------------------------------------

struct block_job {
    const struct sim_world *world;
    struct member member;
    unsigned shares;
    uint32_t colour;
    const struct stick_seam *seam; // where the block is divided into bands
};

// Copies particles from `first` to before `end` into the block, from the start of a batch on.
static void fill(const struct block_job *job, uint32_t first, uint32_t end) {
    const struct kernel_particles all = kernel_particles_of(job->world, job->member.object);
    const struct kernel_particles at = kernel_particles_from(&all, first);
    job->world->simd->fill_block(job->member.block + SIMD_BLOCK * (size_t)first, &at, end - first);
}

static void drain(const struct block_job *job, uint32_t first, uint32_t end) {
    const struct kernel_particles all = kernel_particles_of(job->world, job->member.object);
    const struct kernel_particles at = kernel_particles_from(&all, first);
    job->world->simd->drain_block(job->member.block + SIMD_BLOCK * (size_t)first, &at, end - first);
}

// The seams of a colour, or in the row after the last colour their particles.
static const struct stick_seam *seams_of(const struct block_job *job, uint32_t colour) {
    return job->seam + (size_t)colour * (job->shares - 1);
}

static void relax_band(void *argument, unsigned band) {
    const struct block_job *job = argument;
    const struct object *object = job->member.object;
    const uint32_t begin = stick_band_begin(object, band, job->shares);
    const uint32_t end = stick_band_begin(object, band + 1, job->shares);
    const struct stick_seam *taken = seams_of(job, object->colours);
    fill(job, begin, end);
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const struct stick_seam *seam = seams_of(job, colour);
        struct stick_seam span = span_of(job->world, object, colour);
        span.first = band > 0 ? seam[band - 1].end : span.first;
        span.end = band + 1 < job->shares ? seam[band].first : span.end;
        relax_colour(job->world, &job->member, colour, span, spare_of(object, band));
    }
    drain(job, band > 0 ? taken[band - 1].end : begin, band + 1 < job->shares ? taken[band].first : end);
}

static void relax_seam(void *argument, unsigned seam) {
    const struct block_job *job = argument;
    const struct object *object = job->member.object;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        relax_colour(job->world, &job->member, colour, seams_of(job, colour)[seam], spare_of(object, seam));
    }
    const struct stick_seam *taken = seams_of(job, object->colours) + seam;
    drain(job, taken->first, taken->end);
}

static void relax_bands(struct block_job *job) {
    work_run(job->world, job->shares, relax_band, job);
    work_run(job->world, job->shares - 1, relax_seam, job);
}

static void fill_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const uint32_t particles = job->member.object->particles;
    fill(job, work_begin(0, particles, share, job->shares), work_begin(0, particles, share + 1, job->shares));
}

static void drain_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const uint32_t particles = job->member.object->particles;
    drain(job, work_begin(0, particles, share, job->shares), work_begin(0, particles, share + 1, job->shares));
}

static void relax_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const struct object *object = job->member.object;
    const struct stick_seam all = span_of(job->world, object, job->colour);
    const struct stick_seam span = {work_begin(all.first, all.end, share, job->shares),
                                    work_begin(all.first, all.end, share + 1, job->shares)};
    relax_colour(job->world, &job->member, job->colour, span, spare_of(object, share));
}

// Large colours of a mesh whose vertices are in no order: each is divided.
static void relax_colours(struct block_job *job) {
    const struct sim_world *world = job->world;
    const struct object *object = job->member.object;
    job->shares = work_shares(world, object->particles);
    work_run(world, job->shares, fill_share, job);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        for (job->colour = 0; job->colour < object->colours; job->colour++) {
            const struct stick_seam span = span_of(world, object, job->colour);
            job->shares = work_shares(world, span.end - span.first);
            work_run(world, job->shares, relax_share, job);
        }
    }
    job->shares = work_shares(world, object->particles);
    work_run(world, job->shares, drain_share, job);
}

static const struct stick_plan *plan_of(const struct sim_world *world, const struct object *object) {
    return &world->stick_plan[object - world->object];
}

bool stick_block_is_divided(const struct sim_world *world, const struct object *object) {
    return plan_of(world, object)->block_bands > 1 || work_shares(world, object->sticks / object->colours) > 1;
}

void stick_block_relax_divided(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = plan_of(world, object);
    struct block_job job = {.world = world, .member = member_of(world, object), .shares = plan->block_bands};
    clear_spares(object, job.member.block);
    if (plan->block_bands > 1) {
        job.seam = world->stick_seam + plan->first_seam;
        relax_bands(&job);
    } else {
        relax_colours(&job);
    }
}
