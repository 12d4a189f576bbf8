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
#include "sim/world/axes.h"
#include "sim/world/work.h"

// Each object has a block of its own, so that several can be relaxed at a time.
static float *block_of(const struct sim_world *world, const struct object *object) {
    const size_t place = (size_t)(object - world->object);
    return world->stick_block + SIMD_BLOCK * (object->first + STICK_BLOCK_SPARE * place);
}

// The particle after the object's particles: lanes without a stick work on it.
static void clear_spares(const struct object *object, float *block) {
    memset(block + SIMD_BLOCK * (size_t)object->particles, 0, SIMD_BLOCK * STICK_BLOCK_SPARE * sizeof *block);
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

// A share of a colour's sticks. Lanes without a stick write to their spare particle, so each share has a spare particle
// of its own.
static void relax_colour(const struct sim_world *world, const struct member *member, uint32_t colour, unsigned share,
                         unsigned shares) {
    const struct object *object = member->object;
    const uint32_t *end = world->colour_end + object->first_colour + colour;
    const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
    const struct material *material = bends ? &member->bend : &member->stretch;
    const uint32_t first = colour == 0 ? 0 : end[-1];
    const uint32_t share_first = work_begin(first, *end, share, shares);
    const size_t at = (size_t)object->first_stick + share_first;
    const struct stick_batches sticks = {
        .a = world->stick_a + at,
        .b = world->stick_b + at,
        .rest = world->stick_rest + at,
        .lambda = world->stick_lambda + at,
        .alpha = material->alpha,
        .count = work_begin(first, *end, share + 1, shares) - share_first,
    };
    world->simd->relax_colour(member->block, &sticks, object->particles + share, material->form);
}

// ---- on this thread ------------------------------------------------------------------------------------------------

void stick_block_relax(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct member member = member_of(world, object);
    world->simd->fill_block(member.block, &at, object->particles);
    clear_spares(object, member.block);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        for (uint32_t colour = 0; colour < object->colours; colour++) {
            relax_colour(world, &member, colour, 0, 1);
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
    bool drains; // true for a block that is done
};

// Copies into the block, or out of it.
static void copy_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const struct object *object = job->member.object;
    const uint32_t begin = work_begin(0, object->particles, share, job->shares);
    const uint32_t count = work_begin(0, object->particles, share + 1, job->shares) - begin;
    const struct kernel_particles all = kernel_particles_of(job->world, object);
    const struct kernel_particles at = kernel_particles_from(&all, begin);
    float *block = job->member.block + SIMD_BLOCK * (size_t)begin;
    if (job->drains) {
        job->world->simd->drain_block(block, &at, count);
    } else {
        job->world->simd->fill_block(block, &at, count);
    }
}

static void relax_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    relax_colour(job->world, &job->member, job->colour, share, job->shares);
}

static uint32_t sticks_of_colour(const struct sim_world *world, const struct object *object, uint32_t colour) {
    const uint32_t *end = world->colour_end + object->first_colour + colour;
    return colour == 0 ? *end : *end - end[-1];
}

void stick_block_relax_divided(const struct sim_world *world, const struct object *object) {
    struct block_job job = {.world = world, .member = member_of(world, object)};
    job.shares = work_shares(world, object->particles);
    work_run(world, job.shares, copy_share, &job);
    clear_spares(object, job.member.block);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        for (job.colour = 0; job.colour < object->colours; job.colour++) {
            job.shares = work_shares(world, sticks_of_colour(world, object, job.colour));
            work_run(world, job.shares, relax_share, &job);
        }
    }
    job.shares = work_shares(world, object->particles);
    job.drains = true;
    work_run(world, job.shares, copy_share, &job);
}
