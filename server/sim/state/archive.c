// SPDX-License-Identifier: MIT
// A world as bytes that any machine can read: every number little-endian; enumerators, booleans and counts as u32;
// floats as their bits; no padding, no pointer, nothing that can be computed.
//
//   magic u32, version u32, physics version u32, tick rate f32, the scalars of struct sim_state, then object by object,
//   array by array as `pass_world` walks them, and last XXH64 over all of it before.
//
// There are two version numbers. `version` is that of this layout, which says which fields there are. The physics
// version says which arithmetic has produced the state (SIM_PHYSICS_VERSION).
//
// Versions of the layout; an older one is read with the defaults given where the field is passed:
//   1  the first
//   2  how far sheets may tear: room_particles, room_sticks
//   3  the physics version, and all that is passed with `…_since(walk, 3, …)`
// To add a field: pass it with the `…_since` function of its type (archive_walk.h), with the version that is the newest
// here and the value that it had, in effect, before there was such a field. Add it at the end of what it belongs to, or
// anywhere else: what was written before is read in the same order without it. Raise VERSION only when snapshots of
// the present one have been released.
//
// One walk counts, writes or reads, so that the three cannot disagree. Data that was read is trusted only after
// archive_check.c has checked it: it may come from a stranger.
#include "sim/archive.h"

#include <assert.h>

#include "base/hash.h"
#include "sim/contact/obstacle.h"
#include "sim/state/archive_check.h"
#include "sim/state/archive_walk.h"
#include "sim/state/lifecycle.h"
#include "sim/world/layout.h"

#define MAGIC 0x4d495357u // "WSIM"
#define VERSION 3u
#define HASH_BYTES 8u

// ---- scalars -----------------------------------------------------------------------------------------------------

static void pass_parameters(struct walk *walk, struct sim_parameters *parameters) {
    pass_vec3(walk, &parameters->gravity);
    pass_real(walk, &parameters->damping);
    pass_u32(walk, &parameters->substeps);
    pass_u32(walk, &parameters->iterations);
    PASS_ENUM(walk, parameters->square_root, enum sim_square_root);
    pass_vec3(walk, &parameters->bounds_min);
    pass_vec3(walk, &parameters->bounds_max);
    pass_real(walk, &parameters->friction);
    pass_real(walk, &parameters->tolerance);
    pass_vec3(walk, &parameters->wind_velocity);
    pass_real(walk, &parameters->wind_gust);
    pass_real_since(walk, 3, &parameters->air_density, 1.2f);
    pass_truth_since(walk, 3, &parameters->sleep, true);
}

static void pass_state(struct walk *walk, struct sim_state *state) {
    pass_bytes(walk, &state->tick, sizeof state->tick);
    uint32_t *const numbers[] = {
        &state->epoch,     &state->sequence,      &state->particles,   &state->sticks,        &state->colours,
        &state->triangles, &state->objects,       &state->obstacles,   &state->free_sticks,   &state->grabs,
        &state->forces,    &state->force_indices, &state->shape_reals, &state->shape_indices,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        pass_u32(walk, numbers[i]);
    }
    pass_parameters(walk, &state->parameters);
    pass_u32_since(walk, 2, &state->room_particles, 0); // 0 and 0: as far as there is room in the world
    pass_u32_since(walk, 2, &state->room_sticks, 0);
}

// ---- elements ----------------------------------------------------------------------------------------------------

// The start of an object's parts follows from the objects before it.
static void pass_object(struct walk *walk, struct object *object) {
    pass_u32(walk, &object->id);
    PASS_ENUM(walk, object->kind, enum sim_kind);
    uint32_t *const counts[] = {&object->particles, &object->sticks,  &object->colours, &object->triangles,
                                &object->pins,      &object->columns, &object->rows};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        pass_u32(walk, counts[i]);
    }
    PASS_ENUM(walk, object->lattice, enum sim_lattice);
    PASS_ENUM(walk, object->projection, enum sim_projection);
    float *const reals[] = {&object->spacing,         &object->radius,
                            &object->friction,        &object->restitution,
                            &object->determinant,     &object->stretch_compliance,
                            &object->bend_compliance, &object->tear,
                            &object->height,          &object->grain};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        pass_real(walk, reals[i]);
    }
    bool *const truths[] = {&object->asleep, &object->quarantined, &object->told_asleep, &object->self_collision,
                            &object->tethers};
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
        pass_truth(walk, truths[i]);
    }
    PASS_ENUM(walk, object->shape, enum sim_body_shape);
    uint32_t *const numbers[] = {&object->still_ticks,   &object->island,           &object->hull.first_real,
                                 &object->hull.reals,    &object->hull.first_index, &object->hull.indices,
                                 &object->hull_vertices, &object->hull_triangles,   &object->hull_faces};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        pass_u32(walk, numbers[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        pass_real_since(walk, 3, &object->still_moved[i], 0.0f);
    }
    for (unsigned i = 0; i < 3; i++) {
        pass_vec3(walk, &object->rest_edge[i]);
    }
}

