// SPDX-License-Identifier: MIT
// Air on the triangles of cloth, meshes and plants (PHYSICS.md 10): drag in still air, and wind.
//
//   u = v_air − v_tri,  f = ½·ρ·A·|u·n|·(u·n)·n,  a third to each corner
//
// with ρ the world's air density and a drag coefficient of 1. An object at constant velocity feels exactly this force,
// whatever the lengths of tick and substep. Over a time h the air takes the share s = c·h/m of the speed of a particle
// of mass m, where c = Σ ½·ρ·A·|u·n|/3 over its triangles. A plain step is stable for s < 1 and does not overshoot for
// s ≤ ½; a light panel in a storm exceeds that and would be thrown faster than the wind. So the force is eased towards
// that of an implicit step, which is stable for every s:
//
//   u' = b − (s/u)·|u'|·u',  b = u − h·a·n the speed without air,  so  u' = 2·b/(1 + √(1 + 4·s·|b|/u))
//   f ← f·|r|·r,  r = 1 + (1 − 1/(1 + s⁶))·(u'/u − 1)
//
// where a is the acceleration by gravity and forces. In free fall at terminal velocity u' = u, so that s does not
// change that velocity. For objects held up by sticks or contacts, whose acceleration is unknown here, the force is
// right within 1 % up to s = ½ (with h a substep).
//
// The force is kept until the air would have taken WIND_HOLD of the speed of the particle that loses speed fastest, for
// a tick at most; then it is computed anew before the next substep. So a breeze on cloth costs one computation a tick,
// a storm on tissue more.
//
// Gusts vary the speed, and a little the direction, smoothly over place and time: sums of sines, computed by
// polynomials. Their phase in time is computed in double from the tick, modulo one turn; their phase in space in
// float32.
#include "sim/force/wind.h"

#include "sim/force/force.h"
#include "sim/simd/kernel.h"
#include "sim/simd/simd.h"
#include "sim/stick/stick_block.h"
#include "sim/world/axes.h"
#include "sim/world/work.h"

#define WIND_HOLD 0.4f

// `turns` less whole turns; 0 when `turns` is too large to have a fraction.
static float part_of_turn(double turns) {
    return turns < 1e15 ? (float)(turns - (double)(int64_t)turns) : 0.0f;
}

// Gust fronts of some 6 m and 2 m drift through the world, one in 3 s and three in 4 s.
static struct wind_air air_of(const struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const struct vec3 wind = parameters->wind_velocity;
    const double seconds = (double)world->state.tick / (double)world->tick_hz;
    return (struct wind_air){
        .velocity = wind,
        .sideways = vec3_of(-wind.z, 0.0f, wind.x),
        .slow = part_of_turn(seconds * 0.33),
        .fast = part_of_turn(seconds * 0.75),
        .turn = part_of_turn(seconds * 0.21),
        .gust = vec3_reach(wind) > 0.0f ? parameters->wind_gust : 0.0f,
        .per_second = 1.0f / world_substep_seconds(world),
    };
}

// Row by row; odd rows of a hexagonal lattice are crossed (cloth.c).
static void push_lattice(const struct sim_world *world, const struct object *object, const struct wind_job *job) {
    for (uint32_t row = 0; row + 1 < object->rows; row++) {
        const uint32_t a = object->first + row * object->columns;
        const bool crossed = object->lattice == SIM_LATTICE_HEX && row % 2 == 1;
        world->simd->wind_row(job, a, a + object->columns, object->columns - 1, crossed);
    }
}

// ---- triangles between any particles -------------------------------------------------------------------------------

// The particles are copied into the object's block, from which the triangles' forces are computed. Then the block holds
// the sums of the forces on each particle.

static void copy_particles(const struct sim_world *world, const struct object *object, float *block,
                           struct slot_span span) {
    const uint32_t first = span.first;
    const struct kernel_particles at = {
        .ahead_x = world->x + first,
        .ahead_y = world->y + first,
        .ahead_z = world->z + first,
        .w = world->w + first,
        .ox = world->dx + first,
        .oy = world->dy + first,
        .oz = world->dz + first,
    };
    const struct block_places places = {.first = first - object->first};
    world->simd->fill_block(block, &places, &at, span.end - first);
}

