// SPDX-License-Identifier: MIT
// Relaxes sticks between any particles, colour after colour, in a block that holds `ahead`, off and w of each of an
// object's particles.
//
// Of objects with the same sticks, such as plants of one kind, as many as a vector has lanes are relaxed at once, one
// in each lane: nothing has to be transposed in registers, which is most of the work otherwise.
#include "sim/stick/stick_block.h"

#include "sim/simd/kernel.h"
#include "sim/simd/simd.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_order.h"
#include "sim/stick/stick_plan.h"
#include "sim/stick/stick_seam.h"
#include "sim/world/axes.h"
#include "sim/world/work.h"

// The least number of times that sticks are relaxed in a substep for which to keep their gaps: it makes the first time
// slower, and each other faster.
#define GAPS_WORTH_KEEPING 3u

// Each object has a block of its own, so that several can be relaxed at a time.
static float *block_of(const struct sim_world *world, const struct object *object) {
    const size_t place = (size_t)(object - world->object);
    return world->stick_block + SIMD_BLOCK * (object->first + STICK_BLOCK_SPARE * place);
}

float *stick_block_borrow(const struct sim_world *world, const struct object *object) {
    return block_of(world, object);
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
    struct stick_plan *plan;
    bool ordered; // by stick_order.h
    struct stick_ends ends;
    bool again; // true if the sticks are relaxed often enough in a substep to keep their gaps
};

// λ of compliant sticks is read in the order of the world's sticks.
static bool is_ordered(const struct sim_world *world, const struct object *object) {
    return world->stick_plan[object - world->object].ordered && object->stretch_compliance == 0.0f &&
           object->bend_compliance == 0.0f;
}

static struct member member_of(const struct sim_world *world, const struct object *object) {
    const bool ordered = is_ordered(world, object);
    return (struct member){
        .object = object,
        .block = block_of(world, object),
        .stretch = material_of(world, object, object->stretch_compliance),
        .bend = material_of(world, object, object->bend_compliance),
        .plan = &world->stick_plan[object - world->object],
        .ordered = ordered,
        .ends = stick_order_ends(world, object, ordered),
        .again = world->state.parameters.iterations * stick_passes(object) >= GAPS_WORTH_KEEPING,
    };
}

// Sticks of a colour, by their numbers in the object.
static void relax_colour(const struct sim_world *world, const struct member *member, uint32_t colour,
                         struct stick_seam span, uint32_t spare, enum stick_gaps_use gaps) {
    const struct object *object = member->object;
    const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
    const struct material *material = bends ? &member->bend : &member->stretch;
    const size_t at = (size_t)object->first_stick + span.first;
    const struct stick_batches sticks = {
        .a = member->ends.a + span.first,
        .b = member->ends.b + span.first,
        .rest = member->ends.rest + span.first,
        .lambda = world->stick_lambda + at,
        .alpha = material->alpha,
        .count = span.end - span.first,
        .gaps = {world->stick_gap_x + at, world->stick_gap_y + at, world->stick_gap_z + at},
    };
    world->simd->relax_colour(member->block, &sticks, spare, material->form, gaps);
}

static struct stick_seam span_of(const struct sim_world *world, const struct object *object, uint32_t colour) {
    const uint32_t *end = world->colour_end + object->first_colour + colour;
    return (struct stick_seam){colour == 0 ? 0 : end[-1], *end};
}

// The places of the particles from `first` on, `share` of them being copied at a time.
static struct block_places places_of(const struct sim_world *world, const struct member *member, uint32_t first,
                                     unsigned share) {
    return (struct block_places){
        .first = first,
        .each = member->ordered ? stick_order_places(world, member->object) + first : NULL,
        .spare = spare_of(member->object, share),
    };
}

// Copies particles from `first` to before `end` into the block, from the start of a batch on. Returns how
// sticks between them may use their gaps.
static enum stick_gaps_use fill(const struct sim_world *world, const struct member *member, uint32_t first,
                                uint32_t end, unsigned share) {
    const struct kernel_particles all = kernel_particles_of(world, member->object);
    const struct kernel_particles at = kernel_particles_from(&all, first);
    const struct block_places places = places_of(world, member, first, share);
    if (member->again && member->plan->gaps_kept) {
        return world->simd->refill_block(member->block, &places, &at, end - first) ? STICK_GAPS_KEEP : STICK_GAPS_KEPT;
    }
    world->simd->fill_block(member->block, &places, &at, end - first);
    return member->again ? STICK_GAPS_KEEP : STICK_GAPS_NONE;
}

static void drain(const struct sim_world *world, const struct member *member, uint32_t first, uint32_t end) {
    const struct kernel_particles all = kernel_particles_of(world, member->object);
    const struct kernel_particles at = kernel_particles_from(&all, first);
    const struct block_places places = places_of(world, member, first, 0);
    world->simd->drain_block(member->block, &places, &at, end - first);
}

// ---- on this thread ------------------------------------------------------------------------------------------------

void stick_block_relax(const struct sim_world *world, const struct object *object) {
    const struct member member = member_of(world, object);
    enum stick_gaps_use gaps = fill(world, &member, 0, object->particles, 0);
    clear_spares(object, member.block);
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        for (uint32_t colour = 0; colour < object->colours; colour++) {
            relax_colour(world, &member, colour, span_of(world, object, colour), spare_of(object, 0), gaps);
        }
        gaps = gaps == STICK_GAPS_KEEP ? STICK_GAPS_KEPT : gaps;
    }
    member.plan->gaps_kept = member.again;
    drain(world, &member, 0, object->particles);
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
    for (uint32_t i = 0; i < world->simd->lanes; i++) {
        member.plan[i].gaps_kept = false;
    }
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
    const struct stick_seam *seam;             // where the block is divided into bands
    enum stick_gaps_use gaps[SIM_WORKERS_MAX]; // of each band
};