// Everything else of an obstacle is computed from this (obstacle_resume).
static void pass_obstacle(struct walk *walk, struct obstacle *obstacle) {
    struct sim_obstacle *shape = &obstacle->shape;
    pass_u32(walk, &shape->id);
    PASS_ENUM(walk, shape->shape, enum sim_obstacle_shape);
    pass_vec3(walk, &shape->position);
    pass_real(walk, &shape->radius);
    pass_vec3(walk, &shape->size);
    pass_bytes(walk, &shape->rotation, sizeof shape->rotation);
    pass_vec3(walk, &shape->normal);
    pass_vec3(walk, &shape->from);
    pass_vec3(walk, &shape->to);
    pass_u32(walk, &shape->columns);
    pass_u32(walk, &shape->rows);
    pass_real(walk, &shape->spacing);
    pass_u32(walk, &shape->vertices);
    pass_u32(walk, &shape->triangle_count);
    pass_real(walk, &shape->friction);
    pass_real(walk, &shape->restitution);
    pass_u32(walk, &obstacle->data.first_real);
    pass_u32(walk, &obstacle->data.reals);
    pass_u32(walk, &obstacle->data.first_index);
    pass_u32(walk, &obstacle->data.indices);
}
_Static_assert(sizeof(struct quat) == 4 * sizeof(float), "four floats, nothing between");

static void pass_free_stick(struct walk *walk, struct free_stick *stick) {
    uint32_t *const numbers[] = {&stick->id, &stick->a.object, &stick->a.particle, &stick->b.object,
                                 &stick->b.particle};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        pass_u32(walk, numbers[i]);
    }
    PASS_ENUM(walk, stick->kind, enum sim_stick_kind);
    pass_real(walk, &stick->rest_length);
    pass_real(walk, &stick->compliance);
    PASS_ENUM_SINCE(walk, 3, stick->projection, enum sim_projection, SIM_PROJECTION_CURRENT);
}

static void pass_grab(struct walk *walk, struct grab *grab) {
    pass_u32(walk, &grab->id);
    pass_u32(walk, &grab->object);
    pass_u32(walk, &grab->holds);
    pass_u32(walk, &grab->carriers);
    for (unsigned k = 0; k < SIM_GRAB_CARRIERS; k++) {
        pass_u32(walk, &grab->particle[k]);
        pass_real(walk, &grab->weight[k]);
    }
    pass_vec3(walk, &grab->target);
    pass_vec3(walk, &grab->position);
    for (unsigned i = 0; i < SIM_GRAB_MEMORY_TICKS; i++) {
        pass_vec3(walk, &grab->moved[i]);
    }
    pass_u32(walk, &grab->ticks);
}

static void pass_force(struct walk *walk, struct force *force) {
    pass_u32(walk, &force->object);
    pass_u32(walk, &force->ticks);
    pass_u32(walk, &force->first_index);
    pass_u32(walk, &force->indices);
    pass_vec3(walk, &force->share);
}

// ---- the whole ---------------------------------------------------------------------------------------------------

// Walks a copy, so that writing does not change the world. When reading, the copy starts as zeros.
#define PASS_EACH(walk, array, count, pass, type)                                                                      \
    for (uint32_t i_ = 0; i_ < (count) && !(walk)->short_of; i_++) {                                                   \
        type copy_ = {0};                                                                                              \
        if ((walk)->mode != READ) {                                                                                    \
            copy_ = (array)[i_];                                                                                       \
        }                                                                                                              \
        pass((walk), &copy_);                                                                                          \
        if ((walk)->mode == READ) {                                                                                    \
            (array)[i_] = copy_;                                                                                       \
        }                                                                                                              \
    }

static void pass_particles(struct walk *walk, const struct sim_world *world, uint32_t count) {
    float *const reals[] = {world->x, world->y, world->z, world->dx, world->dy, world->dz, world->own_w, world->w};
    int16_t *const places[] = {world->still_x, world->still_y, world->still_z};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        PASS_ARRAY(walk, reals[i], count);
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        PASS_ARRAY(walk, places[i], count);
    }
    PASS_ARRAY(walk, world->flags, count);
    PASS_ARRAY_SINCE(walk, 3, world->low_x, count);
    PASS_ARRAY_SINCE(walk, 3, world->low_y, count);
    PASS_ARRAY_SINCE(walk, 3, world->low_z, count);
}