// Computes the force of the air on each triangle from `first` to before `end`.
static void measure_triangles(const struct sim_world *world, const struct object *object, const struct wind_job *job,
                              const float *block, uint32_t first, uint32_t end) {
    const size_t at = (size_t)object->first_triangle + first;
    world->simd->wind_triangles(job, block, world->triangle + 3 * at, end - first, world->wind_push + at);
}

// A struct wind_push, to add all its numbers at once: GCC 12 adds the members one by one.
typedef float wind_numbers __attribute__((vector_size(sizeof(struct wind_push))));

static void add_push(float *sum, const struct wind_push *push) {
    wind_numbers a, b;
    memcpy(&a, sum, sizeof a);
    memcpy(&b, push, sizeof b);
    a += b;
    memcpy(sum, &a, sizeof a);
}

// Adds the forces of all triangles, in their order, to those of their corners that lie in the span.
static void add_triangles(const struct sim_world *world, const struct object *object, const struct wind_job *job,
                          float *block, struct slot_span span) {
    const uint32_t first = span.first - object->first, count = span.end - span.first;
    const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
    const struct wind_push *push = world->wind_push + object->first_triangle;
    memset(block + SIMD_BLOCK * (size_t)first, 0, SIMD_BLOCK * (size_t)count * sizeof *block);
    for (uint32_t i = 0; i < object->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t particle = corner[3 * (size_t)i + k];
            if (particle - first < count) {
                add_push(block + SIMD_BLOCK * (size_t)particle, &push[i]);
            }
        }
    }
    world->simd->wind_sums(job, block + SIMD_BLOCK * (size_t)first, span.first, span.end);
}

static void push_triangles(const struct sim_world *world, const struct object *object, const struct wind_job *job) {
    const struct slot_span span = {object->first, object->first + object->particles};
    float *block = stick_block_borrow(world, object);
    copy_particles(world, object, block, span);
    measure_triangles(world, object, job, block, 0, object->triangles);
    add_triangles(world, object, job, block, span);
}

static void clear(const struct wind_job *job, struct slot_span span) {
    const size_t bytes = (span.end - span.first) * sizeof(float);
    for (unsigned k = 0; k < 3; k++) {
        memset(job->push[k] + span.first, 0, bytes);
    }
    memset(job->drag + span.first, 0, bytes);
}

// The substep until which a force computed before substep `k` is kept, when the air takes `share` of a speed in one
// substep.
static uint32_t due_after(uint32_t k, float share) {
    const float substeps = WIND_HOLD / share;
    return substeps < (float)SIM_SUBSTEPS_MAX ? k + (substeps > 1.0f ? (uint32_t)substeps : 1) : k + SIM_SUBSTEPS_MAX;
}

struct blow {
    struct wind_job job;
    uint32_t k; // the substep
};

static bool is_due(struct object *object, const struct blow *blow) {
    if (object->wind_due == blow->k && !object_is_active(object)) { // quarantined since the tick began
        object->wind_due = UINT32_MAX;
    }
    return object->wind_due == blow->k;
}

// ---- a large mesh, on all threads ----------------------------------------------------------------------------------

static bool is_divided(const struct sim_world *world, const struct object *object) {
    return !object_is_whole_lattice(object) && work_visit_shares(world, object->particles) > 1;
}

struct mesh_job {
    const struct sim_world *world;
    const struct object *object;
    const struct wind_job *job;
    float *block;
    unsigned shares;
    float lost[SIM_WORKERS_MAX]; // of each share, wind_ease
};

static struct slot_span span_of(const struct mesh_job *mesh, unsigned share) {
    const uint32_t first = mesh->object->first;
    const uint32_t end = first + mesh->object->particles;
    return (struct slot_span){work_begin(first, end, share, mesh->shares),
                              work_begin(first, end, share + 1, mesh->shares)};
}