// The seams of a colour, or in the row after the last colour their particles.
static const struct stick_seam *seams_of(const struct block_job *job, uint32_t colour) {
    return job->seam + (size_t)colour * (job->shares - 1);
}

// Sticks that touch two of the bands have kept gaps, if those of both have.
static enum stick_gaps_use gaps_of_both(enum stick_gaps_use a, enum stick_gaps_use b) {
    return a == STICK_GAPS_KEPT ? b : a;
}

static void relax_sticks_of_band(const struct block_job *job, unsigned band, enum stick_gaps_use gaps) {
    const struct object *object = job->member.object;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const struct stick_seam *seam = seams_of(job, colour);
        struct stick_seam span = span_of(job->world, object, colour);
        span.first = band > 0 ? seam[band - 1].end : span.first;
        span.end = band + 1 < job->shares ? seam[band].first : span.end;
        relax_colour(job->world, &job->member, colour, span, spare_of(object, band), gaps);
    }
}

static void relax_sticks_of_seam(const struct block_job *job, unsigned seam, enum stick_gaps_use gaps) {
    const struct object *object = job->member.object;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        relax_colour(job->world, &job->member, colour, seams_of(job, colour)[seam], spare_of(object, seam), gaps);
    }
}

// The particles of a band stand together in the block: one task copies them and relaxes their sticks.
static void relax_band(void *argument, unsigned band) {
    struct block_job *job = argument;
    const struct object *object = job->member.object;
    const uint32_t begin = stick_band_begin(object, band, job->shares);
    const uint32_t end = stick_band_begin(object, band + 1, job->shares);
    const struct stick_seam *taken = seams_of(job, object->colours);
    job->gaps[band] = fill(job->world, &job->member, begin, end, band);
    relax_sticks_of_band(job, band, job->gaps[band]);
    drain(job->world, &job->member, band > 0 ? taken[band - 1].end : begin,
          band + 1 < job->shares ? taken[band].first : end);
}

static void relax_seam(void *argument, unsigned seam) {
    const struct block_job *job = argument;
    const struct stick_seam *taken = seams_of(job, job->member.object->colours) + seam;
    relax_sticks_of_seam(job, seam, gaps_of_both(job->gaps[seam], job->gaps[seam + 1]));
    drain(job->world, &job->member, taken->first, taken->end);
}

static void relax_bands(struct block_job *job) {
    work_run(job->world, job->shares, relax_band, job);
    work_run(job->world, job->shares - 1, relax_seam, job);
    job->member.plan->gaps_kept = job->member.again;
}

static void fill_share(void *argument, unsigned share) {
    struct block_job *job = argument;
    const uint32_t particles = job->member.object->particles;
    job->gaps[share] = fill(job->world, &job->member, work_begin(0, particles, share, job->shares),
                            work_begin(0, particles, share + 1, job->shares), share);
}

static void drain_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const uint32_t particles = job->member.object->particles;
    drain(job->world, &job->member, work_begin(0, particles, share, job->shares),
          work_begin(0, particles, share + 1, job->shares));
}

// An ordered block: the particles of a band come from anywhere.
static void relax_ordered_band(void *argument, unsigned band) {
    const struct block_job *job = argument;
    relax_sticks_of_band(job, band, job->gaps[0]);
}

static void relax_ordered_seam(void *argument, unsigned seam) {
    const struct block_job *job = argument;
    relax_sticks_of_seam(job, seam, job->gaps[0]);
}

static void relax_ordered_bands(struct block_job *job) {
    const struct sim_world *world = job->world;
    work_run(world, job->shares, fill_share, job);
    for (unsigned share = 1; share < job->shares; share++) {
        job->gaps[0] = gaps_of_both(job->gaps[0], job->gaps[share]);
    }
    work_run(world, job->shares, relax_ordered_band, job);
    work_run(world, job->shares - 1, relax_ordered_seam, job);
    work_run(world, job->shares, drain_share, job);
    job->member.plan->gaps_kept = job->member.again;
}

static void relax_share(void *argument, unsigned share) {
    const struct block_job *job = argument;
    const struct object *object = job->member.object;
    const struct stick_seam all = span_of(job->world, object, job->colour);
    const struct stick_seam span = {work_begin(all.first, all.end, share, job->shares),
                                    work_begin(all.first, all.end, share + 1, job->shares)};
    relax_colour(job->world, &job->member, job->colour, span, spare_of(object, share), STICK_GAPS_NONE);
}

// Large colours of a mesh whose vertices are in no order: each is divided.
static void relax_colours(struct block_job *job) {
    const struct sim_world *world = job->world;
    const struct object *object = job->member.object;
    job->member.again = false;
    job->member.plan->gaps_kept = false;
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

// Bands are those of the order that the plan has (stick_plan.c).
static bool is_in_bands(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = &world->stick_plan[object - world->object];
    return plan->block_bands > 1 && plan->ordered == is_ordered(world, object);
}

bool stick_block_is_divided(const struct sim_world *world, const struct object *object) {
    return is_in_bands(world, object) || work_shares(world, object->sticks / object->colours) > 1;
}

void stick_block_relax_divided(const struct sim_world *world, const struct object *object) {
    struct block_job job = {.world = world, .member = member_of(world, object)};
    const struct stick_plan *plan = job.member.plan;
    job.shares = plan->block_bands;
    job.seam = world->stick_seam + plan->first_seam;
    clear_spares(object, job.member.block);
    if (!is_in_bands(world, object)) {
        relax_colours(&job);
    } else if (job.member.ordered) {
        relax_ordered_bands(&job);
    } else {
        relax_bands(&job);
    }
}