// Everything after the scalars; the counts are those of `state`.
static void pass_world(struct walk *walk, const struct sim_world *world, const struct sim_state *state) {
    PASS_EACH(walk, world->object, state->objects, pass_object, struct object)
    PASS_EACH(walk, world->obstacle, state->obstacles, pass_obstacle, struct obstacle)
    PASS_EACH(walk, world->free_stick, state->free_sticks, pass_free_stick, struct free_stick)
    PASS_EACH(walk, world->grab, state->grabs, pass_grab, struct grab)
    PASS_EACH(walk, world->force, state->forces, pass_force, struct force)
    pass_particles(walk, world, state->particles);
    PASS_ARRAY(walk, world->stick_a, state->sticks);
    PASS_ARRAY(walk, world->stick_b, state->sticks);
    PASS_ARRAY(walk, world->stick_rest, state->sticks);
    PASS_ARRAY(walk, world->colour_end, state->colours);
    PASS_ARRAY(walk, world->colour_class, state->colours);
    PASS_ARRAY(walk, world->triangle, 3 * (size_t)state->triangles);
    PASS_ARRAY(walk, world->force_index, state->force_indices);
    PASS_ARRAY(walk, world->shape_real, state->shape_reals);
    PASS_ARRAY(walk, world->shape_index, state->shape_indices);
}

// The head of every version.
struct archive_head {
    uint32_t magic, physics;
    float tick_hz;
};

static void pass_head(struct walk *walk, struct archive_head *head, struct sim_state *state) {
    pass_u32(walk, &head->magic);
    pass_u32(walk, &walk->version);
    pass_u32_since(walk, 3, &head->physics, 1);
    pass_real(walk, &head->tick_hz);
    pass_state(walk, state);
}

static void pass_all(struct walk *walk, const struct sim_world *world) {
    struct archive_head head = {.magic = MAGIC, .physics = SIM_PHYSICS_VERSION, .tick_hz = world->tick_hz};
    struct sim_state state = world->state;
    pass_head(walk, &head, &state);
    pass_world(walk, world, &state);
}

size_t sim_world_archive_length(const struct sim_world *world) {
    struct walk walk = {.mode = COUNT, .version = VERSION};
    pass_all(&walk, world);
    return walk.at + HASH_BYTES;
}

void sim_world_archive(const struct sim_world *world, void *bytes) {
    struct walk walk = {.mode = WRITE, .version = VERSION, .out = bytes};
    pass_all(&walk, world);
    const uint64_t hash = hash64_of(bytes, walk.at, 0);
    memcpy(walk.out + walk.at, &hash, sizeof hash);
}

// ---- reading -----------------------------------------------------------------------------------------------------

static enum result refuse(struct fault *fault, const char *why) {
    return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: %s", why);
}

static enum result read_head(struct walk *walk, struct archive_head *head, struct sim_state *state,
                             struct fault *fault) {
    uint64_t hash = 0;
    const size_t whole = walk->length;
    if (whole < HASH_BYTES) {
        return refuse(fault, "it is cut off");
    }
    walk->length = whole - HASH_BYTES;
    pass_head(walk, head, state);
    if (head->magic == MAGIC && walk->version > VERSION) { // the rest is unknown
        return fault_set(fault, RESULT_INVALID, "", "the snapshot is of version %u, this server reads versions 1 to %u",
                         walk->version, VERSION);
    }
    if (walk->short_of || head->magic != MAGIC || walk->version < 1) {
        return refuse(fault, "it is not one");
    }
    memcpy(&hash, walk->in + walk->length, sizeof hash);
    if (hash != hash64_of(walk->in, walk->length, 0)) {
        return refuse(fault, "its bytes are not those that were written");
    }
    if (head->physics < 1 || head->physics > SIM_PHYSICS_VERSION) {
        return fault_set(fault, RESULT_INVALID, "",
                         "the snapshot was made with physics version %u, this server has versions 1 to %u",
                         head->physics, SIM_PHYSICS_VERSION);
    }
    if (!(head->tick_hz >= 1.0f && head->tick_hz <= 1000.0f)) {
        return refuse(fault, "its tick rate is none");
    }
    return RESULT_OK;
}