static void copy_share(void *argument, unsigned share) {
    const struct mesh_job *mesh = argument;
    copy_particles(mesh->world, mesh->object, mesh->block, span_of(mesh, share));
}

static void measure_share(void *argument, unsigned share) {
    const struct mesh_job *mesh = argument;
    const uint32_t triangles = mesh->object->triangles;
    measure_triangles(mesh->world, mesh->object, mesh->job, mesh->block, work_begin(0, triangles, share, mesh->shares),
                      work_begin(0, triangles, share + 1, mesh->shares));
}

static void add_share(void *argument, unsigned share) {
    struct mesh_job *mesh = argument;
    const struct slot_span span = span_of(mesh, share);
    add_triangles(mesh->world, mesh->object, mesh->job, mesh->block, span);
    mesh->lost[share] = mesh->world->simd->wind_ease(mesh->job, span.first, span.end);
}

static void blow_divided(const struct sim_world *world, struct object *object, const struct blow *blow) {
    struct mesh_job mesh = {.world = world, .object = object, .job = &blow->job};
    float most = 0.0f;
    mesh.block = stick_block_borrow(world, object);
    mesh.shares = work_visit_shares(world, object->particles);
    work_run(world, mesh.shares, copy_share, &mesh);
    work_run(world, mesh.shares, measure_share, &mesh);
    work_run(world, mesh.shares, add_share, &mesh);
    for (unsigned share = 0; share < mesh.shares; share++) {
        most = scalar_max(mesh.lost[share], most);
    }
    object->wind_due = due_after(blow->k, most);
}

// ---- all objects ---------------------------------------------------------------------------------------------------

static void blow(struct sim_world *world, uint32_t place, const void *context) {
    const struct blow *blow = context;
    const struct wind_job *job = &blow->job;
    struct object *object = &world->object[place];
    if (!is_due(object, blow) || is_divided(world, object)) {
        return;
    }
    const struct slot_span span = {object->first, object->first + object->particles};
    if (object_is_whole_lattice(object)) {
        clear(job, span);
        push_lattice(world, object, job);
    } else {
        push_triangles(world, object, job);
    }
    const float share = world->simd->wind_ease(job, span.first, span.end);
    object->wind_due = due_after(blow->k, share);
}

static bool feels_air(const struct object *object) {
    return object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH || object->kind == SIM_KIND_PLANT;
}

// Forces are due only on active objects that the air acts on.
static void begin_tick(struct sim_world *world) {
    const bool is_air = world->state.parameters.air_density > 0.0f;
    world->wind_due = UINT32_MAX;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        const bool due = is_air && feels_air(object) && object_is_active(object);
        object->wind_due = due ? 0 : UINT32_MAX;
        world->wind_due = due ? 0 : world->wind_due;
    }
}

static void find_next_due(struct sim_world *world) {
    world->wind_due = UINT32_MAX;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const uint32_t due = world->object[i].wind_due;
        world->wind_due = due < world->wind_due ? due : world->wind_due;
    }
}

// `ahead` and begun_x are free before a substep: integration and relaxation set them.
void wind_apply(struct sim_world *world, const struct substep *substep, uint32_t k) {
    if (k == 0) {
        begin_tick(world);
    }
    if (world->wind_due != k) {
        return;
    }
    if (k > 0) {
        force_accumulate_again(world, k);
    }
    const struct blow context = {
        .job =
            {
                .air = air_of(world),
                .axes = world_axes(world),
                .density = world->state.parameters.air_density,
                .h = substep->h,
                .gravity = substep->gravity,
                .push = {world->ahead_x, world->ahead_y, world->ahead_z},
                .drag = world->begun_x,
                .force = {world->fx, world->fy, world->fz},
            },
        .k = k,
    };
    work_objects(world, blow, &context);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (is_divided(world, &world->object[i]) && is_due(&world->object[i], &context)) {
            blow_divided(world, &world->object[i], &context);
        }
    }
    find_next_due(world);
}
