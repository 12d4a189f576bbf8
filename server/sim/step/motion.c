// SPDX-License-Identifier: MIT
// The start and the end of a substep, on all threads (step.c has the equations).
//
// The end of one substep and the start of the next move the same numbers. For an object that is alone (alone.c) nothing
// comes between them: it is integrated for the next substep as soon as this one has settled it, and is `ahead`. Its
// path in the next substep is measured then, too.
#include "sim/step/motion.h"

#include "sim/body/body_guard.h"
#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/extent.h"
#include "sim/contact/restitution.h"
#include "sim/force/force.h"
#include "sim/simd/simd.h"
#include "sim/step/contact_guard.h"
#include "sim/step/quarantine.h"
#include "sim/stick/stick_relax.h"
#include "sim/world/axes.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

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

static bool limit_object(struct sim_world *world, const struct object *object, float most) {
    bool finite = true;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const bool is_faster = !(squared_displacement(world, i) <= most * most);
        finite = !(is_faster && !limit_displacement(world, i, most)) && finite;
    }
    return finite;
}

// Shortens displacements that are longer than SIM_SPEED_MAX allows, which is rare. Objects with a displacement that is
// not finite are frozen at `good`.
static void limit_displacements(struct sim_world *world, float most, float *const good[3]) {
    bool finite = true;
    for (uint32_t k = 0; k < world->state.objects; k++) {
        const struct object *object = &world->object[k];
        if (object_is_active(object) && !object->ahead) {
            finite = limit_object(world, object, most) && finite;
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

enum motion_stage { MOTION_INTEGRATE, MOTION_SETTLE, MOTION_EXCEEDS, MOTION_CLEAR };

struct motion_job {
    struct sim_world *world;
    struct simd_axes axes;
    struct simd_axes next; // as the next substep finds them
    struct simd_motion motion;
    uint32_t next_substep; // 0 if this is the last
    unsigned shares;
    bool any[SIM_WORKERS_MAX];                                 // result of each share
    bool ahead_exceeds[SIM_WORKERS_MAX];                       // the same of objects that are ahead
    uint32_t settled[SIM_WORKERS_MAX], ahead[SIM_WORKERS_MAX]; // objects
};

static struct motion_job motion_of(struct sim_world *world, const struct substep *substep) {
    const float longest = substep->displacement_max;
    struct motion_job job = {
        .world = world,
        .axes = world_axes(world),
        .next = world_axes(world),
        .motion =
            {
                .keep = substep->keep,
                .h2 = substep->h * substep->h,
                .gravity = {substep->gravity.x, substep->gravity.y, substep->gravity.z},
                .longest_squared = longest * longest,
            },
    };
    for (unsigned axis = 0; axis < 3; axis++) {
        job.next.x[axis] = job.axes.ahead[axis];
        job.next.start[axis] = job.axes.ahead[axis];
        job.next.ahead[axis] = job.axes.x[axis];
    }
    uint32_t particles = 0;
    for (uint32_t k = 0; k < world->spans; k++) {
        particles += world->span[k].end - world->span[k].first;
    }
    job.shares = work_visit_shares(world, particles);
    return job;
}

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

// The end of this substep and the start of the next, unless other forces act in that. An object that is too fast waits
// until it is slowed down. Returns true if it is.
static bool go_on(struct motion_job *job, uint32_t place, unsigned share) {
    struct sim_world *world = job->world;
    struct object *object = &world->object[place];
    const struct slot_span all = {object->first, object->first + object->particles};
    object->extent_known = false;
    object->settled = true;
    job->settled[share]++;
    if (settle_part(job, all)) {
        return true;
    }
    if (job->next_substep == 0 || object->wind_due == job->next_substep) {
        return false;
    }
    job->ahead_exceeds[share] |= world->simd->integrate(&job->next, &job->motion, all.first, all.end);
    object->ahead = true;
    job->ahead[share]++;
    if (world->state.obstacles + world->body_parts > 0) { // else nothing reads it
        world->object_extent[place] = extent_along(world, &job->next, all.first, all.end);
        object->extent_known = true;
    }
    return false;
}

// Objects side by side are moved at once.
static void move_share(struct motion_job *job, unsigned share, enum motion_stage stage) {
    struct sim_world *world = job->world;
    struct slot_span span = {0, 0};
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const struct slot_span piece = work_piece(object, share, job->shares);
        // Members that other threads write are read of the share's own objects only.
        if (!object_is_active(object) || piece.first == piece.end || object->ahead ||
            (stage == MOTION_SETTLE && object->settled)) {
            continue;
        }
        if (stage == MOTION_SETTLE && object->alone) {
            any |= go_on(job, i, share);
            continue;
        }
        if (piece.first != span.end) {
            any |= move_part(job, span, stage);
            span.first = piece.first;
        }
        span.end = piece.end;
    }
    job->any[share] = move_part(job, span, stage) || any;
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

static void forget_ahead(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].ahead = world->object[i].extent_known = false;
    }
}

// d' = (1 − c_s)·d + a·h², with a = gravity + force·w; ahead + off = x + low + d'. Pinned particles have d = 0, held
// ones the d of the hand.
// Where all are ahead, nothing is left to do.
void motion_integrate(struct sim_world *world, const struct substep *substep) {
    struct motion_job job = motion_of(world, substep);
    bool exceeds = world->ahead_exceeds;
    if (world->objects_ahead < world->active_objects) {
        exceeds |= run_motion(&job, integrate_share);
    }
    if (!exceeds) {
        return;
    }
    world->ahead_exceeds = false;
    forget_ahead(world);
    limit_displacements(world, substep->displacement_max, (float *const[3]){world->x, world->y, world->z});
    for (uint32_t k = 0; k < world->spans; k++) {
        world->simd->advance(&job.axes, world->span[k].first, world->span[k].end);
    }
}

static uint32_t next_substep(const struct sim_world *world, uint32_t substeps_left) {
    return substeps_left > 1 ? world->state.parameters.substeps - substeps_left + 1 : 0;
}

static uint32_t sum_of(const uint32_t counts[SIM_WORKERS_MAX]) {
    uint32_t sum = 0;
    for (unsigned share = 0; share < SIM_WORKERS_MAX; share++) {
        sum += counts[share];
    }
    return sum;
}

static void note_results(struct sim_world *world, const struct motion_job *job) {
    world->objects_settled += sum_of(job->settled);
    world->objects_ahead += sum_of(job->ahead);
    for (unsigned share = 0; share < SIM_WORKERS_MAX; share++) {
        world->settled_exceeds |= job->any[share];
        world->ahead_exceeds |= job->ahead_exceeds[share];
    }
}

struct alone_job {
    struct motion_job motion;
    struct body_guard bodies;
    bool first, last;                  // iteration
    uint32_t relaxed[SIM_WORKERS_MAX]; // objects
};

// An object that the guard has to check is not settled yet.
static void relax_alone(struct sim_world *world, uint32_t place, unsigned share, void *context) {
    struct alone_job *job = context;
    const struct object *object = &world->object[place];
    contact_particles_relax_alone(world, place, job->first);
    job->relaxed[share]++;
    if (job->last && object->extent_known &&
        !contact_guard_concerns(world, place, &job->bodies, &world->object_extent[place])) {
        job->motion.any[share] |= go_on(&job->motion, place, share);
    }
}

void motion_relax_sticks(struct sim_world *world, const struct substep *substep, uint32_t iteration,
                         uint32_t substeps_left) {
    struct alone_job job = {.motion = motion_of(world, substep), .first = iteration == 0};
    job.motion.next_substep = next_substep(world, substeps_left);
    // A body that moves may come to where an object is that was not checked.
    job.last = iteration + 1 == world->state.parameters.iterations && world->solids_rest;
    if (job.last) {
        job.bodies = body_guard_of(world, &(struct start_positions){world->x, world->y, world->z});
    }
    stick_relax(world, job.first, &(struct stick_after){relax_alone, &job});
    note_results(world, &job.motion);
    world->objects_relaxed = sum_of(job.relaxed);
}

void motion_finish(struct sim_world *world, const struct substep *substep, uint32_t substeps_left) {
    struct motion_job job = motion_of(world, substep);
    job.next_substep = next_substep(world, substeps_left);
    if (world->objects_settled < world->active_objects) {
        work_run(world, job.shares, settle_share, &job);
        note_results(world, &job);
    }
    bool exceeds = world->settled_exceeds;
    world->settled_exceeds = false;
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

void motion_clear_forces(struct sim_world *world, const struct substep *substep) {
    struct motion_job job = motion_of(world, substep);
    (void)run_motion(&job, clear_share);
}