enum result sim_archive_look(const void *bytes, size_t length, struct sim_archive_info *info, struct fault *fault) {
    struct walk walk = {.mode = READ, .in = bytes, .length = length};
    struct sim_state state = {0};
    struct archive_head head = {0};
    const enum result result = read_head(&walk, &head, &state, fault);
    if (result == RESULT_OK) {
        *info = (struct sim_archive_info){.tick_hz = head.tick_hz, .physics = head.physics};
    }
    return result;
}

// Sets the starts of the objects' parts. Returns false when the counts do not add up.
static bool lay_out(struct sim_world *world, const struct sim_state *state) {
    uint64_t particles = 0;
    uint64_t sticks = 0;
    uint64_t colours = 0;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < state->objects; i++) {
        struct object *object = &world->object[i];
        object->first = (uint32_t)particles;
        object->first_stick = (uint32_t)sticks;
        object->first_colour = (uint32_t)colours;
        object->first_triangle = (uint32_t)triangles;
        particles += object->particles;
        sticks += object->sticks;
        colours += object->colours;
        triangles += object->triangles;
        if (particles > state->particles || sticks > state->sticks || colours > state->colours ||
            triangles > state->triangles) {
            return false;
        }
    }
    return particles == state->particles && sticks == state->sticks && colours == state->colours &&
           triangles == state->triangles;
}

// Sheets that may tear need the room to tear as far as in the archived world.
static enum result settle_room(struct sim_world *world, struct fault *fault) {
    const struct sim_state *state = &world->state;
    const bool has = state->room_particles <= world->capacity.particles && state->room_sticks <= world->capacity.sticks;
    for (uint32_t i = 0; i < state->objects && !has; i++) {
        if (world->object[i].tear > 0.0f) {
            return fault_set(
                fault, RESULT_LIMIT, "",
                "the snapshot's sheets may tear until there are %u particles and %u sticks, this world has "
                "room for %u and %u",
                state->room_particles, state->room_sticks, world->capacity.particles, world->capacity.sticks);
        }
    }
    if (!has) {
        lifecycle_own_room(world);
    }
    return RESULT_OK;
}

static enum result read_body(struct sim_world *world, struct walk *walk, const struct sim_state *state,
                             struct fault *fault) {
    struct walk count = {.mode = COUNT, .version = walk->version};
    enum result result = archive_check_counts(world, state, fault);
    if (result != RESULT_OK) {
        return result;
    }
    pass_world(&count, world, state);
    if (count.at != walk->length - walk->at) {
        return refuse(fault, "it is longer or shorter than it says");
    }
    pass_world(walk, world, state);
    if (walk->short_of || !lay_out(world, state)) {
        return refuse(fault, "its objects do not add up");
    }
    world->state = *state;
    world->state.obstacles = 0;
    result = archive_check_objects(world, state, fault);
    result = result == RESULT_OK ? settle_room(world, fault) : result;
    for (uint32_t i = 0; i < state->obstacles && result == RESULT_OK; i++) {
        world->state.obstacles = i; // the obstacles before it, for the check that there is room for one more
        result = obstacle_resume(world, &world->obstacle[i], fault);
    }
    world->state.obstacles = state->obstacles;
    return result == RESULT_OK ? archive_check_links(world, fault) : result;
}

enum result sim_world_unarchive(struct sim_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct walk walk = {.mode = READ, .in = bytes, .length = length};
    struct sim_state state = {0};
    struct archive_head head = {0};
    enum result result = read_head(&walk, &head, &state, fault);
    if (result == RESULT_OK && head.tick_hz != world->tick_hz) {
        result =
            fault_set(fault, RESULT_INVALID, "", "the snapshot is of a world of %g ticks a second, this one has %g",
                      (double)head.tick_hz, (double)world->tick_hz);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t epoch = world->state.epoch;
    if (state.room_particles == 0 && state.room_sticks == 0) { // of version 1, or of a world without any room
        state.room_particles = world->capacity.particles;
        state.room_sticks = world->capacity.sticks;
    }
    result = read_body(world, &walk, &state, fault);
    if (result != RESULT_OK) {
        world->state = (struct sim_state){.parameters = sim_parameters_default(), .epoch = epoch};
        lifecycle_own_room(world);
        layout_changed(world);
        return result;
    }
    lifecycle_refresh(world);
    return RESULT_OK;
}

void sim_world_renew_epoch(struct sim_world *world, uint32_t above) {
    if (world->state.epoch < above) {
        world->state.epoch = above;
    }
    world->state.epoch++;
}

void sim_world_skip_sequence(struct sim_world *world, uint32_t sequence) {
    if (world->state.sequence < sequence) {
        world->state.sequence = sequence;
    }
}
